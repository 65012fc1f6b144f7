package dev.yardmaster.server;

import dev.yardmaster.controller.SiteProgram;
import dev.yardmaster.model.Trigger;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps triggers in a file of the state directory, one a line, and looks each second whether a
 * program is to run.
 */
final class TriggerFile implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TriggerFile.class);

  private final Path file;
  private final TriggerBook book;
  private final ScheduledExecutorService clockwork =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().name("triggers").daemon().factory());

  private TriggerFile(Path file, InstantSource clock) throws IOException {
    this.file = file;
    this.book = new TriggerBook(read(file), this::write, SiteProgram::run, clock);
    clockwork.scheduleWithFixedDelay(this::look, 1, 1, TimeUnit.SECONDS);
  }

  static TriggerFile in(Path directory, InstantSource clock) throws IOException {
    return new TriggerFile(directory.resolve("triggers"), clock);
  }

  TriggerBook book() {
    return book;
  }

  private void look() {
    try {
      book.tick();
    } catch (RuntimeException e) {
      LOG.error("triggers cannot be looked at", e);
    }
  }

  private static List<Trigger> read(Path file) throws IOException {
    List<Trigger> triggers = new ArrayList<>();
    try {
      for (String line : Files.readAllLines(file)) {
        triggers.add(Trigger.parse(line));
      }
    } catch (NoSuchFileException e) {
      return List.of();
    } catch (IllegalArgumentException e) {
      throw new IOException(file + ": " + e.getMessage(), e);
    }
    return triggers;
  }

  private void write(List<Trigger> triggers) {
    Path fresh = file.resolveSibling(file.getFileName() + ".new");
    try {
      Files.deleteIfExists(fresh);
      Files.createFile(
          fresh,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      Files.write(fresh, triggers.stream().map(Trigger::line).toList());
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      LOG.error("triggers cannot be kept: {}", e.toString());
    }
  }

  @Override
  public void close() {
    clockwork.shutdownNow();
  }
}
