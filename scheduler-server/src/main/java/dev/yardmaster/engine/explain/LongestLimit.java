package dev.yardmaster.engine.explain;

import dev.yardmaster.engine.plan.Rehearsal;
import dev.yardmaster.explain.Remedy.Lever;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.PlannedStart;
import java.time.Instant;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The longest time limit with which the job gets the earliest start that a shorter limit can. */
final class LongestLimit implements Rehearsal.Part {
  private final Job job;
  private final Instant now;
  private final JobLevers levers;
  private final Predicate<PlannedStart> helps;
  private final long longest;
  private @Nullable PlannedStart earliest;
  private long minutes;

  LongestLimit(Job job, Instant now, JobLevers levers, Predicate<PlannedStart> helps) {
    this.job = job;
    this.now = now;
    this.levers = levers;
    this.helps = helps;
    longest = job.timeLimitMinutes() < 0 ? 365L * 24 * 60 : job.timeLimitMinutes() - 1;
  }

  @Override
  public Job job() {
    return JobLevers.limited(job, 1);
  }

  @Override
  public boolean ask(Rehearsal.Trial trial) {
    PlannedStart first = longest < 1 ? null : trial.start(JobLevers.limited(job, 1));
    boolean earlier =
        first != null
            && helps.test(first)
            && (earliest == null || first.start().isBefore(earliest.start()));
    if (earlier && first != null) {
      earliest = first;
      search(trial, first.start());
    }
    return earliest != null && !earliest.start().isAfter(now);
  }

  private void search(Rehearsal.Trial trial, Instant goal) {
    long good = 1;
    long bad = longest + 1;
    while (bad - good > 1) {
      long middle = good + (bad - good) / 2;
      PlannedStart start = trial.start(JobLevers.limited(job, middle));
      if (start != null && !start.start().isAfter(goal)) {
        good = middle;
      } else {
        bad = middle;
      }
    }
    minutes = good;
  }

  @Nullable Candidate candidate() {
    return earliest == null ? null : levers.timeLimit(Lever.SHORTER_TIME_LIMIT, minutes);
  }
}
