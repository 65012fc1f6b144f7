package dev.yardmaster.engine.plan;

import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
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

  /** With more jobs than this the answer would come too late to be of use. */
  private static final int MOST_JOBS = 20_000;

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

  /** The usual share of the limit, in thousandths; null when too little is known. */
  @Nullable Integer share(Job job) {
    for (String key : List.of(ofUser(job), ofAccount(job))) {
      List<Integer> known = shares.getOrDefault(key, List.of());
      if (known.size() >= LEAST) {
        return known.get(known.size() / 2);
      }
    }
    return null;
  }

  /**
   * When a pending job would start if the jobs that run, and those ahead of it, took as long as
   * their owners' jobs usually do.
   *
   * @return null when nothing is known, or it has no start before the horizon
   */
  public @Nullable Instant likelyStart(
      ClusterState state, int jobId, Instant now, Duration horizon) {
    if (state.jobs().size() > MOST_JOBS) {
      return null;
    }
    ClusterState likely = state;
    boolean known = false;
    for (Job job : state.jobs().values()) {
      Integer share = share(job);
      if (share == null || job.timeLimitMinutes() <= 0) {
        continue;
      }
      Instant started = job.started();
      if (job.state() == JobState.RUNNING && started != null && job.preemption() == null) {
        long seconds = 60 * job.timeLimitMinutes() * share / WHOLE;
        Instant end = started.plusSeconds(seconds);
        Job shorter = job.withEnded(end.isAfter(now) ? end : now.plusSeconds(1));
        likely = likely.withChanged(shorter);
        known = true;
      } else if (job.state() == JobState.PENDING && job.id() != jobId) {
        long minutes = Math.max(1, Math.ceilDiv(job.timeLimitMinutes() * share, WHOLE));
        likely = likely.withChanged(job.withTimeLimitMinutes(minutes));
        known = true;
      }
    }
    if (!known) {
      return null;
    }
    return Outlook.of(likely, now, horizon).start(jobId);
  }
}
