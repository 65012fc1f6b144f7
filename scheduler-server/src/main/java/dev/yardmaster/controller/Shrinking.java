package dev.yardmaster.controller;

import dev.yardmaster.model.Allocation;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobFlag;
import dev.yardmaster.model.NodeShare;
import dev.yardmaster.model.SlurmError;
import dev.yardmaster.model.text.HostList;
import dev.yardmaster.model.text.NodeCount;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A job that runs gives nodes back (scontrol(1), NumNodes and ReqNodeList of a job): all but the
 * node of its script may go. What runs on those that go is killed.
 */
final class Shrinking {
  private static final Set<String> LISTS = Set.of("nodelist", "reqnodelist");

  private Shrinking() {}

  /** Whether a field of a job says which of its nodes it keeps. */
  static boolean isOne(Job job, String field) {
    return job.allocation() != null
        && job.holdsResources()
        && !job.has(JobFlag.COMPLETING)
        && (field.equals("numnodes") || LISTS.contains(field));
  }

  /**
   * The job with the nodes that it keeps.
   *
   * @throws Refusal when it has none of them, would lose the node of its script or ask for more, or
   *     SchedulerParameters=disable_job_shrink does not let it
   */
  static Job changed(Job job, String field, String value, JobUpdates.Context context) {
    Allocation held = job.allocation();
    if (held == null) {
      return job;
    }
    List<NodeShare> kept =
        LISTS.contains(field) ? named(job, held, value) : first(held, count(value, held));
    if (kept.size() == held.shares().size()) {
      return job;
    }
    if (context.state().config().scheduling().parameters().containsKey("disable_job_shrink")) {
      throw new Refusal(
          SlurmError.NOT_SUPPORTED,
          "\nSchedulerParameters=disable_job_shrink: jobs that run keep their nodes");
    }
    return Survivors.on(context.state(), job, held, kept);
  }

  /** What is wanted: the node of the script is the first, and stays. */
  private static List<NodeShare> first(Allocation held, int count) {
    return held.shares().subList(0, count);
  }

  private static int count(String value, Allocation held) {
    int has = held.shares().size();
    NodeCount count;
    try {
      count = NodeCount.parse(value);
    } catch (IllegalArgumentException e) {
      throw new Refusal(SlurmError.INVALID_NODE_COUNT, "\n" + e.getMessage());
    }
    if (count.min() != count.max()) {
      throw new Refusal(
          SlurmError.JOB_NOT_PENDING, "\nNumNodes=" + value + ": a job that runs keeps one number");
    }
    if (count.min() == 0) {
      throw new Refusal(SlurmError.INVALID_NODE_COUNT, "\nNumNodes=0: at least 1");
    }
    if (count.min() > has) {
      throw new Refusal(
          SlurmError.NOT_SUPPORTED,
          "\nNumNodes=" + value + ": a job that runs gets no more than its " + has);
    }
    return count.min();
  }

  private static List<NodeShare> named(Job job, Allocation held, String value) {
    if (value.equals(job.request().requiredNodes().toString())) {
      return held.shares();
    }
    Set<String> wanted;
    try {
      wanted = new HashSet<>(HostList.parse(value).expand());
    } catch (IllegalArgumentException e) {
      throw new Refusal(SlurmError.INVALID_NODE_NAME, "\n" + e.getMessage());
    }
    List<NodeShare> kept = held.shares().stream().filter(s -> wanted.contains(s.node())).toList();
    boolean all = !wanted.isEmpty() && kept.size() == wanted.size();
    String host = Runs.batchHost(job);
    if (!all || job.batch().batch() && host != null && !wanted.contains(host)) {
      throw new Refusal(
          SlurmError.INVALID_NODE_NAME,
          "\nReqNodeList=" + value + ": some of " + held.nodes() + ", with the script's " + host);
    }
    return kept;
  }

  /** Kills what a job has on nodes that it gave back. */
  static void end(Turn turn, Job before, Job after) {
    Allocation held = before.allocation();
    Allocation rest = after.allocation();
    if (held == null || rest == null || held.shares().size() == rest.shares().size()) {
      return;
    }
    Set<String> kept = new HashSet<>(rest.nodes().expand());
    for (NodeShare share : held.shares()) {
      if (!kept.contains(share.node()) && !before.request().external()) {
        turn.effect(
            new Effect.Terminate(share.node(), before.id(), Runs.presentRun(before), 0, null));
      }
    }
  }
}
