package dev.yardmaster.node.cgroup;

import dev.yardmaster.model.ClusterConfig;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;

/**
 * What cgroup.conf(5) asks for, with Slurm's defaults, as far as TaskPlugin and ProctrackType of
 * slurm.conf(5) put it in force.
 *
 * @param plugin CgroupPlugin
 * @param mount CgroupMountpoint
 * @param cores ConstrainCores, where TaskPlugin names task/cgroup; likewise the next three
 * @param track proctrack/cgroup: processes of a job are found by their group
 * @param allowedRam AllowedRAMSpace, in percent; likewise the other shares
 * @param minRamMib MinRAMSpace
 * @param swappiness MemorySwappiness; -1 to leave it
 */
public record CgroupSettings(
    Plugin plugin,
    Path mount,
    boolean cores,
    boolean memory,
    boolean swap,
    boolean devices,
    boolean track,
    double allowedRam,
    double maxRam,
    long minRamMib,
    double allowedSwap,
    double maxSwap,
    int swappiness) {
  private static final double MIB = 1 << 20;

  /** Which version of the kernel's control groups is used. */
  public enum Plugin {
    AUTODETECT,
    V1,
    V2,
    DISABLED
  }

  /** Nothing is asked for. */
  public static final CgroupSettings NONE = of(Map.of(), false, false);

  /**
   * @param conf cgroup.conf; nothing in it where there is none
   * @param config slurm.conf
   */
  public static CgroupSettings of(Map<String, String> conf, ClusterConfig config) {
    String tasks = config.setting("TaskPlugin").orElse("").toLowerCase(Locale.ROOT);
    String track = config.setting("ProctrackType").orElse("").toLowerCase(Locale.ROOT);
    // It is Slurm's default; a site that writes neither file nor setting has not asked for it.
    boolean tracks = track.isEmpty() ? !conf.isEmpty() : track.equals("proctrack/cgroup");
    return of(conf, tasks.contains("cgroup"), tracks);
  }

  private static CgroupSettings of(Map<String, String> conf, boolean constrains, boolean tracks) {
    return new CgroupSettings(
        switch (conf.getOrDefault("CgroupPlugin", "").toLowerCase(Locale.ROOT)) {
          case "cgroup/v1" -> Plugin.V1;
          case "cgroup/v2" -> Plugin.V2;
          case "disabled" -> Plugin.DISABLED;
          default -> Plugin.AUTODETECT;
        },
        Path.of(conf.getOrDefault("CgroupMountpoint", "/sys/fs/cgroup")),
        constrains && isYes(conf, "ConstrainCores"),
        constrains && isYes(conf, "ConstrainRAMSpace"),
        constrains && isYes(conf, "ConstrainSwapSpace"),
        constrains && isYes(conf, "ConstrainDevices"),
        tracks,
        number(conf, "AllowedRAMSpace", 100),
        number(conf, "MaxRAMPercent", 100),
        (long) number(conf, "MinRAMSpace", 30),
        number(conf, "AllowedSwapSpace", 0),
        number(conf, "MaxSwapPercent", 100),
        (int) number(conf, "MemorySwappiness", -1));
  }

  private static boolean isYes(Map<String, String> conf, String key) {
    String text = conf.getOrDefault(key, "no").toLowerCase(Locale.ROOT);
    return text.equals("yes") || text.equals("true") || text.equals("1") || text.equals("y");
  }

  private static double number(Map<String, String> conf, String key, double otherwise) {
    String text = conf.getOrDefault(key, "").replace("%", "").strip();
    return text.matches("[0-9]{1,9}(\\.[0-9]{1,9})?") ? Double.parseDouble(text) : otherwise;
  }

  /** Whether groups are to be made at all. */
  boolean any() {
    return plugin != Plugin.DISABLED && (cores || memory || swap || devices || track);
  }

  /** Whether memory, or memory with swap, has a limit. */
  public boolean limitsMemory() {
    return plugin != Plugin.DISABLED && (memory || swap);
  }

  /**
   * The limits of a job or step, in bytes.
   *
   * @param ram what its processes may have in memory
   * @param soft above which the kernel takes memory back first
   * @param ramAndSwap what they may have together
   */
  record Memory(long ram, long soft, long ramAndSwap) {}

  /**
   * The limits for what a job or step has been given.
   *
   * @param mib 0 for what has no limit of its own: it has all of the node
   * @param totalMib RealMemory of the node
   */
  Memory memory(long mib, long totalMib) {
    double total = totalMib * MIB;
    double max = total * maxRam / 100;
    double given = (mib == 0 ? totalMib : mib) * MIB;
    double hard = mib == 0 || !memory ? given : given * allowedRam / 100;
    double least = minRamMib * MIB;
    double ram = clamp(hard, least, max);
    double both = clamp(ram + given * allowedSwap / 100, least, max + total * maxSwap / 100);
    double soft = Math.min(clamp(given, least, max), ram);
    return new Memory((long) (memory ? ram : both), (long) soft, (long) both);
  }

  private static double clamp(double value, double least, double most) {
    return value < least ? least : Math.min(value, most);
  }
}
