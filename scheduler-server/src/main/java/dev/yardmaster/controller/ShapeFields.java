package dev.yardmaster.controller;

import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobRequest;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.MemoryRequest;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.SlurmError;
import dev.yardmaster.model.text.Memory;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Fields of {@code scontrol update job} for the shape that a job wants its nodes to have, and for
 * its files and its end.
 */
final class ShapeFields {
  private static final Pattern PER_GPU =
      Pattern.compile("(?i)(?:gres[/:])?gpu[:=]([0-9]{1,9}[KMGT]?)");

  private ShapeFields() {}

  /** Whether a field, in lower case, is one of these. */
  static boolean isOne(String name) {
    return switch (name) {
      case "reqsockets",
          "reqcores",
          "reqthreads",
          "taskspernode",
          "corespec",
          "threadspec",
          "wait-for-switch",
          "spreadsegments",
          "consolidatesegments",
          "cpuspertres",
          "mempertres",
          "stdin",
          "stdout",
          "stderr",
          "endtime",
          "reboot",
          "mcslabel" ->
          true;
      default -> false;
    };
  }

  /**
   * The job with a field changed.
   *
   * @throws Refusal as {@link JobFields#apply} does
   */
  static Job apply(Job job, String name, String value, JobUpdates.Context context) {
    return switch (name) {
      case "reqsockets" -> shape(job, r -> r.withSocketsPerNode(number(name, value)));
      case "reqcores" -> shape(job, r -> r.withCoresPerSocket(number(name, value)));
      case "reqthreads" -> shape(job, r -> r.withThreadsPerCore(number(name, value)));
      case "taskspernode" -> tasksPerNode(job, number(name, value), context);
      case "corespec", "threadspec" -> specialized(job, name, value, context);
      case "wait-for-switch" -> {
        long seconds = Math.min(number(name, value), longestWait(context));
        yield shape(job, r -> r.withSwitchesWaitSeconds(seconds));
      }
      case "spreadsegments" -> shape(job, r -> r.withSpreadSegments(yes(name, value)));
      case "consolidatesegments" -> shape(job, r -> r.withConsolidateSegments(yes(name, value)));
      case "cpuspertres" -> {
        String amount = perGpu(name, value);
        yield shape(job, r -> r.withCpusPerGpu(amount.isEmpty() ? 0 : number(name, amount)));
      }
      case "mempertres" -> {
        String amount = perGpu(name, value);
        MemoryRequest memory =
            amount.isEmpty() ? MemoryRequest.NONE : new MemoryRequest.PerGpu(Memory.parse(amount));
        yield shape(job, r -> r.withMemory(memory));
      }
      case "stdin" ->
          value.equals(job.batch().stdinPattern())
              ? job
              : job.withBatch(waiting(job).batch().withStdinPattern(value));
      case "stdout" ->
          value.equals(job.batch().stdoutPattern())
              ? job
              : job.withBatch(waiting(job).batch().withStdoutPattern(value));
      case "stderr" ->
          value.equals(job.batch().stderrPattern())
              ? job
              : job.withBatch(waiting(job).batch().withStderrPattern(value));
      case "endtime" -> end(job, value, context);
      case "reboot" -> {
        requireAdministrator(context);
        boolean asked = !value.toLowerCase(Locale.ROOT).matches("no?|0+");
        if (asked && context.state().config().setting("RebootProgram").isPresent()) {
          throw new Refusal(
              SlurmError.NOT_SUPPORTED, "\nReboot=" + value + ": say scontrol reboot before");
        }
        // Without a RebootProgram nothing is booted, and the job only says that it was asked for.
        yield JobFields.shown(waiting(job), "reboot", asked ? "1" : "");
      }
      // Without an MCSPlugin a job has no label, whatever it asks for.
      case "mcslabel" -> waiting(job);
      default -> throw new IllegalArgumentException(name);
    };
  }

  private static Job shape(Job job, UnaryOperator<JobRequest> change) {
    return job.withRequest(change.apply(job.request())).withPlanned(null);
  }

  private static Job waiting(Job job) {
    if (job.state() != JobState.PENDING) {
      throw new Refusal(SlurmError.JOB_NOT_PENDING);
    }
    return job;
  }

  private static Job tasksPerNode(Job job, int tasks, JobUpdates.Context context) {
    requireAdministrator(waiting(job), context);
    return shape(
        job,
        r -> r.withTasksPerNode(tasks).withMinCpusPerNode(Math.max(tasks, r.minCpusPerNode())));
  }

  /** Only administrators, and where AllowSpecResourcesUsage lets them; then whole nodes. */
  private static Job specialized(Job job, String name, String value, JobUpdates.Context context) {
    requireAdministrator(waiting(job), context);
    boolean allowed =
        context
            .state()
            .config()
            .setting("AllowSpecResourcesUsage")
            .map(v -> v.equalsIgnoreCase("yes") || v.equals("1"))
            .orElse(false);
    if (!allowed) {
      throw new Refusal(
          SlurmError.ACCESS_DENIED, "\nAllowSpecResourcesUsage=yes is not in slurm.conf(5)");
    }
    boolean none = value.equals("-1") || value.equals("*");
    if (name.equals("threadspec") && !none) {
      throw new Refusal(SlurmError.NOT_SUPPORTED, "\nThreadSpec=" + value + ": use CoreSpec");
    }
    return shape(job, r -> r.withCoreSpec(none ? 0 : number(name, value)));
  }

  private static void requireAdministrator(Job job, JobUpdates.Context context) {
    if (!context.administrator()) {
      throw new Refusal(SlurmError.ACCESS_DENIED, "\njob " + job.displayId());
    }
  }

  private static void requireAdministrator(JobUpdates.Context context) {
    if (!context.administrator()) {
      throw new Refusal(SlurmError.ACCESS_DENIED);
    }
  }

  /** SchedulerParameters=max_switch_wait, in seconds. */
  private static long longestWait(JobUpdates.Context context) {
    String most =
        context.state().config().scheduling().parameters().getOrDefault("max_switch_wait", "300");
    return most.matches("[0-9]{1,9}") ? Long.parseLong(most) : 300;
  }

  /**
   * The end of a running job is that of its time limit, which becomes as much longer, as Slurm
   * rounds it: half a minute is added to a difference before its seconds are cut off, whatever its
   * sign.
   */
  private static Job end(Job job, String value, JobUpdates.Context context) {
    Instant end = JobFields.instant("EndTime", value, context);
    Instant before = job.ended();
    if (job.state() != JobState.RUNNING || job.preemption() != null) {
      throw new Refusal(SlurmError.JOB_NOT_RUNNING);
    }
    if (end.isBefore(context.now())) {
      throw new Refusal(SlurmError.INVALID_TIME_VALUE, "\nEndTime=" + value + " is over");
    }
    if (!context.administrator() && (before == null || !end.isBefore(before))) {
      throw new Refusal(
          SlurmError.ACCESS_DENIED,
          "\nEndTime=" + value + ": only an administrator may raise it once the job runs");
    }
    Instant started = job.started();
    if (before == null || job.timeLimitMinutes() == Partition.UNLIMITED) {
      long minutes =
          started == null ? 0 : Duration.between(started, end).plusSeconds(59).toMinutes();
      return job.with(j -> j.ended(end).timeLimitMinutes(minutes));
    }
    long minutes = (Duration.between(before, end).toSeconds() + 30) / 60;
    return job.with(j -> j.ended(end).timeLimitMinutes(job.timeLimitMinutes() + minutes));
  }

  private static String perGpu(String name, String value) {
    Matcher amount = PER_GPU.matcher(value);
    if (value.isEmpty()) {
      return "";
    }
    if (!amount.matches()) {
      throw new Refusal(SlurmError.INVALID_TRES, "\n" + name + "=" + value + ": write gres/gpu:N");
    }
    return amount.group(1);
  }

  private static int number(String name, String value) {
    if (!value.matches("[0-9]{1,9}")) {
      throw new Refusal(
          SlurmError.COMMAND_VALUE,
          "Invalid input: %s=%s\n%s takes a number from 0".formatted(name, value, name));
    }
    return Integer.parseInt(value);
  }

  private static boolean yes(String name, String value) {
    String word = value.toLowerCase(Locale.ROOT);
    if (!word.isEmpty() && "yes".startsWith(word)) {
      return true;
    }
    if (!word.isEmpty() && "no".startsWith(word)) {
      return false;
    }
    throw new Refusal(
        SlurmError.COMMAND_VALUE,
        "Invalid input: %s=%s\n%s takes yes or no".formatted(name, value, name));
  }
}
