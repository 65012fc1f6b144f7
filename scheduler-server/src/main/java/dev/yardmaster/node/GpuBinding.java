package dev.yardmaster.node;

import dev.yardmaster.model.GresRequest;
import dev.yardmaster.model.Job;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntPredicate;

/**
 * Which of the GPUs of a step on a node each of its tasks gets (srun(1), --gpu-bind and
 * --tres-bind).
 *
 * @param kind none, single, per_task, closest, map or mask; empty when nothing was said
 * @param value what follows it
 */
record GpuBinding(String kind, String value) {
  private static final String PREFIX = "gres/gpu:";
  private static final String VERBOSE = "verbose,";
  private static final GpuBinding NONE = new GpuBinding("none", "");

  /** What a step's own options say, otherwise what the job's do. */
  static GpuBinding of(Map<String, String> step, Job job) {
    String said = said(step);
    if (!said.isEmpty()) {
      return parse(said);
    }
    if (step.containsKey("gpus-per-task")) {
      String count = Objects.requireNonNull(step.get("gpus-per-task"));
      return new GpuBinding("per_task", count.substring(count.lastIndexOf(':') + 1));
    }
    if (step.containsKey("ntasks-per-gpu")) {
      return new GpuBinding("single", Objects.requireNonNull(step.get("ntasks-per-gpu")));
    }
    String ofJob = ofJob(job);
    if (!ofJob.isEmpty()) {
      return parse(ofJob.substring(PREFIX.length()));
    }
    return job.request().tasksPerGpu() > 0
        ? new GpuBinding("single", Integer.toString(job.request().tasksPerGpu()))
        : NONE;
  }

  /** As SLURM_TRES_BIND says it of a job; empty when it has said nothing. */
  static String ofJob(Job job) {
    String said = said(job.batch().shown());
    if (!said.isEmpty()) {
      return PREFIX + said;
    }
    return job.request().gres().stream()
        .filter(r -> r.scope() == GresRequest.Scope.TASK && r.name().equals("gpu"))
        .map(r -> PREFIX + "per_task:" + r.count())
        .findFirst()
        .orElse("");
  }

  private static String said(Map<String, String> options) {
    String gpu = options.getOrDefault("gpu-bind", "");
    if (!gpu.isEmpty()) {
      return gpu;
    }
    for (String one : options.getOrDefault("tres-bind", "").split("\\+")) {
      if (one.startsWith(PREFIX)) {
        return one.substring(PREFIX.length());
      }
    }
    return "";
  }

  private static GpuBinding parse(String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    String said = lower.startsWith(VERBOSE) ? lower.substring(VERBOSE.length()) : lower;
    int colon = said.indexOf(':');
    String kind = colon < 0 ? said : said.substring(0, colon);
    return new GpuBinding(
        kind.replaceFirst("_gpu$", ""), colon < 0 ? "" : said.substring(colon + 1));
  }

  /**
   * The devices of a task. As in Slurm one for which nothing is left, or whose list names none of
   * the step's devices, gets the first.
   *
   * @param devices those of the step, by their indices on the node, ascending
   * @param near whether a device is near the CPUs of the job
   */
  List<Integer> ofTask(List<Integer> devices, int local, IntPredicate near) {
    if (devices.isEmpty()) {
      return devices;
    }
    List<Integer> bound =
        switch (kind) {
          case "single" -> List.of(devices.get(local / count() % devices.size()));
          case "per_task" -> slice(devices, local);
          case "closest" -> devices.stream().filter(near::test).toList();
          case "map" -> devices.stream().filter(d -> d == number(local)).toList();
          case "mask" -> devices.stream().filter(d -> (number(local) >> d & 1) == 1).toList();
          default -> devices;
        };
    return bound.isEmpty() ? devices.subList(0, 1) : bound;
  }

  private List<Integer> slice(List<Integer> devices, int local) {
    int count = count();
    int from = local * count;
    return from >= devices.size()
        ? List.of()
        : devices.subList(from, Math.min(devices.size(), from + count));
  }

  private int count() {
    return value.matches("[1-9][0-9]{0,4}") ? Integer.parseInt(value) : 1;
  }

  /** The number of a list that is for a task; the list begins anew when it is over. */
  private long number(int local) {
    List<Long> numbers = new ArrayList<>();
    for (String word : value.split(",")) {
      String[] parts = word.split("\\*", 2);
      int times =
          parts.length > 1 && parts[1].matches("[1-9][0-9]{0,3}") ? Integer.parseInt(parts[1]) : 1;
      for (int i = 0; i < times; i++) {
        numbers.add(parse16(parts[0].strip()));
      }
    }
    return numbers.get(local % numbers.size());
  }

  private static long parse16(String text) {
    boolean hex = text.startsWith("0x");
    String digits = hex ? text.substring(2) : text;
    return digits.matches(hex ? "[0-9a-f]{1,15}" : "[0-9]{1,15}")
        ? Long.parseLong(digits, hex ? 16 : 10)
        : 0;
  }
}
