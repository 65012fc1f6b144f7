package dev.yardmaster.controller;

import dev.yardmaster.model.JobStep;
import dev.yardmaster.model.SlurmError;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The controller's answer to a {@link Command}; given only after what it promises is durable. */
public sealed interface Reply {
  /** Done. @param notices lines for the user that are no errors */
  record Done(List<String> notices) implements Reply {
    public Done {
      notices = List.copyOf(notices);
    }
  }

  /** A job was accepted. */
  record Submitted(int jobId, List<String> notices) implements Reply {
    public Submitted {
      notices = List.copyOf(notices);
    }
  }

  /** A step is being started. */
  record StepStarted(JobStep step) implements Reply {}

  /** What {@code --test-only} found. */
  record WouldStart(Instant start, int cpus, String nodes, String partition) implements Reply {}

  /**
   * Nothing was changed.
   *
   * @param error Slurm's error
   * @param detail more than the error's own text says, or null: the first line is what Slurm's
   *     command prints before (or, for {@link SlurmError#COMMAND_LINE} and its like, in place of)
   *     the error's text; further lines name the thing, its value and what would be right
   */
  record Refused(SlurmError error, @Nullable String detail) implements Reply {}
}
