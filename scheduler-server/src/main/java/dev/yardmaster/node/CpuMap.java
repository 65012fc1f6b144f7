package dev.yardmaster.node;

import dev.yardmaster.model.IndexSet;
import dev.yardmaster.model.NodeSpec;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The CPUs of a machine as the kernel numbers them, and the cores as Slurm does: socket by socket,
 * whatever the numbers of the kernel (gres.conf(5), Cores=).
 */
final class CpuMap {
  private record Core(int socket, int die, int id) {}

  private final Map<Integer, Core> coreOf = new TreeMap<>();
  private final List<Core> cores;

  private CpuMap(Path system) {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(system, "cpu[0-9]*")) {
      for (Path cpu : entries) {
        Path topology = cpu.resolve("topology");
        int socket = number(topology.resolve("physical_package_id"));
        int core = number(topology.resolve("core_id"));
        String digits = cpu.getFileName().toString().substring("cpu".length());
        if (socket != Integer.MIN_VALUE && digits.matches("[0-9]{1,6}")) {
          // Within a socket of several dies the numbers of cores start anew in each.
          int die = Math.max(0, number(topology.resolve("die_id")));
          coreOf.put(Integer.parseInt(digits), new Core(socket, die, core));
        }
      }
    } catch (IOException e) {
      coreOf.clear();
    }
    cores =
        coreOf.values().stream()
            .distinct()
            .sorted(
                Comparator.comparingInt(Core::socket)
                    .thenComparingInt(Core::die)
                    .thenComparingInt(Core::id))
            .collect(Collectors.toCollection(ArrayList::new));
  }

  /**
   * Reads it.
   *
   * @param root of the file systems of the kernel, {@code /} but in tests
   */
  static CpuMap of(Path root) {
    return new CpuMap(root.resolve("sys/devices/system/cpu"));
  }

  private static int number(Path file) {
    try {
      String text = Files.readString(file).strip();
      return text.matches("-?[0-9]{1,9}") ? Integer.parseInt(text) : Integer.MIN_VALUE;
    } catch (IOException e) {
      return Integer.MIN_VALUE;
    }
  }

  /** How many CPUs are there, those that are switched off left out; 0 when the kernel is silent. */
  int cpus() {
    return coreOf.size();
  }

  int cores() {
    return cores.size();
  }

  int sockets() {
    return (int) cores.stream().mapToInt(Core::socket).distinct().count();
  }

  /** Whether the machine has the sockets, cores and threads that the configuration says. */
  boolean isLike(NodeSpec spec) {
    int cpus = cpus();
    boolean counted = spec.coresPerSocket() == 1 && spec.threadsPerCore() == 1;
    return cpus > 0
        && (cores() == spec.cores() && cpus == spec.cores() * spec.threadsPerCore()
            || counted && spec.cores() == cpus);
  }

  /**
   * The CPUs of a node's cores, as the kernel numbers them. Where the configuration has as many
   * cores as the machine has CPUs, each of these is a core.
   */
  IndexSet cpusOf(IndexSet wanted, NodeSpec spec) {
    BitSet found = new BitSet();
    boolean counted = spec.cores() != cores();
    int place = 0;
    for (Map.Entry<Integer, Core> cpu : coreOf.entrySet()) {
      if (wanted.contains(counted ? place : cores.indexOf(cpu.getValue()))) {
        found.set(cpu.getKey());
      }
      place++;
    }
    return IndexSet.of(found);
  }

  /** The indices of the cores that CPUs are of; CPUs that are not there count for nothing. */
  IndexSet coresOf(IndexSet cpus) {
    BitSet found = new BitSet();
    cpus.stream()
        .mapToObj(coreOf::get)
        .filter(core -> core != null)
        .forEach(core -> found.set(cores.indexOf(core)));
    return IndexSet.of(found);
  }
}
