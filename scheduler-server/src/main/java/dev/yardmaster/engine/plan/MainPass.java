package dev.yardmaster.engine.plan;

import dev.yardmaster.engine.ExpectedNodes;
import dev.yardmaster.engine.gate.Board;
import dev.yardmaster.engine.gate.Collector;
import dev.yardmaster.engine.gate.FirstFailure;
import dev.yardmaster.engine.gate.LimitGates;
import dev.yardmaster.engine.gate.NodeGates;
import dev.yardmaster.engine.gate.NodeReasons;
import dev.yardmaster.engine.gate.Places;
import dev.yardmaster.engine.gate.PolicyGates;
import dev.yardmaster.engine.gate.Why;
import dev.yardmaster.engine.place.Bits;
import dev.yardmaster.engine.place.Choice;
import dev.yardmaster.engine.place.Shape;
import dev.yardmaster.explain.Evidence;
import dev.yardmaster.explain.Gate;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.PlannedStart;
import dev.yardmaster.model.Reason;
import dev.yardmaster.model.text.HostList;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The main pass: jobs in order; what fits, starts. A job that fails for lack of nodes closes its
 * partition, and its nodes, to all behind it; one that fails by a limit, a licence, unavailable
 * nodes or its own constraints closes nothing.
 */
final class MainPass {
  /** So many new jobs that a pass does not come to are tested alone, on clusters of few nodes. */
  private static final int MOST_ALONE = 100;

  private static final int MOST_NODES = 128;

  private final Board board;
  private final Starter starter;
  private final Preemptor preemptor;
  private final @Nullable Probe probe;
  private final FirstFailure first = new FirstFailure();
  private final MainFindings findings;
  private final Kept kept;
  private final TreeMap<String, Integer> looked = new TreeMap<>();
  private final TreeMap<String, Integer> eldest = new TreeMap<>();
  private MainLimits limits = MainLimits.NONE;
  private boolean lending;
  private boolean over;
  private int depth;
  private int started;
  private int alone;
  private boolean searched; // whether Slurm would have looked for nodes for the last job

  /** The last record of an array that did not start. */
  private @Nullable Entry rejected;

  MainPass(Board board, Starter starter, Preemptor preemptor, @Nullable Probe probe) {
    this.board = board;
    this.starter = starter;
    this.preemptor = preemptor;
    this.probe = probe;
    findings = new MainFindings(board, starter, probe);
    kept = new Kept(board, probe != null);
    alone = board.hardware().size() <= MOST_NODES ? 0 : MOST_ALONE;
  }

  int depth() {
    return depth;
  }

  int started() {
    return started;
  }

  /** Runs the pass. */
  void run(List<Entry> queue, MainLimits most) {
    limits = most;
    for (Entry entry : queue) {
      boolean beyond = !over && takesAPlace(entry) && isBeyond(entry);
      over |= startedEnough() || !beyond && takesAPlace(entry) && !isWithinDepth();
      if (over && probe == null && alone >= MOST_ALONE) {
        return;
      }
      Ticket ticket = entry.ticket();
      if (ticket.started()) {
        continue;
      }
      if (over && ticket.isNew && !ticket.barred() && !entry.isDrawn()) {
        if (isBehindOne(entry)) {
          ticket.passOver();
        }
        tellAlone(entry);
      }
      if (!ticket.barred() && !ticket.reason().isLimit() && entry.job().reservation() == null) {
        eldest.merge(entry.partition(), ticket.job.id(), Math::min);
      }
      boolean closed = kept.isClosed(entry);
      findings.tell(entry, kept, over || closed, nodes -> isWithinLimits(entry, nodes));
      if (!over && !ticket.barred()) {
        ticket.lookedAt(entry);
        if (beyond) {
          // What it said before it goes on saying, as in Slurm.
          if (ticket.isNew) {
            ticket.passOver();
            tellAlone(entry);
          }
        } else {
          consider(entry);
        }
      }
      findings.tellLimit(entry, limit -> !closed && limitOf(entry, limit));
    }
  }

  private boolean startedEnough() {
    return limits.starts() > 0 && started >= limits.starts();
  }

  /**
   * Whether an entry counts among those that a pass looks at: jobs whose turn has not come do not,
   * nor components of heterogeneous jobs, nor tasks of an array of which one was rejected before.
   */
  private boolean takesAPlace(Entry entry) {
    Ticket ticket = entry.ticket();
    return !ticket.started()
        && !ticket.barred()
        && ticket.part() == null
        && ticket.job.het() == null
        && (rejected == null || !entry.isSibling(rejected));
  }

  /** Counts one more, if so many may be looked at. */
  private boolean isWithinDepth() {
    if (depth > limits.depth()) {
      return false;
    }
    depth++;
    return true;
  }

  /** Whether there was one ahead of it, for some of its nodes, when it was submitted. */
  private boolean isBehindOne(Entry entry) {
    int id = entry.ticket().job.id();
    long[] nodes = board.nodesOf(entry.partition());
    return eldest.entrySet().stream()
        .anyMatch(e -> e.getValue() < id && Bits.countCommon(nodes, board.nodesOf(e.getKey())) > 0);
  }

  /** What the test at its submission said of a job goes on until a pass comes to it. */
  private void tellAlone(Entry entry) {
    if (alone++ < MOST_ALONE && !testFirst(entry)) {
      Job job = entry.job();
      first.reset();
      NodeGates.check(board, job, entry.shape(), job.timeLimitMinutes(), null, first);
      if (first.gate() != null && first.why().reason() == Reason.RESOURCES) {
        entry.ticket().show(first.why());
      }
    }
  }

  /** Whether enough jobs of its partition were looked at. */
  private boolean isBeyond(Entry entry) {
    return limits.perPartition() > 0
        && !entry.isDrawn()
        && looked.merge(entry.partition(), 1, Integer::sum) > limits.perPartition();
  }

  private void consider(Entry entry) {
    Ticket ticket = entry.ticket();
    if (entry.job().reservation() != null) {
      lending |= board.reservations().lends(entry.job());
    } else if (lending && entry.job().batch().yieldsToReservations()) {
      // What it said before it goes on saying, as in Slurm.
      if (ticket.isNew) {
        ticket.passOver();
      }
      return;
    }
    Rehearsal.Part part = ticket.part();
    if (part != null) {
      if (!kept.isClosed(entry)) {
        ticket.settle(part.ask(trial(entry)));
      }
      return;
    }
    if (entry.isDrawn()) {
      draw(entry);
      return;
    }
    if (ticket.job.het() != null) {
      // Backfill alone starts heterogeneous jobs; those behind one wait for it as well. One that
      // comes to a partition that is closed ends the pass, as in Slurm.
      over |= kept.isClosed(entry);
      ticket.waitForNodes();
      kept.close(entry);
      return;
    }
    if (rejected != null && entry.isSibling(rejected)) {
      ticket.waitAs(rejected.ticket());
      return;
    }
    if (kept.isClosed(entry)) {
      if (entry.job().reservation() != null) {
        ticket.waitBehind();
      } else if (!ticket.isNew || ticket.lacksNodesElsewhere() || !testFirst(entry)) {
        ticket.passOver();
      }
      reject(entry);
      return;
    }
    while (test(entry)) {
      started++;
      if (ticket.started() || startedEnough()) {
        return;
      }
      if (isBeyond(entry)) {
        return;
      }
      if (!isWithinDepth()) {
        over = true;
        return;
      }
    }
    kept.keepNamed(entry, searched);
    reject(entry);
  }

  private void reject(Entry entry) {
    if (entry.job().array() != null) {
      rejected = entry;
    }
  }

  /**
   * Slurm tests a job by itself when it is submitted, and what that says of unavailable nodes or
   * impossible wishes outlasts that jobs ahead of it wait.
   *
   * @return whether such a reason was found
   */
  private boolean testFirst(Entry entry) {
    Shape shape = entry.shape();
    Job job = entry.job();
    first.reset();
    if (board.usable(job, shape)
        || !PolicyGates.check(board, job, shape, first)
        || !LimitGates.ever(board, job, shape, first)
        || NodeGates.check(board, job, shape, job.timeLimitMinutes(), null, first) != null
        || first.why().reason() == Reason.RESOURCES) {
      return false;
    }
    entry.ticket().fail(failedGate(), first.why(), true);
    return true;
  }

  /** Tests one job, or the next task of an array; true when it started. */
  private boolean test(Entry entry) {
    Ticket ticket = entry.ticket();
    Shape shape = entry.shape();
    Choice chosen = find(ticket, entry.job(), shape);
    if (chosen != null) {
      long minutes = entry.job().timeLimitMinutes();
      Preemptor.Room over =
          preemptor.insteadOf(chosen, ticket.current(), shape, minutes, kept::addTo);
      if (over == null) {
        starter.start(entry, chosen, minutes, false);
      } else {
        starter.startIn(over, entry, minutes, false);
      }
      return true;
    }
    Gate gate = failedGate();
    boolean held = lacksNodes(gate) && first.why().reason() == Reason.RESOURCES;
    // nobody leaves for a job that a limit would keep from starting then
    if (held
        && !Places.neverBelow(board, shape)
        && LimitGates.somewhere(board, entry.job(), shape)) {
      long minutes = entry.job().timeLimitMinutes();
      Preemptor.Room room = preemptor.makeRoom(ticket.current(), shape, minutes, kept::addTo);
      if (room != null) {
        starter.startIn(room, entry, minutes, false);
        return true;
      }
    }
    FirstFailure limit = new FirstFailure();
    if (stopsAtLimit(ticket.job.id(), entry.job(), shape, limit)) {
      ticket.fail(gateOf(limit), limit.why(), true);
      if (limits.stopsAtLimit()) {
        kept.close(entry);
      }
      return false;
    }
    if (limits.stopsAtLimit() && (gate == Gate.ASSOCIATION_LIMIT || gate == Gate.QOS_LIMIT)) {
      kept.close(entry);
    }
    over |= limits.stopsAtLicenses() && gate == Gate.LICENSES;
    if (held && ticket.reason().isLimit() && !NodeReasons.areGone(first.why())) {
      ticket.stopAt(gate);
    } else {
      ticket.fail(gate, first.why(), gate != Gate.PRIORITY);
    }
    if (lacksNodes(gate) && Places.neverBelow(board, shape)) {
      ticket.show(NodeReasons.SWITCHES);
    } else if (held) {
      kept.close(entry);
    } else if (entry.job().reservation() != null && first.why().equals(NodeReasons.MAINTENANCE)) {
      kept.keepReserved(entry.job());
    }
    return false;
  }

  /**
   * Whether a job for which nodes are missing would be stopped by a limit on amounts as well, which
   * says more: it waits for the limit then, and keeps nobody behind it. Of nodes that others would
   * leave it is known which they are.
   *
   * @param c hears which limit that is
   */
  private boolean stopsAtLimit(int jobId, Job job, Shape shape, Collector c) {
    Reason reason = first.why().reason();
    boolean mayCome = reason == Reason.RESOURCES || reason == Reason.REQ_NODE_NOT_AVAIL;
    Choice refused = preemptor.refused(jobId);
    if (refused != null) {
      return !LimitGates.amounts(board, job, shape, refused, c);
    }
    return lacksNodes(failedGate())
        && mayCome
        && !preemptor.awaits(jobId)
        && !NodeReasons.areGone(first.why())
        && !Places.neverBelow(board, shape)
        && !LimitGates.whileBusy(board, job, shape, c);
  }

  /** Whether a job lacks nodes, and a limit is what it waits for. */
  private boolean limitOf(Entry entry, Collector limit) {
    Job job = entry.job();
    return find(entry.ticket(), job, entry.shape()) == null
        && stopsAtLimit(entry.ticket().job.id(), job, entry.shape(), limit);
  }

  private static boolean lacksNodes(Gate gate) {
    return gate.kind() == Gate.Kind.NODES || gate.kind() == Gate.Kind.ORDER;
  }

  /** The nodes on which a job, or the next task of its array, can start now; null for none. */
  private @Nullable Choice find(Ticket ticket, Job job, Shape shape) {
    first.reset();
    searched = false;
    if (!starter.mayStartAnother(ticket, first) || !PolicyGates.check(board, job, shape, first)) {
      searched = first.why().reason().isLimit() && !ticket.reason().isLimit();
      return null;
    }
    long[] partition = board.nodesOf(shape.partition().name());
    if (board.possible(shape) && kept.leavesTooFew(shape)) {
      boolean down = Bits.countCommon(board.up(), partition) < shape.minNodes();
      Gate gate = down ? Gate.NODES_UP : Gate.PRIORITY;
      boolean reboots =
          Bits.countCommon(board.plannable(), partition) > Bits.countCommon(board.up(), partition);
      Why why = reboots ? NodeReasons.NODES_REBOOT : NodeReasons.NODES_GONE;
      first.fail(gate, why, true, Evidence.None::new);
      return null;
    }
    searched = true;
    Choice choice =
        NodeGates.check(board, job, shape, job.timeLimitMinutes(), kept.claimed(), first);
    ticket.wouldGet(ExpectedNodes.tried(board, job, shape, choice, kept.claimed()));
    if (choice == null && first.gate() != null && PolicyGates.isTriedOnNodes(first.gate())) {
      FirstFailure licenses = new FirstFailure();
      if (!PolicyGates.licenses(board, job, licenses)) {
        first.reset();
        PolicyGates.licenses(board, job, first);
        return null;
      }
    }
    Choice within = choice == null ? null : withinLimits(job, shape, choice);
    boolean starts = within != null && PolicyGates.licenses(board, job, first);
    if (choice != null && !starts) {
      ticket.fitsOn(board, shape, choice);
    }
    return starts ? within : null;
  }

  /** The choice where limits on amounts let the job have it; else null. */
  private @Nullable Choice withinLimits(Job job, Shape shape, Choice choice) {
    return LimitGates.amounts(board, job, shape, choice, first) ? choice : null;
  }

  private boolean isWithinLimits(Entry entry, Choice choice) {
    first.reset();
    return withinLimits(entry.job(), entry.shape(), choice) != null;
  }

  /** Tries changes of a job, without starting it. */
  private Rehearsal.Trial trial(Entry entry) {
    return new Rehearsal.Trial() {
      @Override
      public @Nullable PlannedStart start(Job job) {
        Shape shape = board.shape(job, entry.shape().partition());
        Choice chosen = find(entry.ticket().of(job), job, shape);
        if (chosen == null) {
          return null;
        }
        HostList nodes = HostList.of(board.hardware().names(chosen.nodes()));
        return new PlannedStart(board.now(), nodes, entry.partition(), board.now());
      }

      @Override
      public boolean startsWithout(Collection<Job> ended) {
        return false;
      }
    };
  }

  /**
   * Starts a job in a reservation that draws it. As in Slurm what keeps it out is said of the job,
   * until it is looked at outside; where it is not, because its partition is closed, that goes on
   * being said.
   */
  private void draw(Entry entry) {
    Ticket ticket = entry.ticket();
    while (!ticket.started()) {
      Why why = kept.isClosed(entry) ? NodeReasons.BEHIND : startDrawn(entry);
      if (why != null) {
        ticket.show(why);
        return;
      }
      started++;
    }
  }

  /** Starts it, or says why not. */
  private @Nullable Why startDrawn(Entry entry) {
    Job job = entry.job();
    if (!DrawnJobs.isInTime(board, job)) {
      if (DrawnJobs.comesLater(board, job)) {
        kept.keepReserved(job);
      }
      return NodeReasons.UNUSABLE;
    }
    Choice chosen = find(entry.ticket(), job, entry.shape());
    if (chosen != null) {
      starter.start(entry, chosen, job.timeLimitMinutes(), false);
      return null;
    }
    if (lacksNodes(failedGate()) && first.why().reason() == Reason.RESOURCES) {
      kept.close(entry);
    }
    return first.why();
  }

  private Gate failedGate() {
    return gateOf(first);
  }

  private static Gate gateOf(FirstFailure failure) {
    Gate gate = failure.gate();
    return gate == null ? Gate.TOPOLOGY : gate;
  }
}
