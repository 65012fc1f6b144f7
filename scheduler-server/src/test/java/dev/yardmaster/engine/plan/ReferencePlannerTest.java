package dev.yardmaster.engine.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.engine.Decision;
import dev.yardmaster.engine.Lab;
import dev.yardmaster.engine.Pass;
import dev.yardmaster.engine.RandomLab;
import dev.yardmaster.engine.Step;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.model.Allocation;
import dev.yardmaster.model.Exclusivity;
import dev.yardmaster.model.GresRequest;
import dev.yardmaster.model.GresShare;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobRequest;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.MemoryRequest;
import dev.yardmaster.model.Node;
import dev.yardmaster.model.NodeShare;
import dev.yardmaster.model.PlannedStart;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import org.jspecify.annotations.Nullable;

/**
 * The planner against a slow and obvious one: for each job in turn, given what was placed before
 * it, try every moment at which anything changes and count the nodes that would do.
 */
class ReferencePlannerTest {
  /** What somebody holds of a node, or plans to take of it as a whole. */
  private record Taken(
      String node,
      Instant from,
      Instant until,
      int cpus,
      long memory,
      GresRow gres,
      boolean whole) {}

  private record GresRow(long a, long b) {}

  private final List<Taken> taken = new ArrayList<>();

  @Property(tries = 1500, seed = RandomLab.ORDER, shrinking = ShrinkingMode.OFF)
  void everyPlannedStartIsTheEarliestPossible(@ForAll long seed) {
    taken.clear();
    Lab lab = RandomLab.simple(seed);
    ClusterState state = lab.state();
    Instant now = lab.now();
    Scheduler scheduler = new Scheduler(state, now, Scheduler.Purpose.FORECAST, null);
    Step step = scheduler.run(EnumSet.of(Pass.MAIN, Pass.BACKFILL), Duration.ofDays(7).toSeconds());
    SortedMap<Integer, PlannedStart> planned = new TreeMap<>();
    scheduler.plannedStarts().forEach((id, spot) -> planned.put(id, spot.named()));
    for (Job job : state.jobs().values()) {
      if (job.holdsResources()) {
        hold(
            Objects.requireNonNull(job.allocation()),
            Objects.requireNonNull(job.started()),
            Objects.requireNonNull(job.ended()));
      }
    }
    List<Decision.Start> backfilled = new ArrayList<>();
    for (Decision decision : step.decisions()) {
      if (decision instanceof Decision.Start start) {
        if (start.backfilled()) {
          backfilled.add(start);
        } else {
          hold(start.allocation(), now, end(now, start.timeLimitMinutes()));
        }
      }
    }
    List<Job> waiting =
        state.jobs().values().stream()
            .filter(j -> j.state() == JobState.PENDING)
            .sorted(
                Comparator.comparingLong((Job j) -> -Objects.requireNonNull(j.directPriority()))
                    .thenComparingInt(Job::id))
            .toList();
    for (Job job : waiting) {
      boolean inMain =
          step.decisions().stream()
              .anyMatch(
                  d -> d instanceof Decision.Start s && s.jobId() == job.id() && !s.backfilled());
      if (inMain) {
        continue;
      }
      Decision.Start start =
          backfilled.stream().filter(s -> s.jobId() == job.id()).findFirst().orElse(null);
      PlannedStart plan = planned.get(job.id());
      Instant mine = start != null ? now : plan == null ? null : plan.start();
      assertThat(mine).as("job %d of seed %d", job.id(), seed).isEqualTo(earliest(state, job, now));
      if (start != null) {
        hold(start.allocation(), now, end(now, start.timeLimitMinutes()));
      } else if (plan != null) {
        for (String node : plan.nodes()) {
          taken.add(
              new Taken(
                  node,
                  // whoever is before it has to be gone when it starts, not just then
                  plan.start().truncatedTo(ChronoUnit.MINUTES).minusSeconds(1),
                  end(plan.start(), job.timeLimitMinutes()),
                  0,
                  0,
                  new GresRow(0, 0),
                  true));
        }
      }
    }
  }

  private static Instant end(Instant start, long minutes) {
    return start.plusSeconds(60 * minutes);
  }

  private void hold(Allocation allocation, Instant from, Instant until) {
    for (NodeShare share : allocation.shares()) {
      taken.add(
          new Taken(
              share.node(),
              from,
              until,
              share.cpus(),
              share.memoryMib(),
              new GresRow(count(share, "a"), count(share, "b")),
              false));
    }
  }

  private static long count(NodeShare share, String type) {
    return share.gres().stream()
        .filter(g -> type.equals(g.type()))
        .mapToLong(GresShare::count)
        .sum();
  }

  private @Nullable Instant earliest(ClusterState state, Job job, Instant now) {
    TreeSet<Instant> moments = new TreeSet<>();
    moments.add(now);
    taken.forEach(t -> moments.add(t.until()));
    for (Instant moment : moments.tailSet(now)) {
      TreeSet<String> open = new TreeSet<>();
      for (Node node : state.nodes().values()) {
        if (serves(node, job.request()) && free(node, job, moment)) {
          open.add(node.name());
        }
      }
      if (open.size() >= job.request().minNodes()
          && open.containsAll(job.request().requiredNodes().expand())) {
        return moment;
      }
    }
    return null;
  }

  private static boolean serves(Node node, JobRequest r) {
    boolean features =
        r.features() == null
            || Objects.requireNonNull(r.features()).matches(new TreeSet<>(node.spec().features()));
    return node.status().isAvailable() && features && !r.excludedNodes().contains(node.name());
  }

  private boolean free(Node node, Job job, Instant from) {
    Instant until = end(from, job.timeLimitMinutes());
    int cpus = node.spec().cpus();
    long memory = node.spec().realMemoryMib();
    long a = total(node, "a");
    long b = total(node, "b");
    boolean idle = true;
    for (Taken t : taken) {
      if (!t.node().equals(node.name())) {
        continue;
      }
      if (t.whole()) {
        if (t.from().isBefore(until) && t.until().isAfter(from)) {
          return false;
        }
      } else if (t.until().isAfter(from)) {
        idle = false;
        cpus -= t.cpus();
        memory -= t.memory();
        a -= t.gres().a();
        b -= t.gres().b();
      }
    }
    JobRequest r = job.request();
    boolean exclusive = r.exclusivity() == Exclusivity.NODE;
    return (!exclusive || idle)
        && cpus >= r.cpusPerTask()
        && ((MemoryRequest.PerNode) r.memory()).mib() <= memory
        && gres(r, a, b);
  }

  private static boolean gres(JobRequest r, long a, long b) {
    for (GresRequest g : r.gres()) {
      long there = g.type() == null ? a + b : g.type().equals("a") ? a : b;
      if (g.count() > there) {
        return false;
      }
    }
    return true;
  }

  private static long total(Node node, String type) {
    return node.spec().gres().stream()
        .filter(g -> type.equals(g.type()))
        .mapToLong(g -> g.count())
        .sum();
  }
}
