package dev.yardmaster.controller;

import dev.yardmaster.model.ClusterConfig;
import dev.yardmaster.model.GresRequest;
import dev.yardmaster.model.GresRequest.Scope;
import dev.yardmaster.model.SlurmError;
import dev.yardmaster.model.text.GresItem;
import dev.yardmaster.model.text.GresList;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The options that ask for generic resources: --gres, --gpus and its forms, --tres-per-task. */
final class GresOptions {
  /** What select/linear does not know (sbatch(1)). */
  private static final List<String> CONS_TRES_ONLY =
      List.of("gpus", "gpus-per-socket", "gpus-per-task", "cpus-per-gpu", "mem-per-gpu");

  /** Slurm takes a count below zero for a type, of which no node has any. */
  private static final Pattern BELOW_ZERO = Pattern.compile("([a-z]+):(-[0-9]{1,18})");

  private static final String ONE_TASK = "one-task-per-sharing";
  private static final String SEVERAL_TASKS = "multiple-tasks-per-sharing";

  private final Options options;
  private final ClusterConfig config;
  private final List<GresRequest> requests = new ArrayList<>();
  private int cpusPerTask;

  GresOptions(Options options, ClusterConfig config) {
    this.options = options;
    this.config = config;
  }

  List<GresRequest> read() {
    gres();
    gpus("gpus", Scope.JOB);
    gpus("gpus-per-node", Scope.NODE);
    gpus("gpus-per-socket", Scope.SOCKET);
    gpus("gpus-per-task", Scope.TASK);
    tresPerTask();
    oneTaskPerSharing();
    boolean perSocket = !options.text("gpus-per-socket", "").matches("0*");
    if (perSocket && !options.has("sockets-per-node")) {
      throw new Refusal(
          SlurmError.COMMAND_GRES,
          "--gpus-per-socket option requires --sockets-per-node specification");
    }
    if (options.has("ntasks-per-gpu") && options.has("gpus-per-task")) {
      throw new Refusal(
          SlurmError.COMMAND_FATAL,
          "--gpus-per-task is mutually exclusive with --ntasks-per-gpu and SLURM_NTASKS_PER_GPU");
    }
    boolean gpu = requests.stream().anyMatch(r -> r.name().equals("gpu"));
    if (gpu && requests.stream().anyMatch(r -> r.name().matches("shard|mps"))) {
      throw new Refusal(
          SlurmError.COMMAND_VALUE,
          SlurmError.INVALID_GRES.text() + "\nwhole GPUs and parts of GPUs exclude each other");
    }
    for (GresRequest typed : requests) {
      boolean mixed =
          typed.type() != null
              && requests.stream().anyMatch(r -> r.type() == null && r.name().equals(typed.name()));
      if (mixed) {
        throw new Refusal(
            SlurmError.COMMAND_VALUE,
            "Invalid GRES specification (with and without type identification)\n"
                + typed.tresName()
                + " and "
                + "gres/"
                + typed.name()
                + ": ask for all with a type, or for all without");
      }
    }
    if (options.has("cpus-per-gpu") && options.has("cpus-per-task")) {
      throw new Refusal(
          SlurmError.COMMAND_FATAL,
          "--cpus-per-task, --tres-per-task=cpu:#, and --cpus-per-gpu are mutually exclusive");
    }
    needsGpu("cpus-per-gpu", "cpus_per_tres", gpu, text -> text);
    needsGpu(
        "mem-per-gpu", "mem_per_tres", gpu, t -> Long.toString(options.memory("mem-per-gpu", 0)));
    if (config.scheduling().linear() && CONS_TRES_ONLY.stream().anyMatch(options::has)) {
      throw new Refusal(
          SlurmError.UNSUPPORTED_GRES,
          "\nselect/linear knows --gres and --gpus-per-node; write one of these");
    }
    return List.copyOf(requests);
  }

  /** What --gres-flags=one-task-per-sharing needs, also where it is the default. */
  private void oneTaskPerSharing() {
    if (!has(options, config, ONE_TASK, SEVERAL_TASKS)) {
      return;
    }
    boolean asked = flags(options).contains(ONE_TASK);
    if (!config.scheduling().selectParameters().contains("MULTIPLE_SHARING_GRES_PJ")) {
      throw asked
          ? new Refusal(
              SlurmError.COMMAND_LINE,
              "In order to use --gres-flags=one-task-per-sharing you must also have"
                  + " SelectTypeParameters=MULTIPLE_SHARING_GRES_PJ in your slurm.conf")
          : new Refusal(
              SlurmError.INVALID_GRES,
              "\nSelectTypeParameters has ONE_TASK_PER_SHARING_GRES without"
                  + " MULTIPLE_SHARING_GRES_PJ, which it needs");
    }
    boolean parts =
        requests.stream().anyMatch(r -> r.scope() == Scope.TASK && r.name().matches("shard|mps"));
    if (asked && !parts) {
      throw new Refusal(
          SlurmError.COMMAND_FATAL,
          "--gres-flags=one-task-per-sharing requested, but that shared gres needs to appear in"
              + " --tres-per-task as well.");
    }
  }

  private static List<String> flags(Options options) {
    return List.of(options.text("gres-flags", "").toLowerCase(Locale.ROOT).split(","));
  }

  /**
   * Whether a flag of --gres-flags holds: as given, or as SelectTypeParameters says (slurm.conf(5),
   * ENFORCE_BINDING_GRES and ONE_TASK_PER_SHARING_GRES).
   *
   * @param opposite what turns it off again
   */
  static boolean has(Options options, ClusterConfig config, String flag, String opposite) {
    List<String> given = flags(options);
    String usual = flag.toUpperCase(Locale.ROOT).replace('-', '_') + "_GRES";
    return given.contains(flag)
        || !given.contains(opposite) && config.scheduling().selectParameters().contains(usual);
  }

  /** CPUs that --tres-per-task asks for; 0 when it does not. */
  int cpusPerTask() {
    return cpusPerTask;
  }

  private void needsGpu(
      String option, String tres, boolean gpu, java.util.function.UnaryOperator<String> shown) {
    String value = options.get(option);
    if (value != null && !value.matches("0+[KMGT]?") && !gpu) {
      throw new Refusal(
          SlurmError.COMMAND_GRES,
          "Requested "
              + tres
              + "=gres/gpu:"
              + shown.apply(value)
              + " but did not request any GPU.");
    }
  }

  private void gres() {
    String value = options.get("gres");
    if (value == null || value.isEmpty() || value.equalsIgnoreCase("none")) {
      return;
    }
    if (value.matches("0+")) {
      return;
    }
    if (value.matches("[0-9]+(,[0-9]+)*")) {
      throw new Refusal(SlurmError.INVALID_TRES, "\n--gres=" + value + ": write NAME:NUMBER");
    }
    if (value.matches("-[0-9]+")) {
      throw new Refusal(
          SlurmError.COMMAND_VALUE, SlurmError.INVALID_GRES.text() + "\n--gres=" + value);
    }
    Matcher below = BELOW_ZERO.matcher(value);
    if (below.matches() && config.gresTypes().contains(below.group(1))) {
      requests.add(new GresRequest(below.group(1), below.group(2), 1, Scope.NODE));
      return;
    }
    for (GresItem item : parse(value, SlurmError.REQUESTED_NODE_CONFIG_UNAVAILABLE)) {
      if (!config.gresTypes().contains(item.name())) {
        throw new Refusal(
            SlurmError.COMMAND_VALUE,
            SlurmError.INVALID_GRES.text()
                + "\n--gres="
                + value
                + ": \""
                + item.name()
                + "\" is not in GresTypes ("
                + String.join(",", config.gresTypes())
                + ")");
      }
      add(item, Scope.NODE);
    }
  }

  private void gpus(String option, Scope scope) {
    String value = options.get(option);
    if (value == null || value.isEmpty()) {
      return;
    }
    if (value.matches("-[0-9]{1,18}") && scope == Scope.TASK) {
      throw new Refusal(
          SlurmError.COMMAND_VALUE, SlurmError.INVALID_TRES.text() + "\n--" + option + "=" + value);
    }
    if (value.matches("[0-9]{10,}")) {
      requests.add(new GresRequest("gpu", null, Integer.MAX_VALUE, scope));
      return;
    }
    if (value.matches("-[0-9]{1,18}")) {
      // Slurm reads what begins with no digit as a type
      requests.add(new GresRequest("gpu", value, 1, scope));
      return;
    }
    // What is no count for each task is read over.
    boolean tasks = options.has("ntasks") || options.has("gpus");
    if (scope == Scope.TASK && !tasks && value.matches("([^:,]+:)?[^-0-9:,][^:,]*")) {
      return;
    }
    for (String part : value.split(",", -1)) {
      boolean typed = part.indexOf(':') >= 0;
      SlurmError error =
          typed ? SlurmError.COMMAND_VALUE : SlurmError.REQUESTED_NODE_CONFIG_UNAVAILABLE;
      GresItem item;
      try {
        item = GresItem.parse(part.startsWith("gpu:") ? part : "gpu:" + part);
      } catch (IllegalArgumentException e) {
        throw new Refusal(
            error,
            (typed ? "Invalid Trackable RESource (TRES) specification" : "")
                + "\n--"
                + option
                + ": "
                + e.getMessage());
      }
      add(item, scope);
    }
  }

  private void tresPerTask() {
    String value = options.get("tres-per-task");
    if (value == null) {
      return;
    }
    for (String part : value.split(",", -1)) {
      if (part.matches("cpu[:=][0-9]{1,9}")) {
        cpusPerTask = Integer.parseInt(part.substring(4));
      } else if (part.startsWith("gres/")) {
        parse(part, SlurmError.INVALID_GRES).forEach(item -> add(item, Scope.TASK));
      } else if (part.indexOf(':') >= 0) {
        throw new Refusal(
            SlurmError.INVALID_TRES,
            "\n--tres-per-task: \"" + part + "\": write cpu=N or gres/NAME=N");
      }
    }
  }

  private GresList parse(String value, SlurmError error) {
    try {
      return GresList.parse(value);
    } catch (IllegalArgumentException e) {
      throw new Refusal(error, "\n" + e.getMessage());
    }
  }

  private void add(GresItem item, Scope scope) {
    if (item.count() > 0) {
      requests.add(new GresRequest(item.name(), item.type(), item.count(), scope));
    }
  }
}
