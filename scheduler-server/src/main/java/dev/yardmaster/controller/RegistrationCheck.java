package dev.yardmaster.controller;

import dev.yardmaster.model.ClusterConfig;
import dev.yardmaster.model.GresDevices;
import dev.yardmaster.model.NodeSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Holds what a node says it has against its configuration, in Slurm's words.
 *
 * @param overrides SlurmdParameters=config_overrides: what the node says does not count
 * @param memoryPercent SlurmctldParameters=node_reg_mem_percent; null when not given
 */
record RegistrationCheck(boolean overrides, @Nullable Double memoryPercent) {
  private static final double OF_NODES = 100;
  private static final double OF_CLOUD_NODES = 90;
  private static final String KEY = "node_reg_mem_percent=";

  /** The settings of slurm.conf(5) for it; a number that is none counts as not given. */
  static RegistrationCheck of(ClusterConfig config) {
    Double percent = null;
    for (String word : config.setting("SlurmctldParameters").orElse("").split(",")) {
      String text = word.strip().toLowerCase(Locale.ROOT);
      if (text.startsWith(KEY) && text.substring(KEY.length()).matches("[0-9]{1,9}(\\.[0-9]+)?")) {
        percent = Double.valueOf(text.substring(KEY.length()));
      }
    }
    return new RegistrationCheck(
        config.setting("SlurmdParameters").orElse("").contains("config_overrides"), percent);
  }

  /** What a node lacks; empty when nothing. */
  String mismatch(NodeSpec spec, Command.NodeRegistered report) {
    List<String> found = new ArrayList<>();
    if (overrides) {
      return "";
    }
    devices(spec, report, found);
    int reported = report.sockets() * report.coresPerSocket() * report.threadsPerCore();
    if (reported < spec.sockets() * spec.coresPerSocket() * spec.threadsPerCore()) {
      found.add("Low socket*core*thread count");
    }
    if (report.cpus() < spec.cpus()) {
      found.add("Low CPUs");
    }
    double least = memoryPercent != null ? memoryPercent : cloud(spec) ? OF_CLOUD_NODES : OF_NODES;
    if (report.realMemoryMib() * 100.0 / Math.max(1, spec.realMemoryMib()) < least) {
      found.add(
          String.format(
              Locale.ROOT,
              "Low RealMemory (reported:%d < %.2f%% of configured:%d)",
              report.realMemoryMib(),
              least,
              spec.realMemoryMib()));
    }
    if (report.tmpDiskMib() < spec.tmpDiskMib()) {
      found.add("Low TmpDisk");
    }
    return String.join(", ", found);
  }

  private static boolean cloud(NodeSpec spec) {
    return spec.state().equals("CLOUD");
  }

  /** Of several kinds that are short Slurm names the first. */
  private static void devices(NodeSpec spec, Command.NodeRegistered report, List<String> found) {
    Map<String, Long> configured = new TreeMap<>();
    for (GresDevices devices : spec.gres()) {
      configured.merge(devices.name(), devices.count(), Long::sum);
    }
    configured.forEach(
        (name, count) -> {
          long has = report.gres().getOrDefault(name, 0L);
          if (has < count && found.isEmpty()) {
            found.add(
                "gres/%s count reported lower than configured (%d < %d)"
                    .formatted(name, has, count));
          }
        });
  }
}
