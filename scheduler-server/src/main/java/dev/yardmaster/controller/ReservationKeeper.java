package dev.yardmaster.controller;

import dev.yardmaster.engine.gate.NodeReasons;
import dev.yardmaster.engine.state.Event;
import dev.yardmaster.model.ExitCode;
import dev.yardmaster.model.Hold;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobFlag;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Node;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.Reason;
import dev.yardmaster.model.Reservation;
import dev.yardmaster.model.ReservationFlag;
import dev.yardmaster.model.ReservationTimes;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * What time does to reservations: they end or come again, are purged when nobody uses them, and get
 * other nodes for those that are lost or in use.
 */
final class ReservationKeeper {
  private static final String SLURM = "slurm";

  private ReservationKeeper() {}

  static void keep(Turn turn, Runs runs) {
    for (Reservation stored : List.copyOf(turn.state().reservations().values())) {
      Reservation r = stored.at(turn.now());
      if (!r.end().isAfter(turn.now())) {
        end(turn, runs, stored);
      } else if (isUnused(turn, stored)) {
        delete(turn, stored);
      } else {
        replace(turn, stored, false);
      }
    }
  }

  /** Gives idle nodes for those in use, also to reservations that begin later. */
  static void replaceBusy(Turn turn, ReplaceTimes times) {
    for (Reservation stored : List.copyOf(turn.state().reservations().values())) {
      if (stored.has(ReservationFlag.REPLACE) && times.isTimeFor(stored)) {
        replace(turn, stored, true);
      }
    }
    times.done();
  }

  private static void end(Turn turn, Runs runs, Reservation reservation) {
    if (!ReservationTimes.repeats(reservation)) {
      if (reservation.has(ReservationFlag.FLEX) || stopped(turn, runs, reservation)) {
        delete(turn, reservation);
      }
      return;
    }
    Reservation next = reservation;
    while (!next.end().isAfter(turn.now())) {
      next = ReservationTimes.next(next, turn.now());
    }
    save(turn, next.withId(turn.index().nextReservation()).withIdleSince(null));
  }

  /**
   * Jobs that still run in a reservation end with it, or so many minutes later (slurm.conf(5),
   * ResvOverRun); those of one that comes again go on, and so do those of a flexible one.
   *
   * @return whether none runs any more
   */
  private static boolean stopped(Turn turn, Runs runs, Reservation reservation) {
    boolean over = !reservation.end().plus(turn.settings().resvOverRun()).isAfter(turn.now());
    boolean none = true;
    for (Job job : List.copyOf(turn.state().jobs().values())) {
      boolean holds = job.state() == JobState.RUNNING || job.state() == JobState.SUSPENDED;
      if (!holds || !reservation.name().equals(job.reservation())) {
        continue;
      }
      if (over && job.state() == JobState.RUNNING) {
        runs.complete(
            turn, job, JobState.TIMEOUT, ExitCode.OK, Reason.TIME_LIMIT, "DUE TO TIME LIMIT");
      } else {
        none = false;
      }
    }
    return none;
  }

  private static void save(Turn turn, Reservation reservation) {
    turn.emit(new Event.ReservationSaved(turn.now(), reservation, SLURM));
    turn.requestPass();
  }

  /** Jobs that still wait for a reservation that is gone are held, unless it says otherwise. */
  private static void delete(Turn turn, Reservation reservation) {
    for (Job job : List.copyOf(turn.state().jobs().values())) {
      if (job.state() == JobState.PENDING && reservation.name().equals(job.reservation())) {
        Job freed = job.withReservation(null);
        turn.emit(
            new Event.JobEdited(
                turn.now(),
                reservation.has(ReservationFlag.NO_HOLD_JOBS_AFTER_END)
                    ? freed
                    : held(freed, reservation),
                SLURM,
                "reservation=" + reservation.name() + " ended"));
      }
    }
    forgetMaintenance(turn, reservation);
    turn.emit(new Event.ReservationDeleted(turn.now(), reservation.name(), SLURM));
    turn.requestPass();
  }

  /**
   * With one for maintenance goes what jobs said of maintenance, also those that are over: which
   * one it was is not looked at.
   */
  static void forgetMaintenance(Turn turn, Reservation reservation) {
    if (!reservation.has(ReservationFlag.MAINT)) {
      return;
    }
    for (Job job : List.copyOf(turn.state().jobs().values())) {
      if (job.reason() == NodeReasons.MAINTENANCE.reason()
          && job.reasonText().equals(NodeReasons.MAINTENANCE.text())) {
        turn.emit(
            new Event.JobEdited(
                turn.now(),
                job.with(j -> j.reason(Reason.NONE).reasonText("")),
                SLURM,
                "maintenance " + reservation.name() + " ended"));
      }
    }
  }

  private static Job held(Job job, Reservation reservation) {
    EnumSet<JobFlag> flags = EnumSet.of(JobFlag.RESV_DEL_HOLD);
    flags.addAll(job.flags());
    return job.with(
        j ->
            j.hold(job.hold() == Hold.NONE ? Hold.ADMIN : job.hold())
                .flags(flags)
                .priority(0)
                .eligible(null)
                .planned(null)
                .reason(Reason.RESERVATION_DELETED)
                .reasonText("Reservation " + reservation.name() + " was deleted"));
  }

  /** PURGE_COMP: whether no job has belonged to it for so long, rounded up to a whole minute. */
  private static boolean isUnused(Turn turn, Reservation r) {
    if (r.purgeSeconds() <= 0 || !r.isActive(turn.now())) {
      return false;
    }
    boolean used =
        turn.state().jobs().values().stream()
            .anyMatch(job -> !job.state().isFinished() && r.name().equals(job.reservation()));
    var since = r.idleSince();
    if (used || since == null) {
      if (used == (since != null)) {
        save(turn, r.withIdleSince(used ? null : turn.now()));
      }
      return false;
    }
    long wait = 60 * Math.ceilDiv(r.purgeSeconds(), 60L);
    return !since.plusSeconds(wait).isAfter(turn.now());
  }

  /**
   * REPLACE, REPLACE_DOWN and PART_NODES.
   *
   * @param idleOnly whether nodes in use are replaced too, not only those that are lost
   */
  private static void replace(Turn turn, Reservation r, boolean idleOnly) {
    if (r.has(ReservationFlag.PART_NODES)) {
      Partition partition = turn.state().partitions().get(r.partition());
      if (partition != null && !partition.nodes().equals(r.nodes())) {
        save(turn, r.withNodes(partition.nodes()));
      }
      return;
    }
    boolean fixed =
        r.has(ReservationFlag.SPEC_NODES)
            || r.has(ReservationFlag.STATIC)
            || r.has(ReservationFlag.MAINT)
            || !r.isWholeNodes();
    Partition partition = turn.state().partitions().get(r.partition());
    if (fixed || partition == null) {
      return;
    }
    List<String> lost = new ArrayList<>();
    for (String node : r.nodes()) {
      if (!ReservedNodes.isUp(turn.state(), node) || (idleOnly && !Runs.on(turn, node).isEmpty())) {
        lost.add(node);
      }
    }
    if (lost.isEmpty()) {
      return;
    }
    kept(turn, r, partition, lost);
  }

  /**
   * As many other nodes as were lost, else half as many, and so on; the rest are those that it has
   * kept although they are lost.
   */
  private static void kept(Turn turn, Reservation r, Partition partition, List<String> lost) {
    ReservedNodes places = new ReservedNodes(turn, r);
    for (int count = lost.size(); count > 0; count /= 2) {
      List<String> more = places.pick(partition, r.features(), Set.copyOf(r.nodes()), count);
      if (more != null) {
        Set<String> nodes = new TreeSet<>(r.nodes());
        nodes.removeAll(lost);
        lost.stream().limit(lost.size() - more.size()).forEach(nodes::add);
        nodes.addAll(more);
        save(
            turn,
            r.withNodes(
                turn.state().nodesInOrder().stream()
                    .map(Node::name)
                    .filter(nodes::contains)
                    .toList()));
        return;
      }
    }
  }
}
