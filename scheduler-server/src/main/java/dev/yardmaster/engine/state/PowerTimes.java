package dev.yardmaster.engine.state;

import dev.yardmaster.model.ClusterConfig;
import dev.yardmaster.model.Partition;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How long nodes may idle before they are powered down, and how long that and waking them takes
 * (slurm.conf(5), SuspendTime, SuspendTimeout, ResumeTimeout). Of the partitions of a node that say
 * something the longest time counts, else what holds for the cluster.
 */
public final class PowerTimes {
  /** Stands for INFINITE: never powered down, or waited for without an end. */
  public static final Duration NEVER = Duration.ofDays(365_000);

  private final ClusterConfig config;
  private final Map<String, Duration> suspend = new TreeMap<>();
  private final Map<String, Duration> suspendTimeout = new TreeMap<>();
  private final Map<String, Duration> resumeTimeout = new TreeMap<>();

  public PowerTimes(ClusterState state) {
    config = state.config();
    for (Partition partition : state.partitions().values()) {
      note(suspend, partition, "SuspendTime");
      note(suspendTimeout, partition, "SuspendTimeout");
      note(resumeTimeout, partition, "ResumeTimeout");
    }
  }

  private static void note(Map<String, Duration> times, Partition partition, String key) {
    Duration said = time(partition.other().get(key));
    if (said != null) {
      partition.nodes().forEach(node -> times.merge(node, said, PowerTimes::longer));
    }
  }

  private static Duration longer(Duration a, Duration b) {
    return a.compareTo(b) > 0 ? a : b;
  }

  /** Seconds, or INFINITE, which -1 stands for as well; null for what says nothing. */
  private static @Nullable Duration time(@Nullable String text) {
    if (text == null || text.isBlank()) {
      return null;
    }
    String word = text.strip().toUpperCase(Locale.ROOT);
    return word.matches("[0-9]{1,9}") ? Duration.ofSeconds(Long.parseLong(word)) : NEVER;
  }

  private Duration of(Map<String, Duration> times, String node, String key, Duration otherwise) {
    Duration own = times.get(node);
    Duration all = time(config.setting(key).orElse(null));
    return own != null ? own : all != null ? all : otherwise;
  }

  /** How long a node may have nothing to do before it is powered down. */
  public Duration suspendAfter(String node) {
    return of(suspend, node, "SuspendTime", NEVER);
  }

  /** How long powering a node down takes; until then it gets no work. */
  public Duration suspendTimeout(String node) {
    return of(suspendTimeout, node, "SuspendTimeout", Duration.ofSeconds(30));
  }

  /** How long waking a node may take. */
  public Duration resumeTimeout(String node) {
    return of(resumeTimeout, node, "ResumeTimeout", Duration.ofSeconds(60));
  }

  /** The program that powers nodes down or wakes them; empty for none. */
  public String program(boolean up) {
    return config.setting(up ? "ResumeProgram" : "SuspendProgram").orElse("").strip();
  }

  /**
   * Whether nodes without work are powered down, and woken for jobs: both programs are there, and
   * some node has a SuspendTime.
   */
  public boolean isAutomatic(List<String> nodes) {
    return !program(true).isEmpty()
        && !program(false).isEmpty()
        && nodes.stream().anyMatch(node -> !suspendAfter(node).equals(NEVER));
  }
}
