package dev.yardmaster.cli;

import dev.yardmaster.model.text.TimeLimits;
import java.math.BigInteger;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * What sbatch, salloc and srun find wrong with the values of options while they read them, in the
 * order in which they were given and before anything else is looked at.
 */
final class OptionValues {
  private static final int UNREADABLE = 1;
  private static final BigInteger MOST = BigInteger.valueOf(Integer.MAX_VALUE);
  private static final BigInteger HIGHEST_PRIORITY = BigInteger.valueOf(4_294_967_294L);

  /** Options that take a number, with the least that they take. */
  private static final Map<String, Integer> NUMBERS =
      Map.ofEntries(
          Map.entry("cores-per-socket", 1),
          Map.entry("cpus-per-gpu", 1),
          Map.entry("cpus-per-task", 1),
          Map.entry("mincpus", 1),
          Map.entry("ntasks", 1),
          Map.entry("ntasks-per-core", 1),
          Map.entry("ntasks-per-gpu", 1),
          Map.entry("ntasks-per-node", 1),
          Map.entry("ntasks-per-socket", 1),
          Map.entry("relative", 0),
          Map.entry("sockets-per-node", 1),
          Map.entry("thread-spec", 1),
          Map.entry("threads", 1),
          Map.entry("threads-per-core", 1),
          Map.entry("wait-all-nodes", 0));

  private static final Set<String> LIMITS =
      Set.of(
          "", "ALL", "NONE", "AS", "CORE", "CPU", "DATA", "FSIZE", "MEMLOCK", "NOFILE", "NPROC",
          "RSS", "STACK");
  private static final Set<String> FREQUENCIES = Set.of("low", "medium", "highm1", "high");
  private static final Set<String> GOVERNORS =
      Set.of("conservative", "ondemand", "performance", "powersave", "schedutil", "userspace");

  private final String program;

  private OptionValues(String program) {
    this.program = program;
  }

  static void check(String program, List<GetOpt.Given> given) throws CommandFailure {
    OptionValues values = new OptionValues(program);
    for (GetOpt.Given option : given) {
      values.check(option.name(), option.value());
    }
  }

  private void check(String option, String value) throws CommandFailure {
    Integer least = NUMBERS.get(option);
    if (least != null) {
      number("--" + option, value, least);
    }
    switch (option) {
      case "accel-bind" -> require(value.matches(".*[vgn].*"), specification(option));
      case "acctg-freq" ->
          require(
              value.matches("(|[0-9].*|(task|energy|network|filesystem)=[0-9]+)(,[a-z]*=?[0-9]+)*"),
              specification(option) + ": " + value);
      case "cpu-freq" -> frequency(value);
      case "exclusive" ->
          require(
              value.isEmpty() || value.toLowerCase(Locale.ROOT).matches("user|mcs|topo|exclusive"),
              specification(option));
      case "core-spec" -> {
        if (!value.isEmpty()) {
          number("--" + option, value, 0);
        }
      }
      case "extra-node-info" -> layout(value);
      case "gpu-freq" ->
          require(
              value
                  .toLowerCase(Locale.ROOT)
                  .matches(
                      "((memory=)?(low|medium|highm1|high|[0-9]+)|verbose)"
                          + "(,((memory=)?(low|medium|highm1|high|[0-9]+)|verbose))*"),
              "Invalid --gpu-freq argument: gpu:" + value);
      case "immediate" -> {
        if (!value.isEmpty()) {
          number("immediate", value, 0);
        }
      }
      case "kill-command" ->
          require(
              value.isEmpty()
                  || value.matches(
                      "[1-9][0-9]?|(?i:(sig)?(hup|int|quit|abrt|kill|alrm|term|usr[12]|urg|cont|stop"
                          + "|tstp|ttin|ttou|xcpu))"),
              specification(option));
      case "kill-on-bad-exit" -> number("--" + option, value, 0);
      case "mem-bind" ->
          require(
              value
                  .toLowerCase(Locale.ROOT)
                  .matches(
                      "(q(uiet)?,|v(erbose)?,|)((q(uiet)?|v(erbose)?|none|rank|local|prefer|p|sort"
                          + "|nosort|help|(map_mem|mask_mem|map|mask)[:=].*),?)+"),
              "unrecognized --mem-bind argument \"" + value + "\"");
      case "msg-timeout" -> number("--" + option, value, 0);
      case "no-kill" -> require(value.matches("(?i)|set|off|no"), specification(option));
      case "nodes" -> nodes(value);
      case "open-mode" -> require(value.matches("[aAtT].*"), specification(option));
      case "priority" -> priority(value);
      case "propagate" -> propagate(value);
      case "resv-ports" -> {
        if (!value.isEmpty()) {
          number("--resv-port", value, 0);
        }
      }
      case "send-libs" ->
          require(value.matches("(?i)|yes|no|on|off|true|false|[01]"), specification(option));
      case "segment" ->
          require(value.matches("[0-9]{0,4}|[1-5][0-9]{4}|6[0-4][0-9]{3}"), specification(option));
      case "switches" -> {
        if (!value.startsWith("@")) {
          number("--switches", value.replaceFirst("@.*", ""), 0);
        }
      }
      case "time", "time-min" -> time(option, value);
      case "treewidth" ->
          require(
              value.isEmpty() || value.equalsIgnoreCase("off") || value.matches("[1-9][0-9]{0,4}"),
              "Invalid --treewidth value: " + value);
      case "wait" -> {
        if (program.equals("srun")) {
          number("--wait", value, 0);
        }
      }
      default -> {}
    }
    if (option.equals("wait-all-nodes") && !value.isEmpty()) {
      require(value.strip().matches("[01]"), specification(option));
    }
  }

  private static String specification(String option) {
    return "Invalid --" + option + " specification";
  }

  private void require(boolean holds, String problem) throws CommandFailure {
    if (!holds) {
      throw new CommandFailure(Submissions.BAD_USAGE, error(problem));
    }
  }

  private String error(String problem) {
    return program + ": error: " + problem;
  }

  /** Names of limits, with RLIMIT_ before them or without. */
  private void propagate(String value) throws CommandFailure {
    for (String name : value.split("[,\\s]+")) {
      String limit = name.toUpperCase(Locale.ROOT).replaceFirst("^RLIMIT_", "");
      if (!LIMITS.contains(limit)) {
        throw new CommandFailure(
            UNREADABLE,
            error("Bad rlimit name: " + name),
            error("--propagate=" + value + " is not valid."));
      }
    }
  }

  /** As strtol(3) reads it: nothing is zero. */
  private void number(String what, String value, int least) throws CommandFailure {
    String text = value.strip();
    boolean readable = text.isEmpty() || text.matches("[-+]?[0-9]{1,30}");
    BigInteger number =
        !readable || text.isEmpty() ? BigInteger.ZERO : new BigInteger(text.replace("+", ""));
    if (!readable || number.compareTo(BigInteger.valueOf(least)) < 0) {
      throw new CommandFailure(
          UNREADABLE, error("Invalid numeric value \"" + value + "\" for " + what + "."));
    }
    if (number.compareTo(MOST) > 0) {
      throw new CommandFailure(
          UNREADABLE, error("Numeric argument (" + number + ") too large for " + what + "."));
    }
  }

  private void priority(String value) throws CommandFailure {
    String digits = value.strip().replaceFirst("^([-+]?[0-9]*).*$", "$1").replace("+", "");
    if (digits.isEmpty() || digits.equals("-") || value.equalsIgnoreCase("top")) {
      return;
    }
    BigInteger priority = new BigInteger(digits);
    require(priority.signum() >= 0, "Priority must be >= 0");
    require(priority.compareTo(HIGHEST_PRIORITY) < 0, "Priority must be < " + HIGHEST_PRIORITY);
  }

  /** SOCKETS[:CORES[:THREADS]], of which each may be a star. */
  private void layout(String value) throws CommandFailure {
    String[] parts = value.split(":", -1);
    String[] places = {"first", "second", "third"};
    for (int i = 0; i < Math.min(parts.length, places.length); i++) {
      if (!parts[i].equals("*") && !parts[i].isEmpty()) {
        number(places[i] + " arg of -B", parts[i], 0);
      }
    }
  }

  private void nodes(String value) throws CommandFailure {
    for (String range : value.split("[,:]", -1)) {
      String[] ends = range.split("-", 2);
      for (String end : ends) {
        require(end.matches("[0-9]*[kKmM]?"), "\"" + end + "\" is not a valid node count");
      }
      if (ends.length == 2 && ends[1].isEmpty() && value.equals(range)) {
        String least = ends[0].isEmpty() ? "1" : ends[0];
        require(false, "Maximum node count -1 is less than minimum node count " + least);
      }
      if (ends.length == 2 && ends[0].matches("[0-9]{1,9}") && ends[1].matches("[0-9]{1,9}")) {
        int least = Integer.parseInt(ends[0]);
        int most = Integer.parseInt(ends[1]);
        require(
            most >= least || most == 0,
            "Maximum node count " + most + " is less than minimum node count " + least);
      }
    }
  }

  private void time(String option, String value) throws CommandFailure {
    try {
      TimeLimits.requestMinutes(value);
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(
          Submissions.BAD_USAGE,
          error(specification(option)),
          Hint.of("--" + option + ": " + e.getMessage()));
    }
  }

  private void frequency(String value) throws CommandFailure {
    String invalid = error("Invalid --cpu-freq argument");
    String[] governed = value.split(":", 2);
    for (String part : governed[0].split("-", 2)) {
      String word = part.toLowerCase(Locale.ROOT);
      if (word.isEmpty() || word.matches("0+")) {
        throw new CommandFailure(Submissions.BAD_USAGE, invalid);
      }
      if (!word.matches("[0-9]+") && !FREQUENCIES.contains(word) && !GOVERNORS.contains(word)) {
        throw new CommandFailure(
            Submissions.BAD_USAGE,
            error("unrecognized --cpu-freq argument \"" + part + "\""),
            invalid);
      }
    }
    if (governed.length == 2 && !GOVERNORS.contains(governed[1].toLowerCase(Locale.ROOT))) {
      throw new CommandFailure(
          Submissions.BAD_USAGE,
          error("illegal governor: " + governed[1] + " on --cpu-freq"),
          invalid);
    }
  }
}
