package dev.yardmaster.config;

import dev.yardmaster.model.text.HostList;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * What gres.conf(5) says of a node that is no business of the controller.
 *
 * @param autoDetect how the node's daemon looks for GPUs, lower case; empty when not given
 * @param gpuFlags Flags= of its lines for GPUs, lower case
 */
public record GresRules(String autoDetect, Set<String> gpuFlags) {
  public GresRules {
    gpuFlags = Set.copyOf(gpuFlags);
  }

  /**
   * Reads them; a file that is not there says nothing.
   *
   * @param directory of slurm.conf
   */
  public static GresRules of(Path directory, String clusterName, String node) {
    Path file = directory.resolve("gres.conf");
    return Files.exists(file)
        ? of(GresConf.read(file, clusterName, new Findings()), node)
        : new GresRules("", Set.of());
  }

  /** What a line says for the node goes before what is said for all. */
  private static GresRules of(List<GresLine> lines, String node) {
    String global = "";
    String own = "";
    Set<String> flags = new TreeSet<>();
    for (GresLine line : lines) {
      HostList nodes = line.nodes();
      if (nodes != null && !nodes.contains(node)) {
        continue;
      }
      if (nodes == null && line.name().isEmpty() && !line.autoDetect().isEmpty()) {
        global = line.autoDetect();
      } else if (!line.autoDetect().isEmpty()) {
        own = line.autoDetect();
      }
      if (line.name().equals("gpu")) {
        flags.addAll(line.flags());
      }
    }
    return new GresRules(own.isEmpty() ? global : own, flags);
  }
}
