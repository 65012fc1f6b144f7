package dev.yardmaster.engine.explain;

import dev.yardmaster.engine.Decision;
import dev.yardmaster.engine.Pass;
import dev.yardmaster.engine.Step;
import dev.yardmaster.engine.gate.AllFindings;
import dev.yardmaster.engine.gate.Board;
import dev.yardmaster.engine.gate.JobGates;
import dev.yardmaster.engine.gate.NodeGates;
import dev.yardmaster.engine.gate.PolicyGates;
import dev.yardmaster.engine.place.Choice;
import dev.yardmaster.engine.place.Shape;
import dev.yardmaster.engine.plan.Foresight;
import dev.yardmaster.engine.plan.Habits;
import dev.yardmaster.engine.plan.Outlook;
import dev.yardmaster.engine.plan.Probe;
import dev.yardmaster.engine.plan.Scheduler;
import dev.yardmaster.engine.priority.Priorities;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.engine.state.Event;
import dev.yardmaster.engine.state.PowerTimes;
import dev.yardmaster.explain.Evidence;
import dev.yardmaster.explain.Explanation;
import dev.yardmaster.explain.Finding;
import dev.yardmaster.explain.Forecast;
import dev.yardmaster.explain.Gate;
import dev.yardmaster.explain.Outcome;
import dev.yardmaster.explain.PriorityStanding;
import dev.yardmaster.explain.Remedy;
import dev.yardmaster.explain.RunFacts;
import dev.yardmaster.explain.Verdict;
import dev.yardmaster.model.Allocation;
import dev.yardmaster.model.Hold;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobFlag;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Node;
import dev.yardmaster.model.NodeBaseState;
import dev.yardmaster.model.NodeFlag;
import dev.yardmaster.model.NodeShare;
import dev.yardmaster.model.NodeStatus;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.PlannedStart;
import dev.yardmaster.model.Preemption;
import dev.yardmaster.model.Suspension;
import dev.yardmaster.model.text.HostList;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Answers what holds a job back. It runs the step that the scheduler would run now, lets the gates
 * speak in full when the job's turn comes, and asks a forecast for the rest; it judges nothing by
 * itself.
 */
public final class Explainer {
  private static final Set<Pass> PASSES = EnumSet.of(Pass.MAIN, Pass.WHOLE_QUEUE, Pass.BACKFILL);

  private final ClusterState state;
  private final Instant now;
  private final Job job;

  private Explainer(ClusterState state, Job job, Instant now) {
    this.state = state;
    this.job = job;
    this.now = now;
  }

  /**
   * Explains one job at one moment.
   *
   * @throws IllegalArgumentException when the state has no such job
   */
  public static Explanation explain(ClusterState state, int jobId, Instant now) {
    Job job = state.job(jobId);
    if (job == null) {
      throw new IllegalArgumentException("job " + jobId + " is not known");
    }
    Explainer explainer = new Explainer(state, job, now);
    return job.state() == JobState.PENDING ? explainer.pending() : explainer.past();
  }

  private Explanation past() {
    Verdict verdict = job.state().isFinished() ? Verdict.FINISHED : Verdict.RUNNING;
    PriorityStanding standing = new PriorityStanding(job.priority(), job.factors(), 0, 0);
    List<Finding> stopped = new ArrayList<>(suspended());
    stopped.addAll(waking());
    List<Finding> findings = new ArrayList<>(withPreemption(started()));
    findings.removeIf(f -> stopped.stream().anyMatch(now -> now.gate() == f.gate()));
    findings.addAll(stopped);
    return answer(
        job.partition(),
        verdict,
        findings,
        null,
        List.of(),
        standing,
        null,
        new Runs(state, job, now).find(),
        List.of());
  }

  /** The nodes of a job that have to boot before it runs. */
  private List<Finding> waking() {
    Allocation allocation = job.allocation();
    if (allocation == null || !job.has(JobFlag.CONFIGURING)) {
      return List.of();
    }
    PowerTimes times = new PowerTimes(state);
    List<String> names = new ArrayList<>();
    Duration longest = Duration.ZERO;
    for (NodeShare share : allocation.shares()) {
      Node node = state.node(share.node());
      if (node != null && node.status().bootsFirst()) {
        names.add(share.node());
        Duration time = times.resumeTimeout(share.node());
        longest = time.compareTo(longest) > 0 ? time : longest;
      }
    }
    if (names.isEmpty()) {
      return List.of();
    }
    long seconds = longest.equals(PowerTimes.NEVER) ? 0 : longest.toSeconds();
    Evidence evidence = new Evidence.Waking(HostList.of(names), seconds);
    return List.of(new Finding(Gate.NODES_UP, Outcome.FAIL, true, evidence));
  }

  /** Why a job that has started does not work at present. */
  private List<Finding> suspended() {
    Suspension suspension = job.suspension();
    if (job.state() != JobState.SUSPENDED || suspension == null) {
      return List.of();
    }
    if (suspension.cause() == Suspension.Cause.OPERATOR) {
      return List.of(new Finding(Gate.HOLD, Outcome.FAIL, false, new Evidence.Held(Hold.ADMIN)));
    }
    return List.of(
        new Finding(
            Gate.PRIORITY,
            Outcome.FAIL,
            true,
            new Evidence.Preempted(
                suspension.by(), Preemption.Mode.SUSPEND, suspension.at(), suspension.at())));
  }

  /**
   * What the gates said when the job started, from what the state still knows of that moment; empty
   * when that no longer leads to the nodes it got.
   */
  private List<Finding> started() {
    List<Finding> findings = started(other -> true);
    return findings.isEmpty() ? started(this::looksAhead) : findings;
  }

  /** For whom it must leave, or left, in place of what its begin time was. */
  private List<Finding> withPreemption(List<Finding> findings) {
    Preemption p = job.preemption();
    if (p == null) {
      return findings;
    }
    List<Finding> all = new ArrayList<>(findings);
    all.removeIf(f -> f.gate() == Gate.BEGIN_TIME);
    Evidence evidence = new Evidence.Preempted(p.by(), p.mode(), p.at(), p.until(), p.why());
    all.add(new Finding(Gate.BEGIN_TIME, Outcome.PASS, false, evidence));
    all.sort(Comparator.comparing(Finding::gate));
    return all;
  }

  private boolean looksAhead(Job other) {
    return other.priority() > job.priority()
        || (other.priority() == job.priority() && other.id() < job.id());
  }

  /** Its nodes were up when it started, whatever has become of them since. */
  private ClusterState withNodesUp(Allocation allocation) {
    ClusterState then = state;
    for (String name : allocation.nodes().expand()) {
      Node node = state.node(name);
      if (node != null && !node.status().flags().isEmpty()) {
        NodeStatus up =
            node.status()
                .with(s -> s.base(NodeBaseState.IDLE).flags(EnumSet.noneOf(NodeFlag.class)));
        then = then.apply(new Event.NodeChanged(now, name, up, ""));
      }
    }
    return then;
  }

  private List<Finding> started(Predicate<Job> ahead) {
    Allocation allocation = job.allocation();
    Partition partition = state.partitions().get(job.partition());
    if (allocation == null || partition == null || job.started() == null) {
      return List.of();
    }
    Board board = Board.atStartOf(job, withNodesUp(allocation), ahead);
    Job then =
        job.with(j -> j.state(JobState.PENDING).hold(Hold.NONE).flags(Set.of()).allocation(null));
    AllFindings all = new AllFindings();
    Shape shape = board.shape(then, partition);
    JobGates.check(board, then, all);
    PolicyGates.check(board, then, shape, all);
    PolicyGates.licenses(board, then, all);
    Choice chosen = NodeGates.check(board, then, shape, job.timeLimitMinutes(), null, all);
    boolean same =
        chosen != null
            && board.hardware().names(chosen.nodes()).equals(allocation.nodes().expand());
    // Nothing is left to reach for a job that has started; whom it waited behind is not known.
    return same && all.firstFailure() == null
        ? all.findings().stream().filter(f -> f.outcome() != Outcome.NOT_REACHED).toList()
        : List.of();
  }

  private Explanation pending() {
    Probe probe = new Probe(job.id());
    Scheduler scheduler = new Scheduler(state, now, Scheduler.Purpose.TRACE, probe);
    Foresight foresight = new Foresight();
    scheduler.share(foresight);
    Step step = scheduler.run(PASSES, 0);
    boolean startsNow =
        step.decisions().stream()
            .anyMatch(d -> d instanceof Decision.Start && d.jobId() == job.id());
    Outlook foreseen = Outlook.of(state, now, Outlook.HORIZON, foresight);
    boolean held = !startsNow && step.figures().gate(job.id()) != null;
    Outlook outlook = held ? foreseen.corrected(job.id(), now, scheduler) : foreseen;
    PlannedStart planned = outlook.planned(job.id());
    String partition = partition(probe, planned);
    AllFindings all = probe.byPartition().get(partition);
    List<Finding> findings = all == null ? List.of() : all.findings();
    Gate binding = startsNow || all == null ? null : all.firstFailure();
    if (binding == Gate.COMPLETE_WAIT) {
      findings = withWhatElseFails(findings, partition);
    }
    Priorities.Result priority = scheduler.priority(job.id());
    PriorityStanding standing =
        new PriorityStanding(
            priority.priority(),
            priority.factors(),
            probe.rank(partition),
            probe.order(partition).size());
    Habits.Likely likely = likely(startsNow);
    Forecast forecast =
        new Forecast(
            planned == null ? null : planned.start(),
            likely.start(),
            likely.earliest(),
            likely.latest(),
            likely.leftOut(),
            planned == null ? HostList.EMPTY : planned.nodes(),
            startsNow ? null : new PlanOfSlurm(state, outlook, job).differs(),
            now.plus(Outlook.HORIZON),
            now);
    boolean seen = startsNow || step.figures().gate(job.id()) != null;
    Verdict verdict = verdict(startsNow, seen, findings, planned);
    List<Remedy> remedies =
        startsNow
            ? List.of()
            : new Remedies(state, now, job, outlook, foresight, partition, findings).find();
    return answer(
        partition,
        verdict,
        findings,
        binding,
        new Blockers(state, job, outlook).find(findings, binding),
        standing,
        forecast,
        null,
        remedies);
  }

  /** While nodes are being freed no pass looks at the job; what it would find is told as well. */
  private List<Finding> withWhatElseFails(List<Finding> findings, String partition) {
    Probe probe = new Probe(job.id());
    Scheduler scheduler = new Scheduler(state, now, Scheduler.Purpose.TRACE, probe);
    scheduler.ignoreCompleteWait();
    scheduler.run(PASSES, 0);
    AllFindings all = probe.byPartition().get(partition);
    List<Finding> others = all == null ? List.of() : all.findings();
    List<Finding> both = new ArrayList<>();
    for (Finding finding : findings) {
      both.add(
          finding.outcome() != Outcome.NOT_REACHED
              ? finding
              : others.stream()
                  .filter(other -> other.gate() == finding.gate())
                  .findFirst()
                  .orElse(finding));
    }
    return both;
  }

  /** The partition in which it could start earliest, else the one it stops at latest. */
  private String partition(Probe probe, @Nullable PlannedStart planned) {
    if (planned != null && probe.byPartition().containsKey(planned.partition())) {
      return planned.partition();
    }
    String best = job.partition();
    int furthest = -1;
    for (String name : job.partitions()) {
      AllFindings all = probe.byPartition().get(name);
      Gate gate = all == null ? null : all.firstFailure();
      int reached = all == null ? -1 : gate == null ? Gate.values().length : gate.ordinal();
      if (reached > furthest) {
        furthest = reached;
        best = name;
      }
    }
    return best;
  }

  private Verdict verdict(
      boolean startsNow, boolean seen, List<Finding> findings, @Nullable PlannedStart planned) {
    if (startsNow) {
      return Verdict.NOW;
    }
    boolean hopeless = findings.stream().anyMatch(f -> f.blocks() && !f.waitingHelps());
    if (hopeless || findings.isEmpty()) {
      return Verdict.NEVER;
    }
    if (!seen && state.config().scheduling().backfill()) {
      return Verdict.NOT_EVALUATED;
    }
    long window = state.config().scheduling().bfWindowMinutes() * 60L;
    boolean soon = planned != null && !planned.start().isAfter(now.plusSeconds(window));
    return soon ? Verdict.SOON : Verdict.NOT_NOW;
  }

  private Explanation answer(
      String partition,
      Verdict verdict,
      List<Finding> findings,
      @Nullable Gate binding,
      List<dev.yardmaster.explain.Blocker> blockers,
      PriorityStanding standing,
      @Nullable Forecast forecast,
      @Nullable RunFacts run,
      List<Remedy> remedies) {
    return new Explanation(
        job.id(),
        job.displayId(),
        job.name(),
        job.owner().user(),
        job.owner().account(),
        partition,
        job.request(),
        job.timeLimitMinutes(),
        now,
        0,
        verdict,
        job.reason(),
        job.reasonText(),
        findings,
        binding,
        blockers,
        standing,
        forecast,
        run,
        remedies);
  }

  /** When the job starts if jobs end as they usually do. */
  private Habits.Likely likely(boolean startsNow) {
    return startsNow
        ? Habits.Likely.UNKNOWN
        : new Habits(state).likely(state, job, now, Outlook.HORIZON);
  }
}
