package dev.yardmaster.node.cgroup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * Control groups of version 2: one tree, whose groups have either processes or groups in them, and
 * devices that a program in the kernel closes (cgroups(7)).
 */
final class SecondVersion implements Hierarchy {
  private static final String CONTROLLERS = "cgroup.controllers";
  private static final String HANDED_ON = "cgroup.subtree_control";

  private final CgroupSettings settings;
  private final long totalMib;
  private final BiConsumer<Path, List<Device>> closer;
  private final Path base;
  private final List<String> missing = new ArrayList<>();
  private final boolean memory;
  private final boolean cores;
  private boolean devices;

  /**
   * @param mount where the tree is
   * @param name of the group of this node
   * @param totalMib RealMemory of the node
   * @param closer closes devices to a group; throws IllegalStateException where it may not
   */
  SecondVersion(
      CgroupSettings settings,
      Path mount,
      String name,
      long totalMib,
      BiConsumer<Path, List<Device>> closer)
      throws IOException {
    this.settings = settings;
    this.totalMib = totalMib;
    this.closer = closer;
    base = mount.resolve(name);
    if (!Files.exists(mount.resolve(CONTROLLERS))) {
      throw new IOException("no control groups of version 2 are mounted at " + mount);
    }
    Files.createDirectories(base);
    memory = use(settings.memory() || settings.swap(), mount, "memory", "memory is not limited");
    cores = use(settings.cores(), mount, "cpuset", "jobs are not kept to their cores");
    devices = settings.devices();
    if (devices) {
      try {
        closer.accept(base, List.of());
      } catch (IllegalStateException e) {
        devices = false;
        missing.add("devices of others are not closed to jobs: " + e.getMessage());
      }
    }
  }

  /** Hands a controller on from the top to the groups of jobs. */
  private boolean use(boolean wanted, Path mount, String controller, String otherwise) {
    if (!wanted) {
      return false;
    }
    try {
      if (!words(mount.resolve(CONTROLLERS)).contains(controller)) {
        throw new IOException(
            mount
                + " has no "
                + controller
                + " controller; one that is used by version 1 cannot be used here");
      }
      handOn(mount, controller);
      handOn(base, controller);
      return true;
    } catch (IOException e) {
      missing.add(otherwise + ": " + e.getMessage());
      return false;
    }
  }

  private static List<String> words(Path file) {
    return Arrays.asList(GroupFiles.read(file).split("\\s+"));
  }

  private static void handOn(Path group, String controller) throws IOException {
    if (!words(group.resolve(HANDED_ON)).contains(controller)) {
      GroupFiles.write(group.resolve(HANDED_ON), "+" + controller);
    }
  }

  @Override
  public List<String> missing() {
    return missing;
  }

  @Override
  public List<Path> make(Path group, Limits limits, boolean inner) throws IOException {
    Path folder = base.resolve(group);
    Files.createDirectories(folder);
    if (memory) {
      memory(folder, limits.memoryMib());
    }
    if (cores && !limits.cpus().isEmpty()) {
      GroupFiles.write(folder.resolve("cpuset.cpus"), limits.cpus());
    }
    if (devices && !limits.denied().isEmpty()) {
      List<Device> closed =
          limits.denied().stream().map(Device::of).flatMap(Optional::stream).toList();
      try {
        closer.accept(folder, closed);
      } catch (IllegalStateException e) {
        throw new IOException(folder + ": devices cannot be closed: " + e.getMessage(), e);
      }
    }
    if (inner) {
      if (memory) {
        handOn(folder, "memory");
      }
      if (cores) {
        handOn(folder, "cpuset");
      }
    }
    return List.of(folder);
  }

  private void memory(Path folder, long mib) throws IOException {
    CgroupSettings.Memory limit = settings.memory(mib, totalMib);
    GroupFiles.write(folder.resolve("memory.max"), Long.toString(limit.ram()));
    GroupFiles.write(folder.resolve("memory.high"), Long.toString(limit.soft()));
    if (settings.swap() && Files.exists(folder.resolve("memory.swap.max"))) {
      long swap = Math.max(0, limit.ramAndSwap() - limit.ram());
      GroupFiles.write(folder.resolve("memory.swap.max"), Long.toString(swap));
    }
  }

  @Override
  public Path tracking(Path group) {
    return base.resolve(group);
  }

  @Override
  public long outOfMemory(Path group) {
    return GroupFiles.number(base.resolve(group).resolve("memory.events"), "oom_kill");
  }

  @Override
  public void remove(Path group) {
    GroupFiles.remove(base.resolve(group));
  }
}
