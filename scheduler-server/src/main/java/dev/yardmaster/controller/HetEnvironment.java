package dev.yardmaster.controller;

import dev.yardmaster.model.Allocation;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.Job;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What the script of a heterogeneous job finds in its environment: variables of each component, as
 * Slurm names them ({@code SLURM_JOB_NODELIST_HET_GROUP_1}).
 */
final class HetEnvironment {
  private HetEnvironment() {}

  static SortedMap<String, String> of(List<Job> components) {
    TreeMap<String, String> out = new TreeMap<>();
    out.put("SLURM_HET_SIZE", Integer.toString(components.size()));
    for (int i = 0; i < components.size(); i++) {
      Job job = components.get(i);
      String group = "_HET_GROUP_" + i;
      out.put("SLURM_JOB_ID" + group, Integer.toString(job.id()));
      out.put("SLURM_JOB_NAME" + group, job.name());
      out.put("SLURM_JOB_PARTITION" + group, job.partition());
      out.put("SLURM_JOB_ACCOUNT" + group, job.owner().account());
      out.put("SLURM_JOB_QOS" + group, job.owner().qos());
      Allocation allocation = job.allocation();
      if (allocation != null) {
        String nodes = allocation.nodes().toString();
        String count = Integer.toString(allocation.shares().size());
        out.put("SLURM_JOB_NODELIST" + group, nodes);
        out.put("SLURM_NODELIST" + group, nodes);
        out.put("SLURM_JOB_NUM_NODES" + group, count);
        out.put("SLURM_NNODES" + group, count);
      }
      out.put("SLURM_NTASKS" + group, Integer.toString(Math.max(1, job.request().tasks())));
      out.put("SLURM_CPUS_PER_TASK" + group, Integer.toString(job.request().cpusPerTask()));
    }
    return Immutable.sortedMap(out);
  }
}
