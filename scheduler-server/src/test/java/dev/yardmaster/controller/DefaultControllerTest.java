package dev.yardmaster.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.yardmaster.engine.Engine;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.engine.state.Event;
import dev.yardmaster.journal.Journal;
import dev.yardmaster.journal.JournalException;
import dev.yardmaster.journal.SqliteJournal;
import dev.yardmaster.model.Allocation;
import dev.yardmaster.model.ClusterConfig;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobScript;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.SlurmError;
import dev.yardmaster.node.SimulatedNodes;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DefaultControllerTest {
  @TempDir Path directory;
  private final NodeLinks links = new NodeLinks();

  private ControllerParts parts() {
    return parts(SqliteJournal.open(directory), Engine::step, ControllerParts.Tuning.DEFAULT);
  }

  private ControllerParts parts(
      Journal journal, Scheduler scheduler, ControllerParts.Tuning tuning) {
    return parts(journal, scheduler, tuning, TestCluster.config());
  }

  private ControllerParts parts(ClusterConfig config) {
    return parts(
        SqliteJournal.open(directory), Engine::step, ControllerParts.Tuning.DEFAULT, config);
  }

  private ControllerParts parts(
      Journal journal, Scheduler scheduler, ControllerParts.Tuning tuning, ClusterConfig config) {
    return new ControllerParts(
        journal,
        scheduler,
        new EngineAdmission(),
        links,
        () -> config,
        InstantSource.system(),
        ZoneOffset.UTC,
        tuning);
  }

  static <T> T await(CompletionStage<T> stage) throws Exception {
    return stage.toCompletableFuture().get(20, TimeUnit.SECONDS);
  }

  /** Waits until the durable state is as wanted, without polling. */
  static ClusterState awaitState(Controller controller, Predicate<ClusterState> wanted)
      throws Exception {
    CompletableFuture<ClusterState> reached = new CompletableFuture<>();
    Runnable unfollow =
        controller.follow(
            new Controller.Follower() {
              @Override
              public void start(ClusterState state, long sequence) {
                look(state);
              }

              @Override
              public void next(List<Event> events, ClusterState after, long sequence) {
                look(after);
              }

              private void look(ClusterState state) {
                if (wanted.test(state)) {
                  reached.complete(state);
                }
              }
            });
    try {
      return await(reached);
    } finally {
      unfollow.run();
    }
  }

  static Job job(ClusterState state, int id) {
    return Objects.requireNonNull(state.job(id));
  }

  @Test
  void aJobIsAcceptedStartedAndEnds() throws Exception {
    SimulatedNodes nodes = new SimulatedNodes(TestCluster.config(), InstantSource.system(), 1);
    nodes.attachTo(links);
    try (Controller controller = DefaultController.start(parts())) {
      nodes.goLive(controller, Duration.ofSeconds(30));
      Command submit =
          new Command.Submit(
              TestCluster.ALICE,
              TestCluster.submission("nodes=2", "gres=gpu:8"),
              Duration.ofSeconds(1));
      assertThat(await(controller.handle(submit))).isEqualTo(new Reply.Submitted(1, List.of()));
      ClusterState end =
          awaitState(
              controller,
              s -> {
                Job job = s.job(1);
                return job != null && job.state() == JobState.COMPLETED && !job.holdsResources();
              });
      Allocation allocation = Objects.requireNonNull(job(end, 1).allocation());
      assertThat(allocation.nodes()).hasToString("n[1-2]");
    } finally {
      nodes.close();
    }
  }

  private static Command.Submit submit(String... options) {
    return new Command.Submit(TestCluster.ALICE, TestCluster.submission(options));
  }

  @Test
  void theStateOfAnotherClusterIsRefusedAndLeftAsItIs() throws Exception {
    try (Controller controller = DefaultController.start(parts())) {
      assertThat(await(controller.handle(submit()))).isInstanceOf(Reply.Submitted.class);
    }
    ControllerParts others = parts(TestCluster.config().with(c -> c.clusterName("other")));
    assertThatThrownBy(() -> DefaultController.start(others))
        .isInstanceOf(JournalException.class)
        .hasMessageContaining("ClusterName=other")
        .hasMessageContaining("cluster lab");
    others.journal().close();
    try (Controller controller = DefaultController.start(parts())) {
      assertThat(controller.state().job(1)).isNotNull();
      assertThat(controller.state().config().clusterName()).isEqualTo("lab");
    }
  }

  @Test
  void aJobIsRequeuedWhenItsNodeLeftTheFileWhileTheControllerWasDown() throws Exception {
    SimulatedNodes nodes = new SimulatedNodes(TestCluster.config(), InstantSource.system(), 1);
    nodes.attachTo(links);
    try {
      try (Controller controller = DefaultController.start(parts())) {
        nodes.goLive(controller, Duration.ofSeconds(30));
        await(controller.handle(submit("nodelist=n6")));
        awaitState(controller, s -> s.job(1) != null && job(s, 1).state() == JobState.RUNNING);
      }
      try (Controller controller =
          DefaultController.start(parts(TestCluster.config(5, Map.of())))) {
        ClusterState state = awaitState(controller, s -> !job(s, 1).holdsResources());
        assertThat(job(state, 1).state()).isEqualTo(JobState.PENDING);
      }
    } finally {
      nodes.close();
    }
  }

  @Test
  void aSimulatedNodeThatAReconfigureBringsBackRegistersAgain() throws Exception {
    SimulatedNodes nodes = new SimulatedNodes(TestCluster.config(), InstantSource.system(), 1);
    nodes.attachTo(links);
    AtomicReference<ClusterConfig> file = new AtomicReference<>(TestCluster.config());
    ControllerParts parts =
        new ControllerParts(
            SqliteJournal.open(directory),
            Engine::step,
            new EngineAdmission(),
            links,
            file::get,
            InstantSource.system(),
            ZoneOffset.UTC,
            ControllerParts.Tuning.DEFAULT);
    try (Controller controller = DefaultController.start(parts)) {
      nodes.goLive(controller, Duration.ofHours(1));
      for (int count : List.of(6, 5, 7)) {
        file.set(TestCluster.config(count, Map.of()));
        assertThat(await(controller.handle(new Command.Reconfigure(TestCluster.ROOT))))
            .isInstanceOf(Reply.Done.class);
        awaitState(
            controller,
            s ->
                s.nodes().size() == count
                    && s.nodes().values().stream().allMatch(n -> n.status().isAvailable()));
      }
      await(controller.handle(submit("nodelist=n[6-7]")));
      awaitState(controller, s -> s.job(1) != null && job(s, 1).state() == JobState.RUNNING);
    } finally {
      nodes.close();
    }
  }

  /** A journal that can be made to fail. */
  private static final class Failing implements Journal {
    private final Journal real;
    volatile boolean full;

    Failing(Journal real) {
      this.real = real;
    }

    @Override
    public long append(List<Batch> batches) {
      if (full) {
        throw new JournalException("journal.db cannot be written: disk full");
      }
      return real.append(batches);
    }

    @Override
    public long lastSequence() {
      return real.lastSequence();
    }

    @Override
    public Optional<Recovered> recover() {
      return real.recover();
    }

    @Override
    public void read(long fromSequence, long toSequence, Consumer<Entry> reader) {
      real.read(fromSequence, toSequence, reader);
    }

    @Override
    public long sequenceAt(Instant at) {
      return real.sequenceAt(at);
    }

    @Override
    public Optional<Instant> timeOf(long sequence) {
      return real.timeOf(sequence);
    }

    @Override
    public long fingerprint(long sequence) {
      return real.fingerprint(sequence);
    }

    @Override
    public Optional<JobScript> script(int jobId) {
      return real.script(jobId);
    }

    @Override
    public void snapshot(ClusterState state, long sequence) {
      real.snapshot(state, sequence);
    }

    @Override
    public void close() {
      real.close();
    }
  }

  @Test
  void whatCannotBeWrittenIsRefusedAndTheControllerGoesOnWhenItCan() throws Exception {
    Failing journal = new Failing(SqliteJournal.open(directory));
    ControllerParts parts = parts(journal, Engine::step, ControllerParts.Tuning.DEFAULT);
    try (Controller controller = DefaultController.start(parts)) {
      assertThat(await(controller.handle(submit("hold")))).isInstanceOf(Reply.Submitted.class);
      journal.full = true;
      List<CompletionStage<Reply>> replies = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        replies.add(controller.handle(submit("hold")));
      }
      for (CompletionStage<Reply> reply : replies) {
        assertThat(await(reply))
            .isInstanceOfSatisfying(
                Reply.Refused.class, r -> assertThat(r.error()).isEqualTo(SlurmError.JOURNAL));
      }
      assertThat(controller.state().jobs().keySet()).containsExactly(1);
      assertThat(controller.trouble()).hasValueSatisfying(why -> assertThat(why).contains("full"));
      journal.full = false;
      Reply first = await(controller.handle(submit("hold")));
      Reply next =
          first instanceof Reply.Submitted ? first : await(controller.handle(submit("hold")));
      assertThat(next).isEqualTo(new Reply.Submitted(2, List.of()));
      assertThat(controller.trouble()).isEmpty();
    }
    try (Journal reopened = SqliteJournal.open(directory)) {
      assertThat(reopened.recover().orElseThrow().state().jobs().keySet()).containsExactly(1, 2);
    }
  }

  @Test
  void noCommandWaitsForAPass() throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch leave = new CountDownLatch(1);
    Scheduler slow =
        (state, now, passes) -> {
          entered.countDown();
          try {
            leave.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          return Engine.step(state, now, passes);
        };
    try (Controller controller =
        DefaultController.start(
            parts(SqliteJournal.open(directory), slow, ControllerParts.Tuning.DEFAULT))) {
      assertThat(entered.await(20, TimeUnit.SECONDS)).isTrue();
      for (int i = 1; i <= 20; i++) {
        assertThat(await(controller.handle(submit("hold"))))
            .isEqualTo(new Reply.Submitted(i, List.of()));
      }
      leave.countDown();
    }
  }

  @Test
  void aPassThatNeverEndsIsGivenUpAndTheNextOneRuns() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    Scheduler stuck =
        (state, now, passes) -> {
          if (calls.getAndIncrement() == 0) {
            try {
              new CountDownLatch(1).await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          }
          return Engine.step(state, now, passes);
        };
    SimulatedNodes nodes = new SimulatedNodes(TestCluster.config(), InstantSource.system(), 1);
    nodes.attachTo(links);
    try (Controller controller =
        DefaultController.start(
            parts(
                SqliteJournal.open(directory),
                stuck,
                new ControllerParts.Tuning(20_000, Duration.ofMillis(300), 0)))) {
      nodes.goLive(controller, Duration.ofSeconds(30));
      await(controller.handle(submit()));
      awaitState(controller, s -> s.job(1) != null && job(s, 1).state() == JobState.RUNNING);
      assertThat(calls).hasValueGreaterThan(1);
      assertThat(controller.figures().passes()).isPositive();
    } finally {
      nodes.close();
    }
  }

  @Test
  void aFollowerSeesEveryEventInOrderFromTheStateItWasGiven() throws Exception {
    CompletableFuture<Void> all = new CompletableFuture<>();
    List<String> faults = new ArrayList<>();
    try (Controller controller = DefaultController.start(parts())) {
      await(controller.handle(submit("hold")));
      controller.follow(
          new Controller.Follower() {
            private @Nullable ClusterState state;
            private long number;

            @Override
            public void start(ClusterState first, long sequence) {
              state = first;
              number = sequence;
            }

            @Override
            public void next(List<Event> events, ClusterState after, long sequence) {
              ClusterState own = Objects.requireNonNull(state);
              for (Event event : events) {
                own = own.apply(event);
              }
              number += events.size();
              if (!own.equals(after) || number != sequence) {
                faults.add("after " + events + " at " + sequence);
              }
              state = after;
              if (after.jobs().size() == 201) {
                all.complete(null);
              }
            }
          });
      for (int i = 0; i < 200; i++) {
        controller.handle(submit("hold"));
      }
      all.get(20, TimeUnit.SECONDS);
      assertThat(faults).isEmpty();
    }
  }

  @Test
  void aReplyComesAfterTheEventIsDurable() throws Exception {
    Journal journal = SqliteJournal.open(directory);
    try (Controller controller =
        DefaultController.start(parts(journal, Engine::step, ControllerParts.Tuning.DEFAULT))) {
      for (int i = 1; i <= 20; i++) {
        long sequence =
            controller
                .handle(submit("hold"))
                .thenApply(reply -> journal.lastSequence())
                .toCompletableFuture()
                .get(20, TimeUnit.SECONDS);
        List<Journal.Entry> entries = new ArrayList<>();
        journal.read(1, entries::add);
        int id = i;
        assertThat(entries)
            .anyMatch(
                e ->
                    e.sequence() <= sequence
                        && e.event() instanceof Event.JobSubmitted s
                        && s.job().id() == id);
      }
    }
  }

  @Test
  void testOnlySaysWhenAndWhereAndKeepsNothing() throws Exception {
    SimulatedNodes nodes = new SimulatedNodes(TestCluster.config(), InstantSource.system(), 1);
    nodes.attachTo(links);
    try (Controller controller = DefaultController.start(parts())) {
      nodes.goLive(controller, Duration.ofSeconds(30));
      awaitState(
          controller, s -> s.nodes().values().stream().allMatch(n -> n.status().isAvailable()));
      Reply reply =
          await(
              controller.handle(
                  new Command.TestOnly(
                      TestCluster.ALICE, TestCluster.submission("nodes=2", "time=5"))));
      assertThat(reply)
          .isInstanceOfSatisfying(
              Reply.WouldStart.class,
              w -> {
                assertThat(w.nodes()).isEqualTo("n[1-2]");
                assertThat(w.partition()).isEqualTo("main");
                assertThat(w.cpus()).isEqualTo(2);
              });
      Reply refused =
          await(
              controller.handle(
                  new Command.TestOnly(TestCluster.ALICE, TestCluster.submission("gres=gpu:9"))));
      assertThat(refused).isInstanceOf(Reply.Refused.class);
      assertThat(controller.state().jobs()).isEmpty();
    } finally {
      nodes.close();
    }
  }

  @Test
  void aClosedControllerRefuses() throws Exception {
    Controller controller = DefaultController.start(parts());
    controller.close();
    assertThat(await(controller.handle(submit()))).isInstanceOf(Reply.Refused.class);
    controller.close();
  }
}
