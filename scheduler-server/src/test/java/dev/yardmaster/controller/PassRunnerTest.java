package dev.yardmaster.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.engine.Engine;
import dev.yardmaster.engine.Pass;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.engine.state.Event;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobOwner;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.SchedulingPolicy;
import dev.yardmaster.model.SchedulingPolicyBuilder;
import dev.yardmaster.node.Jobs;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PassRunnerTest {
  private static final Instant START = Instant.parse("2026-03-01T08:00:00Z");
  private static final SchedulingPolicy LONG =
      SchedulingPolicy.defaults()
          .with(p -> p.parameters(Immutable.sortedMap(Map.of("batch_sched_delay", "3000"))));
  private static final SchedulingPolicy NONE =
      SchedulingPolicy.defaults()
          .with(p -> p.parameters(Immutable.sortedMap(Map.of("batch_sched_delay", "0"))));

  private static final ClusterState EMPTY = empty(p -> p.bfIntervalSeconds(1));

  private final ClusterState state = withJob(EMPTY);
  private final BlockingQueue<PassRunner.Proposal> proposals = new LinkedBlockingQueue<>();
  private final BlockingQueue<EnumSet<Pass>> ran = new LinkedBlockingQueue<>();
  private final PassRunner runner = runner();

  private Instant began = Instant.EPOCH;

  private static ClusterState empty(Consumer<SchedulingPolicyBuilder> change) {
    return ClusterState.initial(
        TestCluster.config().with(c -> c.scheduling(SchedulingPolicy.defaults().with(change))),
        START);
  }

  private static final JobOwner OWNER = new JobOwner("root", 0, "root", 0, "", "", "");

  /** A cluster where one job runs, and another waits. */
  private static ClusterState withJob(ClusterState state) {
    Job waiting =
        Jobs.running(2, OWNER, "/")
            .with(j -> j.state(JobState.PENDING).started(null).ended(null).allocation(null));
    return withRunning(state).apply(new Event.JobSubmitted(START, waiting));
  }

  private static ClusterState withRunning(ClusterState state) {
    return state.apply(new Event.JobSubmitted(START, Jobs.running(1, OWNER, "/")));
  }

  private PassRunner runner() {
    return new PassRunner(
        (seen, now, passes) -> {
          began = Instant.now();
          ran.add(EnumSet.copyOf(passes));
          return Engine.step(seen, now, passes);
        },
        InstantSource.system(),
        Duration.ofMinutes(1),
        new Statistics(Instant.EPOCH),
        proposals::add);
  }

  /** Where jobs are, all is looked at at once; that is over. */
  @BeforeEach
  void firstPass() throws InterruptedException {
    runner.maybeStart(state);
    runner.finished(proposal());
    assertThat(ran.remove()).contains(Pass.MAIN, Pass.WHOLE_QUEUE, Pass.BACKFILL);
  }

  /** Lets the runner start what is due, and waits for the end of it. */
  private void runNext() throws InterruptedException {
    runNext(runner, state);
  }

  private void runNext(PassRunner runner, ClusterState state) throws InterruptedException {
    while (proposals.isEmpty() && !runner.untilNext().equals(Duration.ofSeconds(1))) {
      runner.maybeStart(state);
    }
    runner.finished(proposal());
  }

  private PassRunner.Proposal proposal() throws InterruptedException {
    PassRunner.Proposal proposal = proposals.poll(20, TimeUnit.SECONDS);
    assertThat(proposal).isNotNull();
    return proposal;
  }

  @Test
  void submissionsWaitForTheNextMainPassAndAreLookedAtByThemselves() throws Exception {
    runner.requestForBatch(LONG);
    runNext();
    assertThat(ran).containsExactly(EnumSet.of(Pass.HOUSEKEEPING));
    assertThat(runner.figures().passes()).as("a look is no pass").isEqualTo(1);
    runner.maybeStart(state);
    assertThat(ran).as("they are looked at once").hasSize(1);
    assertThat(runner.untilNext()).isBetween(Duration.ofSeconds(280), Duration.ofSeconds(300));
  }

  @Test
  void whatIsAskedForAtOnceTakesWhatWaitsAlong() throws InterruptedException {
    runner.requestForBatch(LONG);
    runner.request();
    assertThat(runner.untilNext()).isLessThan(Duration.ofSeconds(1));
    runNext();
    assertThat(ran).singleElement().satisfies(passes -> assertThat(passes).contains(Pass.MAIN));
    assertThat(runner.untilNext()).isLessThan(Duration.ofSeconds(100));
  }

  @Test
  void backfillComesByItselfAndLeavesTheMainPassToItsOwnTime() throws InterruptedException {
    runNext();
    runNext();
    EnumSet<Pass> alone = EnumSet.of(Pass.HOUSEKEEPING, Pass.BACKFILL);
    assertThat(ran).containsExactly(alone, alone);
  }

  @Test
  void backfillThatHadNothingToDoComesBackWhenSomethingChanges() throws InterruptedException {
    ClusterState quiet = withRunning(empty(p -> p.bfIntervalSeconds(2)));
    PassRunner another = runner();
    runNext(another, quiet);
    assertThat(ran.remove()).contains(Pass.BACKFILL);
    long end = System.nanoTime() + Duration.ofMillis(2_300).toNanos();
    while (System.nanoTime() < end) {
      another.maybeStart(quiet);
      LockSupport.parkNanos(Math.min(another.untilNext().toNanos(), end - System.nanoTime()));
    }
    assertThat(ran).as("nothing has changed").isEmpty();
    assertThat(another.untilNext()).as("it asks each second").isLessThan(Duration.ofSeconds(1));
    runNext(another, withJob(quiet));
    assertThat(ran).containsExactly(EnumSet.of(Pass.HOUSEKEEPING, Pass.BACKFILL));
  }

  @Test
  void whereNoJobIsIntervalsCountFromTheLastNode() throws InterruptedException {
    PassRunner another = runner();
    another.maybeStart(EMPTY);
    another.nodeCame(EMPTY);
    assertThat(another.untilNext()).isBetween(Duration.ofMillis(900), Duration.ofSeconds(1));
    another.requestForBatch(SchedulingPolicy.defaults());
    runNext(another, EMPTY);
    assertThat(ran).as("nothing but a look").containsExactly(EnumSet.of(Pass.HOUSEKEEPING));
  }

  @Test
  void theMainPassComesWithAWholeSecond() throws InterruptedException {
    ClusterState often = withJob(empty(p -> p.schedIntervalSeconds(1)));
    PassRunner another = runner();
    runNext(another, often);
    for (int i = 0; i < 2; i++) {
      runNext(another, often);
      assertThat(began.getNano()).isLessThan(200_000_000);
    }
  }

  @Test
  void nothingIsDueAllTheTimeWithoutBackfill() throws InterruptedException {
    ClusterState builtin = withJob(empty(p -> p.backfill(false)));
    PassRunner another = runner();
    another.maybeStart(builtin);
    another.finished(proposal());
    assertThat(another.untilNext()).isGreaterThan(Duration.ofSeconds(10));
  }

  @Test
  void withoutADelayAPassComesAtOnce() {
    runner.requestForBatch(NONE);
    assertThat(runner.untilNext()).isLessThan(Duration.ofSeconds(1));
  }
}
