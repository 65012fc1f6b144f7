package dev.yardmaster.engine;

import dev.yardmaster.model.GresRequest;
import dev.yardmaster.model.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** What a site may add to a random cluster: accounts with limits, QOS that preempt, a topology. */
final class RandomSite {
  private static final List<String> USERS = List.of("alice", "bob");
  private static final List<String> ACCOUNTS = List.of("red", "blue");
  private static final List<String> LIMITS =
      List.of(
          "GrpTRES=cpu=%d",
          "GrpTRES=node=%d",
          "GrpTRES=gres/gpu=%d",
          "GrpJobs=%d",
          "GrpTRESMins=cpu=%d0",
          "GrpTRESRunMins=cpu=%d0",
          "MaxTRES=cpu=%d",
          "MaxTRESPerNode=cpu=%d",
          "MaxWall=%d");
  private static final List<String> OF_QOS =
      List.of(
          "MaxTRESPerUser=cpu=%d",
          "MaxTRESPerUser=node=%d",
          "MaxTRESPerUser=gres/gpu=%d",
          "MaxTRESPerAccount=mem=%d000",
          "MaxJobsPerUser=%d",
          "MinTRES=cpu=%d");

  private final Random random;
  private final boolean limits;
  private final boolean preempts;

  RandomSite(Random random) {
    this.random = random;
    limits = random.nextInt(10) < 4;
    preempts = random.nextInt(10) < 3;
  }

  private String any(List<String> of) {
    return of.get(random.nextInt(of.size()));
  }

  private boolean tracked() {
    return limits || preempts;
  }

  void prepare(Lab.Builder builder) {
    if (tracked()) {
      String safe = random.nextBoolean() ? ",safe" : "";
      builder.setting(
          "AccountingStorageEnforce", "associations,qos" + (limits ? ",limits" : "") + safe);
    }
    if (preempts) {
      builder.setting("PreemptType", "preempt/qos");
      builder.setting("PreemptMode", random.nextBoolean() ? "REQUEUE" : "CANCEL");
    }
  }

  void furnish(Lab lab) {
    if (!tracked()) {
      return;
    }
    List<String> edits = new ArrayList<>(List.of("add qos low", "add qos high priority=10"));
    ACCOUNTS.forEach(a -> edits.add("add account " + a));
    USERS.forEach(u -> edits.add("add user " + u + " account=red,blue"));
    edits.add("modify account root set qos=normal,low,high");
    if (preempts) {
      edits.add("modify qos high set preempt=low" + (random.nextBoolean() ? " gracetime=60" : ""));
    }
    for (int i = 0; limits && i < 3; i++) {
      int amount = 1 + random.nextInt(8);
      String place =
          switch (random.nextInt(4)) {
            case 0 -> "modify account " + any(ACCOUNTS) + " set ";
            case 1 -> "modify user " + any(USERS) + " set ";
            case 2 -> "modify account root set ";
            default -> "modify qos " + any(List.of("low", "high", "normal")) + " set ";
          };
      List<String> kinds = new ArrayList<>(LIMITS);
      if (place.startsWith("modify qos")) {
        kinds.addAll(OF_QOS);
      }
      edits.add(place + any(kinds).formatted(amount));
    }
    edits.forEach(e -> lab.accounts(List.of(e.split(" "))));
  }

  /** Who the job is charged to, where that matters. */
  void charge(JobSpec spec) {
    if (tracked()) {
      spec.account(any(ACCOUNTS)).qos(any(List.of("normal", "low", "low", "high")));
      if (preempts && random.nextInt(4) == 0) {
        spec.also(j -> j.withRequeue(false));
      }
    }
  }

  Topology topology(int nodes) {
    List<String> left = new ArrayList<>();
    List<String> right = new ArrayList<>();
    for (int n = 1; n <= nodes; n++) {
      (n <= Math.max(1, nodes / 2) ? left : right).add("n" + n);
    }
    if (random.nextInt(3) == 0) {
      return new Topology.Block(
          "default",
          List.of(new Topology.BlockUnit("b1", left), new Topology.BlockUnit("b2", right)),
          List.of(Math.max(1, nodes / 2)));
    }
    return new Topology.Tree(
        "default",
        List.of(
            new Topology.Switch("l1", List.of(), left),
            new Topology.Switch("l2", List.of(), right),
            new Topology.Switch("core", List.of("l1", "l2"), List.of())));
  }

  /** A dependency on a job before. */
  String dependency(int before) {
    return any(List.of("afterok", "afterany", "afternotok", "after", "aftercorr")) + ":" + before;
  }

  /** GPUs counted over the job, or for each of its tasks. */
  GresRequest gpusOfJob() {
    return new GresRequest(
        "gpu",
        null,
        1 + random.nextInt(4),
        random.nextBoolean() ? GresRequest.Scope.JOB : GresRequest.Scope.TASK);
  }

  String reservationFlags() {
    return any(List.of("MAINT", "DAILY", "FLEX", "MAGNETIC", "OVERLAP", "IGNORE_JOBS"));
  }
}
