package dev.yardmaster.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/**
 * What a test leaves behind below its directory: processes that are at home there or were told of
 * it, and files.
 */
final class Leftovers {
  private static final Duration LONGEST = Duration.ofSeconds(30);
  private static final List<String> PLACES = List.of("cwd", "root");
  private static final List<String> TEXTS = List.of("cmdline", "environ");

  private Leftovers() {}

  /**
   * Ends all processes of a directory, with those that they start meanwhile, and deletes what it
   * contains; what threads of this JVM still write there is deleted as well.
   *
   * @throws IOException when it is not done after 30 seconds; the processes are named
   */
  static void clear(Path directory) throws IOException {
    long until = System.nanoTime() + LONGEST.toNanos();
    while (true) {
      end(directory, until);
      try {
        empty(directory);
        return;
      } catch (DirectoryNotEmptyException | NoSuchFileException e) {
        // Somebody wrote or deleted meanwhile.
        if (System.nanoTime() > until) {
          throw e;
        }
      }
    }
  }

  private static void end(Path directory, long until) throws IOException {
    Map<ProcessHandle, String> left = of(directory);
    while (!left.isEmpty()) {
      left.keySet().forEach(ProcessHandle::destroyForcibly);
      CompletableFuture<?>[] ends =
          left.keySet().stream().map(ProcessHandle::onExit).toArray(CompletableFuture[]::new);
      try {
        CompletableFuture.allOf(ends).get(until - System.nanoTime(), TimeUnit.NANOSECONDS);
      } catch (TimeoutException e) {
        throw new IOException(directory + " is still used by " + left.values(), e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      } catch (ExecutionException e) {
        throw new IllegalStateException("the end of a process cannot be awaited", e);
      }
      left = of(directory);
    }
  }

  /** The processes of a directory, each with its command line. */
  static Map<ProcessHandle, String> of(Path directory) throws IOException {
    Map<ProcessHandle, String> found = new TreeMap<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(Path.of("/proc"), "[1-9]*")) {
      for (Path process : all) {
        long pid = Long.parseLong(process.getFileName().toString());
        if (pid != ProcessHandle.current().pid() && isOf(directory, process)) {
          String line = text(process.resolve("cmdline")).replace('\0', ' ').strip();
          ProcessHandle.of(pid).ifPresent(handle -> found.put(handle, pid + " (" + line + ")"));
        }
      }
    }
    return found;
  }

  private static boolean isOf(Path directory, Path process) {
    for (String place : PLACES) {
      try {
        if (Files.readSymbolicLink(process.resolve(place)).startsWith(directory)) {
          return true;
        }
      } catch (IOException e) {
        // It has gone, or is none of ours.
        return false;
      }
    }
    return TEXTS.stream().anyMatch(file -> names(text(process.resolve(file)), directory));
  }

  /** Whether a text contains the path of a directory and not only one that begins so. */
  private static boolean names(String text, Path directory) {
    String path = directory.toString();
    for (int at = text.indexOf(path); at >= 0; at = text.indexOf(path, at + 1)) {
      int after = at + path.length();
      if (after == text.length() || !Character.isLetterOrDigit(text.charAt(after))) {
        return true;
      }
    }
    return false;
  }

  private static String text(Path file) {
    try {
      return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return "";
    }
  }

  private static void empty(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      return;
    }
    List<Path> files;
    try (Stream<Path> walk = Files.walk(directory)) {
      files = walk.sorted(Comparator.reverseOrder()).filter(f -> !f.equals(directory)).toList();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    for (Path file : files) {
      Files.deleteIfExists(file);
    }
  }
}
