package dev.yardmaster.engine.limit;

import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Limits;
import dev.yardmaster.model.NodeShare;
import dev.yardmaster.model.Qos;
import dev.yardmaster.model.Tres;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/**
 * What running jobs take of every place that sets limits: jobs, TRES, distinct nodes, and the
 * minutes they may still run. Places without limits are not counted.
 */
public final class Usages {
  private final ClusterState state;
  private final Instant now;
  private final boolean counted;

  /** Whether any limit counts distinct nodes. */
  private final boolean withNodes;

  private final TreeMap<String, Track> tracks = new TreeMap<>();
  private long second;

  /** What is taken of one place. */
  static final class Use {
    static final Use NONE = new Use();
    private int jobs;
    private final TreeMap<String, Long> tres = new TreeMap<>();
    private final TreeMap<String, Long> runSeconds = new TreeMap<>();
    private final TreeMap<String, Integer> nodes = new TreeMap<>();
    private long secondsAhead;

    int jobs() {
      return jobs;
    }

    /** Distinct nodes are counted, not those of each job. */
    long tres(String name) {
      return name.equals(Tres.NODE) ? nodes.size() : tres.getOrDefault(name, 0L);
    }

    /** Amount times minutes that its jobs may still run. */
    long runMinutes(String name) {
      long passed = secondsAhead * tres.getOrDefault(name, 0L);
      return Math.max(0, runSeconds.getOrDefault(name, 0L) - passed) / 60;
    }

    boolean holds(String node) {
      return nodes.containsKey(node);
    }

    Set<String> nodes() {
      return nodes.keySet();
    }

    private void add(Job job, long secondsLeft, int sign, boolean withNodes) {
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
      if (!withNodes) {
        return;
      }
      for (NodeShare share : allocation.shares()) {
        nodes.merge(share.node(), sign, Integer::sum);
        nodes.remove(share.node(), 0);
      }
    }
  }

  /** A job comes or goes. */
  private record Change(long time, Job job, long secondsLeft, int sign) {}

  /** One place: what is taken at a time, and what will change that. */
  private static final class Track {
    private final boolean withNodes;
    private final Use use = new Use();
    private final List<Change> changes = new ArrayList<>();
    private int done;

    Track(boolean withNodes) {
      this.withNodes = withNodes;
    }

    void insert(Change change) {
      int at = changes.size();
      while (at > 0 && changes.get(at - 1).time > change.time) {
        at--;
      }
      changes.add(at, change);
      if (at < done) {
        done++;
        use.add(change.job, change.secondsLeft, change.sign, withNodes);
      }
    }

    void moveTo(long time) {
      for (; done < changes.size() && changes.get(done).time <= time; done++) {
        Change c = changes.get(done);
        use.add(c.job, c.secondsLeft, c.sign, withNodes);
      }
      for (; done > 0 && changes.get(done - 1).time > time; done--) {
        Change c = changes.get(done - 1);
        use.add(c.job, c.secondsLeft, -c.sign, withNodes);
      }
    }

    /** When the first job goes after a time. */
    long nextEnd(long after) {
      for (int i = changes.size() - 1; i >= 0 && changes.get(i).time > after; i--) {
        if (i == 0 || changes.get(i - 1).time <= after) {
          while (i < changes.size() && changes.get(i).sign > 0) {
            i++;
          }
          return i < changes.size() ? changes.get(i).time : Long.MAX_VALUE;
        }
      }
      return Long.MAX_VALUE;
    }
  }

  /**
   * @param state whose accounting says what is limited; its jobs are counted with {@link #add}
   */
  public Usages(ClusterState state, Instant now) {
    this.state = state;
    this.now = now;
    counted = Enforcement.of(state.config()).limits();
    withNodes = counted && limitsNodes(state);
    second = now.getEpochSecond();
  }

  private static boolean limitsNodes(ClusterState state) {
    return state.accounting().qos().values().stream().anyMatch(q -> limitsNodes(q.limits()))
        || state.accounting().associations().values().stream()
            .anyMatch(a -> limitsNodes(a.limits()));
  }

  private static boolean limitsNodes(Limits limits) {
    return !limits.tres().isEmpty()
        && limits.tres().values().stream().anyMatch(amounts -> amounts.containsKey(Tres.NODE));
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
    if (counts(job)) {
      long left = secondsLeft(job);
      keys(job).forEach(key -> track(key).use.add(job, left, sign, withNodes));
    }
  }

  private boolean counts(Job job) {
    return counted && (job.state() == JobState.RUNNING || job.state() == JobState.SUSPENDED);
  }

  /**
   * How long a job may still run, as its QOS counts it. Slurm adds a job's whole limit when it
   * starts and takes off what has passed when a period ends (PriorityCalcPeriod), not before.
   */
  private long secondsLeft(Job job) {
    Instant end = job.ended();
    long left = end == null ? 60 * Demand.minutes(job) : 0;
    if (end != null) {
      Instant started = job.started();
      Instant counted = state.usage().counted();
      Instant from = started == null ? now : started;
      from = counted != null && counted.isAfter(from) ? counted : from;
      left = Math.max(0, Duration.between(from, end).toSeconds());
    }
    Qos of = state.accounting().qos().get(job.owner().qos());
    return of == null ? left : (long) (left * of.usageFactor());
  }

  /** The places that count a job. */
  private List<String> keys(Job job) {
    Charges charges = Charges.of(state, job, job.partition());
    List<String> keys = new ArrayList<>();
    for (Level level : charges.qos()) {
      if (!level.limits().isEmpty()) {
        keys.add(level.key());
        keys.add(ofUser(level, job));
        keys.add(ofAccount(level, job));
      }
    }
    boolean any = false;
    for (Level level : charges.line()) {
      any |= !level.limits().isEmpty();
    }
    if (any) {
      charges.line().forEach(level -> keys.add(level.key()));
    }
    return keys;
  }

  /** A job will run for a time: it counts when {@link #moveTo} has come to that time. */
  void add(Job job, long from, long until) {
    if (counts(job)) {
      long left = secondsLeft(job);
      for (String key : keys(job)) {
        Track track = track(key);
        track.insert(new Change(from, job, left, 1));
        if (until < Long.MAX_VALUE) {
          track.insert(new Change(until, job, left, -1));
        }
      }
    }
  }

  /** Looks at another time, in seconds since the epoch. */
  void moveTo(long time) {
    second = time;
  }

  /** When the first of the jobs that share a place with a job goes, after a time. */
  long nextEnd(Job job, long after) {
    long next = Long.MAX_VALUE;
    for (String key : keys(job)) {
      Track track = tracks.get(key);
      next = track == null ? next : Math.min(next, track.nextEnd(after));
    }
    return next;
  }

  private Track track(String key) {
    return tracks.computeIfAbsent(key, k -> new Track(withNodes));
  }

  private Use use(String key) {
    Track track = tracks.get(key);
    if (track == null) {
      return Use.NONE;
    }
    track.moveTo(second);
    track.use.secondsAhead = second - now.getEpochSecond();
    return track.use;
  }

  Use of(Level level) {
    return use(level.key());
  }

  Use byUser(Level qos, Job job) {
    return use(ofUser(qos, job));
  }

  Use byAccount(Level qos, Job job) {
    return use(ofAccount(qos, job));
  }

  private static String ofUser(Level qos, Job job) {
    return qos.key() + "\n u" + job.owner().user();
  }

  private static String ofAccount(Level qos, Job job) {
    return qos.key() + "\n a" + job.owner().account();
  }
}
