package dev.yardmaster.node.gpu;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Runs a program that tells of GPUs and takes what it prints. */
@FunctionalInterface
interface Tools {
  /** How long such a program may take; it hangs when a GPU has fallen off the bus. */
  Duration PATIENCE = Duration.ofSeconds(20);

  /**
   * What a program prints.
   *
   * @throws GpuException when there is no such program, or it fails or hangs
   */
  String run(List<String> command) throws GpuException;

  /** The programs of this machine. */
  static Tools ofMachine() {
    return command -> {
      Process process;
      try {
        process =
            new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .redirectInput(ProcessBuilder.Redirect.from(new java.io.File("/dev/null")))
                .start();
      } catch (IOException e) {
        throw new GpuException(command.getFirst() + " is not there: " + e.getMessage(), e);
      }
      CompletableFuture<String> said =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  byte[] bytes = process.getInputStream().readAllBytes();
                  return new String(bytes, StandardCharsets.UTF_8);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
      try {
        if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
          throw new GpuException(String.join(" ", command) + " hangs");
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new GpuException(String.join(" ", command) + " was interrupted", e);
      } finally {
        process.destroyForcibly();
      }
      if (process.exitValue() != 0) {
        throw new GpuException(
            String.join(" ", command) + " failed with exit code " + process.exitValue());
      }
      return said.join();
    };
  }
}
