package dev.yardmaster.controller;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** {@link CrashingServer} as a process of its own, to be killed; what it says is read by line. */
public final class CrashingProcess implements AutoCloseable {
  private final Process process;
  private final BufferedReader out;

  private CrashingProcess(Process process) {
    this.process = process;
    out =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  /** Starts a server on what the last one left in a folder, and waits until it is up. */
  public static CrashingProcess start(Path state, String... options) throws IOException {
    CrashingProcess server = launch(state, options);
    assertThat(server.line()).as("the server starts on what the last one left").isEqualTo("up");
    return server;
  }

  /** The same without waiting. */
  static CrashingProcess launch(Path state, String... options) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                CrashingServer.class.getName(),
                state.toString()));
    Stream.of(options).forEach(command::add);
    return new CrashingProcess(
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start());
  }

  /** The next line it says; null after its end. */
  public @Nullable String line() {
    try {
      return out.readLine();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Kills it. What it said before is still there to be read. */
  public void kill() {
    // By its handle: the process itself would close what is still being read.
    process.toHandle().destroyForcibly();
  }

  /** Kills it, if it still runs, and waits for its end. */
  @Override
  public void close() {
    kill();
    process.onExit().join();
  }
}
