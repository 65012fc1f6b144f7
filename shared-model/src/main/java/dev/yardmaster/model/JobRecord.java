package dev.yardmaster.model;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What accounting keeps of one run of a job; a job that is requeued gets a further record, and so
 * does one that goes on with fewer nodes: that begins when it was submitted anew, as it were. What
 * decides when a job is told of anew, as Slurm's controller tells its database: when it is
 * submitted, changed, started, and when it ends.
 *
 * @param job the job of this run as last known; its times, state and priority are not those of
 *     accounting
 * @param association the id of its association; 0 for none
 * @param state the base state
 * @param requeued whether the run ended because somebody put the job back to the queue
 * @param component whether it is told of as a component of a heterogeneous job, which is not known
 *     yet when it is submitted
 * @param priority when it was last told of
 * @param reason what last held it back before it was last told of, other than that it had to wait
 *     its turn
 * @param seen what last held it back
 * @param eligible when it could start; null while it cannot
 * @param ended null while it has not
 * @param suspendedSeconds how long in all, without the present suspension
 * @param suspendedSince null while it is not suspended
 * @param killedBy the number of the user who cancelled it; null for nobody
 * @param failedNode the node for whose failure it ended; empty for none
 * @param requested what it asked for, with its billing
 * @param allocated what it held; nothing before it starts
 * @param part how often the run had lost nodes when this began
 * @param resized whether it ended because the job went on with fewer nodes
 */
@RecordBuilder
public record JobRecord(
    Job job,
    String cluster,
    int association,
    int qosId,
    int wckeyId,
    JobState state,
    boolean requeued,
    boolean component,
    long priority,
    Reason reason,
    Reason seen,
    @Nullable Instant eligible,
    @Nullable Instant started,
    @Nullable Instant ended,
    long suspendedSeconds,
    @Nullable Instant suspendedSince,
    @Nullable Integer killedBy,
    String failedNode,
    Tres requested,
    Tres allocated,
    List<StepRecord> steps,
    int part,
    boolean resized)
    implements JobRecordBuilder.With {
  public JobRecord {
    steps = List.copyOf(steps);
  }

  /** What it is found by: the job, its run and the part of that. */
  public record Key(int jobId, int run, int part) implements Comparable<Key> {
    private static final Comparator<Key> ORDER =
        Comparator.comparingInt(Key::jobId).thenComparingInt(Key::run).thenComparingInt(Key::part);

    @Override
    public int compareTo(Key other) {
      return ORDER.compare(this, other);
    }
  }

  public Key key() {
    return new Key(job.id(), job.restarts(), part);
  }

  /** When it was submitted, or went on with fewer nodes. */
  public Instant submitted() {
    return part > 0 && started != null ? started : job.submitted();
  }

  /** The id of the array that it belongs to; 0 for none. */
  public int arrayJobId() {
    ArrayInfo array = job.array();
    return array == null ? 0 : array.arrayJobId();
  }

  /** The id of the heterogeneous job that it is told of as part of; 0 for none. */
  public int hetJobId() {
    HetInfo het = job.het();
    return component && het != null ? het.hetJobId() : 0;
  }

  /** How it came to run, and that it was told of, in the words of sacct(1). */
  public List<String> flags() {
    List<String> flags = new ArrayList<>();
    if (started != null) {
      flags.add(isBackfilled() ? "SchedBackfill" : "SchedMain");
    }
    flags.add("StartReceived");
    return flags;
  }

  private boolean isBackfilled() {
    return job.waited() != null && job.waited().backfilled();
  }
}
