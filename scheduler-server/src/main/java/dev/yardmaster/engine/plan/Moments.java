package dev.yardmaster.engine.plan;

import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Reservation;
import dev.yardmaster.model.text.Dependency;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Finds when the next thing happens by itself in a state: virtual time jumps there. */
public final class Moments {
  private final ClusterState state;
  private final Instant now;
  private @Nullable Instant next;

  /** Begins with all that is known but the ends of runs, which who asks knows. */
  public Moments(ClusterState state, Instant now) {
    this.state = state;
    this.now = now;
    for (Job job : state.jobs().values()) {
      if (job.state() == JobState.RUNNING && job.preemption() != null) {
        at(job.preemption().latest());
      } else if (job.state() == JobState.PENDING) {
        at(job.begin());
      }
      at(Gang.turnOver(state, job));
    }
    for (Reservation r : state.reservations().values()) {
      at(r.start());
      at(r.end());
    }
  }

  /** Something happens at an instant, if that lies ahead. */
  public void at(@Nullable Instant instant) {
    if (instant != null && instant.isAfter(now) && (next == null || instant.isBefore(next))) {
      next = instant;
    }
  }

  /** Something happens at an instant, or at once when it is due already. */
  void soonest(@Nullable Instant instant) {
    at(instant == null || instant.isAfter(now) ? instant : now.plusSeconds(1));
  }

  /** What a dependency waits for beyond the start or end of another job. */
  void delays(Dependency dependency) {
    for (Dependency.Term term : dependency.terms()) {
      Job other =
          term.delayMinutes() == 0 || term.target() == null
              ? null
              : state.job((int) term.target().job());
      if (other != null) {
        long seconds = 60L * term.delayMinutes();
        at(other.started() == null ? null : other.started().plusSeconds(seconds));
        at(other.ended() == null ? null : other.ended().plusSeconds(seconds));
      }
    }
  }

  /** Null when nothing more happens. */
  public @Nullable Instant next() {
    return next;
  }
}
