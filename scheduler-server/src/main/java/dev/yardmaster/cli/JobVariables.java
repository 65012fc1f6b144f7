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

  /** The environment of this process with the variables of a job, or of all its components. */
  static Map<String, String> of(List<Job> jobs, Io io) {
    TreeMap<String, String> out = new TreeMap<>(io.environment());
    out.put("SLURM_SUBMIT_DIR", io.directory().toString());
    out.put("SLURM_SUBMIT_HOST", Submissions.hostName());
    if (jobs.size() == 1) {
      put(out, jobs.getFirst());
      return out;
    }
    out.put("SLURM_JOB_ID", Integer.toString(jobs.getFirst().id()));
    int tasks = 0;
    for (int i = 0; i < jobs.size(); i++) {
      tasks += jobs.get(i).request().tasksGiven() ? jobs.get(i).request().tasks() : 0;
      Map<String, String> own = new TreeMap<>();
      put(own, jobs.get(i));
      own.remove("SLURM_JOB_USER");
      for (String group : List.of("_HET_GROUP_" + i, "_PACK_GROUP_" + i)) {
        own.forEach((name, value) -> out.put(name + group, value));
      }
    }
    for (String name : List.of("SLURM_HET_SIZE", "SLURM_PACK_SIZE")) {
      out.put(name, Integer.toString(jobs.size()));
    }
    if (jobs.stream().allMatch(job -> job.request().tasksGiven())) {
      out.put("SLURM_NTASKS", Integer.toString(tasks));
      out.put("SLURM_NPROCS", Integer.toString(tasks));
    }
    return out;
  }

  private static void put(Map<String, String> out, Job job) {
    String id = Integer.toString(job.id());
    out.put("SLURM_JOB_ID", id);
    out.put("SLURM_JOBID", id);
    out.put("SLURM_JOB_NAME", job.name());
    out.put("SLURM_JOB_USER", job.owner().user());
    out.put("SLURM_JOB_PARTITION", job.partition());
    putUnlessEmpty(out, "SLURM_JOB_ACCOUNT", job.owner().account());
    putUnlessEmpty(out, "SLURM_JOB_QOS", job.owner().qos());
    JobRequest request = job.request();
    if (request.tasksGiven()) {
      out.put("SLURM_NTASKS", Integer.toString(request.tasks()));
      out.put("SLURM_NPROCS", Integer.toString(request.tasks()));
    }
    if (request.overcommit()) {
      out.put("SLURM_OVERCOMMIT", "1");
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
  }

  private static void putUnlessEmpty(Map<String, String> out, String name, String value) {
    if (!value.isEmpty()) {
      out.put(name, value);
    }
  }

  private static String perNode(List<NodeShare> shares) {
    return repeated(shares.stream().map(NodeShare::cpus).toList());
  }

  /** {@code 3,1} or {@code 1(x2)}. */
  static String repeated(List<Integer> counts) {
    List<String> parts = new ArrayList<>();
    int i = 0;
    while (i < counts.size()) {
      int from = i;
      int count = counts.get(from);
      while (i < counts.size() && counts.get(i) == count) {
        i++;
      }
      parts.add(i - from == 1 ? Integer.toString(count) : count + "(x" + (i - from) + ")");
    }
    return String.join(",", parts);
  }
}
