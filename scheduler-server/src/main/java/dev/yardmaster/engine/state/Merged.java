package dev.yardmaster.engine.state;

import dev.yardmaster.model.ClusterConfig;
import dev.yardmaster.model.Partition;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * What is left of the partitions as they are when the files are read again (slurm.conf(5),
 * ReconfigFlags): with KeepPartInfo all that was changed by scontrol(1), with KeepPartState their
 * states, else nothing.
 */
final class Merged {
  private Merged() {}

  static TreeMap<String, Partition> partitions(
      ClusterConfig config, Map<String, Partition> before) {
    String flags = config.setting("ReconfigFlags").orElse("").toLowerCase(Locale.ROOT);
    TreeMap<String, Partition> merged = new TreeMap<>();
    if (flags.contains("keeppartinfo")) {
      merged.putAll(before);
    }
    for (Partition fresh : config.partitions()) {
      Partition known = before.get(fresh.name());
      Partition next =
          known != null && flags.contains("keeppartstate") ? fresh.withState(known.state()) : fresh;
      merged.putIfAbsent(fresh.name(), next);
    }
    return merged;
  }
}
