package dev.yardmaster.engine.plan;

import dev.yardmaster.engine.gate.Board;
import dev.yardmaster.engine.gate.FirstFailure;
import dev.yardmaster.engine.gate.LimitGates;
import dev.yardmaster.engine.gate.NodeReasons;
import dev.yardmaster.engine.gate.PolicyGates;
import dev.yardmaster.engine.gate.Why;
import dev.yardmaster.engine.place.Bits;
import dev.yardmaster.engine.place.Choice;
import dev.yardmaster.engine.place.Shape;
import dev.yardmaster.engine.place.Usage;
import dev.yardmaster.explain.Gate;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The backfill pass: each job in order gets the earliest place in the plan that respects what is
 * planned already. What can start now, starts; what cannot, keeps its nodes for its duration.
 */
final class BackfillPass {
  private final Board board;
  private final Starter starter;
  private final Preemptor preemptor;
  private final BackfillLimits limits;
  private final @Nullable Probe probe;
  private final @Nullable Foresight foresight;
  private Agenda plan;
  private final @Nullable LicensePlan licenses;
  private final FirstFailure first = new FirstFailure();
  private final List<Integer> ahead = new ArrayList<>();
  private final HetStarts components;
  private final PlanFindings findings;
  private final DrawnJobs drawn;
  private final LimitStop stop;
  final PlannedNodes nodes;
  private @Nullable Foreseen foreseen;

  /** What the job that is looked at was planned for in another partition. */
  private @Nullable Spot elsewhere;

  private int started;
  private int planned;

  BackfillPass(
      Board board,
      Starter starter,
      Preemptor preemptor,
      BackfillLimits limits,
      @Nullable Probe probe,
      boolean classify,
      @Nullable Foresight foresight) {
    this.board = board;
    this.starter = starter;
    this.preemptor = preemptor;
    this.limits = limits;
    this.probe = probe;
    components = new HetStarts(board, starter);
    findings = new PlanFindings(board, starter, probe, classify);
    stop = new LimitStop(board);
    nodes = new PlannedNodes(board);
    drawn = new DrawnJobs(board, starter, limits, nodes);
    this.foresight = foresight;
    plan = newPlan();
    licenses = limits.plansLicenses() ? new LicensePlan(board, plan) : null;
  }

  private Agenda newPlan() {
    return limits.plansDevices()
        ? new DevicePlan(board, limits.windowSeconds(), limits.resolutionSeconds())
        : new Plan(
            board,
            limits.windowSeconds(),
            limits.resolutionSeconds(),
            foresight,
            limits.plansStepwise(),
            limits.spaces());
  }

  int started() {
    return started;
  }

  int planned() {
    return planned;
  }

  int depth() {
    return limits.tested();
  }

  void run(List<Entry> queue) {
    for (Entry entry : queue) {
      entry.ticket().forgetPlan();
    }
    look(queue);
    started += components.start();
    components.explain(queue, probe);
    boolean rehearses = queue.stream().anyMatch(entry -> entry.ticket().part() != null);
    if (limits.isForecast() && !rehearses && Foreseen.matters(board, queue)) {
      foresee(queue);
    }
  }

  private void look(List<Entry> queue) {
    for (Entry entry : queue) {
      Ticket ticket = entry.ticket();
      if (ticket.started()) {
        continue;
      }
      boolean over = limits.exhausted(started);
      if (over && probe == null) {
        return;
      }
      if (isProbed(ticket) && !entry.isDrawn()) {
        findings.tell(entry, plan, ahead, over);
      }
      if (!over && !ticket.barred()) {
        ticket.lookedAt(entry);
        consider(entry);
      }
    }
  }

  /**
   * Plans anew what has not started, and with it the jobs that a rule holds back now, from when on
   * it will let them go. Nothing starts before something changes. Jobs that depend on one further
   * behind get their turn when that one has its place.
   */
  private void foresee(List<Entry> queue) {
    plan = newPlan();
    foreseen = new Foreseen(board, plan, queue);
    queue.forEach(entry -> entry.ticket().forgetPlan());
    List<Entry> left = queue;
    int before;
    do {
      before = left.size();
      List<Entry> unplanned = new ArrayList<>();
      for (Entry entry : left) {
        Ticket ticket = entry.ticket();
        if (entry.isDrawn()) {
          drawn.consider(entry, plan);
        } else if (!ticket.started() && !foresee(entry) && ticket.job.dependency() != null) {
          unplanned.add(entry);
        }
      }
      left = unplanned;
    } while (!left.isEmpty() && left.size() < before);
  }

  /** Plans a job, or some tasks of an array; false when it has no place. */
  private boolean foresee(Entry entry) {
    Ticket ticket = entry.ticket();
    int tries = limits.arrayTries(ticket);
    for (int i = 0; i < tries; i++) {
      if (!place(entry, false)) {
        return i > 0;
      }
    }
    return true;
  }

  private Plan.@Nullable Slot earliest(Job job, Shape shape, long least) {
    if (foreseen != null) {
      return foreseen.earliest(job, shape, least);
    }
    long from = stop.notBefore(job);
    Plan.Slot slot;
    if (from > board.now().getEpochSecond()) {
      slot = plan.earliest(job, shape, least, from);
    } else {
      slot =
          licenses == null
              ? plan.earliest(job, shape, least)
              : licenses.earliest(job, shape, least);
    }
    SlotSearch steps = plan.steps();
    if (steps == null || steps.wasTried()) {
      limits.tried();
    }
    return slot;
  }

  private boolean isProbed(Ticket ticket) {
    return probe != null && ticket.job.id() == probe.jobId();
  }

  private void consider(Entry entry) {
    if (entry.isDrawn()) {
      count(drawn.consider(entry, plan));
      return;
    }
    Ticket ticket = entry.ticket();
    elsewhere = ticket.spot();
    Rehearsal.Part part = ticket.part();
    if (part != null) {
      ticket.settle(part.ask(new PlanTrial(board, starter, plan, entry)));
      return;
    }
    if (!rules(entry)) {
      if (isDeniedToAccount(ticket.job) && limits.admit(ticket.job, entry.partition())) {
        placeDenied(entry);
      }
      return;
    }
    if (!stop.isOn()) {
      // the limit that an earlier pass found is forgotten before the job is looked at any further
      ticket.withinLimits();
    }
    if (ticket.job.het() != null) {
      if (admits(entry)) {
        placeComponent(entry);
      }
      return;
    }
    boolean isFirst = true;
    boolean more = true;
    while (more && !ticket.started() && !limits.exhausted(started) && rules(entry)) {
      first.reset();
      if (!starter.mayStartAnother(ticket, first)) {
        ticket.fail(gateOr(Gate.ARRAY_THROTTLE), first.why(), true);
        return;
      }
      int before = started;
      more =
          admits(entry)
              && place(entry, isFirst)
              && (started > before || limits.oneMoreTask(ticket, board));
      isFirst = false;
    }
  }

  private void count(int more) {
    started += more;
    if (more > 0) {
      plan.jobStarted();
    }
  }

  /** A job that a rule of the site holds back is not planned. */
  private boolean rules(Entry entry) {
    if (stop.rules(entry.job(), entry.shape(), first)) {
      return true;
    }
    entry.ticket().fail(gateOr(Gate.QOS_LIMIT), first.why(), true);
    return false;
  }

  /**
   * A job that a limit of the pass leaves out, for which licences are missing, or that asks for
   * more nodes than limits ever allow is not planned. Of licences it shows nothing.
   */
  private boolean admits(Entry entry) {
    Job job = entry.job();
    if (!limits.admit(entry.ticket().job, entry.partition())) {
      return false;
    }
    first.reset();
    if (licenses == null && !PolicyGates.licenses(board, job, first)) {
      entry.ticket().stopAt(Gate.LICENSES);
      return false;
    }
    if (!LimitGates.ever(board, job, entry.shape(), first)) {
      entry.ticket().fail(gateOr(Gate.QOS_LIMIT), first.why(), true);
      return false;
    }
    return true;
  }

  /** Finds a place for a job or the next task of an array; false when there is none. */
  private boolean place(Entry entry, boolean isFirst) {
    Ticket ticket = entry.ticket();
    Job job = entry.job();
    Shape shape = entry.shape();
    long least = NodeReasons.plannedMinutes(job);
    long now = board.now().getEpochSecond();
    Plan.Slot slot = AwaitedNodes.onceUp(board, earliest(job, shape, least));
    ticket.fitsOn(board, shape, slot == null ? null : slot.choice());
    Consumer<long[]> planned = set -> Bits.addAll(set, plan.plannedWithin(job, shape, least));
    if (slot != null && slot.start() <= now && !stop.starts(job, shape, slot, first)) {
      return pastLimit(entry, slot, least);
    }
    if (slot != null && slot.start() <= now && !slot.choice().startable()) {
      return reserve(entry, slot, least);
    }
    if (slot != null && slot.start() <= now) {
      long minutes =
          limits.givesWholeLimit(job)
              ? job.timeLimitMinutes()
              : TimeLimits.longest(plan, job, slot.nodes(), least, now);
      Preemptor.Room over =
          preemptor.insteadOf(slot.choice(), ticket.current(), shape, least, planned);
      ticket.wouldGet(slot.choice().order().length); // as the tasks of its array that go on waiting
      if (over == null) {
        Usage taken = plan.taken(job, slot.nodes(), minutes);
        starter.start(entry, slot.choice(), minutes, true, taken);
      } else {
        starter.startIn(over, entry, least, true);
      }
      plan.jobStarted();
      if (licenses != null) {
        licenses.take(job, now, minutes);
      }
      started++;
      return true;
    }
    if (licenses != null && !licenses.areFreeNow(job, least)) {
      ticket.show(new Why(Reason.LICENSES));
    }
    if (isFirst && LimitGates.somewhere(board, job, shape)) {
      Preemptor.Room room = preemptor.makeRoom(ticket.current(), shape, least, planned);
      if (room != null) {
        starter.startIn(room, entry, least, true);
        plan.jobStarted();
        started++;
        return true;
      }
      Choice refused = preemptor.refused(job.id());
      Plan.Slot soon = refused == null ? null : new Plan.Slot(now, refused);
      if (soon != null && !stop.starts(job, shape, soon, first)) {
        return pastLimit(entry, soon, least);
      }
    }
    if (foreseen == null && limits.startsOnly(entry.partition(), elsewhere)) {
      ticket.withinLimits();
      return false;
    }
    if (isFirst && foreseen == null) {
      slot = preemptor.later(plan, job, shape, least, slot);
      if (slot != null && slot.start() <= now) {
        ticket.show(new Why(Reason.RESOURCES));
      }
    }
    if (isFirst && findings.classifies(ticket)) {
      findings.classify(entry, plan);
    }
    if (slot != null && foreseen == null && !stop.isOn() && !withinLimits(entry, slot)) {
      return false;
    }
    return slot != null && reserve(entry, slot, least);
  }

  /**
   * A job that a limit keeps from a place where it would start now has no other; false when it
   * keeps none at all.
   */
  private boolean pastLimit(Entry entry, Plan.Slot slot, long least) {
    boolean kept =
        foreseen == null
            && stop.isOn()
            && reserve(entry, stop.put(entry.job(), slot, plan.steps(), first), least);
    entry.ticket().fail(gateOr(Gate.QOS_LIMIT), first.why(), true);
    entry.ticket().wouldGet(slot.choice().order().length);
    findings.tellLimit(entry, slot.choice());
    return kept;
  }

  /** Keeps a place for a job if it may have one. */
  private boolean reserve(Entry entry, Plan.Slot slot, long least) {
    Ticket ticket = entry.ticket();
    if (limits.mayNotReserve(entry, board)) {
      ticket.show(new Why(Reason.RESOURCES));
      if (foreseen == null && board.limits().overrides(entry.job(), "NoReserve")) {
        ticket.startsAt(slot.spot(board, entry.shape()));
      }
      return false;
    }
    if (!limits.oneMoreReservation(entry.partition())) {
      return false;
    }
    if (!stop.isOn()) {
      ticket.withinPolicy(foreseen == null);
    }
    if (foreseen != null) {
      foreseen.planned(entry.job(), entry.shape(), slot, least);
    }
    return keep(entry, slot, least);
  }

  /** Gives a job its place in the plan; when that is full it shows its start, and is the last. */
  private boolean keep(Entry entry, Plan.Slot slot, long least) {
    Spot spot = slot.spot(board, entry.shape());
    if (plan.isFull()) {
      note(entry.ticket(), spot.withoutNodes());
      limits.planIsFull();
      return false;
    }
    note(entry.ticket(), spot);
    plan.reserve(slot, least, entry.job(), entry.shape());
    nodes.keep(slot.held(board, entry.shape()), spot, elsewhere);
    if (licenses != null) {
      licenses.take(entry.job(), slot.start(), least);
    }
    ahead.add(entry.job().id());
    return true;
  }

  /**
   * AllowAccounts and DenyAccounts, which Slurm looks at no sooner than when the job would start.
   */
  private boolean isDeniedToAccount(Job job) {
    return first.gate() == Gate.PARTITION_ACCESS
        && first.why().equals(new Why(Reason.PARTITION_CONFIG))
        && job.partitions().size() == 1
        && job.het() == null;
  }

  /** A job whose account may not use the partition keeps its place, and never starts. */
  private void placeDenied(Entry entry) {
    Job job = entry.job();
    long least = NodeReasons.plannedMinutes(job);
    Plan.Slot slot = earliest(job, entry.shape(), least);
    if (slot != null && !limits.mayNotReserve(entry, board)) {
      keep(entry, slot, least);
    }
  }

  /** A component of a heterogeneous job keeps its nodes from now on, until all can start. */
  private void placeComponent(Entry entry) {
    Ticket ticket = entry.ticket();
    Job job = entry.job();
    long least = NodeReasons.plannedMinutes(job);
    Plan.Slot slot = components.withOthers(entry, earliest(job, entry.shape(), least), plan, least);
    ticket.waitForNodes();
    ticket.fitsOn(board, entry.shape(), slot == null ? null : slot.choice());
    if (slot != null && slot.start() <= board.now().getEpochSecond()) {
      ticket.stopAt(Gate.COMPONENTS);
    } else if (findings.classifies(ticket)) {
      findings.classify(entry, plan);
    }
    if (slot == null || limits.mayNotReserve(entry, board)) {
      return;
    }
    ticket.wouldGet(slot.choice().order().length);
    components.planned(entry, slot);
    if (keep(entry, slot, least) && slot.start() <= board.now().getEpochSecond()) {
      count(components.found(entry, slot, limits.startsComponentsAtOnce()));
    }
  }

  /**
   * A job that a limit on amounts would hold back by now takes no nodes in the plan. As in Slurm it
   * shows that limit, and when nodes would be there; a forecast does not promise that time.
   */
  private boolean withinLimits(Entry entry, Plan.Slot slot) {
    Ticket ticket = entry.ticket();
    Shape shape = entry.shape();
    first.reset();
    if (LimitGates.planned(board, ticket.job, shape, slot.choice(), first)) {
      return true;
    }
    ticket.fail(gateOr(Gate.QOS_LIMIT), first.why(), true);
    findings.tellLimit(entry, slot.choice());
    if (!limits.isForecast()) {
      ticket.startsAt(slot.spot(board, shape));
    }
    return false;
  }

  /**
   * Of a job in several partitions the first start counts; an array shows the nodes of the last
   * task that is planned in the partition of its first start.
   */
  private void note(Ticket ticket, Spot spot) {
    Spot before = ticket.spot();
    if (before == null) {
      planned++;
    }
    if (before == null || spot.start().isBefore(before.start())) {
      ticket.plan(spot);
    } else if (ticket.waitingTasks != null
        && foreseen == null
        && (elsewhere == null || spot.start().isBefore(elsewhere.start()))) {
      ticket.plan(spot.at(before.start()));
    }
  }

  private Gate gateOr(Gate otherwise) {
    Gate gate = first.gate();
    return gate == null ? otherwise : gate;
  }
}
