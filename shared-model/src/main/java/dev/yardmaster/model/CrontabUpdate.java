package dev.yardmaster.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A crontab as it is sent to the controller.
 *
 * @param owner whose it is; null for that of the sender
 * @param text null to remove it
 * @param jobs those of its lines, each with {@link CronEntry#OPTION}
 */
public record CrontabUpdate(
    @Nullable Identity owner, @Nullable String text, List<JobSubmission> jobs) {
  public CrontabUpdate {
    jobs = List.copyOf(jobs);
  }
}
