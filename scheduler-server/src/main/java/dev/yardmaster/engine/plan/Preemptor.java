package dev.yardmaster.engine.plan;

import dev.yardmaster.engine.Decision;
import dev.yardmaster.engine.gate.Board;
import dev.yardmaster.engine.gate.FirstFailure;
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
import dev.yardmaster.model.Preemption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes room for a job that nothing but running jobs keeps from starting. All or nothing: nobody is
 * told to leave unless the job can start once those told are gone. What jobs on their way out will
 * leave is counted first, and is kept for the job that they leave for.
 */
final class Preemptor {
  private final Board board;
  private final PreemptRules rules;
  private final boolean off;
  private final List<Decision> decisions = new ArrayList<>();
  private final List<Job> leaving = new ArrayList<>();
  private final Set<Integer> served = new TreeSet<>();
  private final long[] kept;
  private final FirstFailure ignored = new FirstFailure();

  /**
   * @param decides whether anybody is to be sent away; not for a mere outlook
   */
  Preemptor(Board board, boolean decides) {
    this.board = board;
    rules = new PreemptRules(board.state());
    off = !decides || rules.isOff();
    kept = Bits.of(board.hardware().size());
    if (!off) {
      for (Job job : board.holders()) {
        if (job.has(JobFlag.COMPLETING) || job.preemption() != null) {
          leaving.add(job);
        }
      }
    }
  }

  List<Decision> decisions() {
    return decisions;
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
    long[] closed = kept.clone();
    ahead.accept(closed);
    if (!leaving.isEmpty()) {
      Choice waits = choose(job, shape, minutes, closed, leaving);
      if (waits != null) {
        Bits.addAll(kept, waits.nodes());
        return null;
      }
    }
    List<Job> victims = victims(job, shape);
    int needed = least(job, shape, minutes, closed, victims);
    if (needed < 0) {
      return null;
    }
    List<Job> chosen = new ArrayList<>(victims.subList(0, needed));
    Choice choice = choose(job, shape, minutes, closed, with(chosen));
    if (choice == null) {
      return null;
    }
    spare(job, shape, minutes, closed, chosen, choice);
    if (leaving.isEmpty() && chosen.stream().allMatch(this::stops)) {
      Choice at = choose(job, shape, minutes, closed, chosen);
      if (at != null) {
        return new Room(at, chosen);
      }
    }
    // Who is only to stop does so when the others have left and the job starts.
    chosen.removeIf(this::stops);
    for (Job victim : chosen) {
      decisions.add(
          new Decision.Preempt(
              victim.id(), victim.restarts(), rules.notice(victim, job, board.now())));
    }
    leaving.addAll(chosen);
    Bits.addAll(kept, choice.nodes());
    return null;
  }

  private boolean stops(Job victim) {
    return rules.mode(victim) == Preemption.Mode.SUSPEND;
  }

  /** Those that may be sent away and hold something of the partition's nodes, in their order. */
  private List<Job> victims(Job job, Shape shape) {
    long[] nodes = board.nodesOf(shape.partition().name());
    List<Job> victims = new ArrayList<>();
    for (Job other : board.holders()) {
      boolean works = other.state() == JobState.RUNNING || Gang.isStopped(other);
      if (works
          && !leaving.contains(other)
          && board.state().job(other.id()) == other
          && holdsOf(other, nodes)
          && mayPreempt(job, shape, other)
          && (!stops(other) || rules.maySuspend(job, shape.partition(), other))) {
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

  private boolean holdsOf(Job job, long[] nodes) {
    Allocation allocation = job.allocation();
    if (allocation == null) {
      return false;
    }
    for (NodeShare share : allocation.shares()) {
      int node = board.hardware().indexOf(share.node());
      if (node >= 0 && Bits.has(nodes, node)) {
        return true;
      }
    }
    return false;
  }

  /** How many of the first victims must go at least; -1 when all together are not enough. */
  private int least(Job job, Shape shape, long minutes, long[] closed, List<Job> victims) {
    int high = victims.size();
    if (high == 0 || choose(job, shape, minutes, closed, with(victims)) == null) {
      return -1;
    }
    int low = 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (choose(job, shape, minutes, closed, with(victims.subList(0, middle))) != null) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  private List<Job> with(List<Job> victims) {
    List<Job> all = new ArrayList<>(leaving);
    all.addAll(victims);
    return all;
  }

  /** Lets those stay that need not go: who holds nothing of the nodes chosen, or too little. */
  private void spare(
      Job job, Shape shape, long minutes, long[] closed, List<Job> chosen, Choice choice) {
    chosen.removeIf(victim -> !holdsOf(victim, choice.nodes()));
    if (rules.isStrict()) {
      return;
    }
    long[] elsewhere = closed.clone();
    long[] outside = Bits.all(board.hardware().size());
    Bits.removeAll(outside, choice.nodes());
    Bits.addAll(elsewhere, outside);
    for (Job victim : List.copyOf(chosen)) {
      List<Job> others = new ArrayList<>(chosen);
      others.remove(victim);
      if (choose(job, shape, minutes, elsewhere, with(others)) != null) {
        chosen.remove(victim);
      }
    }
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
          board.whileStopped(
              stop,
              () -> {
                ignored.reset();
                found[0] =
                    NodeGates.check(
                        board, job, shape, minutes, Bits.isEmpty(closed) ? null : closed, ignored);
              });
          return found[0] != null;
        });
    return found[0];
  }
}
