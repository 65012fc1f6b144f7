package dev.yardmaster.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.model.Allocation;
import dev.yardmaster.model.ArrayInfo;
import dev.yardmaster.model.Exclusivity;
import dev.yardmaster.model.GresShare;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.NodeShare;
import dev.yardmaster.model.NodeSpec;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.PlannedStart;
import dev.yardmaster.model.Qos;
import dev.yardmaster.model.Reservation;
import dev.yardmaster.model.ReservationFlag;
import dev.yardmaster.model.ReservationTimes;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/** What must hold of every state, and of every step from one state to the next. */
final class Invariants {
  private Invariants() {}

  /** Nothing is taken twice, and nobody is past a limit. */
  static void check(ClusterState state) {
    for (NodeSpec node : state.config().nodes()) {
      BitSet cores = new BitSet();
      TreeMap<String, BitSet> devices = new TreeMap<>();
      TreeMap<String, Long> counts = new TreeMap<>();
      long memory = 0;
      int jobs = 0;
      boolean exclusive = false;
      for (Job job : state.jobs().values()) {
        Allocation allocation = job.allocation();
        if (!job.holdsResources() || allocation == null) {
          continue;
        }
        for (NodeShare share : allocation.shares()) {
          if (!share.node().equals(node.name())) {
            continue;
          }
          jobs++;
          exclusive |= job.request().exclusivity() == Exclusivity.NODE;
          BitSet mine = share.cores().toBitSet();
          assertThat(mine.length())
              .as("cores of %s", node.name())
              .isLessThanOrEqualTo(node.cores());
          assertThat(cores.intersects(mine)).as("cores of %s taken twice", node.name()).isFalse();
          cores.or(mine);
          memory += share.memoryMib();
          for (GresShare gres : share.gres()) {
            String kind = gres.name() + ":" + gres.type();
            counts.merge(kind, gres.count(), Long::sum);
            BitSet taken = devices.computeIfAbsent(kind, k -> new BitSet());
            BitSet more = gres.devices().toBitSet();
            assertThat(more.cardinality()).as("devices").isEqualTo((int) gres.count());
            assertThat(taken.intersects(more)).as("%s taken twice", kind).isFalse();
            taken.or(more);
          }
        }
      }
      if (state.config().scheduling().countsMemory()) {
        assertThat(memory)
            .as("memory of %s", node.name())
            .isLessThanOrEqualTo(node.realMemoryMib());
      }
      assertThat(exclusive && jobs > 1)
          .as("%s shared with an exclusive job", node.name())
          .isFalse();
      node.gres()
          .forEach(
              g ->
                  assertThat(counts.getOrDefault(g.name() + ":" + g.type(), 0L))
                      .as("%s of %s", g.name(), node.name())
                      .isLessThanOrEqualTo(g.count()));
    }
    licenses(state);
    throttles(state);
    LimitInvariants.check(state);
  }

  private static void licenses(ClusterState state) {
    TreeMap<String, Integer> used = new TreeMap<>();
    for (Job job : state.jobs().values()) {
      if (job.state() == JobState.RUNNING) {
        job.request().licenses().forEach((n, c) -> used.merge(n, c, Integer::sum));
      }
    }
    used.forEach(
        (name, count) ->
            assertThat(count)
                .as("license %s", name)
                .isLessThanOrEqualTo(state.config().licenses().getOrDefault(name, 0)));
  }

  private static void throttles(ClusterState state) {
    TreeMap<Integer, Integer> running = new TreeMap<>();
    TreeMap<Integer, Integer> allowed = new TreeMap<>();
    for (Job job : state.jobs().values()) {
      ArrayInfo array = job.array();
      if (array != null && array.throttle() > 0) {
        allowed.put(array.arrayJobId(), array.throttle());
        if (job.state() == JobState.RUNNING) {
          running.merge(array.arrayJobId(), 1, Integer::sum);
        }
      }
    }
    running.forEach(
        (id, count) ->
            assertThat(count)
                .as("tasks of %d", id)
                .isLessThanOrEqualTo(Objects.requireNonNull(allowed.get(id))));
  }

  /** What a step decided on a state: nothing into a reservation, nothing in the way of a plan. */
  static void check(ClusterState before, Step step, Instant now, ClusterState after) {
    List<Decision.Start> starts = new ArrayList<>();
    for (Decision decision : step.decisions()) {
      if (decision instanceof Decision.Start start) {
        starts.add(start);
        noReservation(before, start, now);
        inPartition(before, start);
      }
    }
    for (Job planned : after.jobs().values()) {
      PlannedStart plan = planned.planned();
      if (plan == null || planned.state() != JobState.PENDING) {
        continue;
      }
      assertThat(plan.start()).as("plan of %d", planned.id()).isAfterOrEqualTo(now);
      if (planned.array() != null && planned.array().taskId() == null) {
        // As in Slurm it shows the start of its first task beside the nodes of its last.
        continue;
      }
      for (Decision.Start start : starts) {
        if (start.backfilled() && ahead(after, planned, start, now)) {
          Instant end = end(now, start.timeLimitMinutes());
          boolean overlaps =
              end.isAfter(plan.start())
                  && start.allocation().shares().stream()
                      .anyMatch(s -> plan.nodes().contains(s.node()));
          assertThat(overlaps)
              .as("backfilled job %d delays job %d", start.jobId(), planned.id())
              .isFalse();
        }
      }
    }
  }

  /**
   * Does the planned job stand before the started one? Not by what the two are alone: who could
   * preempt another stands before it whatever their priorities, so three jobs may each stand before
   * the next, and a pass takes such a circle in some order.
   */
  private static boolean ahead(ClusterState state, Job planned, Decision.Start start, Instant now) {
    Job started = Objects.requireNonNull(state.job(start.jobId()));
    PlannedStart plan = Objects.requireNonNull(planned.planned());
    int tierA = tier(state, plan.partition());
    int tierB = tier(state, start.partition());
    if (tierA != tierB) {
      return tierA > tierB;
    }
    if (!before(state, planned, started)) {
      return false;
    }
    Set<Job> reached = new LinkedHashSet<>(Set.of(started));
    Deque<Job> open = new ArrayDeque<>(reached);
    while (!open.isEmpty()) {
      Job from = open.remove();
      for (Job other : state.jobs().values()) {
        boolean looked = other.state() == JobState.PENDING || now.equals(other.started());
        if (looked && before(state, from, other) && reached.add(other)) {
          open.add(other);
        }
      }
    }
    return !reached.contains(planned);
  }

  private static boolean before(ClusterState state, Job one, Job other) {
    if (state.config().setting("PreemptType").orElse("").equals("preempt/qos")) {
      if (preempts(state, one, other)) {
        return true;
      }
      if (preempts(state, other, one)) {
        return false;
      }
    }
    if (one.priority() != other.priority()) {
      return one.priority() > other.priority();
    }
    return one.id() < other.id();
  }

  private static boolean preempts(ClusterState state, Job one, Job other) {
    Qos qos = state.accounting().qos().get(one.owner().qos());
    return qos != null && qos.preempt().contains(other.owner().qos());
  }

  private static int tier(ClusterState state, String partition) {
    Partition p = state.partitions().get(partition);
    return p == null ? 0 : p.priorityTier();
  }

  /** Nobody starts into a reservation that is not his, however often it comes again. */
  private static void noReservation(ClusterState state, Decision.Start start, Instant now) {
    Job job = Objects.requireNonNull(state.job(start.jobId()));
    String own = start.reservation() == null ? job.reservation() : start.reservation();
    Reservation inside = own == null ? null : state.reservations().get(own);
    for (Reservation r : state.reservations().values()) {
      boolean under =
          inside != null
              && (inside.has(ReservationFlag.OVERLAP) || inside.has(ReservationFlag.MAINT))
              && !r.has(ReservationFlag.OVERLAP)
              && !r.has(ReservationFlag.MAINT);
      Instant end = end(now, start.timeLimitMinutes());
      boolean meets = ReservationTimes.until(r, end).stream().anyMatch(o -> o.end().isAfter(now));
      if (meets && !under && !r.name().equals(own)) {
        assertThat(start.allocation().shares())
            .as("job %d in reservation %s", job.id(), r.name())
            .noneMatch(s -> r.nodes().contains(s.node()));
      }
    }
  }

  private static void inPartition(ClusterState state, Decision.Start start) {
    Partition p = Objects.requireNonNull(state.partitions().get(start.partition()));
    assertThat(start.allocation().shares()).allMatch(s -> p.nodes().contains(s.node()));
    assertThat(start.allocation().shares())
        .allMatch(s -> Objects.requireNonNull(state.node(s.node())).status().isAvailable());
  }

  static Instant end(Instant start, long minutes) {
    return start.plusSeconds(60 * (minutes < 0 ? 365L * 24 * 60 : minutes));
  }
}
