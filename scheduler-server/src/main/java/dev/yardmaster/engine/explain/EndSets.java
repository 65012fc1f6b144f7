package dev.yardmaster.engine.explain;

import dev.yardmaster.engine.plan.Rehearsal;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.explain.Evidence;
import dev.yardmaster.explain.Finding;
import dev.yardmaster.explain.Gate;
import dev.yardmaster.model.ArrayInfo;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.NodeShare;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Small sets of running jobs whose end would let the job start now: none of a set can be left out.
 * Searched from several sides: the nodes with the fewest jobs, the jobs with the most of the nodes,
 * those that end soonest anyway, and those of the same user.
 */
final class EndSets implements Rehearsal.Part {
  /** Nobody ends more jobs than this for the sake of one. */
  private static final int MOST_JOBS = 16;

  private static final int MOST_SETS = 3;

  /** In place of a node: those that use of the licences and limits that the job lacks. */
  private static final String OF_RULES = "";

  private static final Comparator<Job> SOONEST =
      Comparator.comparing(Job::ended, Comparator.nullsLast(Comparator.<Instant>naturalOrder()))
          .thenComparing(Job::id);

  private final Job job;

  /** Running jobs by node, on the nodes that fell for lack of free resources, and by rules. */
  private final TreeMap<String, List<Job>> byNode = new TreeMap<>();

  private final TreeMap<Integer, Integer> shared = new TreeMap<>();
  private final LinkedHashSet<TreeSet<Integer>> found = new LinkedHashSet<>();
  private final ClusterState state;

  EndSets(ClusterState state, Job job, List<Finding> findings) {
    this.state = state;
    this.job = job;
    tasksOfItsArray(findings);
    TreeSet<String> busy = busyNodes(findings);
    for (Job other : state.jobs().values()) {
      var allocation = other.allocation();
      if (other.state() == JobState.RUNNING && allocation != null) {
        for (NodeShare share : allocation.shares()) {
          if (busy.contains(share.node())) {
            holds(share.node(), other);
          }
        }
        if (sharesARule(other, findings)) {
          holds(OF_RULES, other);
        }
      }
    }
  }

  private void holds(String what, Job other) {
    byNode.computeIfAbsent(what, n -> new ArrayList<>()).add(other);
    shared.merge(other.id(), 1, Integer::sum);
  }

  /** Whether a running job uses of a licence or limit that the job lacks. */
  private boolean sharesARule(Job other, List<Finding> findings) {
    for (Finding finding : findings) {
      boolean shares =
          switch (finding.blocks() && finding.waitingHelps() ? finding.gate() : Gate.HOLD) {
            case LICENSES ->
                other.heldLicenses().keySet().stream()
                    .anyMatch(job.request().licenses()::containsKey);
            case QOS_LIMIT -> other.owner().qos().equals(job.owner().qos());
            case ASSOCIATION_LIMIT ->
                other.owner().user().equals(job.owner().user())
                    || (finding.evidence() instanceof Evidence.Limit limit
                        && !limit.levelKind().equals("user"));
            default -> false;
          };
      if (shares) {
        return true;
      }
    }
    return false;
  }

  /**
   * The tasks of its array that began last, as many as its throttle is exceeded by with one more.
   * The passes do not ask for it before its throttle lets it go, so it is not searched for.
   */
  private void tasksOfItsArray(List<Finding> findings) {
    ArrayInfo array = job.array();
    boolean throttled =
        findings.stream().anyMatch(f -> f.gate() == Gate.ARRAY_THROTTLE && f.blocks());
    if (array == null || !throttled) {
      return;
    }
    List<Job> running = new ArrayList<>();
    for (Job other : state.jobs().values()) {
      ArrayInfo theirs = other.array();
      if (other.state() == JobState.RUNNING
          && theirs != null
          && theirs.arrayJobId() == array.arrayJobId()) {
        running.add(other);
      }
    }
    running.sort(
        Comparator.comparing(
                Job::started, Comparator.nullsFirst(Comparator.<Instant>naturalOrder()))
            .thenComparing(Job::id)
            .reversed());
    int ends = Math.max(1, running.size() - array.throttle() + 1);
    TreeSet<Integer> ids = new TreeSet<>();
    running.stream().limit(ends).forEach(j -> ids.add(j.id()));
    if (!ids.isEmpty() && ids.size() <= MOST_JOBS) {
      found.add(ids);
    }
  }

  private static TreeSet<String> busyNodes(List<Finding> findings) {
    TreeSet<String> busy = new TreeSet<>();
    for (Finding finding : findings) {
      if (finding.evidence() instanceof Evidence.Nodes nodes
          && finding.gate().ordinal() >= Gate.NODES_FREE_CPUS.ordinal()
          && finding.gate() != Gate.NODES_UNPLANNED) {
        nodes.falls().forEach(f -> busy.addAll(f.nodes().expand()));
      }
    }
    return busy;
  }

  @Override
  public Job job() {
    return job;
  }

  @Override
  public boolean ask(Rehearsal.Trial trial) {
    List<Job> ofFewest = byFewestOnANode();
    List<Job> own =
        ofFewest.stream().filter(j -> j.owner().user().equals(job.owner().user())).toList();
    List<Job> largest = new ArrayList<>(ofFewest);
    largest.sort(Comparator.comparingInt((Job j) -> -shared(j)).thenComparing(SOONEST));
    List<Job> soonest = new ArrayList<>(ofFewest);
    soonest.sort(SOONEST);
    for (List<Job> order : List.of(own, ofFewest, largest, soonest)) {
      search(order, trial);
    }
    return false;
  }

  private int shared(Job other) {
    return shared.getOrDefault(other.id(), 0);
  }

  /** All holders, those first that share their node with the fewest others. */
  private List<Job> byFewestOnANode() {
    List<List<Job>> nodes = new ArrayList<>(byNode.values());
    nodes.sort(Comparator.comparingInt(List::size));
    TreeSet<Integer> seen = new TreeSet<>();
    List<Job> order = new ArrayList<>();
    nodes.forEach(
        holders ->
            holders.forEach(
                other -> {
                  if (seen.add(other.id())) {
                    order.add(other);
                  }
                }));
    return order;
  }

  /** The shortest beginning of the order that suffices, without what is not needed of it. */
  private void search(List<Job> order, Rehearsal.Trial trial) {
    if (order.isEmpty() || !trial.startsWithout(order)) {
      return;
    }
    int bad = 0;
    int good = order.size();
    while (good - bad > 1) {
      int middle = bad + (good - bad) / 2;
      if (trial.startsWithout(order.subList(0, middle))) {
        good = middle;
      } else {
        bad = middle;
      }
    }
    List<Job> set = new ArrayList<>(order.subList(0, good));
    // the last one is needed: without it the beginning did not suffice
    for (int i = good - 2; i >= 0 && set.size() > 1; i--) {
      Job one = set.remove(i);
      if (!trial.startsWithout(set)) {
        set.add(i, one);
      }
    }
    if (set.size() <= MOST_JOBS) {
      TreeSet<Integer> ids = new TreeSet<>();
      set.forEach(j -> ids.add(j.id()));
      found.add(ids);
    }
  }

  /** The sets, the smallest first; the user's own jobs before others. */
  List<List<Job>> sets() {
    List<List<Job>> sets = new ArrayList<>();
    for (TreeSet<Integer> ids : found) {
      List<Job> set = new ArrayList<>();
      ids.forEach(id -> set.add(java.util.Objects.requireNonNull(state.job(id))));
      sets.add(set);
    }
    sets.sort(Comparator.comparingInt(List::size));
    return sets.size() <= MOST_SETS ? sets : sets.subList(0, MOST_SETS);
  }
}
