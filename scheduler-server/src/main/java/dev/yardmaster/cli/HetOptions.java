package dev.yardmaster.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The components of a heterogeneous job: {@code :} between their options on the command line,
 * {@code #SBATCH hetjob} between them in the script. What is about the job as a whole holds for all
 * components that follow, what is about resources does not (Slurm's guide, "Heterogeneous Job
 * Support").
 */
final class HetOptions {
  private static final String SEPARATOR = ":";
  private static final Set<String> DIRECTIVES = Set.of("hetjob", "packjob");

  private static final Set<String> PROPAGATED =
      Set.of(
          "account",
          "acctg-freq",
          "begin",
          "cluster-constraint",
          "clusters",
          "comment",
          "deadline",
          "delay-boot",
          "dependency",
          "distribution",
          "error",
          "export",
          "export-file",
          "exclude",
          "get-user-env",
          "gid",
          "hold",
          "ignore-pbs",
          "input",
          "job-name",
          "mcs-label",
          "mem",
          "no-requeue",
          "nice",
          "no-kill",
          "output",
          "parsable",
          "priority",
          "profile",
          "propagate",
          "qos",
          "quiet",
          "reboot",
          "reservation",
          "requeue",
          "signal",
          "time",
          "test-only",
          "time-min",
          "uid",
          "verbose",
          "wait",
          "wait-all-nodes",
          "wckey",
          "chdir");

  private HetOptions() {}

  /** The command line of each component; the operands are those of the last. */
  static List<GetOpt.Parsed> parse(GetOpt getOpt, List<String> arguments) throws CommandFailure {
    List<GetOpt.Parsed> parts = new ArrayList<>();
    GetOpt.Parsed part = getOpt.parse(arguments);
    parts.add(part);
    while (!part.operands().isEmpty() && part.operands().getFirst().equals(SEPARATOR)) {
      part = getOpt.parse(part.operands().subList(1, part.operands().size()));
      parts.add(part);
    }
    return parts;
  }

  /** The directives of each component. */
  static List<List<String>> split(List<String> directives) {
    List<List<String>> parts = new ArrayList<>(List.of(new ArrayList<>()));
    for (String word : directives) {
      if (DIRECTIVES.contains(word)) {
        parts.add(new ArrayList<>());
      } else {
        parts.getLast().add(word);
      }
    }
    return parts;
  }

  /**
   * The options of each component.
   *
   * @param before command lines whose options about the job as a whole hold for the first component
   *     unless it has them itself: sbatch reads those of all components before it reads each
   * @param directives what the script says for each
   * @param environment what holds for all
   * @param commandLine what the command line says for each
   */
  static List<Map<String, String>> merge(
      List<Map<String, String>> before,
      List<Map<String, String>> directives,
      Map<String, String> environment,
      List<Map<String, String>> commandLine) {
    List<Map<String, String>> merged = new ArrayList<>();
    int count = Math.max(directives.size(), commandLine.size());
    String script = wrapped(commandLine);
    for (int i = 0; i < count; i++) {
      Map<String, String> options = new LinkedHashMap<>();
      (i > 0 ? List.of(merged.getLast()) : before).forEach(options::putAll);
      options.keySet().retainAll(PROPAGATED);
      if (i < directives.size()) {
        SbatchOptions.override(options, directives.get(i));
      }
      SbatchOptions.override(options, environment);
      if (i < commandLine.size()) {
        SbatchOptions.override(options, commandLine.get(i));
      }
      if (script != null) {
        options.put("wrap", script);
      }
      merged.add(options);
    }
    return merged;
  }

  /** {@code --wrap} stands with the last component and is the script of the first. */
  private static @Nullable String wrapped(List<Map<String, String>> commandLine) {
    String script = null;
    for (Map<String, String> options : commandLine) {
      script = options.getOrDefault("wrap", script);
    }
    return script;
  }
}
