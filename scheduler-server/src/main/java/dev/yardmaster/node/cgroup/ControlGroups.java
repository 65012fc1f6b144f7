package dev.yardmaster.node.cgroup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The control groups of a node: one for each run of a job, in it one for each of its steps. Where
 * they are is kept in the spool, so that a later daemon finds who is in them.
 */
public final class ControlGroups {
  /** What stands for no group. */
  public static final String NOWHERE = "-";

  private static final String PLACE = "cgroups";

  private final @Nullable Hierarchy hierarchy;
  private final List<String> missing;

  private ControlGroups(@Nullable Hierarchy hierarchy, List<String> missing) {
    this.hierarchy = hierarchy;
    this.missing = missing;
  }

  /**
   * Begins to use them, where the settings ask for it.
   *
   * @param spool of the node; no two daemons share one, and none its groups with another
   * @param totalMib RealMemory of the node
   */
  public static ControlGroups of(CgroupSettings settings, Path spool, String node, long totalMib) {
    if (!settings.any()) {
      return new ControlGroups(null, List.of());
    }
    String name =
        "slurm_"
            + node
            + "-"
            + Integer.toHexString(spool.toAbsolutePath().normalize().toString().hashCode());
    try {
      Hierarchy found =
          isSecond(settings)
              ? new SecondVersion(settings, settings.mount(), name, totalMib, DeviceProgram::close)
              : new FirstVersion(settings, name, totalMib);
      Files.writeString(spool.resolve(PLACE), found.tracking(Path.of("")) + "\n");
      return new ControlGroups(found, List.copyOf(found.missing()));
    } catch (IOException e) {
      return new ControlGroups(
          null, List.of("jobs are not kept in control groups: " + e.getMessage()));
    }
  }

  private static boolean isSecond(CgroupSettings settings) {
    return switch (settings.plugin()) {
      case V1 -> false;
      case V2 -> true;
      case AUTODETECT, DISABLED -> Files.exists(settings.mount().resolve("cgroup.controllers"));
    };
  }

  /** What cgroup.conf asks for and is not in force here, a sentence each. */
  public List<String> missing() {
    return missing;
  }

  /** Whether jobs are in groups at all. */
  public boolean inUse() {
    return hierarchy != null;
  }

  /**
   * Makes the groups of a step.
   *
   * @param run names the run of the job
   * @param step names the step in it
   * @return the folders that its processes go into, with spaces between them; {@link #NOWHERE} for
   *     none
   */
  public String enter(String run, Limits ofJob, String step, Limits ofStep) throws IOException {
    if (hierarchy == null) {
      return NOWHERE;
    }
    Path job = Path.of("job_" + run);
    hierarchy.make(job, ofJob, true);
    List<Path> folders =
        new ArrayList<>(hierarchy.make(job.resolve("step_" + step), ofStep, false));
    return folders.isEmpty()
        ? NOWHERE
        : folders.stream().map(Path::toString).collect(Collectors.joining(" "));
  }

  /** How many processes of a step the kernel has killed for want of memory. */
  public long outOfMemory(String run, String step) {
    return hierarchy == null ? 0 : hierarchy.outOfMemory(group(run, step));
  }

  /** A run, or a step of it, is over. */
  public void remove(String run, @Nullable String step) {
    if (hierarchy != null) {
      hierarchy.remove(group(run, step));
    }
  }

  private static Path group(String run, @Nullable String step) {
    Path job = Path.of("job_" + run);
    return step == null ? job : job.resolve("step_" + step);
  }

  /**
   * The processes in the groups of a run, or of a step of it, whoever has made them.
   *
   * @param spool of the node
   */
  public static Set<Integer> processes(Path spool, String run, @Nullable String step) {
    Path group = place(spool, run, step);
    return group == null ? Set.of() : GroupFiles.processes(group);
  }

  /** Kills all that a run has in its groups at once, where the kernel can do that. */
  public static void kill(Path spool, String run, @Nullable String step) {
    Path group = place(spool, run, step);
    if (group != null && Files.exists(group.resolve("cgroup.kill"))) {
      try {
        GroupFiles.write(group.resolve("cgroup.kill"), "1");
      } catch (IOException e) {
        // What is in it is also killed one by one.
        return;
      }
    }
  }

  private static @Nullable Path place(Path spool, String run, @Nullable String step) {
    String base = GroupFiles.read(spool.resolve(PLACE));
    return base.isEmpty() ? null : Path.of(base).resolve(group(run, step));
  }
}
