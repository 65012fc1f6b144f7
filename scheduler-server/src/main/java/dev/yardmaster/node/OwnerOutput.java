package dev.yardmaster.node;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lines that the daemon adds to the output of a job, written with the rights of its user. */
final class OwnerOutput {
  private static final Logger LOG = LoggerFactory.getLogger(OwnerOutput.class);
  private static final Duration AT_MOST = Duration.ofSeconds(5);

  private OwnerOutput() {}

  /** What adds lines to the output of runs. */
  static BiConsumer<RunDirectory, String> of(Users users) {
    return (run, line) -> append(users, run, line);
  }

  /** Adds a message with the time to the output of a run; null for one that is not here. */
  static void say(Users users, @Nullable RunDirectory run, String text) {
    if (run != null) {
      append(users, run, CancelLine.message(CancelLine.time(Instant.now()), text));
    }
  }

  /** Says in the output of a run why it is ended. */
  static CompletableFuture<?> cancelled(Users users, RunDirectory run, String node, String why) {
    String now = CancelLine.time(Instant.now());
    return append(users, run, CancelLine.text(run.run().jobId(), node, now, why));
  }

  /** Adds a line to the output of a run, where it is known whose that is. */
  static CompletableFuture<?> append(Users users, RunDirectory run, String line) {
    return run.owner()
        .<CompletableFuture<?>>map(owner -> append(users, owner, line))
        .orElseGet(() -> CompletableFuture.completedFuture(null));
  }

  /** Adds a line; completes when it is written, or fails when that takes too long. */
  private static CompletableFuture<?> append(Users users, RunDirectory.Owner owner, String line) {
    List<String> command = new ArrayList<>(users.as(owner.uid(), owner.gid()));
    String append = "printf '%s\\n' \"$1\" >> \"$2\"";
    command.addAll(List.of("/bin/sh", "-c", append, "sh", line, owner.errorFile()));
    try {
      return new ProcessBuilder(command)
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start()
          .onExit()
          .orTimeout(AT_MOST.toSeconds(), TimeUnit.SECONDS);
    } catch (IOException e) {
      LOG.warn("{}: {}", owner.errorFile(), e.toString());
      return CompletableFuture.completedFuture(null);
    }
  }
}
