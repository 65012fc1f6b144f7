package dev.yardmaster.server;

import dev.yardmaster.model.ClusterConfig;
import dev.yardmaster.model.PriorityPolicy;
import java.util.SortedMap;
import java.util.TreeMap;

/** The settings in force, as scontrol show config lists them. */
final class SettingsList {
  private SettingsList() {}

  static SortedMap<String, String> of(ClusterConfig config) {
    TreeMap<String, String> all = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    all.putAll(config.settings());
    all.put("ClusterName", config.clusterName());
    for (int i = 0; i < config.controllers().size(); i++) {
      all.put("SlurmctldHost[" + i + "]", config.controllers().get(i));
    }
    all.put("SlurmctldPort", Integer.toString(config.controllerPort()));
    all.put(
        "GresTypes",
        config.gresTypes().isEmpty() ? "(null)" : String.join(",", config.gresTypes()));
    all.put("SchedulerType", config.scheduling().backfill() ? "sched/backfill" : "sched/builtin");
    all.put("SelectType", config.scheduling().linear() ? "select/linear" : "select/cons_tres");
    all.put(
        "PriorityType",
        config.priority().multifactor() ? "priority/multifactor" : "priority/basic");
    PriorityPolicy priority = config.priority();
    all.put("PriorityWeightAge", Long.toString(priority.weightAge()));
    all.put("PriorityWeightAssoc", Long.toString(priority.weightAssoc()));
    all.put("PriorityWeightFairShare", Long.toString(priority.weightFairShare()));
    all.put("PriorityWeightJobSize", Long.toString(priority.weightJobSize()));
    all.put("PriorityWeightPartition", Long.toString(priority.weightPartition()));
    all.put("PriorityWeightQOS", Long.toString(priority.weightQos()));
    all.put("SLURM_VERSION", Versions.SLURM);
    all.put("YARDMASTER_VERSION", Versions.product());
    return all;
  }
}
