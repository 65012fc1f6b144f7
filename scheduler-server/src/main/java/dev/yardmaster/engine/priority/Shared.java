package dev.yardmaster.engine.priority;

import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.engine.state.Identities;
import dev.yardmaster.model.Accounting;
import dev.yardmaster.model.Association;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobOwner;
import dev.yardmaster.model.NodeSpec;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.PriorityPolicy;
import dev.yardmaster.model.Qos;
import dev.yardmaster.model.ReqTres;
import dev.yardmaster.model.Tres;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The factors that come from the accounting and from what a job asks for (priority_multifactor).
 */
final class Shared {
  private final ClusterState state;
  private final PriorityPolicy policy;
  private final Map<Key, Standing> standings = new LinkedHashMap<>();
  private final TreeMap<String, Map<String, Long>> totals = new TreeMap<>();
  private final TreeMap<String, Identities<JobOwner, Standing>> byPartition = new TreeMap<>();
  private List<String> lastPartitions = List.of();
  private Identities<JobOwner, Standing> lastStandings = new Identities<>();
  private double highestQos;
  private double highestAssociation;

  private record Key(JobOwner owner, String partition) {}

  /** What all jobs of one owner in a partition share. */
  record Standing(double association, double fairShare, double qos) {}

  Shared(ClusterState state) {
    this.state = state;
    policy = state.config().priority();
    for (Qos qos : state.accounting().qos().values()) {
      highestQos = Math.max(highestQos, qos.priority());
    }
    if (policy.weightAssoc() != 0) {
      for (Association a : state.accounting().associations().values()) {
        Long priority = a.priority();
        highestAssociation = Math.max(highestAssociation, priority == null ? 0 : priority);
      }
    }
  }

  /** How the job's owner stands in the partition it asks for first. */
  Standing standing(Job job) {
    Identities<JobOwner, Standing> ofPartition = in(job.partitions());
    Standing standing = ofPartition.get(job.owner());
    if (standing == null) {
      standing = standings.computeIfAbsent(new Key(job.owner(), job.partition()), this::find);
      ofPartition.put(job.owner(), standing);
    }
    return standing;
  }

  private Identities<JobOwner, Standing> in(List<String> partitions) {
    if (partitions != lastPartitions) {
      lastPartitions = partitions;
      lastStandings = byPartition.computeIfAbsent(partitions.getFirst(), p -> new Identities<>());
    }
    return lastStandings;
  }

  private Standing find(Key key) {
    Accounting accounting = state.accounting();
    Association own = accounting.find(key.owner().user(), key.owner().account(), key.partition());
    double fairShare = own == null ? 0 : state.usage().of(own).fairShare();
    double association = 0;
    if (own != null) {
      for (Association a : accounting.upwards(own)) {
        if (a.priority() instanceof Long priority) {
          association = normal(priority, highestAssociation, "NO_NORMAL_ASSOC");
          break;
        }
      }
    }
    Qos qos = accounting.qos().get(key.owner().qos());
    double ofQos = qos == null ? 0 : normal(qos.priority(), highestQos, "NO_NORMAL_QOS");
    return new Standing(association, fairShare, ofQos);
  }

  private double normal(double value, double highest, String raw) {
    if (policy.has(raw)) {
      return value;
    }
    return highest == 0 ? 0 : value / highest;
  }

  /** PriorityWeightTRES times the share of a partition that the job asks for, by TRES. */
  SortedMap<String, Double> tres(Job job, String partition, int minNodes, long minCpus) {
    if (policy.weightTres().isEmpty()) {
      return Immutable.sortedMap();
    }
    TreeMap<String, Long> asked = new TreeMap<>(ReqTres.of(job.request()).amounts());
    asked.merge(Tres.CPU, minCpus, Math::max);
    asked.merge(Tres.NODE, (long) minNodes, Math::max);
    Map<String, Long> total = totals.computeIfAbsent(partition, this::total);
    boolean raw = policy.has("NO_NORMAL_TRES");
    TreeMap<String, Double> parts = new TreeMap<>();
    policy
        .weightTres()
        .forEach(
            (name, weight) -> {
              double amount = asked.getOrDefault(name, 0L);
              double all = raw ? 1 : total.getOrDefault(name, 0L);
              if (amount > 0 && all > 0) {
                parts.put(name, weight * (raw ? amount : Math.min(1, amount / all)));
              }
            });
    return parts;
  }

  /** What a partition has of each TRES; licences belong to the cluster. */
  private Map<String, Long> total(String name) {
    TreeMap<String, Long> total = new TreeMap<>();
    state.config().licenses().forEach((license, n) -> total.put("license/" + license, (long) n));
    Partition partition = state.partitions().get(name);
    if (partition == null) {
      return total;
    }
    total.put(Tres.NODE, (long) partition.nodes().size());
    for (String nodeName : partition.nodes()) {
      var node = state.node(nodeName);
      if (node != null) {
        add(node.spec(), total);
      }
    }
    total.put(Tres.BILLING, total.getOrDefault(Tres.CPU, 0L));
    return total;
  }

  private static void add(NodeSpec spec, Map<String, Long> total) {
    total.merge(Tres.CPU, (long) spec.cpus(), Long::sum);
    total.merge(Tres.MEM, spec.realMemoryMib(), Long::sum);
    spec.gres()
        .forEach(
            gres -> {
              total.merge("gres/" + gres.name(), gres.count(), Long::sum);
              if (gres.type() != null) {
                total.merge("gres/" + gres.name() + ":" + gres.type(), gres.count(), Long::sum);
              }
            });
  }
}
