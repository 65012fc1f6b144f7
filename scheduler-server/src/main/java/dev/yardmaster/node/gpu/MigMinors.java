package dev.yardmaster.node.gpu;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The device files of parts of GPUs, by the numbers that the driver gives them. */
final class MigMinors {
  private static final Path FILE = Path.of("proc/driver/nvidia-caps/mig-minors");

  private final Path file;

  /**
   * @param root of the file systems of the kernel, {@code /} but in tests
   */
  MigMinors(Path root) {
    this.file = root.resolve(FILE);
  }

  /** The two files beside that of the GPU which let a program use a part, each after a comma. */
  String files(long gpu, long instance, long compute) throws GpuException {
    return ",/dev/nvidia-caps/nvidia-cap"
        + minor("gpu" + gpu + "/gi" + instance + "/access ")
        + ",/dev/nvidia-caps/nvidia-cap"
        + minor("gpu" + gpu + "/gi" + instance + "/ci" + compute + "/access ");
  }

  private String minor(String start) throws GpuException {
    String number;
    try {
      number =
          Files.readAllLines(file).stream()
              .filter(l -> l.startsWith(start))
              .map(l -> l.substring(start.length()).strip())
              .findFirst()
              .orElse("");
    } catch (IOException e) {
      throw new GpuException("parts of GPUs (MIG) need " + file + ": " + e.getMessage(), e);
    }
    if (!number.matches("[0-9]{1,6}")) {
      throw new GpuException(file + " has no line \"" + start + "NUMBER\"");
    }
    return number;
  }
}
