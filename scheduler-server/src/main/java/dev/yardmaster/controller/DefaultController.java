package dev.yardmaster.controller;

import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.engine.state.Event;
import dev.yardmaster.engine.state.Moment;
import dev.yardmaster.journal.Journal;
import dev.yardmaster.journal.JournalException;
import dev.yardmaster.model.ClusterConfig;
import dev.yardmaster.model.JobScript;
import dev.yardmaster.model.PassFigures;
import dev.yardmaster.model.SchedulingPolicy;
import dev.yardmaster.model.SlurmError;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The controller: one thread handles commands one after another, another makes what came of them
 * durable, all that waits at once, and only then answers; passes and effects have threads of their
 * own, so that no command waits for a pass or a node.
 */
public final class DefaultController implements Controller {
  private static final Logger LOG = LoggerFactory.getLogger(DefaultController.class);
  private static final int ROUND = 512;
  private static final int SLICE = 1_000;
  private static final Duration LONGEST_WAIT = Duration.ofMillis(250);

  private final ControllerParts parts;
  private final Core core;
  private final CommitQueue commits;
  private final Statistics statistics;
  private final PassRunner passes;
  private final BlockingQueue<Message> inbox = new LinkedBlockingQueue<>();
  private final ExecutorService effectThread =
      Executors.newSingleThreadExecutor(Thread.ofPlatform().name("effects").factory());
  private final ExecutorService testOnlyThread =
      Executors.newSingleThreadExecutor(Thread.ofPlatform().name("test-only").daemon().factory());
  private final Thread writer = Thread.ofPlatform().name("controller").unstarted(this::run);
  private int generation;
  private Instant lastDue = Instant.MIN;
  private volatile boolean closed;

  /** What reaches the writer's thread. */
  private sealed interface Message {}

  private record Asked(Command command, CompletableFuture<Reply> reply) implements Message {}

  private record Proposed(PassRunner.Proposal proposal, Proposals.Open open) implements Message {}

  private record Wake() implements Message {}

  private record Stop() implements Message {}

  private DefaultController(ControllerParts parts, Core core, ClusterState durable) {
    this.parts = parts;
    this.core = core;
    this.statistics = new Statistics(now(parts));
    this.commits =
        new CommitQueue(
            parts.journal(), durable, parts.tuning().snapshotEvery(), this::performLater);
    this.passes =
        new PassRunner(
            parts.scheduler(),
            parts.clock(),
            parts.tuning().stuckAfter(),
            statistics,
            proposal ->
                inbox.add(
                    new Proposed(
                        proposal, new Proposals.Open(proposal.seen(), proposal.decisions()))));
  }

  /**
   * Recovers the state, applies the configuration and starts.
   *
   * @throws dev.yardmaster.journal.JournalException when the journal is damaged or that of another
   *     cluster
   * @throws RuntimeException as the reader of the configuration says
   */
  public static DefaultController start(ControllerParts parts) {
    return start(parts, Prelude.NONE);
  }

  /** As {@link #start(ControllerParts)}, after a past in virtual time. */
  public static DefaultController start(ControllerParts parts, Prelude prelude) {
    ClusterConfig config = parts.configs().get();
    Instant now = now(parts);
    Recovery recovery = Recovery.of(parts.journal(), config, prelude.begins(now), now);
    Core core =
        new Core(
            recovery.state(), parts.admission(), parts.links(), parts.configs(), parts.zone(), now);
    core.startIdsAbove(parts.tuning().usedJobId());
    VirtualRun past = new VirtualRun(core, parts, recovery.isNew());
    past.append(recovery.events());
    prelude.play(past, now);
    past.flush();
    DefaultController controller = new DefaultController(parts, core, core.state());
    controller.commits.start();
    controller.writer.start();
    return controller;
  }

  static Instant now(ControllerParts parts) {
    return parts.clock().instant().truncatedTo(ChronoUnit.SECONDS);
  }

  @Override
  public CompletionStage<Reply> handle(Command command) {
    CompletableFuture<Reply> reply = new CompletableFuture<>();
    if (closed) {
      reply.complete(new Reply.Refused(SlurmError.JOURNAL, "\nthe controller is shutting down"));
    } else {
      inbox.add(new Asked(command, reply));
    }
    return reply.minimalCompletionStage();
  }

  @Override
  public Moment present() {
    return commits.present();
  }

  @Override
  public PassFigures figures() {
    return passes.figures();
  }

  @Override
  public StepBook steps() {
    return core.steps();
  }

  @Override
  public NodeMeasures measures() {
    return core.measures();
  }

  @Override
  public Optional<String> trouble() {
    return commits.trouble();
  }

  @Override
  public Statistics statistics() {
    return statistics;
  }

  @Override
  public Runnable follow(Follower follower) {
    return commits.follow(follower);
  }

  /** The script that is kept for a job. */
  public Optional<JobScript> script(int jobId) {
    return parts.journal().script(jobId);
  }

  /** Looks at the clock now; for clocks that jump. */
  public void wake() {
    inbox.add(new Wake());
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    inbox.add(new Stop());
    try {
      writer.join();
      commits.close();
      effectThread.shutdown();
      effectThread.awaitTermination(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      testOnlyThread.shutdownNow();
      parts.journal().close();
    }
  }

  private void run() {
    Round round = new Round();
    round.add(core.takeOver(now(parts)), null);
    List<Message> messages = new ArrayList<>();
    boolean goesOn = true;
    while (goesOn) {
      recoverFromFailedWrite(round);
      for (Message message : messages) {
        try {
          goesOn &= handle(message, round);
        } catch (RuntimeException e) {
          LOG.error("cannot handle {}", message, e);
          if (message instanceof Asked asked) {
            asked.reply().complete(new Reply.Refused(SlurmError.UNSPECIFIED, "\n" + e));
          }
        }
      }
      checkTime(round);
      round.hand();
      passes.maybeStart(core.state());
      messages.clear();
      if (goesOn) {
        receive(messages);
      }
    }
  }

  private void receive(List<Message> messages) {
    Duration wait = passes.untilNext();
    if (wait.compareTo(LONGEST_WAIT) > 0) {
      wait = LONGEST_WAIT;
    }
    try {
      Message first = inbox.poll(wait.toNanos(), TimeUnit.NANOSECONDS);
      if (first != null) {
        messages.add(first);
        inbox.drainTo(messages, ROUND - 1);
      }
    } catch (InterruptedException e) {
      messages.add(new Stop());
    }
  }

  private boolean handle(Message message, Round round) {
    switch (message) {
      case Asked asked when asked.command() instanceof Command.TestOnly test ->
          testOnly(test, asked.reply(), round);
      case Asked asked -> {
        Core.Outcome outcome = core.handle(asked.command(), now(parts));
        round.add(outcome, asked.reply());
        if (asked.command() instanceof Command.NodeRegistered) {
          passes.nodeCame(core.state());
        }
      }
      case Proposed proposed -> accept(proposed, round);
      case Wake wake -> lastDue = Instant.MIN;
      case Stop stop -> {
        return false;
      }
    }
    return true;
  }

  /** Accepts some decisions of a pass; the rest waits behind the commands that have come. */
  private void accept(Proposed proposed, Round round) {
    if (!passes.isRunning(proposed.proposal())) {
      return;
    }
    round.add(core.accept(proposed.open(), SLICE, now(parts)), null);
    if (proposed.open().isDone()) {
      passes.finished(proposed.proposal());
    } else {
      inbox.add(proposed);
    }
  }

  private void testOnly(Command.TestOnly test, CompletableFuture<Reply> reply, Round round) {
    Instant now = now(parts);
    Core.Outcome outcome = core.tryOut(test, now);
    if (outcome.reply() instanceof Reply.Submitted submitted) {
      round.add(core.useJobId(now), null);
      testOnlyThread.execute(
          () ->
              reply.complete(
                  TestOnly.answer(parts.scheduler(), outcome.after(), submitted.jobId(), now)));
    } else if (outcome.reply() != null) {
      reply.complete(outcome.reply());
    }
  }

  private void checkTime(Round round) {
    Instant now = now(parts);
    Instant next = core.nextDue();
    if (!now.equals(lastDue) || next != null && !next.isAfter(now)) {
      lastDue = now;
      round.add(core.due(now), null);
    }
  }

  /** What was handled on top of a state that could not be written is handled no further. */
  private void recoverFromFailedWrite(Round round) {
    int current = commits.generation();
    if (current != generation) {
      generation = current;
      core.reset(commits.durable());
      round.add(core.takeOver(now(parts)), null);
    }
  }

  private void performLater(List<Effect> effects) {
    effectThread.execute(
        () ->
            effects.forEach(e -> parts.links().perform(e, parts.journal()::script, this::handle)));
  }

  /** Collects what one round of the writer came to. */
  private final class Round {
    private List<Event> events = new ArrayList<>();
    private SortedMap<Integer, JobScript> scripts = new TreeMap<>();
    private List<Effect> effects = new ArrayList<>();
    private List<CommitQueue.Answer> answers = new ArrayList<>();

    void add(Core.Outcome outcome, @Nullable CompletableFuture<Reply> reply) {
      events.addAll(outcome.turn().events());
      statistics.count(outcome.turn().events());
      scripts.putAll(outcome.turn().scripts());
      effects.addAll(outcome.turn().effects());
      if (reply != null && outcome.reply() != null) {
        answers.add(new CommitQueue.Answer(reply, outcome.reply()));
      }
      if (outcome.turn().wantsPassAtOnce()) {
        passes.request();
      } else if (outcome.turn().wantsPass()) {
        SchedulingPolicy policy = core.state().config().scheduling();
        if (outcome.turn().editsAccounts()) {
          passes.requestForNext(policy);
        } else {
          passes.requestForBatch(policy);
        }
      }
    }

    /** Hands everything over to be made durable. */
    void hand() {
      if (events.isEmpty() && effects.isEmpty() && answers.isEmpty()) {
        return;
      }
      commits.put(
          new CommitQueue.Round(generation, events, scripts, effects, answers, core.state()));
      events = new ArrayList<>();
      scripts = new TreeMap<>();
      effects = new ArrayList<>();
      answers = new ArrayList<>();
    }
  }

  /** The state to go on from, and the events that lead there from what was recovered. */
  private record Recovery(ClusterState state, List<Event> events, boolean isNew) {
    static Recovery of(Journal journal, ClusterConfig config, Instant begin, Instant now) {
      Optional<Journal.Recovered> recovered = journal.recover();
      if (recovered.isEmpty()) {
        Event first = new Event.ConfigApplied(begin, config);
        return new Recovery(ClusterState.initial(config, begin), List.of(first), true);
      }
      ClusterState state = recovered.get().state();
      String refusal = Core.ofAnotherCluster(state, config);
      if (refusal != null) {
        throw new JournalException(refusal);
      }
      ClusterState asInFile = state.apply(new Event.ConfigApplied(state.time(), config));
      if (asInFile.equals(state)) {
        return new Recovery(state, List.of(), false);
      }
      Instant at = now.isBefore(state.time()) ? state.time() : now;
      Event applied = new Event.ConfigApplied(at, config);
      return new Recovery(state.apply(applied), List.of(applied), false);
    }
  }
}
