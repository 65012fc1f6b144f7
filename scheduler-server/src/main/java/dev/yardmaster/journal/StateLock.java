package dev.yardmaster.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** Keeps a second server away from a state directory; the kernel drops it with the process. */
public final class StateLock implements AutoCloseable {
  private static final String FILE = "lock";

  private final FileChannel channel;

  private StateLock(FileChannel channel) {
    this.channel = channel;
  }

  /**
   * Takes the lock.
   *
   * @throws JournalException naming the directory and, where known, the process that has it
   */
  static StateLock take(Path directory) {
    StateLock lock = tryTake(directory);
    if (lock == null) {
      String holder = holder(directory);
      throw new JournalException(
          "state directory "
              + directory
              + " is in use by another server"
              + (holder.isEmpty() ? "" : " (process " + holder + ")")
              + "; stop it or give another --state");
    }
    return lock;
  }

  /**
   * Takes the lock, unless somebody has it.
   *
   * @return null when somebody has it
   * @throws JournalException when the directory cannot be used
   */
  public static @Nullable StateLock tryTake(Path directory) {
    Path file = directory.resolve(FILE);
    FileChannel channel = null;
    try {
      Files.createDirectories(directory);
      channel =
          FileChannel.open(
              file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
      if (tryLock(channel) == null) {
        channel.close();
        return null;
      }
      channel.truncate(0);
      channel.write(
          ByteBuffer.wrap(
              (ProcessHandle.current().pid() + "\n").getBytes(StandardCharsets.US_ASCII)),
          0);
      return new StateLock(channel);
    } catch (IOException e) {
      closeQuietly(channel);
      throw unusable(directory, e);
    }
  }

  private static String holder(Path directory) {
    try {
      return Files.readString(directory.resolve(FILE)).strip();
    } catch (IOException e) {
      throw unusable(directory, e);
    }
  }

  private static JournalException unusable(Path directory, IOException e) {
    return new JournalException(
        "state directory " + directory + " cannot be used: " + FileProblem.of(e), e);
  }

  private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null;
    }
  }

  private static void closeQuietly(@Nullable FileChannel channel) {
    try {
      if (channel != null) {
        channel.close();
      }
    } catch (IOException e) {
      // The lock was not taken, so there is nothing to give back.
      return;
    }
  }

  @Override
  public void close() {
    closeQuietly(channel);
  }
}
