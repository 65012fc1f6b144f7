package dev.yardmaster.bench;

import dev.yardmaster.controller.Command;
import dev.yardmaster.controller.NodeLinks;
import dev.yardmaster.controller.Reply;
import dev.yardmaster.controller.TestCluster;
import dev.yardmaster.controller.VirtualController;
import dev.yardmaster.journal.SqliteJournal;
import dev.yardmaster.model.ClusterConfig;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.node.SimulatedNodes;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;

/**
 * A controller with its journal on a disk under steady load for hours of virtual time: jobs come,
 * run on simulated nodes, end or are cancelled, and are forgotten. Memory and threads may not grow
 * with what has been.
 */
final class Soak {
  private static final int NODES = 32;
  private static final Duration STEP = Duration.ofSeconds(1);
  private static final int JOBS_EACH_STEP = 2;
  private static final int ROW_EVERY = 600;
  private static final double MIB = 1 << 20;

  private Soak() {}

  /** Runs it, with a row for each ten minutes as they pass. */
  static void run(Duration span, PrintStream out) throws Exception {
    Path directory = Files.createTempDirectory("soak");
    ClusterConfig config =
        TestCluster.config(NODES, Map.of("MinJobAge", "300", "MaxJobCount", "100000"));
    NodeLinks links = new NodeLinks();
    Instant begin = TestCluster.NOW;
    Random random = new Random(1);
    try (SqliteJournal journal = SqliteJournal.open(directory)) {
      VirtualController controller =
          new VirtualController(() -> config, links, ZoneOffset.UTC, begin, journal);
      SimulatedNodes nodes = new SimulatedNodes(config, controller.clock(), 1);
      nodes.attachTo(links);
      controller.join(nodes);
      out.print(
          "| minutes | jobs submitted | jobs known | heap after collection | threads |\n"
              + "|---:|---:|---:|---:|---:|\n");
      int submitted = 0;
      for (long second = 0; second <= span.toSeconds(); second += STEP.toSeconds()) {
        controller.advanceTo(begin.plusSeconds(second));
        if (second % ROW_EVERY == 0) {
          row(out, second / 60, submitted, controller);
        }
        for (int i = 0; i < JOBS_EACH_STEP; i++) {
          submitted += submit(controller, random) ? 1 : 0;
        }
      }
    }
  }

  private static boolean submit(VirtualController controller, Random random)
      throws InterruptedException, ExecutionException {
    Command.Submit submit =
        new Command.Submit(
            TestCluster.ALICE,
            TestCluster.submission("time=1", "nice=" + random.nextInt(9)),
            Duration.ofSeconds(5 + random.nextInt(50)));
    if (!(controller.handle(submit).toCompletableFuture().get() instanceof Reply.Submitted job)) {
      return false;
    }
    if (random.nextInt(10) == 0) {
      controller.handle(
          new Command.CancelJobs(
              TestCluster.ALICE, List.of("" + job.jobId()), Immutable.sortedMap(), ""));
    }
    return true;
  }

  private static void row(
      PrintStream out, long minutes, int submitted, VirtualController controller) {
    System.gc();
    long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    int threads = ManagementFactory.getThreadMXBean().getThreadCount();
    out.printf(
        Locale.ROOT,
        "| %d | %,d | %,d | %.1f MB | %d |%n",
        minutes,
        submitted,
        controller.present().state().jobs().size(),
        heap / MIB,
        threads);
    out.flush();
  }
}
