package dev.yardmaster.cli;

import dev.yardmaster.client.ClientException;
import dev.yardmaster.client.SchedulerClient;
import dev.yardmaster.model.JobStep;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.text.NotationException;
import dev.yardmaster.model.text.TimeLimits;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What scontrol(1) changes of the controller itself, until it reads its configuration again: how
 * much it logs, and which nodes are not switched off; and the limit of a step.
 */
final class ScontrolSettings {
  private static final List<String> LEVELS =
      List.of(
          "quiet", "fatal", "error", "info", "verbose", "debug", "debug2", "debug3", "debug4",
          "debug5");

  /** DebugFlags of slurm.conf(5), in lower case. */
  private static final Set<String> FLAGS =
      Set.of(
          ("accrue agent auditrpcs audittls backfill backfillmap burstbuffer cgroup conmgr cpu_bind"
                  + " cpufrequency data dbd_agent dependency elasticsearch energy federation"
                  + " frontend gang glob_silence gres hetjob influxdb interconnect jobaccountgather"
                  + " jobcomp jobcontainer kafka license metrics mpi namespace network networkraw"
                  + " no_conf_hash nodefeatures perf power priority profile protocol ratelimit"
                  + " reservation resources route script selecttype steps switch timecray tls"
                  + " tracejobs triggers workqueue")
              .split(" "));

  /** By the shortest name that will do, what is set. */
  private static final Map<String, String> OF_UPDATE =
      Map.of(
          "suspendexcnodes", "suspendexcn",
          "suspendexcparts", "suspendexcp",
          "suspendexcstates", "suspendexcs",
          "slurmctlddebug", "sl");

  private final @Nullable String cluster;
  private final Io io;

  ScontrolSettings(@Nullable String cluster, Io io) {
    this.cluster = cluster;
    this.io = io;
  }

  private int set(String call, Map<String, String> settings) throws CommandFailure {
    try (SchedulerClient client = Session.open("scontrol", cluster, io)) {
      client.change(settings);
      return 0;
    } catch (ClientException e) {
      throw ScontrolChange.failure(e, text -> call + ": " + text);
    }
  }

  /** Levels by name or number; daemons of nodes log as slurm.conf says. */
  int debug(List<String> words) throws CommandFailure {
    if (words.isEmpty()) {
      throw new CommandFailure(1, "too few arguments for keyword:setdebug");
    }
    String level = "";
    boolean nodes = false;
    for (int i = 0; i < words.size(); i++) {
      String word = words.get(i);
      if (word.toLowerCase(Locale.ROOT).startsWith("nodes=")) {
        nodes = true;
      } else if (i > 0 && !nodes) {
        throw new CommandFailure(1, "Invalid option: " + words.getFirst());
      } else {
        level = word.toLowerCase(Locale.ROOT);
      }
    }
    int number = level.matches("[0-9]") ? Integer.parseInt(level) : LEVELS.indexOf(level);
    if (number < 0) {
      throw new CommandFailure(
          1,
          "invalid debug level: " + words.getFirst(),
          Hint.of("levels are " + String.join(", ", LEVELS)));
    }
    return nodes
        ? 0
        : set("slurm_set_debug_level error", Map.of("slurmctlddebug", LEVELS.get(number)));
  }

  int debugFlags(List<String> words) throws CommandFailure {
    if (words.isEmpty()) {
      throw new CommandFailure(1, "too few arguments for keyword:setdebugflags");
    }
    boolean nodes = false;
    for (String word : words) {
      if (word.toLowerCase(Locale.ROOT).startsWith("nodes=")) {
        nodes = true;
        continue;
      }
      if (!word.matches("[+-].+")) {
        throw new CommandFailure(
            1,
            "invalid debug flag: " + word,
            "Usage: setdebugflags {+|-}NAME [{+|-}NAME] [nodes=<NODES>]");
      }
      String flag = word.substring(1);
      if (!FLAGS.contains(flag.toLowerCase(Locale.ROOT))) {
        throw new CommandFailure(
            1, "scontrol: error: Invalid DebugFlag: " + flag, "invalid debug flag: " + word);
      }
    }
    return nodes
        ? 0
        : set("slurm_set_debug_flags error", Map.of("debugflags", String.join(",", words)));
  }

  int dampening(List<String> words) throws CommandFailure {
    if (words.isEmpty()) {
      throw new CommandFailure(1, "too few arguments for keyword:fsdampeningfactor");
    }
    String factor = words.getFirst();
    if (!factor.matches("[1-9][0-9]{0,4}")) {
      throw new CommandFailure(1, "invalid dampening factor: " + factor);
    }
    return set("slurm_set_fs_dampeningfactor error", Map.of("fairsharedampeningfactor", factor));
  }

  /**
   * An update of the controller or of a step.
   *
   * @return its exit code; null when the words are of something else
   */
  @Nullable Integer update(List<String> words) throws CommandFailure {
    Map<String, String> settings = new TreeMap<>();
    boolean step = false;
    for (String word : words) {
      int equals = word.indexOf('=');
      if (equals < 1) {
        continue;
      }
      char before = word.charAt(equals - 1);
      boolean changes = before == '+' || before == '-';
      String tag = word.substring(0, changes ? equals - 1 : equals).toLowerCase(Locale.ROOT);
      step |= tag.length() >= 4 && "stepid".startsWith(tag);
      for (Map.Entry<String, String> known : OF_UPDATE.entrySet()) {
        if (tag.startsWith(known.getValue()) && known.getKey().startsWith(tag)) {
          settings.put(known.getKey(), (changes ? before : "") + word.substring(equals + 1));
        }
      }
    }
    if (step) {
      return step(words);
    }
    if (settings.isEmpty()) {
      return null;
    }
    String level = settings.get("slurmctlddebug");
    if (level != null) {
      if (!level.matches("[0-9]")) {
        throw new CommandFailure(1, "invalid debug level: " + level);
      }
      settings.put("slurmctlddebug", LEVELS.get(Integer.parseInt(level)));
    }
    return set("slurm_update error", settings);
  }

  private int step(List<String> words) throws CommandFailure {
    String id = "";
    String limit = null;
    for (String word : words) {
      int equals = word.indexOf('=');
      if (equals < 0) {
        throw new CommandFailure(1, "Invalid input: " + word, "Request aborted");
      }
      String tag = word.substring(0, equals).toLowerCase(Locale.ROOT);
      String value = word.substring(equals + 1);
      if (tag.length() >= 4 && "stepid".startsWith(tag)) {
        if (!value.matches("[0-9]*(\\..*)?")) {
          throw new CommandFailure(1, "Invalid StepID parameter: " + word, "Request aborted");
        }
        id = value;
      } else if (tag.length() >= 2 && "timelimit".startsWith(tag)) {
        limit = limit(id, value);
      } else {
        throw new CommandFailure(
            1, "Update of this parameter is not supported: " + word, "Request aborted");
      }
    }
    if (limit == null) {
      throw new CommandFailure(1, "No changes specified");
    }
    try (SchedulerClient client = Session.open("scontrol", cluster, io)) {
      client.updateJobs(id, Map.of("stepid", id, "timelimit", limit));
      return 0;
    } catch (ClientException e) {
      throw ScontrolChange.failure(e, text -> "slurm_update error: " + text);
    }
  }

  /** With a sign it is what the limit of the step becomes longer or shorter by. */
  private String limit(String id, String value) throws CommandFailure {
    boolean relative = value.matches("[+-].*");
    String text = relative ? value.substring(1) : value;
    long minutes;
    try {
      minutes = TimeLimits.requestMinutes(text);
    } catch (NotationException e) {
      throw new CommandFailure(
          1, "scontrol: error: Invalid TimeLimit value", Hint.of(String.valueOf(e.getMessage())));
    }
    if (!relative) {
      return text;
    }
    long now = present(id);
    if (value.startsWith("-") && minutes > now) {
      throw new CommandFailure(
          1,
          "scontrol: error: TimeLimit decrement larger than current time limit (%d > %d)"
              .formatted(minutes, now));
    }
    return Long.toString(value.startsWith("-") ? now - minutes : now + minutes);
  }

  private long present(String id) throws CommandFailure {
    try (SchedulerClient client = Session.open("scontrol", cluster, io)) {
      for (JobStep step : client.steps()) {
        if (step.displayId().equals(id) && step.timeLimitMinutes() != Partition.UNLIMITED) {
          return step.timeLimitMinutes();
        }
      }
    } catch (ClientException e) {
      throw ScontrolChange.failure(e, text -> "slurm_update error: " + text);
    }
    throw new CommandFailure(
        1, "scontrol: error: Could not load state information for StepId=" + id);
  }
}
