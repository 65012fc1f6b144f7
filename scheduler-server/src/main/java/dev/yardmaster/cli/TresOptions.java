package dev.yardmaster.cli;

import static dev.yardmaster.cli.JobFacts.NOT_APPLICABLE;

import dev.yardmaster.model.GresRequest;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobRequest;
import dev.yardmaster.model.MemoryRequest;
import dev.yardmaster.model.text.MailTypes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * What a job said of trackable resources and of what is only shown, as squeue(1) and scontrol(1)
 * write it. Every text is {@code N/A} for a job that said nothing.
 */
final class TresOptions {
  private static final List<String> PROFILES = List.of("Energy", "Lustre", "Network", "Task");

  private TresOptions() {}

  /** {@code gres/gpu:2} for --gpus=2; what is asked per task is written with "=". */
  static String per(Job job, GresRequest.Scope scope) {
    String equals = scope == GresRequest.Scope.TASK ? "=" : ":";
    String asked =
        job.request().gres().stream()
            .filter(gres -> gres.scope() == scope)
            .map(gres -> gres.tresName() + equals + gres.count())
            .collect(Collectors.joining(","));
    return orNot(asked.isEmpty() ? besides(job, scope, equals) : asked);
  }

  /** What a job asked for besides a number that says the same more closely. */
  private static String besides(Job job, GresRequest.Scope scope, String equals) {
    String option =
        switch (scope) {
          case JOB -> "gpus";
          case NODE -> "gpus-per-node";
          case SOCKET -> "gpus-per-socket";
          case TASK -> "gpus-per-task";
        };
    boolean gpus = job.request().gres().stream().anyMatch(gres -> gres.name().equals("gpu"));
    String given = gpus ? option(job, option) : "";
    return given.isEmpty() ? "" : "gres/gpu" + equals + given;
  }

  /** CPUs and devices of each task. */
  static String perTask(Job job) {
    List<String> list = new ArrayList<>();
    int cpus = job.request().cpusPerTask();
    JobRequest.Asked asked = job.request().asked();
    int given = asked == null ? cpus : asked.cpusPerTask();
    if (given > 1 || !option(job, "cpus-per-task").isEmpty()) {
      list.add("cpu=" + cpus);
    }
    String gres = per(job, GresRequest.Scope.TASK);
    if (!gres.equals(NOT_APPLICABLE)) {
      list.add(gres);
    }
    return orNot(String.join(",", list));
  }

  static String cpusPerTres(Job job) {
    int cpus = job.request().cpusPerGpu();
    return cpus > 0 ? "gres/gpu:" + cpus : NOT_APPLICABLE;
  }

  static String memoryPerTres(Job job) {
    return job.request().memory() instanceof MemoryRequest.PerGpu gpu
        ? "gres/gpu:" + gpu.mib()
        : NOT_APPLICABLE;
  }

  /** What --tres-bind and --gpu-bind say; devices of tasks are bound to them without a word. */
  static String bind(Job job) {
    List<String> list = new ArrayList<>();
    String tres = option(job, "tres-bind");
    if (!tres.isEmpty()) {
      list.add(tres);
    }
    String gpu = option(job, "gpu-bind");
    if (!gpu.isEmpty()) {
      list.add("gres/gpu:" + gpu);
    }
    if (list.isEmpty()) {
      job.request().gres().stream()
          .filter(gres -> gres.scope() == GresRequest.Scope.TASK && gres.name().equals("gpu"))
          .findFirst()
          .ifPresent(gres -> list.add("gres/gpu:per_task:" + gres.count()));
    }
    return orNot(String.join(",", list));
  }

  static String frequency(Job job) {
    String gpu = option(job, "gpu-freq");
    return gpu.isEmpty() ? NOT_APPLICABLE : "gpu:" + gpu;
  }

  /** What --profile asks to be gathered, in Slurm's words. */
  static String profile(Job job) {
    String asked = option(job, "profile").toLowerCase(Locale.ROOT);
    if (asked.isEmpty()) {
      return "NotSet";
    }
    List<String> words = List.of(asked.split(","));
    if (words.contains("none")) {
      return "None";
    }
    return PROFILES.stream()
        .filter(kind -> words.contains("all") || words.contains(kind.toLowerCase(Locale.ROOT)))
        .collect(Collectors.joining(","));
  }

  /** The seconds of --delay-boot. */
  static long delayBoot(Job job) {
    String seconds = option(job, "delay-boot");
    return seconds.isEmpty() ? 0 : Long.parseLong(seconds);
  }

  /** The events that it wants a mail of. */
  static List<String> mail(Job job) {
    List<String> events = MailTypes.parse(option(job, "mail-type"));
    return events == null ? List.of() : events;
  }

  /** Whether its nodes are to be booted before it starts: 1 or 0. */
  static String reboot(Job job) {
    return option(job, "reboot").isEmpty() ? "0" : "1";
  }

  /** An option that is only shown; empty when it was not given. */
  static String option(Job job, String name) {
    return job.batch().shown().getOrDefault(name, "");
  }

  private static String orNot(String list) {
    return list.isEmpty() ? NOT_APPLICABLE : list;
  }
}
