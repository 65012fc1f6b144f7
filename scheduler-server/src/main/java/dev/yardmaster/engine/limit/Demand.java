package dev.yardmaster.engine.limit;

import dev.yardmaster.model.Billing;
import dev.yardmaster.model.ClusterConfig;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.ReqTres;
import dev.yardmaster.model.Tres;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a job asks for, as limits count it: before nodes are chosen the least that its request comes
 * to. A type of GRES counts only when the request names it.
 *
 * @param minutes its time limit; a year when it has none
 */
record Demand(Tres tres, long minutes) {
  /** What Slurm takes for no limit. */
  private static final long YEAR = 365L * 24 * 60;

  static Demand of(ClusterConfig config, Job job, @Nullable Partition partition, long cpus) {
    TreeMap<String, Long> amounts = new TreeMap<>(ReqTres.of(job.request()).amounts());
    amounts.merge(Tres.CPU, cpus, Math::max);
    amounts.put(Tres.BILLING, Billing.of(amounts, partition, config.priority().flags()));
    return new Demand(new Tres(amounts), minutes(job));
  }

  /** What a job takes where it was placed; of types of GRES still only those its request names. */
  static Demand taking(
      ClusterConfig config, Job job, @Nullable Partition partition, Tres allocated) {
    TreeMap<String, Long> amounts = new TreeMap<>(ReqTres.of(job.request()).amounts());
    allocated
        .amounts()
        .forEach(
            (name, amount) -> {
              if (name.indexOf(':') < 0) {
                amounts.put(name, amount);
              }
            });
    amounts.put(Tres.BILLING, Billing.of(amounts, partition, config.priority().flags()));
    return new Demand(new Tres(amounts), minutes(job));
  }

  static long minutes(Job job) {
    return job.timeLimitMinutes() < 0 ? YEAR : job.timeLimitMinutes();
  }

  long nodes() {
    return Math.max(1, tres.get(Tres.NODE));
  }
}
