package dev.yardmaster.controller;

import dev.yardmaster.engine.Pass;
import dev.yardmaster.engine.Step;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.engine.state.Event;
import dev.yardmaster.journal.Journal;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.JobScript;
import dev.yardmaster.model.SchedulingPolicy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A controller in virtual time, on the caller's thread: the clock jumps from one thing that happens
 * to the next. Every event is journaled as with a live one.
 */
public final class VirtualRun {
  private static final int BATCH = 2_000;

  private final Core core;
  private final Statistics statistics;
  private final ControllerParts parts;
  private final boolean isNew;
  private final List<Event> pending = new ArrayList<>();
  private final SortedMap<Integer, JobScript> scripts = new TreeMap<>();
  private final List<Participant> participants = new ArrayList<>();
  private final List<Command> failures = new ArrayList<>();
  private Consumer<List<Event>> follower = events -> {};
  private @Nullable Instant time;
  private @Nullable Instant nextBackfill;
  private @Nullable Instant nextMain;
  private @Nullable Instant nextWhole;
  private @Nullable Instant rest;
  private Set<Instant> told = Set.of();
  private boolean regular;
  private boolean wanted;

  /** Something with a life in virtual time of its own, as simulated nodes. */
  public interface Participant {
    /** What was before it joins. */
    default void begin(ClusterState state) {}

    /** When it next does something; null when never. */
    @Nullable Instant next();

    /**
     * Does what is due.
     *
     * @return what it has to tell the controller
     */
    List<Command> advance(Instant now);
  }

  VirtualRun(Core core, ControllerParts parts, boolean isNew) {
    this.core = core;
    this.statistics = new Statistics(core.state().time());
    this.parts = parts;
    this.isNew = isNew;
  }

  /** Whether nothing was recovered: the cluster has no past yet. */
  public boolean isNew() {
    return isNew;
  }

  public ClusterState state() {
    return core.state();
  }

  /** A controller that has just started takes over the state. */
  public void restart() {
    if (time != null) {
      take(core.takeOver(time));
    }
  }

  /** The steps that run. */
  public StepBook steps() {
    return core.steps();
  }

  /** What nodes have measured. */
  public NodeMeasures measures() {
    return core.measures();
  }

  /** The script that is kept for a job. */
  public Optional<JobScript> keptScript(int jobId) {
    return script(jobId);
  }

  /** What sdiag(1) would report; virtual passes take no time. */
  public Statistics statistics() {
    return statistics;
  }

  /**
   * From now on passes come at the intervals of SchedulerParameters though nothing happens, and
   * what does not ask for a pass at once waits for the next of them (batch_sched_delay), as with
   * Slurm's controller.
   */
  public void passRegularly() {
    regular = true;
    nextMain = core.state().time();
    nextWhole = interval(nextMain);
  }

  /** No pass comes before a moment, unless {@link #passNow} asks for it. */
  public void restUntil(Instant at) {
    rest = at;
    if (nextMain != null && nextMain.isBefore(at)) {
      nextMain = at;
    }
    if (nextBackfill != null && nextBackfill.isBefore(at)) {
      nextBackfill = at;
    }
  }

  /** At these moments no pass comes by itself: {@link #passNow} asks for what comes there. */
  public void passesAreToldAt(Set<Instant> moments) {
    told = Set.copyOf(moments);
  }

  /** From now on the events of each turn are told, in order. */
  public void follow(Consumer<List<Event>> newFollower) {
    follower = newFollower;
  }

  /** Adds a participant. */
  public void join(Participant participant) {
    participant.begin(state());
    participants.add(participant);
  }

  /**
   * Handles a command at a time, letting everything before it happen first; commands of the same
   * time are handled before anything comes of them.
   */
  public Reply handle(Command command, Instant at) {
    reach(at);
    if (command instanceof Command.TestOnly test) {
      return testOnly(test, at);
    }
    Core.Outcome outcome = perform(command, at);
    Reply reply = outcome.reply();
    return reply == null ? new Reply.Done(List.of()) : reply;
  }

  private Core.Outcome perform(Command command, Instant at) {
    Core.Outcome outcome = core.handle(command, at);
    take(outcome);
    return outcome;
  }

  private Reply testOnly(Command.TestOnly test, Instant at) {
    Core.Outcome outcome = core.tryOut(test, at);
    if (outcome.reply() instanceof Reply.Submitted submitted) {
      take(core.useJobId(at));
      return TestOnly.answer(parts.scheduler(), outcome.after(), submitted.jobId(), at);
    }
    return outcome.reply() == null ? new Reply.Done(List.of()) : outcome.reply();
  }

  /**
   * Lets the schedulers look at the queue at this moment.
   *
   * @param backfill whether to look ahead as well
   */
  public void passNow(boolean backfill) {
    if (time != null) {
      schedule(time, true, backfill);
      happen(time);
    }
  }

  /** Backfill looks at the queue at this moment, and the main pass does not. */
  public void backfillNow() {
    if (time != null) {
      schedule(time, false, true);
      happen(time);
    }
  }

  /** New jobs are tested at this moment, each alone, and nothing starts. */
  public void testNow() {
    if (time != null) {
      schedule(time, false, false);
    }
  }

  /** Lets time pass up to an instant, unless that is the present. */
  public void reach(Instant at) {
    if (time == null || at.isAfter(time)) {
      advanceTo(at);
    }
  }

  /** Lets time pass up to an instant, and what is due then happen. */
  public void advanceTo(Instant until) {
    if (time == null) {
      time = until;
      take(core.takeOver(until));
    }
    Instant next = next();
    while (next != null && !next.isAfter(until)) {
      time = next.isAfter(time) ? next : time;
      happen(time);
      next = next();
    }
    if (until.isAfter(time)) {
      time = until;
    }
    happen(time);
  }

  private @Nullable Instant next() {
    Instant next = core.nextDue();
    for (Participant participant : participants) {
      next = earlier(next, participant.next());
    }
    return earlier(earlier(next, nextBackfill), nextMain);
  }

  private static @Nullable Instant earlier(@Nullable Instant a, @Nullable Instant b) {
    return a == null || b != null && b.isBefore(a) ? b : a;
  }

  /** Everything that is due at one moment, until nothing more comes of it. */
  private void happen(Instant now) {
    core.listenFrom(now);
    take(core.due(now));
    boolean more = true;
    while (more) {
      more = !failures.isEmpty();
      List<Command> failed = List.copyOf(failures);
      failures.clear();
      failed.forEach(command -> perform(command, now));
      for (Participant participant : participants) {
        for (Command command : participant.advance(now)) {
          perform(command, now);
          more = true;
        }
      }
      if (told.contains(now)) {
        nextMain = later(nextMain, now);
        nextBackfill = later(nextBackfill, now);
        continue;
      }
      boolean backfill = nextBackfill != null && !nextBackfill.isAfter(now);
      boolean main = nextMain != null && !nextMain.isAfter(now);
      boolean rests = rest != null && now.isBefore(rest);
      if (!rests && (wanted || backfill || main)) {
        wanted = false;
        schedule(now, true, backfill);
        more = true;
      }
    }
  }

  private Instant interval(Instant since) {
    return since.plusSeconds(
        Math.max(1, core.state().config().scheduling().schedIntervalSeconds()));
  }

  private static @Nullable Instant later(@Nullable Instant due, Instant now) {
    return due == null || due.isAfter(now) ? due : now.plusSeconds(1);
  }

  private void schedule(Instant now, boolean main, boolean backfill) {
    ClusterState seen = core.state();
    SchedulingPolicy policy = seen.config().scheduling();
    EnumSet<Pass> passes = EnumSet.of(Pass.HOUSEKEEPING);
    if (main) {
      passes.add(Pass.MAIN);
    }
    if (backfill) {
      passes.add(Pass.BACKFILL);
    }
    if (main && (nextWhole == null || !nextWhole.isAfter(now))) {
      passes.add(Pass.WHOLE_QUEUE);
      nextWhole = interval(now);
    }
    Step step = parts.scheduler().step(seen, now, passes);
    statistics.pass(step.figures(), backfill, 0, now);
    Proposals.Open open = new Proposals.Open(seen, step.decisions());
    Core.Outcome accepted = core.accept(open, Integer.MAX_VALUE, now);
    take(accepted);
    wanted &= !main;
    int interval = Math.max(1, policy.bfIntervalSeconds());
    boolean backfills = policy.backfill();
    if (regular && main) {
      long pause = Math.min(Batches.delay(policy).toSeconds(), policy.schedIntervalSeconds());
      nextMain = now.plusSeconds(Math.max(1, pause));
    }
    if (backfill) {
      nextBackfill = regular && backfills ? now.plusSeconds(interval) : null;
    } else if (nextBackfill == null && backfills) {
      nextBackfill = now.plusSeconds(interval);
    }
    if (rest != null) {
      restUntil(rest);
    }
    if (main && accepted.turn().wantsPassAtOnce()) {
      // Tasks that part in a pass are looked at in it; they start in the next one.
      schedule(now, false, false);
    }
  }

  private void take(Core.Outcome outcome) {
    pending.addAll(outcome.turn().events());
    follower.accept(outcome.turn().events());
    statistics.count(outcome.turn().events());
    scripts.putAll(outcome.turn().scripts());
    wanted |= regular ? outcome.turn().wantsPassAtOnce() : outcome.turn().wantsPass();
    if (pending.size() >= BATCH) {
      flush();
    }
    for (Effect effect : outcome.turn().effects()) {
      parts.links().perform(effect, this::script, failures::add);
    }
  }

  private Optional<JobScript> script(int id) {
    JobScript fresh = scripts.get(id);
    return fresh == null ? parts.journal().script(id) : Optional.of(fresh);
  }

  void append(List<Event> events) {
    pending.addAll(events);
  }

  /** Makes everything so far durable. */
  void flush() {
    if (!pending.isEmpty()) {
      parts.journal().append(List.of(new Journal.Batch(pending, Immutable.sortedMap(scripts))));
      pending.clear();
      scripts.clear();
    }
  }
}
