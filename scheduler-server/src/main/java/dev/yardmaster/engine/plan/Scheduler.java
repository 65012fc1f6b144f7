package dev.yardmaster.engine.plan;

import dev.yardmaster.engine.Decision;
import dev.yardmaster.engine.Pass;
import dev.yardmaster.engine.PassTrace;
import dev.yardmaster.engine.Step;
import dev.yardmaster.engine.gate.AllFindings;
import dev.yardmaster.engine.gate.Board;
import dev.yardmaster.engine.gate.Dependencies.Standing;
import dev.yardmaster.engine.gate.FirstFailure;
import dev.yardmaster.engine.gate.JobGates;
import dev.yardmaster.engine.gate.PolicyGates;
import dev.yardmaster.engine.gate.Reservations;
import dev.yardmaster.engine.limit.Accruals;
import dev.yardmaster.engine.place.Shape;
import dev.yardmaster.engine.priority.Priorities;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.engine.state.Event;
import dev.yardmaster.explain.Gate;
import dev.yardmaster.model.Hold;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.PlannedStart;
import dev.yardmaster.model.PriorityFactors;
import dev.yardmaster.model.ReqTres;
import dev.yardmaster.model.SchedulingPolicy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** One step: housekeeping, then the queue through the main pass and backfill. */
public final class Scheduler {
  /** What a step is run for. */
  public enum Purpose {
    /** To decide: limits on depth apply, and gates are not looked up for jobs that only wait. */
    DECIDE,
    /** To check: as DECIDE, and the trace names the gate of every job tested, or probed. */
    TRACE,
    /** To forecast: every pending job is planned, as far as the horizon. */
    FORECAST
  }

  private final ClusterState state;
  private final Instant now;
  private final Purpose purpose;
  private final @Nullable Probe probe;
  private final Board board;
  private final List<Ticket> tickets = new ArrayList<>();
  private final List<Entry> queue = new ArrayList<>();

  /** The jobs of several partitions, which hear their rules each time a queue is made. */
  private final Map<Ticket, List<Shape>> ofSeveral = new LinkedHashMap<>();

  private @Nullable Rehearsal rehearsal;
  private @Nullable Foresight foresight;
  private int most = Integer.MAX_VALUE;
  private CompleteWait rest;

  public Scheduler(ClusterState state, Instant now, Purpose purpose, @Nullable Probe probe) {
    this.state = state;
    this.now = now;
    this.purpose = purpose;
    this.probe = probe;
    board = new Board(state, now);
    rest = purpose == Purpose.FORECAST ? CompleteWait.NONE : new CompleteWait(state, now);
  }

  /**
   * Looks at the queue though nodes are still being freed: what would stop jobs apart from that.
   */
  public void ignoreCompleteWait() {
    rest = CompleteWait.NONE;
  }

  /** The state as compiled and changed by the step. */
  public Board board() {
    return board;
  }

  /** Shares what plans from the same moment find alike. */
  public void share(Foresight common) {
    foresight = common;
  }

  /** Looks at no more than the first of the queue, each partition of a job counted by itself. */
  void lookAtFirst(int count) {
    most = count;
  }

  /** Tries changes of a job in its place: nothing of it is decided, and nothing behind it. */
  void rehearse(Rehearsal parts) {
    rehearsal = parts;
  }

  private void stage(Rehearsal parts) {
    Priorities priorities = new Priorities(state, board.hardware(), now);
    Accruals accruals = Accruals.of(state, board.pending(), now);
    FirstFailure first = new FirstFailure();
    for (Rehearsal.Part part : parts.parts()) {
      Job job = part.job();
      first.reset();
      if (JobGates.check(board, job, first)) {
        List<Shape> shapes = shapes(job);
        Ticket ticket = ticket(job, shapes, priorities, accruals, null);
        ticket.stageFor(part);
        shapes.forEach(shape -> queue.add(entry(ticket, shape, priorities)));
      }
    }
  }

  private void cut() {
    int last = queue.size() - 1;
    while (last >= 0 && queue.get(last).ticket().part() == null) {
      last--;
    }
    queue.subList(last + 1, queue.size()).clear();
  }

  /** The priority that the step gave a pending job; 0 when it is not pending. */
  public Priorities.Result priority(int jobId) {
    for (Ticket ticket : tickets) {
      if (ticket.job.id() == jobId) {
        return ticket.priority();
      }
    }
    return new Priorities.Result(0, PriorityFactors.ZERO);
  }

  /** The ids of pending components of heterogeneous jobs. */
  List<Integer> components() {
    List<Integer> ids = new ArrayList<>();
    for (Ticket ticket : tickets) {
      if (ticket.job.het() != null) {
        ids.add(ticket.job.id());
      }
    }
    return ids;
  }

  /** Where {@link #run} planned a job, with its nodes; null for nowhere. */
  public @Nullable PlannedStart plannedStart(int jobId) {
    Spot spot = plannedStarts().get(jobId);
    PlannedStart start = spot == null ? null : spot.named();
    return start == null || start.nodes().isEmpty() ? null : start;
  }

  /** The place of a start that {@link #run} decided. */
  Spot spot(Decision.Start start, Instant made) {
    long[] nodes = board.hardware().setOf(start.allocation().nodes().expand());
    return new Spot(now, nodes, start.partition(), made, board.hardware());
  }

  /** The planned starts after {@link #run}, by job id. */
  TreeMap<Integer, Spot> plannedStarts() {
    TreeMap<Integer, Spot> starts = new TreeMap<>();
    for (Ticket ticket : tickets) {
      Spot spot = ticket.spot();
      if (spot != null && !ticket.started()) {
        starts.put(ticket.job.id(), spot);
      }
    }
    return starts;
  }

  /** Runs the passes asked for. {@code horizonSeconds} matters to a forecast only. */
  public Step run(Set<Pass> asked, long horizonSeconds) {
    Set<Pass> passes = rest.passes(asked);
    List<Decision> decisions = new ArrayList<>();
    if (passes.contains(Pass.HOUSEKEEPING)) {
      decisions.addAll(Housekeeping.decide(state, board.dependencies(), now));
    }
    TreeSet<Integer> over = new TreeSet<>();
    decisions.forEach(d -> over.add(d.jobId()));
    if (rehearsal != null) {
      over.add(rehearsal.jobId());
    }
    admit(over);
    if (rehearsal != null) {
      stage(rehearsal);
    }
    PreemptOrder.sort(board, queue);
    if (rehearsal != null) {
      cut();
    } else if (queue.size() > most) {
      queue.subList(most, queue.size()).clear();
    }
    if (probe != null) {
      for (Entry entry : queue) {
        if (!entry.ticket().barred()) {
          probe.ordered(entry.partition(), entry.ticket().job.id());
        }
      }
    }
    SchedulingPolicy policy = state.config().scheduling();
    boolean all = purpose == Purpose.FORECAST;
    Starter starter = new Starter(board);
    Preemptor preemptor = new Preemptor(board, !all);
    MainPass main = new MainPass(board, starter, preemptor, probe);
    if (passes.contains(Pass.MAIN) || passes.contains(Pass.WHOLE_QUEUE)) {
      boolean whole = passes.contains(Pass.WHOLE_QUEUE);
      main.run(rest.queue(queue), all ? MainLimits.NONE : MainLimits.of(policy, whole));
    } else if (!asked.contains(Pass.MAIN)) {
      main.run(queue, MainLimits.NOBODY);
    }
    BackfillPass backfill = null;
    if (passes.contains(Pass.BACKFILL) && (policy.backfill() || all)) {
      if (passes.contains(Pass.MAIN)) {
        ofSeveral.forEach(this::sayRules);
      }
      BackfillLimits limits =
          all ? BackfillLimits.none(policy, horizonSeconds) : BackfillLimits.of(policy);
      backfill =
          new BackfillPass(
              board, starter, preemptor, limits, probe, purpose == Purpose.TRACE, foresight);
      backfill.run(HetOrder.of(queue, HetOrder.how(policy)));
    }
    if (all) {
      return new Step(starter.decisions(), trace(main, backfill));
    }
    Gang.Turns turns = Gang.decide(state, board.holders(), now);
    TreeSet<Integer> starting = new TreeSet<>();
    starter.decisions().forEach(d -> starting.add(d.jobId()));
    if (main.started() > 0 || (backfill != null && backfill.started() > 0)) {
      assess(decisions, true);
    }
    turns.suspend().stream()
        .filter(d -> !starting.contains(d.jobId()) && !over.contains(d.jobId()))
        .forEach(decisions::add);
    decisions.addAll(Order.place(queue, starter.decisions()));
    turns.suspend().stream()
        .filter(d -> starting.contains(d.jobId()) && isOfItsOwn(d.jobId()))
        .forEach(decisions::add);
    turns.resume().stream().filter(d -> !over.contains(d.jobId())).forEach(decisions::add);
    decisions.addAll(preemptor.decisions());
    assess(decisions, false);
    Decision mark = backfill == null || rehearsal != null ? null : backfill.nodes.decide();
    if (mark != null) {
      decisions.add(mark);
    }
    if (passes.contains(Pass.HOUSEKEEPING)) {
      // After what was found about the whole array, which its tasks take along.
      decisions.addAll(Housekeeping.parts(state, board.dependencies()));
    }
    return new Step(decisions, trace(main, backfill));
  }

  /** Looks at every pending job: the gates of the job alone, and its priority. */
  private void admit(Set<Integer> over) {
    Priorities priorities = new Priorities(state, board.hardware(), now);
    Accruals accruals = Accruals.of(state, board.pending(), now);
    FirstFailure first = new FirstFailure();
    for (Job job : board.pending()) {
      if (!over.isEmpty() && over.contains(job.id())) {
        continue;
      }
      List<Shape> shapes = shapes(job);
      first.reset();
      boolean ok;
      if (probe != null && probe.jobId() == job.id()) {
        for (Shape shape : shapes) {
          AllFindings told = probe.collector(shape.partition().name());
          JobGates.check(board, job, told);
          rest.check(shape.partition(), told);
        }
      }
      ok = JobGates.check(board, job, first);
      Ticket ticket = ticket(job, shapes, priorities, accruals, first.gate());
      ticket.dependsOn(board.dependencies().settled(job));
      tickets.add(ticket);
      Gate gate = first.gate();
      boolean foreseen =
          purpose == Purpose.FORECAST
              && gate == Gate.RESERVATION
              && JobGates.waitsForReservationOnly(board, job);
      if (!ok && gate != null && !foreseen) {
        ticket.fail(gate, first.why(), true);
        ticket.forgetPlan();
        ticket.bar();
        boolean told =
            purpose == Purpose.FORECAST && first.waitingHelps() && Foreseen.canTell(gate);
        if (!told && (probe == null || probe.jobId() != job.id())) {
          continue;
        }
      }
      if (ok && holdsAll(shapes)) {
        ticket.stopAt(Gate.COMPLETE_WAIT);
      }
      if (ok && shapes.size() > 1) {
        ofSeveral.put(ticket, shapes);
        sayRules(ticket, shapes);
      } else if (ok) {
        ticket.partitionSchedules();
      }
      for (Shape shape : shapes) {
        Entry entry = entry(ticket, shape, priorities);
        draw(entry);
        queue.add(entry);
      }
    }
  }

  /** Whether nodes are still being freed in each of a job's partitions. */
  private boolean holdsAll(List<Shape> shapes) {
    if (rest == CompleteWait.NONE) {
      return false;
    }
    for (Shape shape : shapes) {
      if (!rest.holds(shape.partition())) {
        return false;
      }
    }
    return !shapes.isEmpty();
  }

  /**
   * Of the rules of its partitions a job of several says what the last one of the lowest tier says,
   * and nothing where that one may take it, as in Slurm.
   */
  private void sayRules(Ticket ticket, List<Shape> shapes) {
    List<Shape> byTier = new ArrayList<>(shapes);
    byTier.sort(Comparator.comparingInt(s -> -s.partition().priorityTier()));
    FirstFailure first = new FirstFailure();
    for (Shape shape : byTier) {
      first.reset();
      Job there = Entry.within(ticket.job, shape.partition());
      if (PolicyGates.partition(board, there, shape, first)) {
        ticket.passRules();
        ticket.mayBeIn(shape.partition().name());
      } else if (Ticket.isRule(first.why().reason())) {
        ticket.show(first.why());
      }
    }
  }

  /** Reservations that draw jobs come into question as if the job had asked for them. */
  private void draw(Entry entry) {
    Job job = entry.job();
    if (job.reservation() == null && !board.reservations().isEmpty()) {
      for (Reservations.Booking b : board.reservations().drawing(job, entry.partition())) {
        queue.add(entry.in(b.reservation().name()));
      }
    }
  }

  private static Entry entry(Ticket ticket, Shape shape, Priorities priorities) {
    Job job = ticket.job;
    Priorities.Result there =
        priorities.in(
            shape.partition(),
            ticket.priority(),
            job,
            shape.minNodes(),
            ReqTres.cpus(job.request()));
    return new Entry(ticket, shape, there);
  }

  private Ticket ticket(
      Job job,
      List<Shape> shapes,
      Priorities priorities,
      Accruals accruals,
      @Nullable Gate failed) {
    Shape shape = shapes.isEmpty() ? null : shapes.getFirst();
    Instant eligible = eligible(job, failed);
    Instant accrues = accruals.since(job, eligible);
    boolean same =
        Objects.equals(eligible, job.eligible()) && Objects.equals(accrues, job.accrues());
    Job aged = same ? job : job.with(j -> j.eligible(eligible).accrues(accrues));
    Priorities.Result priority =
        priorities.of(
            aged,
            shape == null ? job.request().minNodes() : shape.minNodes(),
            shape == null ? job.request().tasks() : ReqTres.cpus(job.request()),
            Priorities.jobFactor(state, job));
    return new Ticket(job, priority, eligible, accrues);
  }

  /** When the job could first be considered: from then on it ages, if it may. */
  private @Nullable Instant eligible(Job job, @Nullable Gate failed) {
    boolean cannot =
        job.hold() != Hold.NONE || failed == Gate.BEGIN_TIME || failed == Gate.DEPENDENCY;
    if (cannot) {
      return null;
    }
    if (job.eligible() != null) {
      return job.eligible();
    }
    Instant begin = job.begin();
    if (begin != null && begin.isAfter(job.submitted())) {
      return begin;
    }
    boolean waited = board.dependencies().standing(job) != Standing.MET || job.dependency() != null;
    return job.lastEvaluated() == null && !waited ? job.submitted() : now;
  }

  private List<Shape> shapes(Job job) {
    List<Partition> partitions = board.partitionsOf(job);
    if (partitions.size() == 1) {
      return List.of(board.shape(job, partitions.getFirst()));
    }
    List<Shape> shapes = new ArrayList<>(partitions.size());
    partitions.forEach(partition -> shapes.add(board.shape(job, partition)));
    return shapes;
  }

  /** What was found about jobs that start comes before their start, about the others after. */
  private void assess(List<Decision> decisions, boolean ofStarted) {
    for (Ticket ticket : tickets) {
      if (ticket.startedOne() != ofStarted) {
        continue;
      }
      Event.Assessment assessment = ticket.changed();
      if (assessment != null) {
        decisions.add(new Decision.Assess(assessment));
      }
    }
  }

  /** Whether a job that starts keeps its id; a task of an array gets one as it starts. */
  private boolean isOfItsOwn(int jobId) {
    Job job = state.job(jobId);
    return job != null && job.taskCount() == 1;
  }

  private PassTrace trace(MainPass main, @Nullable BackfillPass backfill) {
    TreeMap<Integer, Gate> gates = new TreeMap<>();
    for (Ticket ticket : tickets) {
      Gate gate = ticket.gate();
      if (gate != null && ticket.tested() && !ticket.started()) {
        gates.put(ticket.job.id(), gate);
      }
    }
    return new PassTrace(
        tickets.size(),
        main.depth(),
        main.started(),
        backfill == null ? 0 : backfill.depth(),
        backfill == null ? 0 : backfill.started(),
        backfill == null ? 0 : backfill.planned(),
        gates);
  }
}
