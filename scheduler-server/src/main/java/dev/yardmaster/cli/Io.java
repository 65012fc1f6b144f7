package dev.yardmaster.cli;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The surroundings of a command.
 *
 * @param out UTF-8; not flushed before the command ends
 * @param terminal whether a person reads the errors, who may be told more than scripts expect
 */
public record Io(
    InputStream in,
    PrintStream out,
    PrintStream err,
    Map<String, String> environment,
    Path directory,
    ZoneId zone,
    InstantSource clock,
    BooleanSupplier terminal,
    Machine machine) {
  /** On this machine. */
  public Io(
      InputStream in,
      PrintStream out,
      PrintStream err,
      Map<String, String> environment,
      Path directory,
      ZoneId zone,
      InstantSource clock,
      BooleanSupplier terminal) {
    this(in, out, err, environment, directory, zone, clock, terminal, Machine.THIS);
  }

  /** Those of this process. */
  public static Io ofProcess() {
    return new Io(
        System.in,
        new ProcessOutput(
            new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), 1 << 16)),
        new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8),
        System.getenv(),
        Path.of("").toAbsolutePath(),
        ZoneId.systemDefault(),
        InstantSource.system(),
        () -> System.console() != null && System.console().isTerminal());
  }

  boolean interactive() {
    return terminal.getAsBoolean();
  }

  /** A variable of the environment; null when it is not set. */
  @Nullable String variable(String name) {
    return environment.get(name);
  }

  /** A variable of the environment; null when it is not set or empty. */
  @Nullable String nonEmpty(String name) {
    String value = environment.get(name);
    return value == null || value.isEmpty() ? null : value;
  }
}
