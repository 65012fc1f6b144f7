package dev.yardmaster.node.gpu;

import dev.yardmaster.model.IndexSet;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds NVIDIA's GPUs by what the driver shows in the file system, without links and parts
 * (gres.conf(5), AutoDetect=nvidia).
 */
final class NvidiaProc implements GpuSource {
  private final Path root;

  /**
   * @param root of the file systems of the kernel, {@code /} but in tests
   */
  NvidiaProc(Path root) {
    this.root = root;
  }

  @Override
  public String name() {
    return "nvidia";
  }

  @Override
  public List<Gpu> gpus() throws GpuException {
    Path folder = root.resolve("proc/driver/nvidia/gpus");
    List<Path> buses = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
      entries.forEach(buses::add);
    } catch (IOException e) {
      throw new GpuException("NVIDIA's driver is not loaded: there is no " + folder, e);
    }
    buses.sort(null);
    List<Gpu> found = new ArrayList<>();
    for (int i = 0; i < buses.size(); i++) {
      found.add(gpu(buses.get(i), i));
    }
    return found;
  }

  private Gpu gpu(Path folder, int index) throws GpuException {
    Path file = folder.resolve("information");
    List<String> lines;
    try {
      lines = Files.readAllLines(file);
    } catch (IOException e) {
      throw new GpuException(file + " cannot be read: " + e.getMessage(), e);
    }
    String minor = value(lines, "Device Minor:");
    if (!minor.matches("[0-9]{1,4}")) {
      throw new GpuException(file + " has no line \"Device Minor: NUMBER\"");
    }
    return new Gpu(
        index,
        Gpu.typeOf(value(lines, "Model:")),
        "/dev/nvidia" + minor,
        value(lines, "GPU UUID:"),
        near(folder.getFileName().toString()),
        null,
        false);
  }

  private static String value(List<String> lines, String start) {
    return lines.stream()
        .filter(l -> l.startsWith(start))
        .map(l -> l.substring(start.length()).strip())
        .findFirst()
        .orElse("");
  }

  private @Nullable IndexSet near(String bus) {
    return near(root, bus);
  }

  /** The CPUs near a device of the PCI bus; null when the kernel does not say. */
  static @Nullable IndexSet near(Path root, String bus) {
    try {
      String text =
          Files.readString(root.resolve("sys/bus/pci/devices/" + bus + "/local_cpulist")).strip();
      return text.matches("\\d+(-\\d+)?(,\\d+(-\\d+)?)*") ? IndexSet.parse(text) : null;
    } catch (IOException e) {
      return null;
    }
  }
}
