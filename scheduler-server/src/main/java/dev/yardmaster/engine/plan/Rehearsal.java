package dev.yardmaster.engine.plan;

import dev.yardmaster.engine.Pass;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.PlannedStart;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Many changes of one pending job tried in a single planning of the queue: when the turn of the
 * changed job comes, the passes ask what would become of it, and go on as if it were not there. So
 * a hundred changes cost little more than one.
 *
 * <p>Jobs behind it do not count here: whom a change delays, only a whole {@link Outlook} tells.
 */
public record Rehearsal(int jobId, List<Part> parts) {
  private static final Set<Pass> PLANNING = EnumSet.of(Pass.MAIN, Pass.BACKFILL);

  public Rehearsal {
    parts = List.copyOf(parts);
  }

  /** What a pass can say when the job's turn has come. */
  public interface Trial {
    /**
     * When the job would start; it must stand at the same place of the queue as the part's.
     *
     * @return null when it does not start before the horizon, or not in this pass
     */
    @Nullable PlannedStart start(Job job);

    /** Whether the part's job could start now if some running jobs had ended. */
    boolean startsWithout(Collection<Job> ended);
  }

  /** A question to be put when the job's turn has come. */
  public interface Part {
    /** The job as changed: it says where in the queue the question is put. */
    Job job();

    /**
     * Asked once in each pass and partition.
     *
     * @return whether the answer is complete
     */
    boolean ask(Trial trial);
  }

  /** Puts the questions. */
  public void run(ClusterState state, Instant now, Duration horizon, Foresight foresight) {
    Scheduler scheduler = new Scheduler(state, now, Scheduler.Purpose.FORECAST, null);
    scheduler.share(foresight);
    scheduler.rehearse(this);
    scheduler.run(PLANNING, horizon.toSeconds());
  }
}
