package dev.yardmaster.server;

import dev.yardmaster.cli.Io;
import dev.yardmaster.security.AuditLog;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code yardmaster audit}: whether an audit log is as it was written. */
@Command(
    name = "audit",
    sortOptions = false,
    description = "Checks that no line of an audit log was changed, left out or put in.")
final class AuditCommand implements Callable<Integer> {
  @Option(
      names = "--state",
      required = true,
      paramLabel = "DIR",
      description = "Folder of the journal, with audit.log in it.")
  private @Nullable Path state;

  @Option(
      names = "--last",
      paramLabel = "HASH",
      description = "The hash that an earlier check ended with, which must still be there.")
  private @Nullable String known;

  private final Io io;

  private AuditCommand(Io io) {
    this.io = io;
  }

  /**
   * Runs it.
   *
   * @return 0 when the log is as it was written, 1 otherwise
   */
  static int run(List<String> arguments, Io io) {
    return Options.execute("audit", new AuditCommand(io), arguments, io);
  }

  @Override
  public Integer call() {
    if (state == null) {
      throw new IllegalStateException("picocli requires it");
    }
    Path file = state.resolve(AuditLog.FILE_NAME);
    try {
      AuditLog.Verdict verdict = AuditLog.verify(file, known);
      if (verdict.problem() != null) {
        io.err()
            .println("audit: %s:%d: %s".formatted(file, verdict.lines() + 1, verdict.problem()));
        return 1;
      }
      io.out()
          .println(
              "audit: %d lines in order, the last is %s"
                  .formatted(verdict.lines(), verdict.last()));
      io.out().flush();
      return 0;
    } catch (IOException e) {
      io.err().println("audit: " + file + " cannot be read: " + e.getMessage());
      return 1;
    }
  }
}
