package dev.yardmaster.node.cgroup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** A device by its numbers (mknod(2)). */
record Device(boolean block, int major, int minor) {
  private static final int TYPE = 0170000;
  private static final int CHARACTER = 0020000;
  private static final int BLOCK = 0060000;

  /** That of a file; empty when it is none, or is not there. */
  static Optional<Device> of(Path file) {
    try {
      int type = (int) Files.getAttribute(file, "unix:mode") & TYPE;
      if (type != CHARACTER && type != BLOCK) {
        return Optional.empty();
      }
      long number = ((Number) Files.getAttribute(file, "unix:rdev")).longValue();
      int major = (int) (number >> 8 & 0xfff | number >>> 32 & ~0xfffL);
      int minor = (int) (number & 0xff | number >> 12 & ~0xffL);
      return Optional.of(new Device(type == BLOCK, major, minor));
    } catch (IOException | UnsupportedOperationException e) {
      return Optional.empty();
    }
  }

  /** As version 1 takes it: all access to it. */
  @Override
  public String toString() {
    return (block ? "b " : "c ") + major + ":" + minor + " rwm";
  }
}
