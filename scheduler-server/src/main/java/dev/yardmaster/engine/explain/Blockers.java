package dev.yardmaster.engine.explain;

import dev.yardmaster.engine.gate.Board;
import dev.yardmaster.engine.place.Choice;
import dev.yardmaster.engine.place.Shape;
import dev.yardmaster.engine.plan.Outlook;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.explain.Blocker;
import dev.yardmaster.explain.Evidence;
import dev.yardmaster.explain.Finding;
import dev.yardmaster.explain.Gate;
import dev.yardmaster.model.Allocation;
import dev.yardmaster.model.Exclusivity;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.NodeShare;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.PlannedStart;
import dev.yardmaster.model.Reservation;
import dev.yardmaster.model.Tres;
import dev.yardmaster.model.text.HostList;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The jobs and reservations behind the findings: what they hold, and until when. Where the job has
 * a planned start, only those whose end it waits for: on the nodes planned for it, ending by then.
 */
final class Blockers {
  /** Those that let go first are enough for a reader. */
  private static final int MOST = 100;

  private static final Comparator<Blocker> SOONEST_FIRST =
      Comparator.comparing(Blocker::until, Comparator.nullsLast(Comparator.naturalOrder()))
          .thenComparing(Blocker::kind)
          .thenComparing(Blocker::holds, Comparator.reverseOrder())
          .thenComparing(Blocker::name);

  private final ClusterState state;
  private final Job job;
  private final Outlook outlook;
  private final @Nullable PlannedStart planned;
  private String unit;

  Blockers(ClusterState state, Job job, Outlook outlook) {
    this.state = state;
    this.job = job;
    this.outlook = outlook;
    planned = outlook.planned(job.id());
    boolean gpus = job.request().gres().stream().anyMatch(g -> g.name().equals("gpu"));
    unit = gpus ? Tres.GPU : Tres.CPU;
  }

  List<Blocker> find(List<Finding> findings, @Nullable Gate binding) {
    unit = unit(binding);
    TreeSet<String> busy = new TreeSet<>();
    TreeSet<String> claimed = new TreeSet<>();
    TreeMap<String, Evidence.Fall> reserved = new TreeMap<>();
    TreeSet<Integer> ahead = new TreeSet<>();
    for (Finding finding : findings) {
      switch (finding.evidence()) {
        case Evidence.Nodes nodes -> sort(nodes, busy, claimed, reserved);
        case Evidence.Ahead jobs -> ahead.addAll(jobs.jobIds());
        default -> {}
      }
    }
    List<Blocker> found = new ArrayList<>();
    running(busy, found);
    if (!claimed.isEmpty() || binding == Gate.PRIORITY) {
      planned(claimed, ahead, found);
    }
    if (lacksNodes(findings)) {
      reserved.values().forEach(fall -> reservation(fall, found));
    }
    found.sort(SOONEST_FIRST);
    return found.size() <= MOST ? found : found.subList(0, MOST);
  }

  /** Whether the nodes that remain do not suffice: reservations of others are no matter else. */
  private static boolean lacksNodes(List<Finding> findings) {
    return findings.stream().anyMatch(f -> f.gate().kind() == Gate.Kind.NODES && f.blocks());
  }

  /** What blockers are counted in: what the job is short of. */
  private String unit(@Nullable Gate binding) {
    return binding == Gate.NODES_FREE_MEMORY
        ? Tres.MEM
        : binding == Gate.NODES_FREE_CPUS && !wholeNodes() ? Tres.CPU : unit;
  }

  private boolean wholeNodes() {
    return job.request().exclusivity() == Exclusivity.NODE || unit.equals(Tres.GPU);
  }

  private static void sort(
      Evidence.Nodes nodes,
      TreeSet<String> busy,
      TreeSet<String> planned,
      TreeMap<String, Evidence.Fall> reserved) {
    for (Evidence.Fall fall : nodes.falls()) {
      switch (fall.cause()) {
        case CPUS_BUSY, MEMORY_BUSY, GRES_BUSY, NOT_WHOLE, EXCLUSIVE_OTHER ->
            busy.addAll(fall.nodes().expand());
        case PLANNED_FOR_OTHER -> planned.addAll(fall.nodes().expand());
        case RESERVED -> reserved.put(fall.detail(), fall);
        default -> {}
      }
    }
  }

  private void running(TreeSet<String> nodes, List<Blocker> found) {
    if (nodes.isEmpty()) {
      return;
    }
    for (Job other : state.jobs().values()) {
      Allocation allocation = other.allocation();
      if (!other.holdsResources() || allocation == null) {
        continue;
      }
      List<String> shared = new ArrayList<>();
      long holds = 0;
      for (NodeShare share : allocation.shares()) {
        if (nodes.contains(share.node()) && matters(share.node(), other.ended())) {
          shared.add(share.node());
          holds += held(share);
        }
      }
      if (!shared.isEmpty() && holds > 0) {
        found.add(blocker(Blocker.Kind.JOB_RUNNING, other, shared, holds, other.ended()));
      }
    }
  }

  /** Whether the planned start waits for this end on this node; without a plan every end does. */
  private boolean matters(String node, @Nullable Instant end) {
    Instant begin = job.begin();
    if (begin != null && end != null && !end.isAfter(begin)) {
      return false;
    }
    return planned == null
        || (planned.nodes().contains(node) && end != null && !end.isAfter(planned.start()));
  }

  private long held(NodeShare share) {
    if (unit.equals(Tres.CPU)) {
      return share.cpus();
    }
    if (unit.equals(Tres.MEM)) {
      return share.memoryMib();
    }
    return share.gres().stream()
        .filter(g -> g.name().equals("gpu"))
        .mapToLong(g -> g.count())
        .sum();
  }

  private void planned(TreeSet<String> nodes, TreeSet<Integer> ahead, List<Blocker> found) {
    for (int id : ahead) {
      Job other = state.job(id);
      PlannedStart start = outlook.planned(id);
      if (other == null || other.state() != JobState.PENDING || id == job.id()) {
        continue;
      }
      List<String> shared =
          start == null
              ? List.of()
              : start.nodes().stream().filter(n -> nodes.isEmpty() || nodes.contains(n)).toList();
      if (start != null && shared.isEmpty()) {
        continue;
      }
      Instant until =
          start == null || other.timeLimitMinutes() < 0
              ? null
              : start.start().plusSeconds(60 * other.timeLimitMinutes());
      found.add(
          blocker(Blocker.Kind.JOB_PLANNED, other, shared, willHold(other, start, shared), until));
    }
  }

  /** What a planned job takes on some of its nodes when it has them; 0 when that is not known. */
  private long willHold(Job other, @Nullable PlannedStart start, List<String> nodes) {
    Partition partition = start == null ? null : state.partitions().get(start.partition());
    if (start == null || partition == null) {
      return 0;
    }
    Board board = Board.withoutJobs(state, start.start());
    Shape shape = board.shape(other, partition);
    long[] set = board.hardware().setOf(start.nodes().expand());
    int uid = other.owner().uid();
    Choice choice = board.placer().choose(shape, set, board.empty(), false, uid);
    return choice == null
        ? 0
        : board.placer().allocate(shape, choice, board.empty(), uid).shares().stream()
            .filter(share -> nodes.contains(share.node()))
            .mapToLong(this::held)
            .sum();
  }

  private void reservation(Evidence.Fall fall, List<Blocker> found) {
    Reservation r = state.reservations().get(fall.detail());
    boolean awaited =
        r != null && fall.nodes().expand().stream().anyMatch(n -> matters(n, r.end()));
    if (r != null && awaited && !r.name().equals(job.reservation())) {
      found.add(
          new Blocker(
              Blocker.Kind.RESERVATION,
              r.name(),
              String.join(",", r.flags()),
              String.join(",", r.users()),
              String.join(",", r.accounts()),
              fall.nodes(),
              fall.nodes().size(),
              Tres.NODE,
              r.end()));
    }
  }

  private Blocker blocker(
      Blocker.Kind kind, Job other, List<String> nodes, long holds, @Nullable Instant until) {
    return new Blocker(
        kind,
        other.displayId(),
        other.name(),
        other.owner().user(),
        other.owner().account(),
        HostList.of(nodes),
        holds,
        unit,
        until);
  }
}
