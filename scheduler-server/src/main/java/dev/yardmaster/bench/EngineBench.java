package dev.yardmaster.bench;

import dev.yardmaster.engine.Engine;
import dev.yardmaster.engine.Pass;
import dev.yardmaster.engine.explain.Explainer;
import dev.yardmaster.engine.plan.Outlook;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Locale;

/**
 * Times the main pass, a plan of the whole queue, and one explanation, on full clusters, in
 * processor time of the one thread that does it.
 *
 * <p>Arguments: pairs of nodes and pending jobs, for example {@code 1000 10000 10000 10000}.
 */
public final class EngineBench {
  private static final ThreadMXBean CPU = ManagementFactory.getThreadMXBean();
  private static final int[] DEFAULT = {1000, 1000, 1000, 10_000};

  private EngineBench() {}

  /** Prints a table to standard output. */
  public static void main(String[] args) {
    run(args, System.out);
  }

  static void run(String[] args, PrintStream out) {
    int[] sizes = DEFAULT;
    if (args.length > 1) {
      sizes = new int[args.length / 2 * 2];
      for (int i = 0; i < sizes.length; i++) {
        sizes[i] = Integer.parseInt(args[i]);
      }
    }
    out.println("  nodes  pending |  main ms | plan ms | planned | why ms | heap MiB");
    for (int i = 0; i < sizes.length; i += 2) {
      row(sizes[i], sizes[i + 1], out);
    }
  }

  private static void row(int nodes, int pending, PrintStream out) {
    ClusterState state = new LargeCluster(nodes, 7).state(pending);
    Job last = last(state);
    double main =
        best(15, () -> Engine.step(state, LargeCluster.NOW, Pass.MAIN).decisions().size());
    int[] planned = new int[1];
    double plan =
        best(
            7,
            () -> {
              planned[0] = Outlook.of(state, LargeCluster.NOW, Outlook.HORIZON).starts().size();
              return planned[0];
            });
    double why =
        nodes * (long) pending > 2_000_000
            ? Double.NaN
            : best(
                1, () -> Explainer.explain(state, last.id(), LargeCluster.NOW).remedies().size());
    Runtime runtime = Runtime.getRuntime();
    long heap = (runtime.totalMemory() - runtime.freeMemory()) >> 20;
    out.println(
        String.format(
            Locale.ROOT,
            "%7d %8d | %8.1f | %7.0f | %7d | %6.0f | %d",
            nodes,
            pending,
            main,
            plan,
            planned[0],
            why,
            heap));
  }

  private static Job last(ClusterState state) {
    Job last = null;
    for (Job job : state.jobs().values()) {
      if (job.state() == JobState.PENDING) {
        last = job;
      }
    }
    if (last == null) {
      throw new IllegalStateException("no job waits");
    }
    return last;
  }

  private interface Measured {
    int run();
  }

  private static double best(int times, Measured measured) {
    double best = Double.MAX_VALUE;
    for (int i = 0; i < times; i++) {
      long start = CPU.getCurrentThreadCpuTime();
      measured.run();
      best = Math.min(best, (CPU.getCurrentThreadCpuTime() - start) / 1e6);
    }
    return best;
  }
}
