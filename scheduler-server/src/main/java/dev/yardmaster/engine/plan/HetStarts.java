package dev.yardmaster.engine.plan;

import dev.yardmaster.engine.gate.Board;
import dev.yardmaster.engine.gate.FirstFailure;
import dev.yardmaster.engine.gate.LimitGates;
import dev.yardmaster.engine.gate.NodeGates;
import dev.yardmaster.engine.gate.NodeReasons;
import dev.yardmaster.engine.gate.PolicyGates;
import dev.yardmaster.engine.gate.Why;
import dev.yardmaster.engine.place.Bits;
import dev.yardmaster.engine.place.Choice;
import dev.yardmaster.explain.Evidence;
import dev.yardmaster.explain.Gate;
import dev.yardmaster.model.HetInfo;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The components of heterogeneous jobs for which a backfill pass has found nodes now. When it has
 * found them for all of a job, they start; until then each keeps its whole nodes in the plan.
 */
final class HetStarts {
  private record Placed(Entry entry, Choice choice) {}

  private final Board board;
  private final Starter starter;
  private final TreeMap<Integer, List<Placed>> placed = new TreeMap<>();

  /** By heterogeneous job and component: when it could start; of several partitions the first. */
  private final TreeMap<Integer, TreeMap<Integer, Long>> starts = new TreeMap<>();

  HetStarts(Board board, Starter starter) {
    this.board = board;
    this.starter = starter;
  }

  /**
   * The place of a component that does not begin before those of the others that were planned
   * already: they start together.
   *
   * @param slot its earliest place by itself; null for none
   */
  Plan.@Nullable Slot withOthers(Entry entry, Plan.@Nullable Slot slot, Agenda plan, long minutes) {
    HetInfo het = entry.job().het();
    if (slot == null || het == null) {
      return AwaitedNodes.onceUp(board, slot);
    }
    long from = slot.start();
    for (Map.Entry<Integer, Long> other :
        starts.getOrDefault(het.hetJobId(), new TreeMap<>()).entrySet()) {
      from = other.getKey() == entry.job().id() ? from : Math.max(from, other.getValue());
    }
    return AwaitedNodes.onceUp(
        board,
        from == slot.start() ? slot : plan.earliest(entry.job(), entry.shape(), minutes, from));
  }

  /** A component was planned. */
  void planned(Entry entry, Plan.Slot slot) {
    HetInfo het = entry.job().het();
    if (het != null) {
      starts
          .computeIfAbsent(het.hetJobId(), k -> new TreeMap<>())
          .merge(entry.job().id(), slot.start(), Math::min);
    }
  }

  /**
   * A component could start now on these nodes.
   *
   * @param atOnce whether its job starts if this was the last of its components (slurm.conf(5),
   *     SchedulerParameters=bf_hetjob_immediate)
   * @return how many components started
   */
  int found(Entry entry, Plan.Slot slot, boolean atOnce) {
    HetInfo het = entry.job().het();
    if (het == null) {
      return 0;
    }
    List<Placed> planned = placed.computeIfAbsent(het.hetJobId(), k -> new ArrayList<>());
    planned.add(new Placed(entry, slot.choice()));
    return atOnce ? start(planned) : 0;
  }

  /** Starts the jobs of which all components have nodes; how many components started. */
  int start() {
    int started = 0;
    for (List<Placed> planned : placed.values()) {
      started += start(planned);
    }
    return started;
  }

  private int start(List<Placed> planned) {
    boolean has = !planned.getFirst().entry.ticket().started() && isComplete(planned);
    List<Placed> components = has ? anew(planned) : List.of();
    if (components.isEmpty() || !withinLimits(components)) {
      return 0;
    }
    for (Placed p : components) {
      starter.start(p.entry, p.choice, NodeReasons.plannedMinutes(p.entry.job()), true);
    }
    return components.size();
  }

  /**
   * As in Slurm each component looks for its nodes anew when all can start, one after the other, on
   * all nodes but those of the components before it.
   */
  private List<Placed> anew(List<Placed> planned) {
    FirstFailure first = new FirstFailure();
    long[] used = Bits.of(board.hardware().size());
    List<Placed> found = new ArrayList<>();
    for (Placed p : planned) {
      Job job = p.entry.job();
      first.reset();
      Choice choice =
          NodeGates.check(
              board, job, p.entry.shape(), NodeReasons.plannedMinutes(job), used, first);
      if (choice == null) {
        return planned;
      }
      Bits.addAll(used, choice.nodes());
      found.add(new Placed(p.entry, choice));
    }
    return found;
  }

  private static boolean isComplete(List<Placed> components) {
    HetInfo het = components.getFirst().entry.job().het();
    return het != null && het.size() == components.size();
  }

  /** Whether limits and licences let all in, each counting for the next. */
  private boolean withinLimits(List<Placed> components) {
    FirstFailure first = new FirstFailure();
    List<Job> taken = new ArrayList<>();
    boolean ok = true;
    for (Placed p : components) {
      Job job = p.entry.job();
      first.reset();
      ok =
          PolicyGates.check(board, job, p.entry.shape(), first)
              && PolicyGates.licenses(board, job, first)
              && LimitGates.amounts(board, job, p.entry.shape(), p.choice, first);
      if (!ok) {
        Gate gate = first.gate();
        p.entry.ticket().fail(gate == null ? Gate.QOS_LIMIT : gate, first.why(), true);
        break;
      }
      Job running = starter.asRunning(p.entry, p.choice, NodeReasons.plannedMinutes(job));
      taken.add(running);
      board.count(running, 1);
    }
    taken.forEach(job -> board.count(job, -1));
    return ok;
  }

  /** The other components of a job that have no nodes now. */
  private List<Job> missing(Job job, HetInfo het) {
    List<Integer> has =
        placed.getOrDefault(het.hetJobId(), List.of()).stream()
            .map(p -> p.entry.job().id())
            .toList();
    List<Job> missing = new ArrayList<>();
    for (int i = 0; i < het.size(); i++) {
      Job other = board.state().job(het.hetJobId() + i);
      if (other != null && other.id() != job.id() && !has.contains(other.id())) {
        missing.add(other);
      }
    }
    return missing;
  }

  /** Says for an explanation whether the other components could start with the job. */
  void explain(List<Entry> queue, @Nullable Probe probe) {
    if (probe == null) {
      return;
    }
    for (Entry entry : queue) {
      HetInfo het = entry.job().het();
      if (entry.job().id() != probe.jobId() || het == null) {
        continue;
      }
      List<Job> missing = missing(entry.job(), het);
      List<Integer> ids = missing.stream().map(Job::id).toList();
      List<String> states = missing.stream().map(Job::state).map(JobState::name).toList();
      Evidence evidence = new Evidence.DependsOn("hetjob " + het.idSet(), ids, states, false);
      if (missing.isEmpty()) {
        probe.collector(entry.partition()).pass(Gate.COMPONENTS, Evidence.None::new);
      } else {
        probe
            .collector(entry.partition())
            .fail(Gate.COMPONENTS, new Why(Reason.RESOURCES), true, () -> evidence);
      }
    }
  }
}
