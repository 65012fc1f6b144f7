package dev.yardmaster.controller;

import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.model.ExitCode;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobFlag;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Ends interactive jobs whose salloc or srun is heard no more (slurm.conf(5), InactiveLimit). As in
 * Slurm they are looked at each third of the limit, and end when nothing was heard for four thirds
 * of it, MessageTimeout and a second.
 */
final class InactiveJobs {
  private static final String LIMIT = "InactiveLimit";
  private static final String MESSAGE_TIMEOUT = "MessageTimeout";

  private final StepBook book;
  private final Map<Integer, Instant> heard = new HashMap<>();
  private Instant looked;

  /**
   * @param book knows who asked for news
   * @param boot since when the controller can have heard anybody
   */
  InactiveJobs(StepBook book, Instant boot) {
    this.book = book;
    looked = boot;
  }

  /** When they are looked at next; null where nothing ends them. */
  @Nullable Instant next(ClusterState state) {
    long limit = seconds(state, LIMIT, 0);
    return limit <= 0 ? null : looked.plusSeconds(Math.max(1, limit / 3));
  }

  void due(Turn turn, Runs runs) {
    Instant next = next(turn.state());
    if (next == null || next.isAfter(turn.now())) {
      return;
    }
    Instant before = looked;
    looked = turn.now();
    long limit = seconds(turn.state(), LIMIT, 0);
    Duration patience =
        Duration.ofSeconds(limit * 4 / 3 + seconds(turn.state(), MESSAGE_TIMEOUT, 10) + 1);
    heard.keySet().removeIf(id -> turn.state().job(id) == null);
    List<Job> jobs =
        turn.state().jobs().values().stream().filter(InactiveJobs::isInteractive).toList();
    for (Job job : jobs) {
      boolean now = book.takeHeard(job.id());
      Instant last = now ? turn.now() : heard.getOrDefault(job.id(), before);
      Instant started = job.started();
      last = started != null && started.isAfter(last) ? started : last;
      heard.put(job.id(), last);
      if (!last.plus(patience).isAfter(turn.now())) {
        runs.complete(
            turn, job, JobState.TIMEOUT, ExitCode.OK, Reason.INACTIVE_LIMIT, "DUE TO TIME LIMIT");
        turn.requestPass();
      }
    }
  }

  private static boolean isInteractive(Job job) {
    return job.state() == JobState.RUNNING
        && !job.batch().batch()
        && !job.request().external()
        && !job.has(JobFlag.COMPLETING);
  }

  private static long seconds(ClusterState state, String key, long otherwise) {
    String text = state.config().setting(key).orElse("").strip();
    return text.matches("[0-9]{1,9}") ? Long.parseLong(text) : otherwise;
  }
}
