package dev.yardmaster.model;

import java.util.List;

/**
 * What a step has used, as sacct(1) and sstat(1) tell it: sums over its tasks, and the task that
 * stands out.
 *
 * @param userMicros time on CPUs in user mode, in microseconds
 * @param systemMicros likewise in the kernel
 * @param tasks how many tasks were measured
 * @param cpu the task with the least time on CPUs, in microseconds
 * @param resident the task with the largest resident memory at any time, in bytes
 * @param virtual likewise of its address space
 * @param pageFaults the task with most page faults that had to be read from a disk
 * @param read the task that has read most, in bytes
 * @param written the task that has written most, in bytes
 */
public record StepUsage(
    long userMicros,
    long systemMicros,
    int tasks,
    OfTasks cpu,
    OfTasks resident,
    OfTasks virtual,
    OfTasks pageFaults,
    OfTasks read,
    OfTasks written) {

  /**
   * A quantity of all tasks.
   *
   * @param value of the task that stands out
   * @param sum of all
   */
  public record OfTasks(long value, String node, int task, long sum) {
    private static OfTasks both(OfTasks a, OfTasks b, boolean least) {
      boolean second = least ? b.value < a.value : b.value > a.value;
      OfTasks out = second ? b : a;
      return new OfTasks(out.value, out.node, out.task, a.sum + b.sum);
    }
  }

  /** Time on CPUs, in microseconds. */
  public long totalMicros() {
    return userMicros + systemMicros;
  }

  /** What two parts of a step have used together. */
  public StepUsage and(StepUsage other) {
    return new StepUsage(
        userMicros + other.userMicros,
        systemMicros + other.systemMicros,
        tasks + other.tasks,
        OfTasks.both(cpu, other.cpu, true),
        OfTasks.both(resident, other.resident, false),
        OfTasks.both(virtual, other.virtual, false),
        OfTasks.both(pageFaults, other.pageFaults, false),
        OfTasks.both(read, other.read, false),
        OfTasks.both(written, other.written, false));
  }

  /** All quantities that differ by task, in the order of the components. */
  public List<OfTasks> quantities() {
    return List.of(cpu, resident, virtual, pageFaults, read, written);
  }
}
