package dev.yardmaster.node;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs programs of the site on a node: Prolog, Epilog, HealthCheckProgram. */
final class SiteScripts {
  private static final Logger LOG = LoggerFactory.getLogger(SiteScripts.class);
  private static final int MOST_OUTPUT = 4096;

  /** What a program that was not to be found counts as. */
  private static final int NOT_THERE = 127;

  private SiteScripts() {}

  /** How many can run at once: as many as there are. */
  static ExecutorService threads(String node, boolean serial) {
    var factory = Thread.ofPlatform().name("scripts-" + node).daemon().factory();
    return serial
        ? Executors.newSingleThreadExecutor(factory)
        : Executors.newCachedThreadPool(factory);
  }

  /**
   * The programs that patterns name (slurm.conf(5), Prolog): those of each pattern in reverse
   * alphabetical order. A pattern without a wildcard is a program that has to be there.
   *
   * @throws IOException when a pattern's folder cannot be read, or names no program
   */
  static List<Path> programs(List<String> patterns, Path directory) throws IOException {
    List<Path> found = new ArrayList<>();
    for (String pattern : patterns) {
      Path path = directory.resolve(pattern);
      Path folder = path.getParent();
      Path name = path.getFileName();
      if (folder == null || name == null || !name.toString().matches(".*[*?\\[].*")) {
        found.add(path);
        continue;
      }
      List<Path> matching = new ArrayList<>();
      try (DirectoryStream<Path> entries =
          Files.newDirectoryStream(folder, name.toString().replace("{", "\\{"))) {
        for (Path entry : entries) {
          if (!entry.getFileName().toString().startsWith(".")) {
            matching.add(entry);
          }
        }
      }
      if (matching.isEmpty()) {
        throw new IOException("no program matches " + path);
      }
      matching.sort(Comparator.<Path>naturalOrder().reversed());
      found.addAll(matching);
    }
    return found;
  }

  /**
   * Runs programs one after another until one fails.
   *
   * @param what as the log calls them
   * @param most how long each may take; null for as long as it likes
   * @return the exit code of the one that failed, 128 and the signal when one ended it; 0 when all
   *     went well
   */
  static int run(
      String what,
      List<String> patterns,
      Path directory,
      SortedMap<String, String> environment,
      @Nullable Duration most) {
    try {
      for (Path program : programs(patterns, directory)) {
        int exit = run(what, program, environment, most);
        if (exit != 0) {
          return exit;
        }
      }
      return 0;
    } catch (IOException e) {
      LOG.error("{}: {}", what, e.getMessage());
      return NOT_THERE;
    }
  }

  private static int run(
      String what, Path program, SortedMap<String, String> environment, @Nullable Duration most) {
    if (!Files.isExecutable(program) || Files.isDirectory(program)) {
      LOG.error("{}: {} is no program that can be run", what, program);
      return NOT_THERE;
    }
    Path output = null;
    try {
      output = Files.createTempFile("yardmaster-", ".out");
      List<String> command = new ArrayList<>(Users.apart());
      command.addAll(List.of("--wait", program.toString()));
      ProcessBuilder builder = new ProcessBuilder(command);
      builder.directory(Path.of("/").toFile());
      builder.environment().clear();
      builder.environment().putAll(environment);
      builder.redirectInput(Path.of("/dev/null").toFile());
      builder.redirectErrorStream(true);
      builder.redirectOutput(output.toFile());
      Process process = builder.start();
      if (most == null) {
        process.waitFor();
      } else if (!process.waitFor(most.toMillis(), TimeUnit.MILLISECONDS)) {
        kill(process);
        LOG.error("{}: {} did not end within {} s and was killed", what, program, most.toSeconds());
        return 128 + Processes.SIGKILL;
      }
      int exit = process.exitValue();
      if (exit != 0) {
        LOG.error("{}: {} ended with {}: {}", what, program, exit, head(output));
      }
      return exit;
    } catch (IOException e) {
      LOG.error("{}: {} cannot be started: {}", what, program, e.toString());
      return NOT_THERE;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return 128 + Processes.SIGKILL;
    } finally {
      delete(output);
    }
  }

  private static void kill(Process process) {
    List<ProcessHandle> all = new ArrayList<>(process.descendants().toList());
    all.forEach(p -> Processes.signal((int) p.pid(), Processes.SIGKILL));
    process.destroyForcibly();
  }

  private static String head(Path file) {
    try {
      String text = Files.readString(file, StandardCharsets.ISO_8859_1).strip();
      return text.substring(0, Math.min(MOST_OUTPUT, text.length()));
    } catch (IOException e) {
      return "";
    }
  }

  private static void delete(@Nullable Path file) {
    try {
      if (file != null) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      LOG.debug("{}: {}", file, e.toString());
    }
  }
}
