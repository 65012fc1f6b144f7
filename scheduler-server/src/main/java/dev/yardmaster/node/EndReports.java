package dev.yardmaster.node;

import dev.yardmaster.controller.Command;
import dev.yardmaster.controller.Reply;
import dev.yardmaster.model.StepUsage;
import java.io.IOException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says how batch scripts ended, each until it was heard. Owned by the daemon's thread. */
final class EndReports {
  private static final Logger LOG = LoggerFactory.getLogger(EndReports.class);

  private final String node;
  private final Executor thread;
  private final Function<Command, @Nullable CompletionStage<Reply>> way;
  private final Function<RunDirectory, @Nullable StepUsage> usage;
  private final BiFunction<RunDirectory, RunDirectory.Status, RunDirectory.Status> how;

  /**
   * @param way to the controller; null comes of it while there is none
   * @param how what is to be said of a run whose script has ended so
   * @param usage what a run has used
   */
  EndReports(
      String node,
      Executor thread,
      Function<Command, @Nullable CompletionStage<Reply>> way,
      BiFunction<RunDirectory, RunDirectory.Status, RunDirectory.Status> how,
      Function<RunDirectory, @Nullable StepUsage> usage) {
    this.how = how;
    this.node = node;
    this.thread = thread;
    this.way = way;
    this.usage = usage;
  }

  /** The shim of a run is gone. */
  void ended(RunDirectory directory) {
    try {
      if (directory.status().isEmpty()) {
        directory.saveLostStatus();
      }
      tell(directory);
    } catch (IOException e) {
      LOG.error("the end of {} cannot be kept: {}", directory.run(), e.toString());
    }
  }

  /** A controller that does not know the run any more has heard as well. */
  void tell(RunDirectory directory) {
    RunDirectory.Status ended = directory.status().orElse(null);
    if (ended == null || directory.isAcknowledged()) {
      return;
    }
    RunDirectory.Status status = how.apply(directory, ended);
    CompletionStage<Reply> answer =
        way.apply(
            new Command.ScriptEnded(
                node,
                directory.run().jobId(),
                directory.run().restarts(),
                status.exit(),
                status.at(),
                status.exit().isOk() ? "" : directory.launchError(),
                usage.apply(directory)));
    if (answer != null) {
      answer.whenCompleteAsync(
          (reply, failure) -> {
            if (reply instanceof Reply.Done && directory.exists()) {
              acknowledge(directory);
            }
          },
          thread);
    }
  }

  private static void acknowledge(RunDirectory directory) {
    try {
      directory.acknowledge();
    } catch (IOException e) {
      LOG.warn("{}: {}", directory.path(), e.toString());
    }
  }
}
