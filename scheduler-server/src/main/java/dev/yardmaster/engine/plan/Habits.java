package dev.yardmaster.engine.plan;

import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Partition;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How much of the time they ask for the jobs of a user in an account really take, from those that
 * have ended and are still known. The median counts; with fewer than {@link #LEAST} jobs those of
 * the whole account do, and with too few of these nothing is said.
 */
public final class Habits {
  /** So many jobs must have ended before they tell anything. */
  public static final int LEAST = 3;

  /** With more jobs ahead than this the answer would come too late to be of use. */
  private static final int MOST_AHEAD = 20_000;

  private static final int WHOLE = 1000;

  private final TreeMap<String, List<Integer>> shares = new TreeMap<>();

  /** What the ended jobs of a state tell. */
  public Habits(ClusterState state) {
    for (Job job : state.jobs().values()) {
      Instant started = job.started();
      Instant ended = job.ended();
      boolean ranOut =
          job.state() == JobState.COMPLETED
              || job.state() == JobState.FAILED
              || job.state() == JobState.TIMEOUT;
      if (ranOut && started != null && ended != null && job.timeLimitMinutes() > 0) {
        long used = Math.max(0, Duration.between(started, ended).toSeconds());
        int share = (int) Math.min(WHOLE, used * WHOLE / (60 * job.timeLimitMinutes()));
        add(ofUser(job), share);
        add(ofAccount(job), share);
      }
    }
    shares.values().forEach(Collections::sort);
  }

  private void add(String key, int share) {
    shares.computeIfAbsent(key, k -> new ArrayList<>()).add(share);
  }

  private static String ofUser(Job job) {
    return job.owner().account() + "\n" + job.owner().user();
  }

  private static String ofAccount(Job job) {
    return job.owner().account() + "\n";
  }

  /** The share of the limit that so many of a hundred jobs stay within, in thousandths. */
  private @Nullable Integer share(Job job, int percent) {
    for (String key : List.of(ofUser(job), ofAccount(job))) {
      List<Integer> known = shares.getOrDefault(key, List.of());
      if (known.size() >= LEAST) {
        return known.get(known.size() * percent / 100);
      }
    }
    return null;
  }

  /**
   * When a running job is likely to end.
   *
   * @param likely when half of the jobs have ended that ran as long as it has; null when too few
   *     are known, or none took longer
   * @param earliest when a quarter has
   * @param latest when three quarters have
   */
  public record End(
      @Nullable Instant likely, @Nullable Instant earliest, @Nullable Instant latest) {
    /** Nothing is known. */
    public static final End UNKNOWN = new End(null, null, null);
  }

  /** When a running job ends if it takes as long as those of its owner that have run as long. */
  public End end(Job job, Instant now) {
    if (job.timeLimitMinutes() <= 0 || job.preemption() != null) {
      return End.UNKNOWN;
    }
    long limit = 60 * job.timeLimitMinutes();
    long worked = job.worked(now).toSeconds();
    for (String key : List.of(ofUser(job), ofAccount(job))) {
      List<Integer> known = shares.getOrDefault(key, List.of());
      if (known.size() >= LEAST) {
        List<Instant> left =
            known.stream()
                .map(share -> limit * share / WHOLE - worked)
                .filter(seconds -> seconds > 0)
                .map(now::plusSeconds)
                .toList();
        return left.isEmpty()
            ? End.UNKNOWN
            : new End(
                left.get(left.size() / 2),
                left.get(left.size() / 4),
                left.get(left.size() * 3 / 4));
      }
    }
    return End.UNKNOWN;
  }

  /**
   * When a job is likely to start.
   *
   * @param start when all take the usual time; null when nothing is known, or it does not start
   *     before the horizon
   * @param earliest when they take as little as a quarter of such jobs does
   * @param latest when they take as much as a quarter of them does; null for after the horizon
   * @param leftOut how many jobs ahead were not looked at
   */
  public record Likely(
      @Nullable Instant start, @Nullable Instant earliest, @Nullable Instant latest, int leftOut) {
    /** Nothing is known. */
    public static final Likely UNKNOWN = new Likely(null, null, null, 0);
  }

  /**
   * When a pending job would start if the jobs that run, and those ahead of it, took as long as
   * their owners' jobs usually do. What waits behind it does not count.
   */
  public Likely likely(ClusterState state, Job job, Instant now, Duration horizon) {
    List<Job> ahead = ahead(state, job);
    int leftOut = Math.max(0, ahead.size() - MOST_AHEAD);
    List<Job> counted = ahead.subList(0, ahead.size() - leftOut);
    Instant start = start(state, job, counted, 50, now, horizon);
    Instant early = start(state, job, counted, 25, now, horizon);
    Instant late = start(state, job, counted, 75, now, horizon);
    if (start == null || early == null) {
      return start == null ? Likely.UNKNOWN : new Likely(start, start, late, leftOut);
    }
    // a plan does not always gain when jobs are shorter
    Instant first = early.isBefore(start) ? early : start;
    Instant last = late == null || late.isAfter(start) ? late : start;
    return new Likely(start, first, last, leftOut);
  }

  /** The pending jobs ahead of one, the first in the queue first. */
  private static List<Job> ahead(ClusterState state, Job job) {
    int tier = lowestTier(state, job);
    List<Job> ahead = new ArrayList<>();
    for (Job other : state.jobs().values()) {
      boolean behind =
          other.reservation() == null
              && highestTier(state, other) <= tier
              && (other.priority() < job.priority()
                  || (other.priority() == job.priority() && other.id() > job.id()));
      boolean asked = other.lastEvaluated() != null && job.lastEvaluated() != null;
      if (other.state() == JobState.PENDING && other.id() != job.id() && !(behind && asked)) {
        ahead.add(other);
      }
    }
    ahead.sort(Comparator.comparingLong(Job::priority).reversed().thenComparing(Job::id));
    return ahead;
  }

  private static int highestTier(ClusterState state, Job job) {
    return job.partitions().stream().mapToInt(name -> tier(state, name)).max().orElse(0);
  }

  private static int lowestTier(ClusterState state, Job job) {
    return job.partitions().stream().mapToInt(name -> tier(state, name)).min().orElse(0);
  }

  private static int tier(ClusterState state, String name) {
    Partition partition = state.partitions().get(name);
    return partition == null ? 0 : partition.priorityTier();
  }

  private @Nullable Instant start(
      ClusterState state, Job job, List<Job> ahead, int percent, Instant now, Duration horizon) {
    TreeMap<Integer, Job> jobs = new TreeMap<>();
    boolean known = false;
    for (Job other : state.jobs().values()) {
      if (other.state() != JobState.PENDING || other.id() == job.id()) {
        Job likely = running(other, percent, now);
        known |= likely != other;
        jobs.put(other.id(), likely);
      }
    }
    for (Job other : ahead) {
      Job likely = waiting(other, percent);
      known |= likely != other;
      jobs.put(other.id(), likely);
    }
    return known ? Outlook.of(state.withJobs(jobs), now, horizon).start(job.id()) : null;
  }

  private Job running(Job job, int percent, Instant now) {
    Instant started = job.started();
    Integer share = job.state() == JobState.RUNNING ? share(job, percent) : null;
    if (share == null
        || started == null
        || job.preemption() != null
        || job.timeLimitMinutes() <= 0) {
      return job;
    }
    Instant end = started.plusSeconds(60 * job.timeLimitMinutes() * share / WHOLE);
    return job.withEnded(end.isAfter(now) ? end : now.plusSeconds(1));
  }

  private Job waiting(Job job, int percent) {
    Integer share = share(job, percent);
    return share == null || job.timeLimitMinutes() <= 0
        ? job
        : job.withTimeLimitMinutes(
            Math.max(1, Math.ceilDiv(job.timeLimitMinutes() * share, WHOLE)));
  }
}
