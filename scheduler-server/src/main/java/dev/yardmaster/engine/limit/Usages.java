package dev.yardmaster.engine.limit;

import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.NodeShare;
import dev.yardmaster.model.Tres;
import java.time.Duration;
import java.time.Instant;
import java.util.TreeMap;

/**
 * What running jobs take of every place that sets limits: jobs, TRES, distinct nodes, and the
 * minutes they may still run. Places without limits are not counted.
 */
public final class Usages {
  private final ClusterState state;
  private final Instant now;
  private final boolean counted;
  private final TreeMap<String, Use> uses = new TreeMap<>();

  /** What is taken of one place. */
  static final class Use {
    static final Use NONE = new Use();
    private int jobs;
    private final TreeMap<String, Long> tres = new TreeMap<>();
    private final TreeMap<String, Long> runSeconds = new TreeMap<>();
    private final TreeMap<String, Integer> nodes = new TreeMap<>();

    int jobs() {
      return jobs;
    }

    /** Distinct nodes are counted, not those of each job. */
    long tres(String name) {
      return name.equals(Tres.NODE) ? nodes.size() : tres.getOrDefault(name, 0L);
    }

    /** Amount times minutes that its jobs may still run. */
    long runMinutes(String name) {
      return runSeconds.getOrDefault(name, 0L) / 60;
    }

    boolean holds(String node) {
      return nodes.containsKey(node);
    }

    private void add(Job job, long secondsLeft, int sign) {
      var allocation = job.allocation();
      if (allocation == null) {
        return;
      }
      jobs += sign;
      allocation
          .tres()
          .amounts()
          .forEach(
              (name, amount) -> {
                tres.merge(name, sign * amount, Long::sum);
                runSeconds.merge(name, sign * amount * secondsLeft, Long::sum);
              });
      for (NodeShare share : allocation.shares()) {
        nodes.merge(share.node(), sign, Integer::sum);
        nodes.remove(share.node(), 0);
      }
    }
  }

  /**
   * @param state whose accounting says what is limited; its jobs are counted with {@link #add}
   */
  public Usages(ClusterState state, Instant now) {
    this.state = state;
    this.now = now;
    counted = Enforcement.of(state.config()).limits();
  }

  /** A job runs. */
  public void add(Job job) {
    count(job, 1);
  }

  /** A job that was added runs no more. */
  public void remove(Job job) {
    count(job, -1);
  }

  private void count(Job job, int sign) {
    boolean runs = job.state() == JobState.RUNNING || job.state() == JobState.SUSPENDED;
    if (!counted || !runs) {
      return;
    }
    Charges charges = Charges.of(state, job, job.partition());
    Instant end = job.ended();
    long left =
        end == null
            ? 60 * Demand.minutes(job)
            : Math.max(0, Duration.between(now, end).toSeconds());
    for (Level level : charges.qos()) {
      if (!level.limits().isEmpty()) {
        use(level.key()).add(job, left, sign);
        use(ofUser(level, job)).add(job, left, sign);
        use(ofAccount(level, job)).add(job, left, sign);
      }
    }
    boolean any = false;
    for (Level level : charges.line()) {
      any |= !level.limits().isEmpty();
    }
    if (any) {
      charges.line().forEach(level -> use(level.key()).add(job, left, sign));
    }
  }

  private Use use(String key) {
    return uses.computeIfAbsent(key, k -> new Use());
  }

  Use of(Level level) {
    return uses.getOrDefault(level.key(), Use.NONE);
  }

  Use byUser(Level qos, Job job) {
    return uses.getOrDefault(ofUser(qos, job), Use.NONE);
  }

  Use byAccount(Level qos, Job job) {
    return uses.getOrDefault(ofAccount(qos, job), Use.NONE);
  }

  private static String ofUser(Level qos, Job job) {
    return qos.key() + "\n u" + job.owner().user();
  }

  private static String ofAccount(Level qos, Job job) {
    return qos.key() + "\n a" + job.owner().account();
  }
}
