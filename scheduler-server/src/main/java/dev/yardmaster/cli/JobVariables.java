package dev.yardmaster.cli;

import dev.yardmaster.model.Allocation;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobRequest;
import dev.yardmaster.model.NodeShare;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What a command that holds an allocation finds in its environment (salloc(1)). */
final class JobVariables {
  private JobVariables() {}

  /** The environment of this process with the variables of a job. */
  static Map<String, String> of(Job job, Io io) {
    TreeMap<String, String> out = new TreeMap<>(io.environment());
    String id = Integer.toString(job.id());
    out.put("SLURM_JOB_ID", id);
    out.put("SLURM_JOBID", id);
    out.put("SLURM_JOB_NAME", job.name());
    out.put("SLURM_JOB_USER", job.owner().user());
    out.put("SLURM_JOB_PARTITION", job.partition());
    out.put("SLURM_SUBMIT_DIR", io.directory().toString());
    out.put("SLURM_SUBMIT_HOST", Submissions.hostName());
    putUnlessEmpty(out, "SLURM_JOB_ACCOUNT", job.owner().account());
    putUnlessEmpty(out, "SLURM_JOB_QOS", job.owner().qos());
    JobRequest request = job.request();
    if (request.tasksGiven()) {
      out.put("SLURM_NTASKS", Integer.toString(request.tasks()));
      out.put("SLURM_NPROCS", Integer.toString(request.tasks()));
    }
    if (request.distribution() != null) {
      out.put("SLURM_DISTRIBUTION", request.distribution().toString().replaceFirst("=.*", ""));
    }
    if (request.distribution() != null && request.distribution().planeSize() > 0) {
      out.put("SLURM_DIST_PLANESIZE", Integer.toString(request.distribution().planeSize()));
    }
    if (request.cpusPerTask() > 1 || job.batch().shown().containsKey("cpus-per-task")) {
      out.put("SLURM_CPUS_PER_TASK", Integer.toString(request.cpusPerTask()));
    }
    if (request.tasksPerNode() > 0) {
      out.put("SLURM_NTASKS_PER_NODE", Integer.toString(request.tasksPerNode()));
    }
    Allocation allocation = job.allocation();
    if (allocation != null) {
      String nodes = allocation.nodes().toString();
      String count = Integer.toString(allocation.shares().size());
      out.put("SLURM_JOB_NODELIST", nodes);
      out.put("SLURM_NODELIST", nodes);
      out.put("SLURM_JOB_NUM_NODES", count);
      out.put("SLURM_NNODES", count);
      out.put("SLURM_JOB_CPUS_PER_NODE", perNode(allocation.shares()));
    }
    return out;
  }

  private static void putUnlessEmpty(Map<String, String> out, String name, String value) {
    if (!value.isEmpty()) {
      out.put(name, value);
    }
  }

  /** {@code 3,1} or {@code 1(x2)}. */
  private static String perNode(List<NodeShare> shares) {
    List<String> parts = new ArrayList<>();
    int i = 0;
    while (i < shares.size()) {
      int from = i;
      while (i < shares.size() && shares.get(i).cpus() == shares.get(from).cpus()) {
        i++;
      }
      int cpus = shares.get(from).cpus();
      parts.add(i - from == 1 ? Integer.toString(cpus) : cpus + "(x" + (i - from) + ")");
    }
    return String.join(",", parts);
  }
}
