package dev.yardmaster.node.cgroup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Control groups of version 1: a tree for each controller (cgroups(7)). */
final class FirstVersion implements Hierarchy {
  private static final String MEMORY = "memory";
  private static final String CPUSET = "cpuset";
  private static final String DEVICES = "devices";
  private static final String FREEZER = "freezer";

  private final CgroupSettings settings;
  private final long totalMib;

  /** The folder of this node by controller, those that are used. */
  private final Map<String, Path> bases = new LinkedHashMap<>();

  private final List<String> missing = new ArrayList<>();

  /**
   * @param name of the folder of this node in each tree
   * @param totalMib RealMemory of the node
   */
  FirstVersion(CgroupSettings settings, String name, long totalMib) {
    this.settings = settings;
    this.totalMib = totalMib;
    use(settings.memory() || settings.swap(), MEMORY, name, "memory is not limited");
    use(settings.cores(), CPUSET, name, "jobs are not kept to their cores");
    use(settings.devices(), DEVICES, name, "devices of others are not closed to jobs");
    use(settings.track(), FREEZER, name, "processes are not found by their group");
  }

  private void use(boolean wanted, String controller, String name, String otherwise) {
    if (!wanted) {
      return;
    }
    Path root = settings.mount().resolve(controller);
    try {
      if (!Files.exists(root.resolve(GroupFiles.PROCESSES))) {
        throw new IOException(
            "no " + controller + " controller of version 1 is mounted at " + root);
      }
      Path base = root.resolve(name);
      Files.createDirectories(base);
      if (controller.equals(CPUSET)) {
        inherit(base);
      }
      bases.put(controller, base);
    } catch (IOException e) {
      missing.add(otherwise + ": " + e.getMessage());
    }
  }

  /** A new cpuset has nothing in it. */
  private static void inherit(Path group) throws IOException {
    for (String file : List.of("cpuset.mems", "cpuset.cpus")) {
      if (GroupFiles.read(group.resolve(file)).isEmpty()) {
        Path above = Objects.requireNonNull(group.getParent()).resolve(file);
        GroupFiles.write(group.resolve(file), GroupFiles.read(above));
      }
    }
  }

  @Override
  public List<String> missing() {
    return missing;
  }

  @Override
  public List<Path> make(Path group, Limits limits, boolean inner) throws IOException {
    List<Path> folders = new ArrayList<>();
    for (Map.Entry<String, Path> base : bases.entrySet()) {
      Path folder = base.getValue().resolve(group);
      Files.createDirectories(folder);
      switch (base.getKey()) {
        case MEMORY -> memory(folder, limits.memoryMib());
        case CPUSET -> cpus(folder, limits.cpus());
        case DEVICES -> devices(folder, limits.denied());
        default -> {}
      }
      folders.add(folder);
    }
    return folders;
  }

  private void memory(Path folder, long mib) throws IOException {
    CgroupSettings.Memory memory = settings.memory(mib, totalMib);
    GroupFiles.write(folder.resolve("memory.limit_in_bytes"), Long.toString(memory.ram()));
    GroupFiles.write(folder.resolve("memory.soft_limit_in_bytes"), Long.toString(memory.soft()));
    if (settings.swap()) {
      GroupFiles.write(
          folder.resolve("memory.memsw.limit_in_bytes"), Long.toString(memory.ramAndSwap()));
      if (settings.swappiness() >= 0) {
        GroupFiles.write(
            folder.resolve("memory.swappiness"), Integer.toString(settings.swappiness()));
      }
    }
  }

  private static void cpus(Path folder, String cpus) throws IOException {
    inherit(folder);
    if (!cpus.isEmpty()) {
      GroupFiles.write(folder.resolve("cpuset.cpus"), cpus);
    }
  }

  private static void devices(Path folder, List<Path> denied) throws IOException {
    for (Path file : denied) {
      Optional<Device> device = Device.of(file);
      if (device.isPresent()) {
        GroupFiles.write(folder.resolve("devices.deny"), device.get().toString());
      }
    }
  }

  @Override
  public Path tracking(Path group) {
    Path first = bases.values().stream().findFirst().orElse(settings.mount());
    return bases.getOrDefault(FREEZER, first).resolve(group);
  }

  @Override
  public long outOfMemory(Path group) {
    Path base = bases.get(MEMORY);
    return base == null
        ? 0
        : GroupFiles.number(base.resolve(group).resolve("memory.oom_control"), "oom_kill");
  }

  @Override
  public void remove(Path group) {
    bases.values().forEach(base -> GroupFiles.remove(base.resolve(group)));
  }
}
