package dev.yardmaster.cli;

import dev.yardmaster.client.ClusterView;
import dev.yardmaster.model.Node;
import dev.yardmaster.model.NodeSpec;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.text.HostList;
import dev.yardmaster.model.text.Instants;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * {@code scontrol write config}: what holds now as a slurm.conf, with what was changed of nodes and
 * partitions since the files were read.
 */
final class ConfigFile {
  /** What no slurm.conf says. */
  private static final Set<String> TOLD_ONLY =
      Set.of("BOOT_TIME", "SLURM_VERSION", "YARDMASTER_VERSION", "MaxNodeCount");

  private final Io io;

  ConfigFile(Io io) {
    this.io = io;
  }

  /**
   * Writes the file, and says where.
   *
   * @param target what its name begins with, before the time
   */
  void write(String target, ConfigList config, ClusterView view) {
    String name = target + "." + Instants.format(io.clock().instant(), io.zone());
    try {
      Path file = io.directory().resolve(name);
      Files.write(file, text(config, view).getBytes(StandardCharsets.UTF_8));
      io.out().println("Slurm config saved to " + name);
    } catch (IOException e) {
      String why = e instanceof NoSuchFileException ? "No such file or directory" : reason(e);
      io.err().println("Could not create file " + name + ": " + why);
    }
  }

  private static String reason(IOException e) {
    return e instanceof java.nio.file.AccessDeniedException
        ? "Permission denied"
        : String.valueOf(e.getMessage());
  }

  private String text(ConfigList config, ClusterView view) {
    StringBuilder out = new StringBuilder();
    out.append("# What holds as of ")
        .append(Instants.format(io.clock().instant(), io.zone()))
        .append('\n');
    config
        .texts()
        .forEach(
            (key, value) -> {
              if (!TOLD_ONLY.contains(key)) {
                boolean none = value.isEmpty() || value.matches("\\(null.*|none|Unknown");
                String name = key.replaceFirst("\\[[0-9]+]$", "");
                String said = value.replaceFirst(" (sec|usec|min|nodes/min|percent)$", "");
                out.append(none ? "#" : "")
                    .append(name)
                    .append('=')
                    .append(none ? "" : quoted(key.endsWith("User") ? user(said) : said))
                    .append('\n');
              }
            });
    nodes(view).forEach(line -> out.append(line).append('\n'));
    view.partitions().values().forEach(p -> out.append(partition(p)).append('\n'));
    return out.toString();
  }

  private static String quoted(String value) {
    return value.indexOf(' ') < 0 ? value : '"' + value + '"';
  }

  private static String user(String value) {
    return value.replaceFirst("\\([0-9]+\\)$", "");
  }

  /** Nodes that agree share a line. */
  private static List<String> nodes(ClusterView view) {
    Map<String, List<String>> alike = new LinkedHashMap<>();
    for (Node node : view.nodes().values()) {
      alike.computeIfAbsent(node(node.spec()), line -> new ArrayList<>()).add(node.name());
    }
    List<String> lines = new ArrayList<>();
    alike.forEach((line, names) -> lines.add("NodeName=" + HostList.fold(names) + line));
    return lines;
  }

  private static String node(NodeSpec spec) {
    StringBuilder out = new StringBuilder();
    word(out, "NodeHostName", spec.hostname(), spec.name());
    word(out, "NodeAddr", spec.address(), spec.name());
    word(out, "Sockets", spec.sockets(), 0);
    word(out, "CoresPerSocket", spec.coresPerSocket(), 0);
    word(out, "ThreadsPerCore", spec.threadsPerCore(), 0);
    word(out, "Gres", SinfoRow.gres(spec), JobFacts.NULL);
    word(out, "RealMemory", spec.realMemoryMib(), 1L);
    word(out, "TmpDisk", spec.tmpDiskMib(), 0L);
    word(out, "Weight", spec.weight(), 1);
    word(out, "Feature", String.join(",", spec.availableFeatures()), "");
    word(out, "Port", spec.port(), 0);
    word(out, "CoreSpecCount", spec.coreSpecCount(), 0);
    word(out, "MemSpecLimit", spec.memSpecLimitMib(), 0L);
    return out.toString();
  }

  private static void word(StringBuilder out, String key, Object value, Object none) {
    if (!value.equals(none)) {
      out.append(' ').append(key).append('=').append(value);
    }
  }

  /** Of what scontrol tells of a partition that which differs from what holds without a word. */
  private String partition(Partition p) {
    StringBuilder out = new StringBuilder();
    List<String> unsaid =
        List.of("ALL", "NO", "NONE", "N/A", "UNLIMITED", "(null)", "0", "OFF", "");
    Set<String> sums = Set.of("TotalCPUs", "TotalNodes", "TRES", "NodeSets", "Nodes");
    String line = new PartitionText(ClusterView.EMPTY, true).of(p);
    for (String word : line.strip().split(" +")) {
      String key = word.substring(0, Math.max(0, word.indexOf('=')));
      String value = word.substring(word.indexOf('=') + 1);
      boolean one = value.equals("1") && key.startsWith("Priority");
      if (!sums.contains(key) && !key.isEmpty() && !one && !unsaid.contains(value)) {
        out.append(out.isEmpty() ? "" : " ").append(key).append('=').append(value);
      }
    }
    return out.append(" Nodes=").append(HostList.fold(p.nodes())).toString();
  }
}
