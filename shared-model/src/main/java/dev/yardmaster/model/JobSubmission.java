package dev.yardmaster.model;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import java.util.SortedMap;

/**
 * What a user asks to run, before the controller has checked it.
 *
 * @param options by sbatch's long option name without dashes ({@code nodes}, {@code gres}, {@code
 *     time} …), the values as typed; options without a value have an empty one. The controller
 *     alone reads the values, so that every client gets the same answer to the same request.
 * @param script text of the batch script, empty for salloc and srun
 * @param command path the script was read from, empty for {@code --wrap} and standard input
 * @param submitLine the command line as typed
 */
@RecordBuilder
public record JobSubmission(
    SortedMap<String, String> options,
    String script,
    List<String> arguments,
    SortedMap<String, String> environment,
    String command,
    String submitLine,
    String workDir,
    String submitHost)
    implements JobSubmissionBuilder.With {
  /**
   * The option by which a client tells a submission that it repeats from a new one: an id of its
   * own making. It is no option of sbatch(1), and a client sends it only where a controller may
   * take over from another before the answer has come.
   */
  public static final String REQUEST_ID = "request-id";

  public JobSubmission {
    arguments = List.copyOf(arguments);
  }
}
