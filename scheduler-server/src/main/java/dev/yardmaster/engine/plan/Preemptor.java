package dev.yardmaster.engine.plan;

import dev.yardmaster.engine.Decision;
import dev.yardmaster.engine.gate.Board;
import dev.yardmaster.engine.gate.FirstFailure;
import dev.yardmaster.engine.gate.LimitGates;
import dev.yardmaster.engine.gate.NodeGates;
import dev.yardmaster.engine.place.Bits;
import dev.yardmaster.engine.place.Choice;
import dev.yardmaster.engine.place.Shape;
import dev.yardmaster.model.Allocation;
import dev.yardmaster.model.HetInfo;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobFlag;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.NodeShare;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.Preemption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes room for a job that nothing but running jobs keeps from starting. All or nothing: nobody is
 * told to leave unless the job can start once those told are gone. A node on which a job cleans up
 * is nobody's yet: it is not waited for while others can be sent away elsewhere, and nobody is sent
 * away from it. A job that saves its work in its GraceTime holds what it has until then, and leaves
 * it to whoever comes first.
 */
final class Preemptor {
  private final Board board;
  private final PreemptRules rules;
  private final @Nullable Overlap overlap;
  private final boolean off;
  private final List<Decision> decisions = new ArrayList<>();
  private final List<Job> leaving = new ArrayList<>();
  private final Set<Integer> served = new TreeSet<>();
  private final Map<Integer, Choice> awaited = new TreeMap<>();
  private final Map<Integer, Choice> refused = new TreeMap<>();
  private final Map<Integer, List<Job>> may = new TreeMap<>();
  private final long[] cleaning;
  private final FirstFailure ignored = new FirstFailure();

  /**
   * @param decides whether anybody is to be sent away; not for a mere outlook
   */
  Preemptor(Board board, boolean decides) {
    this.board = board;
    rules = new PreemptRules(board.state());
    overlap = Gang.isOn(board.state()) ? new Overlap(board, rules) : null;
    off = !decides || (rules.isOff() && overlap == null);
    cleaning = Bits.of(board.hardware().size());
    if (!off) {
      for (Job job : board.holders()) {
        if (job.has(JobFlag.COMPLETING)) {
          leaving.add(job);
          Bits.addAll(cleaning, nodesOf(job));
        }
      }
    }
  }

  List<Decision> decisions() {
    return decisions;
  }

  /** Whether a job starts as soon as those are gone who have to leave for it. */
  boolean awaits(int jobId) {
    return awaited.containsKey(jobId);
  }

  /** Where others would leave for a job if limits let it start there; null for nowhere. */
  @Nullable Choice refused(int jobId) {
    return refused.get(jobId);
  }

  /**
   * Room on the cores of jobs that stop at once.
   *
   * @param stopping the jobs that stop, or have stopped
   */
  record Room(Choice choice, List<Job> stopping) {}

  /**
   * Finds whom a job may send away so that it can start.
   *
   * @param ahead adds the nodes that jobs ahead keep; asked only where preemption is on
   * @return where the job can start at once, when all that is in its way stops at once; else null
   */
  @Nullable Room makeRoom(Job job, Shape shape, long minutes, Consumer<long[]> ahead) {
    if (off || !served.add(job.id())) {
      return null;
    }
    long[] closed = Bits.of(board.hardware().size());
    ahead.accept(closed);
    Room shared = overlap(job, shape, minutes, closed);
    if (shared != null || rules.isOff()) {
      return shared;
    }
    List<Job> all = preemptible(job, shape);
    may.put(job.id(), all);
    List<Job> victims = candidates(job, shape, all);
    boolean stop = victims.stream().anyMatch(this::stops);
    // where tiers decide, cores of those that only stop are there beside what others leave
    List<Job> beside =
        overlap == null || !rules.byPartition() ? List.of() : overlap.others(job, shape);
    // nodes that are left anyway are waited for, and nobody else is sent away from them
    long[] busy = closed.clone();
    leaving.forEach(other -> Bits.addAll(busy, nodesOf(other)));
    Function<Collection<Job>, @Nullable Choice> test =
        gone -> choose(job, shape, minutes, busy, with(gone, beside));
    List<Job> chosen =
        stop ? least(victims, test) : new Victims(board.hardware(), rules, test).choose(victims);
    Choice choice = test.apply(chosen);
    if (chosen.isEmpty() || choice == null) {
      return null;
    }
    if (!LimitGates.amounts(board, job, shape, choice, ignored)) {
      refused.put(job.id(), choice);
      return null;
    }
    if (stop) {
      spare(job, shape, minutes, busy, chosen, choice);
      Choice at = choose(job, shape, minutes, busy, chosen);
      return at == null ? null : new Room(at, chosen);
    }
    chosen.removeIf(victim -> !holdsAnyOf(victim, choice.nodes()));
    awaited.put(job.id(), choice);
    if (!rules.waits(job, board.now())) {
      List<Job> spared = new ArrayList<>(victims);
      spared.removeAll(chosen);
      spared.removeIf(other -> other.preemption() != null);
      int together = chosen.size();
      chosen.forEach(victim -> send(victim, job, shape.partition(), together, spared));
    }
    return null;
  }

  /**
   * Cores of jobs of other PriorityTiers for one that would share those of its own partition: the
   * gang scheduler gives these first; null for none.
   */
  @Nullable Room insteadOf(
      Choice chosen, Job job, Shape shape, long minutes, Consumer<long[]> ahead) {
    if (overlap == null || !chosen.shares()) {
      return null;
    }
    long[] closed = Bits.of(board.hardware().size());
    ahead.accept(closed);
    Room room = overlap(job, shape, minutes, closed);
    return room == null || room.choice.shares() ? null : room;
  }

  private @Nullable Room overlap(Job job, Shape shape, long minutes, long[] closed) {
    return overlap == null
        ? null
        : overlap.find(job, shape, others -> chooseOver(job, shape, minutes, closed, others));
  }

  /**
   * The place in the plan of a job that has not started: where others leave for it now, or, though
   * it might send them away, cannot yet.
   *
   * @param otherwise its place if it preempts nobody
   */
  Plan.@Nullable Slot later(
      Agenda plan, Job job, Shape shape, long minutes, Plan.@Nullable Slot otherwise) {
    List<Job> victims = rules.isOff() ? null : may.get(job.id());
    Choice soon = awaited.get(job.id());
    if (soon != null) {
      // as in Slurm it keeps the nodes it would have if all left whom it may send away
      List<Job> gone = victims == null ? List.of() : with(victims, List.of());
      Choice alone = choose(job, shape, minutes, plan.plannedWithin(job, shape, minutes), gone);
      return onceClean(new Plan.Slot(board.now().getEpochSecond(), alone == null ? soon : alone));
    }
    if (victims == null || victims.isEmpty()) {
      return otherwise;
    }
    TreeSet<Integer> leave = new TreeSet<>();
    TreeSet<Integer> stop = new TreeSet<>();
    victims.forEach(victim -> (stops(victim) ? stop : leave).add(victim.id()));
    SlotSearch.Gone gone = new SlotSearch.Gone(leave, stop);
    return onceClean(plan.earliestWithout(gone, job, shape, minutes, otherwise));
  }

  /** A place on nodes on which jobs clean up is there a second from now at the earliest. */
  private Plan.@Nullable Slot onceClean(Plan.@Nullable Slot slot) {
    long now = board.now().getEpochSecond();
    boolean waits =
        slot != null
            && slot.start() <= now
            && Bits.countCommon(slot.choice().nodes(), cleaning) > 0;
    return slot != null && waits ? new Plan.Slot(now + 1, slot.choice()) : slot;
  }

  /** Tells a job to leave, or, when the time to save its work is over, makes it leave. */
  private void send(Job victim, Job by, Partition in, int together, List<Job> spared) {
    Preemption told = victim.preemption();
    Preemption notice =
        told == null
            ? rules.notice(victim, by, in, together, spared, board.now())
            : told.claimedBy(by.id(), board.now());
    boolean goes = !notice.until().isAfter(board.now());
    decisions.add(new Decision.Preempt(victim.id(), victim.restarts(), notice));
    if (goes) {
      leaving.addAll(whole(victim));
    }
  }

  /**
   * Those of whom some have to go. As in Slurm either jobs leave or they stop: by QOS as the first
   * of them would, and where tiers decide those that stop are never in the way.
   */
  private List<Job> candidates(Job job, Shape shape, List<Job> all) {
    boolean stop = !rules.byPartition() && !all.isEmpty() && stops(all.getFirst());
    List<Job> victims = new ArrayList<>(all);
    victims.removeIf(
        other -> stops(other) != stop || stop && !rules.maySuspend(job, shape.partition(), other));
    return victims;
  }

  private boolean stops(Job victim) {
    return rules.mode(victim) == Preemption.Mode.SUSPEND;
  }

  /** Those that may be sent away and hold something of the partition's nodes, in their order. */
  private List<Job> preemptible(Job job, Shape shape) {
    long[] nodes = board.nodesOf(shape.partition().name());
    List<Job> victims = new ArrayList<>();
    for (Job other : board.holders()) {
      boolean works = other.state() == JobState.RUNNING || Gang.isStopped(other);
      if (works
          && !leaving.contains(other)
          && (other.het() == null || other.het().isLeader())
          && board.state().job(other.id()) == other
          && holdsAnyOf(other, nodes)
          && mayPreempt(job, shape, other)) {
        victims.add(other);
      }
    }
    victims.sort(rules.order());
    return victims;
  }

  /** A heterogeneous job leaves as a whole, so all of it must be such as may be preempted. */
  private boolean mayPreempt(Job job, Shape shape, Job victim) {
    HetInfo het = victim.het();
    if (het == null) {
      return rules.mayPreempt(job, shape.partition(), victim, board.now());
    }
    for (int i = 0; i < het.size(); i++) {
      Job component = board.state().job(het.hetJobId() + i);
      if (component != null
          && component.state() == JobState.RUNNING
          && !rules.mayPreempt(job, shape.partition(), component, board.now())) {
        return false;
      }
    }
    return !stops(victim);
  }

  /** The first component of a heterogeneous job stands for all of them. */
  private boolean holdsAnyOf(Job job, long[] nodes) {
    return whole(job).stream().anyMatch(component -> holdsOf(component, nodes));
  }

  private List<Job> whole(Job job) {
    HetInfo het = job.het();
    if (het == null) {
      return List.of(job);
    }
    List<Job> all = new ArrayList<>();
    for (int i = 0; i < het.size(); i++) {
      Job component = board.state().job(het.hetJobId() + i);
      if (component != null && component.state() == JobState.RUNNING) {
        all.add(component);
      }
    }
    return all;
  }

  private boolean holdsOf(Job job, long[] nodes) {
    for (NodeShare share : shares(job)) {
      int node = board.hardware().indexOf(share.node());
      if (node >= 0 && Bits.has(nodes, node)) {
        return true;
      }
    }
    return false;
  }

  private long[] nodesOf(Job job) {
    return board.hardware().setOf(shares(job).stream().map(NodeShare::node).toList());
  }

  private static List<NodeShare> shares(Job job) {
    Allocation allocation = job.allocation();
    return allocation == null ? List.of() : allocation.shares();
  }

  /** The first victims, as many as must go at least; none when all together are not enough. */
  private static List<Job> least(
      List<Job> victims, Function<Collection<Job>, @Nullable Choice> test) {
    int high = victims.size();
    if (high == 0 || test.apply(victims) == null) {
      return new ArrayList<>();
    }
    int low = 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (test.apply(victims.subList(0, middle)) != null) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return new ArrayList<>(victims.subList(0, low));
  }

  private List<Job> with(Collection<Job> victims, List<Job> beside) {
    List<Job> all = new ArrayList<>(beside);
    victims.forEach(victim -> all.addAll(whole(victim)));
    return all;
  }

  /** Lets those stay that need not go: who holds nothing of the nodes chosen, or too little. */
  private void spare(
      Job job, Shape shape, long minutes, long[] closed, List<Job> chosen, Choice choice) {
    chosen.removeIf(victim -> !holdsAnyOf(victim, choice.nodes()));
    long[] elsewhere = closed.clone();
    long[] outside = Bits.all(board.hardware().size());
    Bits.removeAll(outside, choice.nodes());
    Bits.addAll(elsewhere, outside);
    for (Job victim : List.copyOf(chosen)) {
      List<Job> others = new ArrayList<>(chosen);
      others.remove(victim);
      if (choose(job, shape, minutes, elsewhere, others) != null) {
        chosen.remove(victim);
      }
    }
  }

  /** Chooses as if some jobs had stopped. */
  private @Nullable Choice chooseOver(
      Job job, Shape shape, long minutes, long[] closed, Collection<Job> stopped) {
    @Nullable Choice[] found = new @Nullable Choice[1];
    board.whileStopped(stopped, () -> found[0] = check(job, shape, minutes, closed));
    return found[0];
  }

  private @Nullable Choice check(Job job, Shape shape, long minutes, long[] closed) {
    ignored.reset();
    return NodeGates.check(
        board, job, shape, minutes, Bits.isEmpty(closed) ? null : closed, ignored);
  }

  private @Nullable Choice choose(
      Job job, Shape shape, long minutes, long[] closed, Collection<Job> gone) {
    @Nullable Choice[] found = new @Nullable Choice[1];
    List<Job> leave = new ArrayList<>();
    List<Job> stop = new ArrayList<>();
    for (Job victim : gone) {
      boolean goes = victim.has(JobFlag.COMPLETING) || victim.preemption() != null;
      (goes || !stops(victim) ? leave : stop).add(victim);
    }
    board.without(
        leave,
        () -> {
          board.whileStopped(stop, () -> found[0] = check(job, shape, minutes, closed));
          return found[0] != null;
        });
    return found[0];
  }
}
