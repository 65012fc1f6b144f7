package dev.yardmaster.controller;

import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.engine.state.Event;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.NodeBaseState;
import dev.yardmaster.model.Reservation;
import dev.yardmaster.model.ReservationFlag;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * When a reservation gets idle nodes for those in use (scontrol(1), REPLACE): when a job of it is
 * submitted, starts or ends, when a node goes down or a partition changes, and every half minute; a
 * node that becomes free in between is not looked for.
 */
final class ReplaceTimes {
  private static final long SECONDS = 30;

  private final Instant boot;
  private final SortedSet<String> awaited = new TreeSet<>();
  private Instant next;
  private boolean all = true;

  /**
   * The first time is now.
   *
   * @param boot since when the controller runs
   */
  ReplaceTimes(Instant boot) {
    this.boot = boot;
    this.next = boot.plusSeconds(SECONDS);
  }

  /** When the half minute is over; null when no reservation needs that. */
  @Nullable Instant next(ClusterState state) {
    return state.reservations().values().stream().anyMatch(r -> r.has(ReservationFlag.REPLACE))
        ? next
        : null;
  }

  /** Time goes on. */
  void tick(Instant now) {
    if (!now.isBefore(next)) {
      long since = Duration.between(boot, now).toSeconds();
      next = boot.plusSeconds((since / SECONDS + 1) * SECONDS);
      all = true;
    }
  }

  /** Follows an event. */
  void follow(Event event, ClusterState before, ClusterState after) {
    switch (event) {
      case Event.JobSubmitted e -> await(e.job());
      case Event.JobStarted e -> await(after.job(e.jobId()));
      case Event.JobCompleting e -> await(after.job(e.jobId()));
      case Event.JobEdited e -> {
        Job old = before.job(e.job().id());
        if (old != null && !Objects.equals(old.reservation(), e.job().reservation())) {
          await(e.job());
        }
      }
      case Event.NodeChanged e -> all |= e.status().base() == NodeBaseState.DOWN;
      case Event.PartitionChanged e -> all = true;
      case Event.PartitionDeleted e -> all = true;
      default -> {}
    }
  }

  private void await(@Nullable Job job) {
    if (job != null && job.reservation() != null) {
      awaited.add(job.reservation());
    }
  }

  /** Whether it is time for a reservation. */
  boolean isTimeFor(Reservation reservation) {
    return all || awaited.contains(reservation.name());
  }

  /** All that was to be done is done. */
  void done() {
    awaited.clear();
    all = false;
  }
}
