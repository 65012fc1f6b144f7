package dev.yardmaster.server;

import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.explain.Blocker;
import dev.yardmaster.explain.Evidence;
import dev.yardmaster.explain.Explanation;
import dev.yardmaster.explain.Finding;
import dev.yardmaster.explain.Remedy;
import dev.yardmaster.explain.RunFacts;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.Preemption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * An explanation without the identity of jobs that the reader may not see. What they take of the
 * cluster stays, since nothing could be explained without; so stays how many they are.
 */
final class MaskedExplanation {
  private final TreeSet<Integer> ids = new TreeSet<>();
  private final TreeSet<String> names = new TreeSet<>();

  /**
   * @param hidden which jobs the reader may not see
   */
  MaskedExplanation(ClusterState state, Predicate<Job> hidden) {
    for (Job job : state.jobs().values()) {
      if (hidden.test(job)) {
        ids.add(job.id());
        names.add(job.displayId());
      }
    }
  }

  Explanation of(Explanation e) {
    return new Explanation(
        e.jobId(),
        e.displayId(),
        e.jobName(),
        e.user(),
        e.account(),
        e.partition(),
        e.request(),
        e.timeLimitMinutes(),
        e.at(),
        e.moment(),
        e.verdict(),
        e.slurmReason(),
        e.slurmReasonText(),
        e.findings().stream().map(this::finding).toList(),
        e.binding(),
        e.blockers().stream().map(this::blocker).toList(),
        e.priority(),
        e.forecast(),
        run(e.run()),
        e.remedies().stream().filter(this::showsNobody).map(this::remedy).toList());
  }

  private @Nullable RunFacts run(@Nullable RunFacts run) {
    return run == null
        ? null
        : new RunFacts(
            run.nodes(),
            run.backfilled(),
            run.ahead(),
            run.waits(),
            run.ends(),
            run.likely(),
            run.earliest(),
            run.latest(),
            run.heldBack().stream().map(this::heldBack).toList(),
            run.heldBackCount(),
            run.lookedAt(),
            run.ended());
  }

  private RunFacts.HeldBack heldBack(RunFacts.HeldBack h) {
    return names.contains(h.name())
        ? new RunFacts.HeldBack("", "", "", "", h.start(), h.instead())
        : h;
  }

  private Finding finding(Finding f) {
    return new Finding(f.gate(), f.outcome(), f.waitingHelps(), evidence(f.evidence()));
  }

  private Evidence evidence(Evidence evidence) {
    return switch (evidence) {
      case Evidence.Preempted p ->
          new Evidence.Preempted(id(p.by()), p.mode(), p.at(), p.until(), why(p.why()));
      case Evidence.DependsOn d -> depends(d);
      case Evidence.Nodes n ->
          new Evidence.Nodes(
              n.before(), n.remaining(), n.needed(), n.falls().stream().map(this::fall).toList());
      case Evidence.Ahead a ->
          new Evidence.Ahead(a.jobIds().stream().map(this::id).toList(), a.rank(), a.total());
      case Evidence.Completing c ->
          new Evidence.Completing(c.jobIds().stream().map(this::id).toList(), c.nodes(), c.until());
      case Evidence.None e -> e;
      case Evidence.Waking e -> e;
      case Evidence.Held e -> e;
      case Evidence.Until e -> e;
      case Evidence.InReservation e -> e;
      case Evidence.PartitionIs e -> e;
      case Evidence.NotAllowed e -> e;
      case Evidence.Limit e -> e;
      case Evidence.NotTogether e -> e;
      case Evidence.Placed e -> e;
    };
  }

  /** How many might have left stays; who, only of those that the reader may see. */
  private Preemption.@Nullable Why why(Preemption.@Nullable Why w) {
    return w == null
        ? null
        : new Preemption.Why(
            w.rule(),
            w.winner(),
            w.loser(),
            w.youngestFirst(),
            w.together(),
            w.others(),
            w.spared().stream().filter(id -> !ids.contains(id)).toList(),
            w.otherwise());
  }

  /** The job named the others itself; how they fare is not told. */
  private Evidence depends(Evidence.DependsOn d) {
    List<String> states = new ArrayList<>(d.states());
    for (int i = 0; i < Math.min(states.size(), d.jobIds().size()); i++) {
      if (ids.contains(d.jobIds().get(i))) {
        states.set(i, "UNKNOWN");
      }
    }
    return new Evidence.DependsOn(d.clause(), d.jobIds(), states, d.neverSatisfiable());
  }

  /** Only the jobs for which nodes are planned are named in what fell. */
  private Evidence.Fall fall(Evidence.Fall f) {
    if (f.cause() != Evidence.Cause.PLANNED_FOR_OTHER) {
      return f;
    }
    String shown =
        Arrays.stream(f.detail().split(" "))
            .filter(name -> !names.contains(name))
            .collect(Collectors.joining(" "));
    return new Evidence.Fall(f.cause(), shown, f.nodes(), f.until(), f.most());
  }

  private Blocker blocker(Blocker b) {
    return b.kind() == Blocker.Kind.RESERVATION || !names.contains(b.name())
        ? b
        : new Blocker(b.kind(), "", "", "", "", b.nodes(), b.holds(), b.unit(), b.until());
  }

  private boolean showsNobody(Remedy r) {
    return r.lever() != Remedy.Lever.OTHER_JOB_ENDS
        || Arrays.stream(r.to().split(" ")).noneMatch(names::contains);
  }

  private Remedy remedy(Remedy r) {
    return new Remedy(
        r.lever(),
        r.from(),
        r.to(),
        r.start(),
        r.nodes(),
        r.gainSeconds(),
        r.delayed().stream().map(d -> new Remedy.Delay(id(d.jobId()), d.seconds())).toList(),
        r.command(),
        r.byOwner(),
        r.sentAway().stream()
            .map(
                loss ->
                    ids.contains(loss.jobId())
                        ? new Remedy.Loss(Evidence.HIDDEN, "", loss.mode(), 0, 0)
                        : loss)
            .toList());
  }

  private int id(int id) {
    return ids.contains(id) ? Evidence.HIDDEN : id;
  }
}
