package dev.yardmaster.config;

import dev.yardmaster.model.IndexSet;
import dev.yardmaster.model.text.HostList;
import dev.yardmaster.model.text.NotationException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads gres.conf(5). */
final class GresConf {
  private static final int MOST_LINKS = 1024;
  private static final Pattern NUMBER = Pattern.compile("-?\\d{1,4}");

  private final Findings findings;
  private final List<GresLine> lines = new ArrayList<>();

  private GresConf(Findings findings) {
    this.findings = findings;
  }

  /**
   * The lines of the file with what it includes.
   *
   * @param clusterName for {@code %c} in Include
   */
  static List<GresLine> read(Path file, String clusterName, Findings findings) {
    var conf = new GresConf(findings);
    var parser =
        new LineParser(
            Section.GRES, EnumSet.noneOf(Section.class), findings, s -> {}, conf::describe);
    ConfFile.read(file, findings, () -> clusterName, parser::parse);
    return List.copyOf(conf.lines);
  }

  private void describe(Block line) {
    Optional<Setting> name = line.get("Name");
    Optional<Setting> auto = line.get("AutoDetect");
    if (name.isEmpty() && auto.isEmpty()) {
      if (!line.settings().isEmpty()) {
        findings.error(line.head(), "the line names no resource", "write Name=gpu or another name");
      }
      return;
    }
    if (!Set.of("name", "nodename", "autodetect")
        .contains(line.head().key().toLowerCase(Locale.ROOT))) {
      findings.error(
          line.head(), "Slurm wants NodeName or Name first on the line", "move it to the front");
    }
    List<String> files = files(line);
    lines.add(
        new GresLine(
            line.head(),
            line.get("NodeName").map(s -> HostList.parse(s.value())).orElse(null),
            name.map(s -> s.value().toLowerCase(Locale.ROOT)).orElse(""),
            line.get("Type").map(Setting::value).orElse(null),
            files,
            count(line, name.map(Setting::value).orElse(""), files),
            cores(line),
            line.get("Cores").or(() -> line.get("CPUs")).orElse(null),
            links(line, files),
            flags(line),
            auto.map(s -> s.value().toLowerCase(Locale.ROOT)).orElse("")));
  }

  private List<String> files(Block line) {
    Optional<Setting> single = line.get("File").or(() -> line.get("Files"));
    Optional<Setting> multiple = line.get("MultipleFiles");
    if (single.isPresent()) {
      multiple.ifPresent(
          s -> findings.fatal(s, "File and MultipleFiles exclude each other", "remove one"));
      return expand(single.get());
    }
    if (multiple.isEmpty()) {
      return List.of();
    }
    List<String> files = expand(multiple.get());
    if (files.size() < 2) {
      findings.fatal(multiple.get(), "names a single file", "write File= instead");
    }
    return files.isEmpty() ? List.of() : List.of(String.join(",", files));
  }

  private List<String> expand(Setting at) {
    try {
      return DeviceFiles.expand(at.value());
    } catch (NotationException e) {
      findings.fatal(at, e.wrong(), "write for example /dev/nvidia[0-7]");
      return List.of();
    }
  }

  private @Nullable Long count(Block line, String name, List<String> files) {
    Setting given = line.settings().get("Count");
    if (given == null) {
      return null;
    }
    long count = Values.count(given.value()).orElse(1);
    boolean shared = GresLine.isShared(name.toLowerCase(Locale.ROOT));
    if (!files.isEmpty() && count != files.size() && !shared) {
      findings.fatal(
          given,
          "File names " + files.size() + " devices",
          "write Count=" + files.size() + ", or drop Count");
      return (long) files.size();
    }
    return count;
  }

  private static @Nullable IndexSet cores(Block line) {
    return line.get("Cores")
        .or(() -> line.get("CPUs"))
        .map(s -> IndexSet.parse(s.value()))
        .orElse(null);
  }

  private @Nullable List<Integer> links(Block line, List<String> files) {
    Setting given = line.get("Links").or(() -> line.get("Link")).orElse(null);
    if (given == null) {
      return null;
    }
    var links = new ArrayList<Integer>();
    for (String part : given.value().split(",", -1)) {
      String number = part.strip();
      if (!NUMBER.matcher(number).matches()
          || Integer.parseInt(number) < -2
          || Integer.parseInt(number) > MOST_LINKS) {
        return badLinks(given, "\"" + number + "\" is not a number of links");
      }
      links.add(Integer.parseInt(number));
    }
    if (links.stream().filter(n -> n == -1).count() > 1) {
      return badLinks(given, "more than one -1");
    }
    if (files.size() > 1) {
      return badLinks(given, "the line describes " + files.size() + " devices");
    }
    return links;
  }

  private @Nullable List<Integer> badLinks(Setting given, String message) {
    findings.error(
        given,
        message + "; the links are not used",
        "write one line for each device, with -1 for itself, as Links=-1,4,4,4");
    return null;
  }

  private Set<String> flags(Block line) {
    Set<String> flags = new TreeSet<>();
    line.get("Flags")
        .ifPresent(s -> Values.list(s.value()).forEach(f -> flags.add(f.toLowerCase(Locale.ROOT))));
    if (flags.contains("no_gpu_env")
        && flags.stream().anyMatch(f -> f.endsWith("_env") && !f.equals("no_gpu_env"))) {
      findings.fatal(
          line.orHead("Flags"), "no_gpu_env excludes the other _env flags", "remove one of them");
    }
    return flags;
  }
}
