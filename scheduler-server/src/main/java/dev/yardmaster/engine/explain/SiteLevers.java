package dev.yardmaster.engine.explain;

import dev.yardmaster.engine.gate.Board;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.engine.state.Event;
import dev.yardmaster.explain.Evidence;
import dev.yardmaster.explain.Finding;
import dev.yardmaster.explain.Gate;
import dev.yardmaster.explain.Remedy.Lever;
import dev.yardmaster.model.Hold;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Node;
import dev.yardmaster.model.NodeBaseState;
import dev.yardmaster.model.NodeFlag;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.PartitionState;
import dev.yardmaster.model.PriorityPolicy;
import dev.yardmaster.model.text.HostList;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.TreeSet;

/** Changes around the job that an operator could make. */
final class SiteLevers {
  private final ClusterState state;
  private final Instant now;
  private final Job job;
  private final Fork fork;
  private final List<Finding> findings;
  private final List<Candidate> found = new ArrayList<>();

  SiteLevers(ClusterState state, Instant now, Job job, Fork fork, List<Finding> findings) {
    this.state = state;
    this.now = now;
    this.job = job;
    this.fork = fork;
    this.findings = findings;
  }

  List<Candidate> all() {
    partitions();
    resumeNodes();
    found.addAll(new ReservationLevers(state, now, job).of(findings));
    return found;
  }

  /**
   * A place in front of the queue: just before the first, and where it stays even when all others
   * gain what age and a fair share can give them.
   */
  List<Candidate> priority() {
    long highest = 0;
    for (Job other : state.jobs().values()) {
      if (other.state() == JobState.PENDING && other.id() != job.id()) {
        highest = Math.max(highest, other.priority());
      }
    }
    if (highest < job.priority() || job.hold() != Hold.NONE) {
      return List.of();
    }
    PriorityPolicy policy = state.config().priority();
    long gain = policy.multifactor() ? policy.weightAge() + policy.weightFairShare() : 0;
    Candidate first = inFront(highest + 1);
    return gain == 0 ? List.of(first) : List.of(first, inFront(highest + 1 + gain));
  }

  private Candidate inFront(long priority) {
    return fork.job(
        Lever.RAISE_PRIORITY,
        Long.toString(job.priority()),
        Long.toString(priority),
        "priority",
        false,
        j -> j.withDirectPriority(priority));
  }

  private void partitions() {
    Board board = Board.withoutJobs(state, now);
    for (String name : job.partitions()) {
      Partition p = state.partitions().get(name);
      if (p == null) {
        continue;
      }
      if (!p.state().startsJobs()) {
        found.add(
            fork.partition(
                Lever.PARTITION_UP, p.withState(PartitionState.UP), p.name(), "up", "state"));
      }
      admit(p);
      long limit = job.timeLimitMinutes();
      if (p.maxTimeMinutes() > 0 && (limit < 0 || limit > p.maxTimeMinutes())) {
        found.add(
            fork.partition(
                Lever.RAISE_PARTITION_LIMIT,
                p.withMaxTimeMinutes(limit),
                Fork.time(p.maxTimeMinutes()),
                Fork.time(limit),
                "maxtime"));
      }
      int nodes = board.shape(job, p).maxNodes();
      if (p.maxNodes() > 0 && nodes > p.maxNodes()) {
        found.add(
            fork.partition(
                Lever.RAISE_PARTITION_LIMIT,
                p.withMaxNodes(nodes),
                Integer.toString(p.maxNodes()),
                Integer.toString(nodes),
                "maxnodes"));
      }
    }
  }

  /** On the partition's list of those who may, or off that of those who may not. */
  private void admit(Partition p) {
    String account = job.owner().account();
    String qos = job.owner().qos();
    String group = job.owner().group();
    if (!p.admitsAccount(account)) {
      if (p.allowAccounts().isEmpty()) {
        List<String> others = without(p.denyAccounts(), account);
        admit(p.withDenyAccounts(others), account, "denyaccounts", others);
      } else {
        List<String> all = with(p.allowAccounts(), account);
        admit(p.withAllowAccounts(all), account, "allowaccounts", all);
      }
    }
    if (!p.admitsQos(qos)) {
      if (p.allowQos().isEmpty()) {
        List<String> others = without(p.denyQos(), qos);
        admit(p.withDenyQos(others), qos, "denyqos", others);
      } else {
        List<String> all = with(p.allowQos(), qos);
        admit(p.withAllowQos(all), qos, "allowqos", all);
      }
    }
    if (!p.allowGroups().isEmpty() && job.owner().uid() != 0 && !p.allowGroups().contains(group)) {
      List<String> all = with(p.allowGroups(), group);
      admit(p.withAllowGroups(all), group, "allowgroups", all);
    }
  }

  private void admit(Partition changed, String who, String field, List<String> names) {
    Candidate on = fork.partition(Lever.ADMIT, changed, who, String.join(",", names), field);
    found.add(
        new Candidate(on.lever(), who, changed.name(), on.fork(), on.command(), on.byOwner()));
  }

  private static List<String> with(List<String> names, String name) {
    List<String> all = new ArrayList<>(names);
    all.add(name);
    return all;
  }

  private static List<String> without(List<String> names, String name) {
    return names.stream().filter(n -> !n.equalsIgnoreCase(name)).toList();
  }

  private void resumeNodes() {
    TreeSet<String> names = new TreeSet<>(HostList.ORDER);
    List<String> states = new ArrayList<>();
    for (Finding finding : findings) {
      if (finding.gate() == Gate.NODES_UP && finding.evidence() instanceof Evidence.Nodes nodes) {
        for (Evidence.Fall fall : nodes.falls()) {
          names.addAll(fall.nodes().expand());
          states.add(stateOf(fall));
        }
      }
    }
    if (names.isEmpty()) {
      return;
    }
    ClusterState resumed = state;
    for (String name : names) {
      Node node = state.node(name);
      if (node != null) {
        var up =
            node.status()
                .with(s -> s.base(NodeBaseState.IDLE).flags(EnumSet.noneOf(NodeFlag.class)));
        resumed = resumed.apply(new Event.NodeChanged(now, name, up, ""));
      }
    }
    String list = HostList.of(names).toString();
    found.add(
        new Candidate(
            Lever.RESUME_NODES,
            String.join("\n", states),
            list,
            resumed,
            "scontrol update node=" + list + " state=resume",
            false));
  }

  /** A line of {@link Remedy#from}: Slurm's word for the state, the nodes, the reason if any. */
  private static String stateOf(Evidence.Fall fall) {
    String word =
        switch (fall.cause()) {
          case DRAINED -> "drain";
          case NOT_RESPONDING -> "no_respond";
          default -> "down";
        };
    return (word + " " + fall.nodes() + " " + fall.detail().replaceAll("\\s+", " ")).strip();
  }
}
