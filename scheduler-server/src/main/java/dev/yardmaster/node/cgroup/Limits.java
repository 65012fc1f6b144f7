package dev.yardmaster.node.cgroup;

import java.nio.file.Path;
import java.util.List;

/**
 * What the processes of a job or step may use.
 *
 * @param memoryMib 0 for all of the node
 * @param cpus as the kernel numbers them, as a list such as {@code 0-3,8}; empty for all
 * @param denied the files of the devices that they may not open
 */
public record Limits(long memoryMib, String cpus, List<Path> denied) {
  public Limits {
    denied = List.copyOf(denied);
  }
}
