package dev.yardmaster.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A file of a shared state directory by which the controller that has control shows that it lives.
 * Clocks of two machines are never compared: what counts is for how long the reader has seen no
 * change.
 */
final class Heartbeat {
  private static final String FILE = "heartbeat";

  /** How somebody has control. */
  enum Hold {
    /** With the lock of the directory, which goes with its process. */
    LOCKED,
    /** Without it, since it was taken from one that hangs. */
    FORCED,
    /** Not any more. */
    FREE
  }

  /**
   * What the file says.
   *
   * @param epoch rises with each controller that takes control
   * @param index place of the controller in the list
   * @param successor who is to have control next, when it is free; -1 for anybody
   */
  record Beat(long epoch, long count, int index, Hold hold, int successor) {}

  private final Path file;
  private final Path fresh;
  private @Nullable Beat seen;
  private long changedNanos = System.nanoTime();

  /**
   * @param index of this controller, which writes through a file of its own
   */
  Heartbeat(Path directory, int index) {
    file = directory.resolve(FILE);
    fresh = directory.resolve(FILE + "." + index);
  }

  /** Reads the file; null while there is none that can be read. */
  @Nullable Beat look() {
    Beat beat = read();
    if (beat != null && !beat.equals(seen)) {
      seen = beat;
      changedNanos = System.nanoTime();
    }
    return beat;
  }

  /** Whether it has not changed for so long, as far as this controller has looked. */
  boolean isSilentFor(Duration time) {
    return System.nanoTime() - changedNanos >= time.toNanos();
  }

  private @Nullable Beat read() {
    try {
      String[] words = Files.readString(file).strip().split(" ", -1);
      return words.length == 5
          ? new Beat(
              Long.parseLong(words[0]),
              Long.parseLong(words[1]),
              Integer.parseInt(words[2]),
              Hold.valueOf(words[3]),
              Integer.parseInt(words[4]))
          : null;
    } catch (IOException | IllegalArgumentException e) {
      return null;
    }
  }

  void write(Beat beat) throws IOException {
    Files.writeString(
        fresh,
        beat.epoch()
            + " "
            + beat.count()
            + " "
            + beat.index()
            + " "
            + beat.hold()
            + " "
            + beat.successor()
            + "\n");
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
