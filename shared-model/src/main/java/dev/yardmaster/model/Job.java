package dev.yardmaster.model;

import dev.yardmaster.model.text.Dependency;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A job as the controller knows it. Instants have whole seconds. {@link Partition#UNLIMITED} stands
 * for UNLIMITED.
 *
 * @param partitions what it asks for, in order; once it runs, the one it runs in comes first
 * @param timeLimitMinutes the limit in force
 * @param timeMinMinutes {@code --time-min}; 0 when not given
 * @param nice positive lowers the priority
 * @param directPriority set by {@code scontrol update priority=} or {@code --priority}; null while
 *     it is computed
 * @param priority 0 while held
 * @param reason why it waits, or why it ended
 * @param reasonText the longer sentence that goes with some reasons; empty when the reason's own
 *     text says it
 * @param eligible when it could first be considered; null while it cannot
 * @param accrues since when it gains priority with age (AccrueTime), which limits on the number of
 *     such jobs put off; null while it does not
 * @param started begin of the present or last run
 * @param ended end of the last run; for a running job when its limit is reached
 * @param restarts how often it was requeued; the number of the present run
 * @param planned backfill's estimate for a pending job
 * @param allocation what it holds, or held in its last run; null before the first
 * @param simulatedRuntime for jobs of a simulated workload, how long it will really run; null for
 *     real jobs
 * @param preemption why it must leave, or left its last run; null when it need not
 * @param suspension how its present or last run was suspended; null when it never was
 * @param waited how it fared in the queue; null while nothing is known beyond when it was submitted
 * @param siteFactor what the site adds to its priority ({@code scontrol update sitefactor=})
 * @param lost what it held when all its nodes failed, or when it had ended before it was requeued,
 *     which is shown until it starts again or for good; null when it lost nothing
 * @param failedNode the node for whose failure its last run ended; null for none
 * @param limitOpen whether it gave no time limit and has that of the partition in which it starts
 * @param expectedNodes how many nodes it would get if nothing ran, as found when it was submitted,
 *     or had when it ran before; 0 when nothing is known
 * @param triedCpus CPUs of the nodes on which it was last found to fit, whether or not it started
 *     there; 0 while it never was
 */
@RecordBuilder
public record Job(
    int id,
    @Nullable ArrayInfo array,
    @Nullable HetInfo het,
    String name,
    JobOwner owner,
    List<String> partitions,
    JobRequest request,
    JobBatch batch,
    String comment,
    String adminComment,
    @Nullable String reservation,
    @Nullable Dependency dependency,
    long timeLimitMinutes,
    long timeMinMinutes,
    @Nullable Instant begin,
    @Nullable Instant deadline,
    boolean requeue,
    int nice,
    @Nullable Long directPriority,
    Hold hold,
    JobState state,
    Set<JobFlag> flags,
    Reason reason,
    String reasonText,
    long priority,
    PriorityFactors factors,
    Instant submitted,
    @Nullable Instant eligible,
    @Nullable Instant accrues,
    @Nullable Instant started,
    @Nullable Instant ended,
    @Nullable Instant lastEvaluated,
    int restarts,
    ExitCode exitCode,
    ExitCode derivedExitCode,
    @Nullable PlannedStart planned,
    @Nullable Allocation allocation,
    @Nullable Duration simulatedRuntime,
    @Nullable Preemption preemption,
    @Nullable Suspension suspension,
    @Nullable Waited waited,
    int siteFactor,
    @Nullable Tres lost,
    @Nullable String failedNode,
    boolean limitOpen,
    int expectedNodes,
    int triedCpus)
    implements JobBuilder.With {
  /**
   * Name, among what is kept of a batch job to be shown, of the partition by whose weights its
   * request was charged, where that is not its first one (scontrol(1), update of a pending job).
   */
  public static final String BILLED_IN = "billed-in";

  private static final Set<JobFlag> NO_FLAGS =
      Collections.unmodifiableSet(EnumSet.noneOf(JobFlag.class));

  public Job {
    partitions = List.copyOf(partitions);
    flags = flags.isEmpty() ? NO_FLAGS : Collections.unmodifiableSet(EnumSet.copyOf(flags));
  }

  /** A job that waits since its submission, for which nothing was asked beyond what is given. */
  public static Job waiting(
      int id,
      String name,
      JobOwner owner,
      List<String> partitions,
      JobRequest request,
      JobBatch batch,
      long timeLimitMinutes,
      Instant submitted) {
    return new Job(
        id,
        null,
        null,
        name,
        owner,
        partitions,
        request,
        batch,
        "",
        "",
        null,
        null,
        timeLimitMinutes,
        0,
        null,
        null,
        true,
        0,
        null,
        Hold.NONE,
        JobState.PENDING,
        NO_FLAGS,
        Reason.NONE,
        "",
        0,
        PriorityFactors.ZERO,
        submitted,
        submitted,
        submitted,
        null,
        null,
        null,
        0,
        ExitCode.OK,
        ExitCode.OK,
        null,
        null,
        null,
        null,
        null,
        null,
        0,
        null,
        null,
        false,
        0,
        0);
  }

  /** The id as users write it: {@code 12}, {@code 12_3}, {@code 12_[4-9%2]}, {@code 12+1}. */
  public String displayId() {
    if (array != null) {
      if (array.taskId() != null) {
        return array.arrayJobId() + "_" + array.taskId();
      }
      return array.arrayJobId()
          + "_["
          + array.waiting()
          + (array.throttle() > 0 ? "%" + array.throttle() : "")
          + "]";
    }
    return het != null ? het.hetJobId() + "+" + het.offset() : Integer.toString(id);
  }

  /** How many tasks this record stands for: the waiting tasks of an array, else 1. */
  public int taskCount() {
    return array != null && array.taskId() == null ? array.waiting().size() : 1;
  }

  /** The partition it runs or ran in, or the first it asks for. */
  public String partition() {
    return partitions.getFirst();
  }

  public boolean has(JobFlag flag) {
    return flags != NO_FLAGS && flags.contains(flag);
  }

  /** The licences that it takes once it runs: all that it asks for, or the one that it got. */
  public SortedMap<String, Integer> heldLicenses() {
    if (!request.anyLicense()) {
      return request.licenses();
    }
    SortedMap<String, Integer> held = new TreeMap<>();
    Tres tres = allocation == null ? Tres.NONE : allocation.tres();
    request
        .licenses()
        .forEach(
            (name, count) -> {
              if (tres.get("license/" + name) > 0) {
                held.put(name, count);
              }
            });
    return held;
  }

  /** The same with all the nodes of a run that ends, also those that are done with it. */
  public Job whole() {
    return allocation == null || allocation.before().isEmpty()
        ? this
        : withAllocation(allocation.whole());
  }

  /** True while the job's resources are taken: running, suspended, or still completing. */
  public boolean holdsResources() {
    return state == JobState.RUNNING || state == JobState.SUSPENDED || has(JobFlag.COMPLETING);
  }

  /**
   * Whether its processes are stopped and its CPUs free for others, as by {@code scontrol suspend}.
   */
  public boolean lendsCpus() {
    return state == JobState.SUSPENDED
        && suspension != null
        && suspension.cause() == Suspension.Cause.OPERATOR;
  }

  /** How long its present or last run has worked by now, without the time it was suspended. */
  public Duration worked(Instant now) {
    if (state == JobState.PENDING || started == null) {
      return Duration.ZERO;
    }
    Instant until = state.isFinished() && ended != null ? ended : now;
    Duration total;
    if (suspension == null) {
      total = Duration.between(started, until);
    } else if (state == JobState.SUSPENDED || suspension.isLast()) {
      total = suspension.worked();
    } else {
      total = suspension.worked().plus(Duration.between(suspension.at(), until));
    }
    return total.isNegative() ? Duration.ZERO : total;
  }
}
