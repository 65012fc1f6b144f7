package dev.yardmaster.node;

import dev.yardmaster.model.ClusterConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How memory is held against its limit (slurm.conf(5), JobAcctGatherParams).
 *
 * @param kills OverMemoryKill: whether a step that takes more than its job asked for is killed
 * @param proportional UsePss: pages shared by several processes count in part
 * @param unshared NoShared: pages of files and shared memory do not count
 */
public record MemoryRule(boolean kills, boolean proportional, boolean unshared) {
  static final MemoryRule NONE = new MemoryRule(false, false, false);

  static MemoryRule of(ClusterConfig config) {
    List<String> words =
        List.of(
            config
                .setting("JobAcctGatherParams")
                .orElse("")
                .toLowerCase(Locale.ROOT)
                .split("[,\\s]+"));
    return new MemoryRule(
        words.contains("overmemorykill"), words.contains("usepss"), words.contains("noshared"));
  }

  /** What an operator is to know where memory is given out and nobody keeps jobs to it. */
  static @Nullable String unenforced(ClusterConfig config, NodeSettings settings) {
    boolean given =
        config
            .setting("SelectTypeParameters")
            .orElse("")
            .toUpperCase(Locale.ROOT)
            .contains("_MEMORY");
    if (!given
        || settings.cgroups().limitsMemory()
        || settings.memory().kills() && !settings.gather().isZero()) {
      return null;
    }
    return settings.memory().kills()
        ? "memory limits of jobs are not enforced: OverMemoryKill needs a JobAcctGatherType other"
            + " than none and a JobAcctGatherFrequency above 0"
        : "memory limits of jobs are not enforced: JobAcctGatherParams=OverMemoryKill kills steps"
            + " that exceed them, and ConstrainRAMSpace of cgroup.conf with TaskPlugin=task/cgroup"
            + " keeps them from it";
  }

  /** What processes take together, in bytes; those that have gone take nothing. */
  long used(Collection<Integer> processes) {
    return processes.stream().mapToLong(this::used).sum();
  }

  private long used(int pid) {
    if (proportional) {
      return kib(pid, "smaps_rollup", "Pss:");
    }
    long resident = kib(pid, "status", "VmRSS:");
    return unshared
        ? resident - kib(pid, "status", "RssFile:") - kib(pid, "status", "RssShmem:")
        : resident;
  }

  private static long kib(int pid, String file, String key) {
    try {
      for (String line : Files.readAllLines(Path.of("/proc", Integer.toString(pid), file))) {
        if (line.startsWith(key)) {
          return 1024 * Long.parseLong(line.replaceAll("[^0-9]", ""));
        }
      }
    } catch (IOException e) {
      // It has gone, or belongs to somebody whose processes are none of ours.
      return 0;
    }
    return 0;
  }
}
