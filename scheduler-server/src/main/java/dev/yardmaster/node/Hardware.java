package dev.yardmaster.node;

import dev.yardmaster.model.GresDevices;
import dev.yardmaster.model.NodeSpec;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a node has, as the kernel tells it, or as the configuration says where it overrides
 * (slurm.conf(5), SlurmdParameters=config_overrides).
 */
record Hardware(
    int cpus,
    int sockets,
    int coresPerSocket,
    int threadsPerCore,
    long realMemoryMib,
    long tmpDiskMib,
    SortedMap<String, Long> gres,
    Instant bootTime) {

  static Hardware configured(NodeSpec spec) {
    TreeMap<String, Long> gres = new TreeMap<>();
    for (GresDevices devices : spec.gres()) {
      gres.merge(devices.name(), devices.count(), Long::sum);
    }
    return new Hardware(
        spec.cpus(),
        spec.sockets(),
        spec.coresPerSocket(),
        spec.threadsPerCore(),
        spec.realMemoryMib(),
        spec.tmpDiskMib(),
        gres,
        booted());
  }

  /** Reads the machine; of the configured GRES, devices with files count when the files exist. */
  static Hardware detected(NodeSpec spec) {
    Set<String> sockets = new HashSet<>();
    Set<String> cores = new HashSet<>();
    int cpus = 0;
    try (DirectoryStream<Path> entries =
        Files.newDirectoryStream(Path.of("/sys/devices/system/cpu"), "cpu[0-9]*")) {
      for (Path cpu : entries) {
        String socket = first(cpu.resolve("topology/physical_package_id"));
        if (!socket.isEmpty()) {
          cpus++;
          sockets.add(socket);
          cores.add(socket + ":" + first(cpu.resolve("topology/core_id")));
        }
      }
    } catch (IOException e) {
      cpus = 0;
    }
    if (cpus == 0) {
      cpus = Runtime.getRuntime().availableProcessors();
    }
    int socketCount = Math.max(1, sockets.size());
    int coreCount = Math.max(1, cores.size());
    return new Hardware(
        cpus,
        socketCount,
        Math.max(1, coreCount / socketCount),
        Math.max(1, cpus / coreCount),
        memory(),
        tmpDisk(),
        devices(spec),
        booted());
  }

  private static String first(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      return "";
    }
  }

  private static String line(Path file, String start) {
    try {
      List<String> lines = Files.readAllLines(file);
      return lines.stream()
          .filter(l -> l.startsWith(start))
          .map(l -> l.substring(start.length()).strip())
          .findFirst()
          .orElse("");
    } catch (IOException e) {
      return "";
    }
  }

  private static long memory() {
    String total = line(Path.of("/proc/meminfo"), "MemTotal:").replaceAll("[^0-9]", "");
    return total.isEmpty() ? 1 : Long.parseLong(total) / 1024;
  }

  private static long tmpDisk() {
    try {
      return Files.getFileStore(Path.of("/tmp")).getTotalSpace() >> 20;
    } catch (IOException e) {
      return 0;
    }
  }

  private static SortedMap<String, Long> devices(NodeSpec spec) {
    TreeMap<String, Long> gres = new TreeMap<>();
    for (GresDevices devices : spec.gres()) {
      long there =
          devices.files().isEmpty()
              ? devices.count()
              : devices.files().stream().filter(f -> Files.exists(Path.of(f))).count();
      gres.merge(devices.name(), there, Long::sum);
    }
    return gres;
  }

  private static Instant booted() {
    String seconds = line(Path.of("/proc/stat"), "btime ");
    return seconds.matches("[0-9]{1,12}")
        ? Instant.ofEpochSecond(Long.parseLong(seconds))
        : Instant.EPOCH;
  }
}
