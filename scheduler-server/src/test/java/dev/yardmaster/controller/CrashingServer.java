package dev.yardmaster.controller;

import dev.yardmaster.accounting.RecordKeeper;
import dev.yardmaster.engine.Engine;
import dev.yardmaster.engine.explain.Explainer;
import dev.yardmaster.engine.state.Moment;
import dev.yardmaster.journal.SqliteJournal;
import dev.yardmaster.model.ClusterConfig;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.Job;
import dev.yardmaster.node.SimulatedNodes;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * A process of its own that works as hard as it can until it is killed, and says on its standard
 * output what was acknowledged, after it was: {@code submitted ID}, {@code held ID}, {@code
 * cancelled ID}, {@code updated ID COMMENT}.
 */
public final class CrashingServer {
  private static final int CLIENTS = 4;

  private CrashingServer() {}

  static ClusterConfig config() {
    return TestCluster.config(
        6, Map.of("MinJobAge", "86400", "MaxJobCount", "10000000", "EnforcePartLimits", "ALL"));
  }

  /** The arguments are the state directory, and whether to explain jobs as well. */
  public static void main(String[] arguments) {
    ClusterConfig config = config();
    NodeLinks links = new NodeLinks();
    SimulatedNodes nodes = new SimulatedNodes(config, InstantSource.system(), 1);
    nodes.attachTo(links);
    SqliteJournal journal = SqliteJournal.open(Path.of(arguments[0]));
    RecordKeeper records = RecordKeeper.open(journal, Path.of(arguments[0]));
    Controller controller =
        DefaultController.start(
            new ControllerParts(
                journal,
                Engine::step,
                new EngineAdmission(),
                links,
                () -> config,
                InstantSource.system(),
                ZoneOffset.UTC,
                new ControllerParts.Tuning(500, Duration.ofMinutes(5), 0)));
    controller.follow(records);
    nodes.goLive(controller, Duration.ofSeconds(10));
    say("up");
    if (arguments.length > 1) {
      Thread.ofPlatform().start(() -> explain(controller));
    }
    for (int client = 0; client < CLIENTS; client++) {
      long seed = System.nanoTime() + client;
      Thread.ofPlatform().start(() -> work(controller, new Random(seed)));
    }
  }

  /** Says what the present is told as: {@code explained ID NUMBER TIME EXPLANATION}. */
  private static void explain(Controller controller) {
    while (true) {
      Moment present = controller.present();
      int last = present.state().nextJobId();
      for (Job job : present.state().jobs().tailMap(last - 3).values()) {
        Instant now = present.state().time();
        String told = Explainer.explain(present.state(), job.id(), now).toString();
        say("explained " + job.id() + " " + present.sequence() + " " + now + " " + told);
      }
    }
  }

  // One write of a whole line each: a line that arrived was acknowledged.
  private static synchronized void say(String line) {
    PrintStream out = System.out;
    out.print(line + "\n");
    out.flush();
  }

  private static void work(Controller controller, Random random) {
    try {
      while (true) {
        String array = random.nextInt(8) == 0 ? "array=0-3" : "comment=x";
        Command.Submit submit =
            new Command.Submit(
                TestCluster.ALICE,
                TestCluster.submission(
                    "gres=gpu:" + (1 + random.nextInt(8)),
                    "time=1",
                    "nice=" + random.nextInt(9),
                    array),
                Duration.ofSeconds(random.nextInt(3)));
        if (!(ask(controller, submit) instanceof Reply.Submitted submitted)) {
          continue;
        }
        int id = submitted.jobId();
        say("submitted " + id);
        switch (random.nextInt(4)) {
          case 0 -> {
            if (ask(controller, new Command.HoldJobs(TestCluster.ROOT, "" + id, false))
                    instanceof Reply.Done
                && array.startsWith("comment")) {
              say("held " + id);
            }
          }
          case 1 -> {
            Command cancel =
                new Command.CancelJobs(
                    TestCluster.ALICE, List.of("" + id), Immutable.sortedMap(), "");
            if (ask(controller, cancel) instanceof Reply.Done) {
              say("cancelled " + id);
            }
          }
          case 2 -> {
            String comment = "c" + random.nextInt(1000);
            if (ask(
                    controller,
                    new Command.UpdateJob(
                        TestCluster.ALICE, "" + id, Bench.fields("comment=" + comment)))
                instanceof Reply.Done) {
              say("updated " + id + " " + comment);
            }
          }
          default -> {}
        }
      }
    } catch (Exception e) {
      say("failed " + e);
    }
  }

  private static Reply ask(Controller controller, Command command) throws Exception {
    return controller.handle(command).toCompletableFuture().get(60, TimeUnit.SECONDS);
  }
}
