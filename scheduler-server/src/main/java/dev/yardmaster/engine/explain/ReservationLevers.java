package dev.yardmaster.engine.explain;

import dev.yardmaster.engine.gate.NodeReasons;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.engine.state.Event;
import dev.yardmaster.explain.Evidence;
import dev.yardmaster.explain.Finding;
import dev.yardmaster.explain.Gate;
import dev.yardmaster.explain.Remedy.Lever;
import dev.yardmaster.model.Allocation;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.Reservation;
import dev.yardmaster.model.ReservationFlag;
import dev.yardmaster.model.ReservationTimes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;

/**
 * Reservations in the way of a job that an operator could let start later: when the job, started
 * now, would be over. One that has started cannot be moved (scontrol(1)), nor may it come to lie
 * over another.
 */
final class ReservationLevers {
  private final ClusterState state;
  private final Instant now;
  private final Job job;

  ReservationLevers(ClusterState state, Instant now, Job job) {
    this.state = state;
    this.now = now;
    this.job = job;
  }

  List<Candidate> of(List<Finding> findings) {
    TreeSet<String> names = new TreeSet<>();
    for (Finding finding : findings) {
      if (finding.gate() == Gate.NODES_UNRESERVED
          && finding.evidence() instanceof Evidence.Nodes nodes) {
        nodes.falls().forEach(fall -> names.add(fall.detail()));
      }
    }
    List<Candidate> found = new ArrayList<>();
    long minutes = NodeReasons.leastMinutes(job);
    for (String name : names) {
      Reservation r = state.reservations().get(name);
      boolean moves = r != null && minutes > 0 && mayMove(r);
      if (r != null && moves) {
        Reservation later = starting(r, now.plus(Duration.ofMinutes(minutes)));
        if (!liesOverAnother(later) && !isRunInto(later)) {
          found.add(candidate(r, later, minutes));
        }
      }
    }
    return found;
  }

  private boolean mayMove(Reservation r) {
    return r.start().isAfter(now)
        && !r.has(ReservationFlag.TIME_FLOAT)
        && !r.name().equals(job.reservation());
  }

  private static Reservation starting(Reservation r, Instant start) {
    return r.with(b -> b.start(start).end(start.plus(r.length())));
  }

  private boolean liesOverAnother(Reservation moved) {
    if (moved.has(ReservationFlag.OVERLAP) || moved.has(ReservationFlag.MAINT)) {
      return false;
    }
    for (Reservation other : state.reservations().values()) {
      boolean besides =
          !other.name().equals(moved.name())
              && !other.has(ReservationFlag.OVERLAP)
              && !other.has(ReservationFlag.MAINT)
              && other.nodes().stream().anyMatch(moved.nodes()::contains);
      if (besides
          && ReservationTimes.until(other, moved.end()).stream()
              .anyMatch(o -> o.end().isAfter(moved.start()))) {
        return true;
      }
    }
    return false;
  }

  /** Whether a running job reaches into it, for which the controller would refuse the change. */
  private boolean isRunInto(Reservation moved) {
    if (moved.has(ReservationFlag.IGNORE_JOBS) || !moved.cores().isEmpty()) {
      return false;
    }
    return state.jobs().values().stream()
        .filter(j -> j.holdsResources() && !moved.name().equals(j.reservation()))
        .filter(j -> reachesInto(j, moved.start()))
        .anyMatch(j -> isOnAny(j, moved.nodes()));
  }

  private static boolean reachesInto(Job running, Instant start) {
    Instant end = running.ended();
    return end == null || end.isAfter(start);
  }

  private static boolean isOnAny(Job running, Collection<String> nodes) {
    Allocation allocation = running.allocation();
    return allocation != null
        && allocation.shares().stream().anyMatch(s -> nodes.contains(s.node()));
  }

  /** One that was given an end would keep it. */
  private static String length(Reservation r) {
    return r.durationMinutes() > 0 ? "" : " duration=" + r.length().toMinutes();
  }

  private Candidate candidate(Reservation r, Reservation later, long minutes) {
    return new Candidate(
        Lever.MOVE_RESERVATION,
        r.name() + " " + r.start(),
        r.name() + " " + later.start(),
        state.apply(new Event.ReservationSaved(now, later, "")),
        "scontrol update reservation=%s starttime=now+%dminutes%s"
            .formatted(r.name(), minutes, length(r)),
        false);
  }
}
