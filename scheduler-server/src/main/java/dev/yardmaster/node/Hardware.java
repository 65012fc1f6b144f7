package dev.yardmaster.node;

import dev.yardmaster.controller.Command;
import dev.yardmaster.model.GresDevices;
import dev.yardmaster.model.NodeMeasure;
import dev.yardmaster.model.NodeSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a node has, as the kernel tells it, or as the configuration says where it overrides
 * (slurm.conf(5), SlurmdParameters=config_overrides).
 *
 * @param tmpDiskMib size of the file system that TmpFS names
 * @param gres how many devices of each name
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
  private static final Path ROOT = Path.of("/");

  /** What a daemon says of a node when it connects. */
  Command.NodeRegistered registration(
      String node,
      String version,
      List<Command.RunningJob> runs,
      List<Command.RunningStep> steps,
      NodeMeasure measure) {
    return new Command.NodeRegistered(
        node,
        cpus,
        sockets,
        coresPerSocket,
        threadsPerCore,
        realMemoryMib,
        tmpDiskMib,
        gres,
        bootTime,
        version,
        runs,
        steps,
        measure);
  }

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
        booted(ROOT));
  }

  /** What the daemon of a node is to register. */
  static Hardware of(NodeDaemon.Setup setup) {
    NodeSpec spec = setup.spec();
    return setup.detect()
        ? detected(spec, setup.settings().tmpFs()).registered(spec)
        : configured(spec);
  }

  /** Reads the machine; of the GRES, devices with files count when the files exist. */
  static Hardware detected(NodeSpec spec, Path tmp) {
    return machine(ROOT, tmp).withGres(devices(spec));
  }

  /**
   * Reads the machine, without its GRES.
   *
   * @param root of the file systems of the kernel, {@code /} but in tests
   */
  static Hardware machine(Path root, Path tmp) {
    CpuMap map = CpuMap.of(root);
    int cpus = map.cpus() > 0 ? map.cpus() : Runtime.getRuntime().availableProcessors();
    int cores = map.cpus() > 0 ? map.cores() : cpus;
    int sockets = Math.max(1, map.sockets());
    return new Hardware(
        cpus,
        sockets,
        Math.max(1, cores / sockets),
        Math.max(1, cpus / cores),
        memory(root),
        tmpDisk(tmp),
        new TreeMap<>(),
        booted(root));
  }

  private Hardware withGres(SortedMap<String, Long> devices) {
    return with(cpus, sockets, coresPerSocket, threadsPerCore, devices);
  }

  private Hardware with(
      int cpus, int sockets, int cores, int threads, SortedMap<String, Long> devices) {
    return new Hardware(
        cpus, sockets, cores, threads, realMemoryMib, tmpDiskMib, devices, bootTime);
  }

  /**
   * What a node says it has: as slurmd, the sockets, cores and threads of the configuration as long
   * as the machine has so many CPUs, and what there is otherwise.
   */
  Hardware registered(NodeSpec spec) {
    return cpus < spec.cpus()
        ? this
        : with(spec.cpus(), spec.sockets(), spec.coresPerSocket(), spec.threadsPerCore(), gres);
  }

  /** What an operator should know of a configuration unlike the machine; empty when alike. */
  String difference(NodeSpec spec) {
    boolean onlyCpus =
        spec.sockets() == spec.cpus() && spec.coresPerSocket() == 1 && spec.threadsPerCore() == 1;
    boolean alike =
        spec.sockets() == sockets
            && spec.coresPerSocket() == coresPerSocket
            && spec.threadsPerCore() == threadsPerCore
            && (spec.cpus() == cpus || spec.cpus() == sockets * coresPerSocket);
    if (alike || onlyCpus && spec.cpus() == cpus) {
      return "";
    }
    return String.format(
        Locale.ROOT,
        "Node configuration differs from hardware: CPUs=%d:%d(hw) Boards=%d:1(hw)"
            + " SocketsPerBoard=%d:%d(hw) CoresPerSocket=%d:%d(hw) ThreadsPerCore=%d:%d(hw)",
        spec.cpus(),
        cpus,
        spec.boards(),
        spec.sockets() / Math.max(1, spec.boards()),
        sockets,
        spec.coresPerSocket(),
        coresPerSocket,
        spec.threadsPerCore(),
        threadsPerCore);
  }

  /**
   * The machine as a line of slurm.conf, as {@code slurmd -C} prints it.
   *
   * @param gres what was found of GPUs, as Gres= takes it; empty for none
   */
  String line(String name, String gres) {
    return String.format(
        Locale.ROOT,
        "NodeName=%s CPUs=%d Boards=1 SocketsPerBoard=%d CoresPerSocket=%d ThreadsPerCore=%d"
            + " RealMemory=%d%s",
        name,
        cpus,
        sockets,
        coresPerSocket,
        threadsPerCore,
        realMemoryMib,
        gres.isEmpty() ? "" : " Gres=" + gres);
  }

  /** {@code UpTime=DAYS-HH:MM:SS}. */
  String upTime(Instant now) {
    Duration up = Duration.between(bootTime, now);
    return String.format(
        Locale.ROOT,
        "UpTime=%d-%02d:%02d:%02d",
        up.toDays(),
        up.toHoursPart(),
        up.toMinutesPart(),
        up.toSecondsPart());
  }

  static String line(Path file, String start) {
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

  private static long memory(Path root) {
    String total = line(root.resolve("proc/meminfo"), "MemTotal:").replaceAll("[^0-9]", "");
    return total.isEmpty() ? 1 : Long.parseLong(total) / 1024;
  }

  private static long tmpDisk(Path tmp) {
    try {
      return Files.getFileStore(tmp).getTotalSpace() >> 20;
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
              : devices.files().stream().filter(Hardware::exists).count()
                  * Math.max(1, devices.count() / devices.files().size());
      gres.merge(devices.name(), there, Long::sum);
    }
    return gres;
  }

  /** A device is there when all its files are. */
  private static boolean exists(String files) {
    return List.of(files.split(",")).stream().allMatch(f -> Files.exists(Path.of(f)));
  }

  private static Instant booted(Path root) {
    String seconds = line(root.resolve("proc/stat"), "btime ");
    return seconds.matches("[0-9]{1,12}")
        ? Instant.ofEpochSecond(Long.parseLong(seconds))
        : Instant.EPOCH;
  }
}
