package dev.yardmaster.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What srun(1) is to run together: {@code :} stands between the components of a heterogeneous step,
 * and {@code --het-group} says which components of the job one is for.
 */
final class SrunParts {
  private static final int MOST_GROUPS = 128;

  /** What a component does not have from the one before it: what is about its resources. */
  private static final Set<String> OF_ONE =
      Set.of(
          "accel-bind",
          "bcast",
          "bcast-exclude",
          "compress",
          "constraint",
          "contiguous",
          "core-spec",
          "cores-per-socket",
          "cpu-bind",
          "cpus-per-gpu",
          "cpus-per-task",
          "distribution",
          "exclusive",
          "extra-node-info",
          "gpu-bind",
          "gpu-freq",
          "gpus",
          "gpus-per-node",
          "gpus-per-socket",
          "gpus-per-task",
          "gres",
          "gres-flags",
          "het-group",
          "hint",
          "licenses",
          "mail-type",
          "mail-user",
          "mem-bind",
          "mem-per-cpu",
          "mem-per-gpu",
          "mincpus",
          "network",
          "nodefile",
          "nodelist",
          "nodes",
          "ntasks",
          "ntasks-per-core",
          "ntasks-per-gpu",
          "ntasks-per-node",
          "ntasks-per-socket",
          "overcommit",
          "oversubscribe",
          "partition",
          "relative",
          "segment",
          "send-libs",
          "sockets-per-node",
          "spread-job",
          "switches",
          "thread-spec",
          "threads-per-core",
          "tmp",
          "tres-bind",
          "tres-per-task",
          "use-min-nodes");

  private SrunParts() {}

  /**
   * One component.
   *
   * @param group which component of the job it is for, from 0
   */
  record Part(int group, Map<String, String> options, List<String> command) {}

  /** The words of each component's command line, with what getopt made of them. */
  static List<GetOpt.Parsed> parse(GetOpt getOpt, List<String> arguments) throws CommandFailure {
    List<GetOpt.Parsed> parts = new ArrayList<>();
    List<String> rest = arguments;
    while (true) {
      GetOpt.Parsed parsed = getOpt.parse(rest);
      int colon = parsed.operands().indexOf(":");
      if (colon < 0) {
        parts.add(parsed);
        return parts;
      }
      parts.add(new GetOpt.Parsed(parsed.options(), parsed.operands().subList(0, colon)));
      rest = parsed.operands().subList(colon + 1, parsed.operands().size());
    }
  }

  /**
   * The components in the order of their groups; a single one that names no group is for the first.
   *
   * @param inside whether they are to run in an allocation that is there
   */
  static List<Part> read(List<GetOpt.Parsed> parsed, boolean inside, Io io) throws CommandFailure {
    List<Part> parts = new ArrayList<>();
    Set<Integer> taken = new TreeSet<>();
    Map<String, String> before = new LinkedHashMap<>();
    for (int i = 0; i < parsed.size(); i++) {
      Map<String, String> given = SbatchOptions.collect(parsed.get(i).options());
      for (int group : groups(given.get("het-group"), i)) {
        if (!taken.add(group)) {
          throw new CommandFailure(
              1, "srun: fatal: Duplicate het groups in single srun not supported");
        }
        Map<String, String> options = new LinkedHashMap<>(before);
        options.keySet().removeAll(OF_ONE);
        SbatchOptions.override(
            options, InteractiveOptions.ofSrunEnvironment(inside, group, io.environment()));
        if (given.containsKey("nodes") || given.containsKey("ntasks-per-node")) {
          options.remove("ntasks");
        }
        SbatchOptions.override(options, given);
        parts.add(new Part(group, options, command(parsed, i)));
        before = options;
      }
    }
    parts.sort((a, b) -> Integer.compare(a.group(), b.group()));
    return parts;
  }

  /** A component without a command runs that of the next one that has one. */
  private static List<String> command(List<GetOpt.Parsed> parsed, int from) {
    for (GetOpt.Parsed part : parsed.subList(from, parsed.size())) {
      if (!part.operands().isEmpty()) {
        return part.operands();
      }
    }
    return List.of();
  }

  private static Set<Integer> groups(@Nullable String text, int place) throws CommandFailure {
    if (text == null) {
      return Set.of(place);
    }
    Set<Integer> groups = new TreeSet<>();
    for (String part : text.replaceAll("^\\[|]$", "").split(",", -1)) {
      String[] ends = part.split("-", 2);
      if (!ends[0].matches("[0-9]{1,3}") || !ends[ends.length - 1].matches("[0-9]{1,3}")) {
        throw invalid(text);
      }
      int last = Integer.parseInt(ends[ends.length - 1]);
      for (int group = Integer.parseInt(ends[0]); group <= last; group++) {
        groups.add(group);
      }
      if (last >= MOST_GROUPS) {
        throw invalid(text);
      }
    }
    if (groups.isEmpty()) {
      throw invalid(text);
    }
    return groups;
  }

  private static CommandFailure invalid(String text) {
    return new CommandFailure(
        1,
        "srun: error: _parse_single_range: Invalid range: `" + text + "'",
        "srun: error: Invalid --het-group value: " + text,
        Hint.of("--het-group: write numbers of components, as 0,2 or 0-1"));
  }
}
