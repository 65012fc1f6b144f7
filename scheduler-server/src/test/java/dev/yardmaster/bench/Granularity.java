package dev.yardmaster.bench;

import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.model.Job;
import dev.yardmaster.sim.VirtualCluster;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/**
 * What {@code bf_granularity=device} gains: the same backlog of mixed jobs, played in virtual time
 * with and without. Jobs take a fifth to all of the time they ask for.
 */
final class Granularity {
  private static final int NODES = 32;
  private static final int JOBS = 400;
  private static final Duration LOOKED_AT = Duration.ofDays(3);

  private Granularity() {}

  /** A Markdown table. */
  static String table() {
    return "| bf_granularity | GPUs in use, first 3 days | mean wait | median wait | all done after"
        + " |\n"
        + "|---|---:|---:|---:|---:|\n"
        + row("node (Slurm's)", "")
        + row("device", "device");
  }

  private static String row(String name, String granularity) {
    Instant begin = LargeCluster.NOW;
    ClusterState state = new LargeCluster(NODES, 7).backlog(JOBS, granularity);
    VirtualCluster cluster = new VirtualCluster(state, begin, event -> {});
    cluster.run(begin.plus(Duration.ofDays(60)));
    Instant looked = begin.plus(LOOKED_AT);
    double busy = 0;
    Instant last = begin;
    List<Long> waits = new ArrayList<>();
    for (Job job : cluster.state().jobs().values()) {
      Instant from = job.started();
      Instant to = job.ended();
      if (from == null || to == null) {
        throw new IllegalStateException("job " + job.id() + " did not run");
      }
      last = to.isAfter(last) ? to : last;
      waits.add(Duration.between(begin, from).toMinutes());
      Instant end = to.isBefore(looked) ? to : looked;
      if (from.isBefore(end)) {
        busy += (double) gpus(job) * Duration.between(from, end).toSeconds();
      }
    }
    Collections.sort(waits);
    double mean = waits.stream().mapToLong(w -> w).average().orElse(0) / 60;
    return String.format(
        Locale.ROOT,
        "| %s | %.1f %% | %.1f h | %.1f h | %.1f h |%n",
        name,
        100 * busy / (NODES * 8.0 * LOOKED_AT.toSeconds()),
        mean,
        waits.get(waits.size() / 2) / 60.0,
        Duration.between(begin, last).toMinutes() / 60.0);
  }

  private static long gpus(Job job) {
    return (long) job.request().minNodes() * job.request().gres().getFirst().count();
  }
}
