package dev.yardmaster.bench;

import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.model.Job;
import dev.yardmaster.sim.VirtualCluster;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * What {@code bf_granularity=device} gains: the same backlog of mixed jobs, played in virtual time
 * with and without. Jobs take a fifth to all of the time they ask for.
 */
final class Granularity {
  private static final int NODES = 32;
  private static final List<Integer> BACKLOGS = List.of(120, 400);
  private static final Duration LOOKED_AT = Duration.ofDays(3);

  private Granularity() {}

  /** A Markdown table. */
  static String table() {
    return "| jobs | bf_granularity | GPUs in use, first 3 days | mean wait | of 1 node | of 2 to 8"
        + " | of more | of a GPU hour | all done after |\n"
        + "|---:|---|---:|---:|---:|---:|---:|---:|---:|\n"
        + BACKLOGS.stream()
            .map(jobs -> row(jobs, "node (Slurm's)", "") + row(jobs, "device", "device"))
            .collect(Collectors.joining());
  }

  private static String row(int jobs, String name, String granularity) {
    Instant begin = LargeCluster.NOW;
    ClusterState state = new LargeCluster(NODES, 7).backlog(jobs, granularity);
    VirtualCluster cluster = new VirtualCluster(state, begin, event -> {});
    cluster.run(begin.plus(Duration.ofDays(60)));
    Instant looked = begin.plus(LOOKED_AT);
    double busy = 0;
    Instant last = begin;
    double[] waited = new double[5];
    double[] weight = new double[5];
    for (Job job : cluster.state().jobs().values()) {
      Instant from = job.started();
      Instant to = job.ended();
      if (from == null || to == null) {
        throw new IllegalStateException("job " + job.id() + " did not run");
      }
      last = to.isAfter(last) ? to : last;
      double wait = Duration.between(begin, from).toMinutes() / 60.0;
      int nodes = job.request().minNodes();
      double work = gpus(job) * Duration.between(from, to).toMinutes() / 60.0;
      int width = nodes == 1 ? 1 : nodes <= 8 ? 2 : 3;
      add(waited, weight, 0, wait, 1);
      add(waited, weight, width, wait, 1);
      add(waited, weight, 4, wait, work);
      Instant end = to.isBefore(looked) ? to : looked;
      if (from.isBefore(end)) {
        busy += (double) gpus(job) * Duration.between(from, end).toSeconds();
      }
    }
    return String.format(
        Locale.ROOT,
        "| %d | %s | %.1f %% | %.1f h | %.1f h | %.1f h | %.1f h | %.1f h | %.1f h |%n",
        jobs,
        name,
        100 * busy / (NODES * 8.0 * LOOKED_AT.toSeconds()),
        waited[0] / weight[0],
        waited[1] / weight[1],
        waited[2] / weight[2],
        waited[3] / weight[3],
        waited[4] / weight[4],
        Duration.between(begin, last).toMinutes() / 60.0);
  }

  private static void add(double[] sums, double[] weights, int at, double wait, double weight) {
    sums[at] += wait * weight;
    weights[at] += weight;
  }

  private static long gpus(Job job) {
    return (long) job.request().minNodes() * job.request().gres().getFirst().count();
  }
}
