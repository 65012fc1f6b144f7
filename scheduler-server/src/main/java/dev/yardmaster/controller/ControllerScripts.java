package dev.yardmaster.controller;

import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs PrologSlurmctld and EpilogSlurmctld (slurm.conf(5)), as the user of the controller. */
final class ControllerScripts {
  private static final Logger LOG = LoggerFactory.getLogger(ControllerScripts.class);
  private static final int KILLED_SECONDS = 5;

  private ControllerScripts() {}

  /**
   * Runs programs one after another until one fails, on a thread of its own.
   *
   * @param what as the log calls them
   * @param patterns full paths, also with wildcards in the name; those that match one run in
   *     reverse alphabetical order
   * @param most how long each may take; null for as long as it likes
   * @return whether all went well
   */
  static CompletableFuture<Boolean> run(
      String what,
      List<String> patterns,
      SortedMap<String, String> environment,
      @Nullable Duration most) {
    CompletableFuture<Boolean> well = new CompletableFuture<>();
    Thread.ofPlatform()
        .name("controller-script")
        .daemon()
        .start(() -> well.complete(all(what, patterns, environment, most)));
    return well;
  }

  private static boolean all(
      String what,
      List<String> patterns,
      SortedMap<String, String> environment,
      @Nullable Duration most) {
    try {
      for (String pattern : patterns) {
        for (Path program : programs(pattern)) {
          if (!one(what, program, environment, most)) {
            return false;
          }
        }
      }
      return true;
    } catch (IOException e) {
      LOG.error("{}: {}", what, e.getMessage());
      return false;
    }
  }

  private static List<Path> programs(String pattern) throws IOException {
    Path path = Path.of(pattern);
    Path folder = path.getParent();
    Path name = path.getFileName();
    if (!path.isAbsolute() || folder == null || name == null) {
      throw new IOException(pattern + " is no full path");
    }
    if (!name.toString().matches(".*[*?\\[].*")) {
      return List.of(path);
    }
    List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, name.toString())) {
      entries.forEach(found::add);
    }
    if (found.isEmpty()) {
      throw new IOException("no program matches " + pattern);
    }
    found.sort(Comparator.<Path>naturalOrder().reversed());
    return found;
  }

  private static boolean one(
      String what, Path program, SortedMap<String, String> environment, @Nullable Duration most) {
    ProcessBuilder builder = new ProcessBuilder(program.toString());
    builder.directory(new File("/"));
    builder.environment().clear();
    builder.environment().putAll(environment);
    builder.redirectInput(new File("/dev/null"));
    builder.redirectErrorStream(true);
    builder.redirectOutput(ProcessBuilder.Redirect.DISCARD);
    try {
      Process process = builder.start();
      if (most == null) {
        process.waitFor();
      } else if (!process.waitFor(most.toMillis(), TimeUnit.MILLISECONDS)) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().waitFor(KILLED_SECONDS, TimeUnit.SECONDS);
        LOG.error("{}: {} did not end within {} s and was killed", what, program, most.toSeconds());
        return false;
      }
      if (process.exitValue() != 0) {
        LOG.error("{}: {} ended with {}", what, program, process.exitValue());
      }
      return process.exitValue() == 0;
    } catch (IOException e) {
      LOG.error("{}: {} cannot be started: {}", what, program, e.toString());
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
