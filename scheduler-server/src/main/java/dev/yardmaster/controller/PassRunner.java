package dev.yardmaster.controller;

import dev.yardmaster.engine.Decision;
import dev.yardmaster.engine.Pass;
import dev.yardmaster.engine.PassTrace;
import dev.yardmaster.engine.Step;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.model.PassFigures;
import dev.yardmaster.model.SchedulingPolicy;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says when the queue is looked at, as Slurm does: the main pass each batch_sched_delay while
 * something waits for it, and at the whole queue each sched_interval; backfill by itself each
 * bf_interval, for the first time after one, unless there are jobs already. Runs scheduling passes
 * one after another on a thread of its own, each on a state that does not change, and hands over
 * what they propose. Owned by the writer's thread, except where said.
 */
final class PassRunner {
  private static final Logger LOG = LoggerFactory.getLogger(PassRunner.class);
  private static final Duration SHORTEST_GAP = Duration.ofMillis(20);

  /** Each new job by itself: its priority, and what keeps it; nothing starts. */
  private static final Set<Pass> NEWCOMERS = EnumSet.of(Pass.HOUSEKEEPING);

  /** Of the time at most a fifth goes into looks at new jobs, which the next pass sees anyway. */
  private static final int NEWCOMERS_REST = 4;

  private final Scheduler scheduler;
  private final InstantSource clock;
  private final Duration stuckAfter;
  private final Statistics statistics;
  private final Consumer<Proposal> proposals;
  private final AtomicReference<PassFigures> figures = new AtomicReference<>(PassFigures.NONE);
  private final Batches batch = new Batches();
  private boolean wanted;
  private boolean newcomers;
  private @Nullable Running running;
  private long lastEndNanos;
  private long lastNanos;
  private long lookedNanos;
  private long nextWholeNanos;
  private long nextBackfillNanos;
  private boolean begun;

  /** What a pass proposes, and the state it saw. */
  record Proposal(Thread pass, ClusterState seen, List<Decision> decisions) {}

  private record Running(Thread thread, Instant since, long sinceNanos) {}

  /**
   * @param proposals takes proposals; called on the thread of a pass
   */
  PassRunner(
      Scheduler scheduler,
      InstantSource clock,
      Duration stuckAfter,
      Statistics statistics,
      Consumer<Proposal> proposals) {
    this.scheduler = scheduler;
    this.clock = clock;
    this.stuckAfter = stuckAfter;
    this.statistics = statistics;
    this.proposals = proposals;
    this.lastEndNanos = System.nanoTime();
    this.lookedNanos = lastEndNanos;
    this.nextWholeNanos = lastEndNanos;
    this.nextBackfillNanos = lastEndNanos;
  }

  /** From any thread. */
  PassFigures figures() {
    return figures.get();
  }

  /** Asks for a pass soon. */
  void request() {
    wanted = true;
  }

  /**
   * Asks for a main pass when the next one is due. Until then what came is looked at by itself, so
   * that it shows its priority and what keeps it as soon as it is submitted.
   */
  void requestForBatch(SchedulingPolicy policy) {
    newcomers = true;
    batch.add(System.nanoTime(), policy);
  }

  /** Starts a pass when one is due and none runs; gives up one that is stuck. */
  void maybeStart(ClusterState state) {
    long nanos = System.nanoTime();
    if (running != null) {
      if (nanos - running.sinceNanos() <= stuckAfter.toNanos()) {
        return;
      }
      LOG.error("the scheduling pass begun at {} does not end; it is given up", running.since());
      running.thread().interrupt();
      running = null;
      wanted = true;
    }
    SchedulingPolicy policy = state.config().scheduling();
    if (!begun) {
      begun = true;
      nextBackfillNanos = nanos + (state.jobs().isEmpty() ? interval(policy) : 0);
    }
    boolean gathers = batch.untilRest(nanos) > 0;
    boolean whole = !gathers && nanos - nextWholeNanos >= 0;
    boolean due = batch.isOpen() && batch.untilDue(nanos, lookedNanos) <= 0;
    boolean asked = wanted && nanos - lastEndNanos >= gapNanos();
    boolean main = whole || due || asked;
    boolean backfill = !gathers && policy.backfill() && nanos - nextBackfillNanos >= 0;
    if (!main && !backfill) {
      testNewcomers(state, nanos);
      return;
    }
    EnumSet<Pass> passes = EnumSet.of(Pass.HOUSEKEEPING);
    newcomers = false;
    if (main) {
      passes.add(Pass.MAIN);
      wanted = false;
      batch.close();
      lookedNanos = nanos;
    }
    if (whole) {
      passes.add(Pass.WHOLE_QUEUE);
      nextWholeNanos = nanos + seconds(policy.schedIntervalSeconds());
    }
    if (backfill) {
      passes.add(Pass.BACKFILL);
      long interval = interval(policy);
      // Where both fall together they take turns from then on, so that nothing waits long for one.
      nextBackfillNanos = nanos + (main ? interval / 2 : interval);
    }
    start(state, passes, nanos);
  }

  private void testNewcomers(ClusterState state, long nanos) {
    if (newcomers && nanos - lastEndNanos >= newcomersGapNanos()) {
      newcomers = false;
      start(state, NEWCOMERS, nanos);
    }
  }

  private void start(ClusterState state, Set<Pass> passes, long nanos) {
    Thread thread = Thread.ofPlatform().name("pass").daemon().unstarted(() -> run(state, passes));
    running = new Running(thread, clock.instant(), nanos);
    thread.start();
  }

  private static long interval(SchedulingPolicy policy) {
    return seconds(policy.bfIntervalSeconds());
  }

  private static long seconds(int seconds) {
    return Duration.ofSeconds(Math.max(1, seconds)).toNanos();
  }

  /** After a long pass the machine gets as long a rest, so that commands are answered. */
  private long gapNanos() {
    return Math.max(SHORTEST_GAP.toNanos(), lastNanos);
  }

  private long newcomersGapNanos() {
    return Math.max(SHORTEST_GAP.toNanos(), NEWCOMERS_REST * lastNanos);
  }

  /** How long until {@link #maybeStart} may have something to do, when nothing else happens. */
  Duration untilNext() {
    long nanos = System.nanoTime();
    if (running != null) {
      return Duration.ofSeconds(1);
    }
    long next =
        Math.max(batch.untilRest(nanos), Math.min(nextWholeNanos, nextBackfillNanos) - nanos);
    if (batch.isOpen()) {
      next = Math.min(next, batch.untilDue(nanos, lookedNanos));
    }
    if (newcomers) {
      next = Math.min(next, lastEndNanos + newcomersGapNanos() - nanos);
    }
    if (wanted) {
      next = Math.min(next, lastEndNanos + gapNanos() - nanos);
    }
    return Duration.ofNanos(Math.max(0, next));
  }

  /** Whether a proposal is that of the present pass, not of one that was given up. */
  boolean isRunning(Proposal proposal) {
    return running != null && running.thread() == proposal.pass();
  }

  /** The proposal of the present pass was dealt with; the next pass may begin. */
  void finished(Proposal proposal) {
    if (running != null && isRunning(proposal)) {
      lastEndNanos = System.nanoTime();
      lastNanos = lastEndNanos - running.sinceNanos();
      running = null;
    }
  }

  private void run(ClusterState state, Set<Pass> passes) {
    Step step = null;
    try {
      Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
      long begin = System.nanoTime();
      step = scheduler.step(state, now, passes);
      long micros = (System.nanoTime() - begin) / 1000;
      if (passes.contains(Pass.MAIN) || passes.contains(Pass.BACKFILL)) {
        count(step.figures(), passes.contains(Pass.BACKFILL), micros, now);
      }
    } catch (RuntimeException e) {
      LOG.error("a scheduling pass failed", e);
    }
    List<Decision> decisions = step == null ? List.of() : step.decisions();
    proposals.accept(new Proposal(Thread.currentThread(), state, decisions));
  }

  private void count(PassTrace trace, boolean backfill, long micros, Instant now) {
    LOG.debug(
        "{} pass: {} pending, {} tried, {} us",
        backfill ? "backfill" : "main",
        trace.pending(),
        backfill ? trace.backfillDepth() : trace.mainDepth(),
        micros);
    statistics.pass(trace, backfill, micros, now);
    figures.updateAndGet(
        f ->
            new PassFigures(
                now,
                backfill ? f.mainPassMicros() : micros,
                backfill ? micros : f.backfillMicros(),
                trace.mainDepth(),
                backfill ? trace.backfillDepth() : f.backfillDepth(),
                f.passes() + 1));
  }
}
