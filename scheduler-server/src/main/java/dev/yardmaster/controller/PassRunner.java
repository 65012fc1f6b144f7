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
 * Says when the queue is looked at, as Slurm does. Its main loop wakes at each whole second and
 * looks at the whole queue sched_interval after it last did, or, while something waits for a look,
 * batch_sched_delay after the last look; both count from its start, and until the first look they
 * are Slurm's defaults. Backfill comes by itself each bf_interval, for the first time after one;
 * when it had nothing to test, it asks once a second from then on whether anything has changed. The
 * start is that of the last node, as long as there are no jobs; who comes back to jobs looks at
 * them at once.
 *
 * <p>Runs scheduling passes one after another on a thread of its own, each on a state that does not
 * change, and hands over what they propose. Owned by the writer's thread, except where said.
 */
final class PassRunner {
  private static final Logger LOG = LoggerFactory.getLogger(PassRunner.class);
  private static final Duration SHORTEST_GAP = Duration.ofMillis(20);

  /** Each new job by itself: its priority, and what keeps it; nothing starts. */
  private static final Set<Pass> NEWCOMERS = EnumSet.of(Pass.HOUSEKEEPING);

  /** Of the time at most a fifth goes into looks at new jobs, which the next pass sees anyway. */
  private static final int NEWCOMERS_REST = 4;

  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  /** sched_interval by default. */
  private static final int DEFAULT_INTERVAL = 60;

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
  private final long wholeSecondNanos;
  private long looked;
  private long lookedAtWhole;
  private long nextBackfillNanos;
  private int wholeInterval;
  private boolean backfills;
  private @Nullable ClusterState backfilled;
  private boolean begun;
  private boolean settled;

  /** What a pass proposes, and the state it saw. */
  record Proposal(Thread pass, ClusterState seen, List<Decision> decisions) {}

  private record Running(Thread thread, Instant since, long sinceNanos) {}

  /** Whether the last backfill had nothing to test. */
  private volatile boolean idle;

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
    this.wholeSecondNanos = lastEndNanos - clock.instant().getNano();
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

  /** The same for what is no part of a row of submissions and changes. */
  void requestForNext(SchedulingPolicy policy) {
    newcomers = true;
    batch.want(policy);
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
      begin(state, nanos);
    }
    wholeInterval = settled ? Math.max(1, policy.schedIntervalSeconds()) : DEFAULT_INTERVAL;
    boolean gathers = batch.untilRest(nanos) > 0;
    boolean whole = !gathers && second(nanos) >= nextWhole();
    boolean due = !gathers && batch.isOpen() && second(nanos) >= nextBatch();
    boolean asked = wanted && nanos - lastEndNanos >= gapNanos();
    boolean main = whole || due || asked;
    backfills = policy.backfill();
    boolean backfill = backfills && !gathers && nanos - nextBackfillNanos >= 0;
    if (backfill && idle && isAsBackfillSawIt(state)) {
      nextBackfillNanos = nanos + SECOND;
      backfill = false;
    }
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
    }
    if (whole || due) {
      settled = true;
      looked = second(nanos);
    }
    if (whole) {
      passes.add(Pass.WHOLE_QUEUE);
      lookedAtWhole = looked;
    }
    if (backfill) {
      passes.add(Pass.BACKFILL);
      nextBackfillNanos = nanos + interval(policy);
      backfilled = state;
    }
    start(state, passes, nanos);
  }

  private boolean isAsBackfillSawIt(ClusterState state) {
    ClusterState seen = backfilled;
    return seen != null
        && seen.jobs() == state.jobs()
        && seen.nodes() == state.nodes()
        && seen.partitions() == state.partitions()
        && seen.reservations() == state.reservations();
  }

  /** A node is there: where nothing waits or runs yet, intervals count from now on. */
  void nodeCame(ClusterState state) {
    if (state.jobs().isEmpty()) {
      begin(state, System.nanoTime());
    }
  }

  private void begin(ClusterState state, long nanos) {
    boolean anew = state.jobs().isEmpty();
    begun = true;
    settled = !anew;
    looked = second(nanos);
    lookedAtWhole = anew ? looked : looked - DEFAULT_INTERVAL;
    nextBackfillNanos = nanos + (anew ? interval(state.config().scheduling()) : 0);
  }

  /** Counted from some moment on, as the clock's seconds begin. */
  private long second(long nanos) {
    return Math.floorDiv(nanos - wholeSecondNanos, SECOND);
  }

  private long nextWhole() {
    return lookedAtWhole + wholeInterval;
  }

  private long nextBatch() {
    return looked + (settled ? batch.delaySeconds() : batch.firstDelaySeconds());
  }

  private long untilSecond(long second, long nanos) {
    return wholeSecondNanos + second * SECOND - nanos;
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
    if (!begun) {
      return Duration.ZERO;
    }
    long next = untilSecond(nextWhole(), nanos);
    if (backfills) {
      next = Math.min(next, nextBackfillNanos - nanos);
    }
    if (batch.isOpen()) {
      next = Math.min(next, untilSecond(nextBatch(), nanos));
    }
    next = Math.max(batch.untilRest(nanos), next);
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
      if (passes.contains(Pass.BACKFILL)) {
        idle = step.figures().backfillDepth() == 0 && step.decisions().isEmpty();
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
