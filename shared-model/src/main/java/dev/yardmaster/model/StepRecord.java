package dev.yardmaster.model;

import dev.yardmaster.model.text.HostList;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What accounting keeps of a step.
 *
 * @param id its number, {@link #BATCH} or {@link #EXTERN}
 * @param tres what it was given, by TRES name
 * @param ended null while it runs, and for one that ended with its job
 * @param suspendedSeconds without the present suspension
 * @param usage null when nobody measured it
 */
@RecordBuilder
public record StepRecord(
    int id,
    String name,
    HostList nodes,
    int tasks,
    Tres tres,
    Instant started,
    @Nullable Instant ended,
    JobState state,
    ExitCode exitCode,
    long timeLimitMinutes,
    long suspendedSeconds,
    @Nullable StepUsage usage)
    implements StepRecordBuilder.With {
  /** The id of the step that is the batch script. */
  public static final int BATCH = -5;

  /** The id of the step that holds what did not come by srun (slurm.conf(5), PrologFlags). */
  public static final int EXTERN = -4;

  /** As users write it after the job's id and a dot. */
  public String idText() {
    return switch (id) {
      case BATCH -> "batch";
      case EXTERN -> "extern";
      default -> Integer.toString(id);
    };
  }
}
