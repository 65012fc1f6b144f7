package dev.yardmaster.controller;

import dev.yardmaster.model.ArrayInfo;
import dev.yardmaster.model.Exclusivity;
import dev.yardmaster.model.ExitCode;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.NodeShare;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** What programs of the site find in their environment of a job, wherever they run. */
public final class SiteVariables {
  private SiteVariables() {}

  /**
   * The variables of Prolog, Epilog, PrologSlurmctld and EpilogSlurmctld (slurm.conf(5)).
   *
   * @param restarts the run, which a job that was requeued has not any more
   * @param epilog whether the run is over
   */
  public static SortedMap<String, String> of(
      Job job, int restarts, boolean epilog, String cluster) {
    SortedMap<String, String> out = new TreeMap<>();
    out.put("SLURM_CLUSTER_NAME", cluster);
    out.put("SLURM_JOB_ID", Integer.toString(job.id()));
    out.put("SLURM_JOBID", Integer.toString(job.id()));
    out.put("SLURM_JOB_UID", Integer.toString(job.owner().uid()));
    out.put("SLURM_UID", Integer.toString(job.owner().uid()));
    out.put("SLURM_JOB_GID", Integer.toString(job.owner().gid()));
    out.put("SLURM_JOB_USER", job.owner().user());
    out.put("SLURM_JOB_WORK_DIR", job.batch().workDir());
    out.put("SLURM_JOB_PARTITION", job.partition());
    out.put("SLURM_JOB_RESTART_COUNT", Integer.toString(restarts));
    out.put("SLURM_JOB_NTASKS", Integer.toString(job.request().tasks()));
    out.put(
        "SLURM_JOB_OVERSUBSCRIBE",
        job.request().exclusivity() == Exclusivity.OVERSUBSCRIBE ? "1" : "0");
    unlessEmpty(out, "SLURM_JOB_ACCOUNT", job.owner().account());
    unlessEmpty(out, "SLURM_JOB_QOS", job.owner().qos());
    unlessEmpty(out, "SLURM_JOB_COMMENT", job.comment());
    unlessEmpty(out, "SLURM_JOB_RESERVATION", job.reservation() == null ? "" : job.reservation());
    if (job.started() != null) {
      out.put("SLURM_JOB_START_TIME", Long.toString(job.started().getEpochSecond()));
    }
    if (job.ended() != null) {
      out.put("SLURM_JOB_END_TIME", Long.toString(job.ended().getEpochSecond()));
    }
    ArrayInfo array = job.array();
    if (array != null && array.taskId() != null) {
      out.put("SLURM_ARRAY_JOB_ID", Integer.toString(array.arrayJobId()));
      out.put("SLURM_ARRAY_TASK_ID", Integer.toString(array.taskId()));
    }
    if (job.het() != null) {
      out.put("SLURM_HET_JOB_ID", Integer.toString(job.het().hetJobId()));
    }
    nodes(job, out);
    if (epilog) {
      ExitCode exit = job.exitCode();
      out.put("SLURM_JOB_EXIT_CODE", Integer.toString(exit.code() << 8 | exit.signal()));
      out.put("SLURM_JOB_EXIT_CODE2", exit.code() + ":" + exit.signal());
      out.put("SLURM_JOB_DERIVED_EC", Integer.toString(job.derivedExitCode().code()));
    }
    return out;
  }

  private static void nodes(Job job, SortedMap<String, String> out) {
    if (job.allocation() == null) {
      return;
    }
    String nodes = job.allocation().nodes().toString();
    out.put("SLURM_NODELIST", nodes);
    out.put("SLURM_JOB_NODELIST", nodes);
    out.put("SLURM_JOB_NUM_NODES", Integer.toString(job.allocation().shares().size()));
    List<String> cpus = new ArrayList<>();
    int times = 0;
    int last = -1;
    for (NodeShare share : job.allocation().shares()) {
      if (share.cpus() != last && times > 0) {
        cpus.add(repeated(last, times));
        times = 0;
      }
      last = share.cpus();
      times++;
    }
    cpus.add(repeated(last, times));
    out.put("SLURM_JOB_CPUS_PER_NODE", String.join(",", cpus));
  }

  private static String repeated(int number, int times) {
    return times > 1 ? number + "(x" + times + ")" : Integer.toString(number);
  }

  private static void unlessEmpty(SortedMap<String, String> out, String name, String value) {
    if (!value.isEmpty()) {
      out.put(name, value);
    }
  }
}
