package dev.yardmaster.history;

import dev.yardmaster.controller.Command;
import dev.yardmaster.controller.ControllerParts;
import dev.yardmaster.controller.DefaultController;
import dev.yardmaster.controller.EngineAdmission;
import dev.yardmaster.controller.NodeLinks;
import dev.yardmaster.controller.Prelude;
import dev.yardmaster.controller.Reply;
import dev.yardmaster.controller.TestCluster;
import dev.yardmaster.controller.VirtualRun;
import dev.yardmaster.engine.Engine;
import dev.yardmaster.engine.explain.Explainer;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.explain.Explanation;
import dev.yardmaster.journal.SqliteJournal;
import dev.yardmaster.model.ClusterConfig;
import dev.yardmaster.model.Identity;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import dev.yardmaster.node.SimulatedNodes;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A cluster with a past that a test writes, explained while it was the present. */
public final class Past implements AutoCloseable {
  public static final Instant NOW = Instant.parse("2026-12-01T12:00:00Z");
  public static final Instant BEGIN = NOW.minus(Duration.ofHours(4));

  public final DefaultController controller;
  final SqliteJournal journal;
  public final History history;

  private Past(DefaultController controller, SqliteJournal journal, History history) {
    this.controller = controller;
    this.journal = journal;
    this.history = history;
  }

  /** Lives through a script, or goes on from what an earlier one left. */
  static Past of(Path directory, int spacing, Consumer<Present> script) {
    Present present = new Present();
    SqliteJournal journal = SqliteJournal.open(directory);
    NodeLinks links = new NodeLinks();
    SimulatedNodes nodes = new SimulatedNodes(present.config, () -> present.now, 1);
    nodes.attachTo(links);
    ControllerParts parts =
        new ControllerParts(
            journal,
            Engine::step,
            new EngineAdmission(),
            links,
            () -> present.config,
            () -> NOW,
            ZoneOffset.UTC,
            new ControllerParts.Tuning(500, Duration.ofMinutes(5), 0));
    Prelude prelude =
        new Prelude() {
          @Override
          public Instant begins(Instant now) {
            return BEGIN;
          }

          @Override
          public void play(VirtualRun run, Instant now) {
            run.join(nodes);
            if (run.isNew()) {
              present.played = run;
              run.advanceTo(BEGIN);
              script.accept(present);
              run.advanceTo(NOW);
            }
          }
        };
    DefaultController controller = DefaultController.start(parts, prelude);
    return new Past(
        controller, journal, History.open(directory, journal, controller, ZoneOffset.UTC, spacing));
  }

  public static Past of(Path directory, Consumer<Present> script) {
    return of(directory, 50_000, script);
  }

  public static Explanation explain(ClusterState state, int jobId, Instant at) {
    return Explainer.explain(state, jobId, at);
  }

  @Override
  public void close() {
    history.close();
    controller.close();
  }

  /** The cluster while the script is played; each command comes a second after what was before. */
  public static final class Present {
    public ClusterConfig config =
        TestCluster.config(6, Map.of("MinJobAge", "600", "PriorityType", "priority/multifactor"));
    private @Nullable VirtualRun played;
    public Instant now = BEGIN;
    final List<Explanation> explanations = new ArrayList<>();

    VirtualRun run() {
      return Objects.requireNonNull(played, "not begun");
    }

    public Reply command(Command command) {
      pass(1);
      Reply reply = run().handle(command, now);
      pass(1);
      return reply;
    }

    public void pass(long seconds) {
      now = now.plusSeconds(seconds);
      run().advanceTo(now);
    }

    /** Submits a job that works for so long; returns its id, or -1 when it was refused. */
    public int submit(Identity by, long seconds, String... options) {
      Reply reply =
          command(
              new Command.Submit(by, TestCluster.submission(options), Duration.ofSeconds(seconds)));
      return reply instanceof Reply.Submitted submitted ? submitted.jobId() : -1;
    }

    Reply update(int job, String field, String value) {
      return command(
          new Command.UpdateJob(
              TestCluster.ROOT,
              "" + job,
              Immutable.sortedMap(new TreeMap<>(Map.of(field, value)))));
    }

    /** Explains up to so many jobs as they are now. */
    void explain(int most) {
      ClusterState state = run().state();
      state.jobs().values().stream()
          .filter(job -> job.state() == JobState.PENDING || job.holdsResources())
          .map(Job::id)
          .limit(most)
          .forEach(id -> explanations.add(Past.explain(state, id, now)));
    }
  }
}
