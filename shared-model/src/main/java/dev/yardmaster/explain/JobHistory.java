package dev.yardmaster.explain;

import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What held a job when: its life as one stage after another.
 *
 * @param displayId the job's id as users write it
 * @param begins when the history of the cluster begins; nothing earlier can be told
 * @param stages from its submission on, without gaps
 */
public record JobHistory(
    int jobId,
    String displayId,
    String jobName,
    String user,
    String account,
    Instant begins,
    List<Stage> stages) {
  public JobHistory {
    stages = List.copyOf(stages);
  }

  /** The stage of a time; the last that began by then. */
  public Optional<Stage> at(Instant at) {
    return stages.stream().filter(s -> !s.from().isAfter(at)).reduce((a, b) -> b);
  }

  /** The last stage in which it began to run. */
  public Optional<Stage> lastStart() {
    Stage start = null;
    for (int i = 0; i < stages.size(); i++) {
      boolean first = i == 0 || stages.get(i - 1).state() == JobState.PENDING;
      if (first && !stages.get(i).nodes().isEmpty() && stages.get(i).state() != JobState.PENDING) {
        start = stages.get(i);
      }
    }
    return Optional.ofNullable(start);
  }

  /** The stage in which it was over. */
  public Optional<Stage> end() {
    return stages.stream()
        .filter(s -> s.state().isFinished())
        .reduce((a, b) -> b.completing() ? b : a);
  }

  /**
   * A time in which a job showed the same.
   *
   * @param moment the number of the event that began it; with {@code from} it names the moment
   * @param until when the next began, or the controller forgot the job; null for the present one
   * @param completing whether its nodes were still cleaning up
   * @param reasonText the longer sentence, if there is one
   * @param restarts how often it had been requeued
   * @param nodes what it held; empty for nothing
   * @param edits who changed the job in this time, the one that began it included
   */
  public record Stage(
      long moment,
      Instant from,
      @Nullable Instant until,
      JobState state,
      boolean completing,
      Reason reason,
      String reasonText,
      int restarts,
      String nodes,
      List<Edit> edits) {
    public Stage {
      edits = List.copyOf(edits);
    }

    /** How long it lasted, or has lasted. */
    public Duration length(Instant now) {
      Instant end = until == null ? now : until;
      return end.isBefore(from) ? Duration.ZERO : Duration.between(from, end);
    }
  }

  /**
   * A change of the job by somebody.
   *
   * @param change as field=value
   */
  public record Edit(long moment, Instant at, String by, String change) {}
}
