package dev.yardmaster.cli;

import dev.yardmaster.client.ClusterView;
import dev.yardmaster.model.Allocation;
import dev.yardmaster.model.Billing;
import dev.yardmaster.model.ClusterInfo;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobFlag;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Node;
import dev.yardmaster.model.NodeSpec;
import dev.yardmaster.model.NodeUse;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.ReqTres;
import dev.yardmaster.model.Tres;
import dev.yardmaster.model.text.HostList;
import dev.yardmaster.model.text.TresList;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Amounts of trackable resources as Slurm prints them: those it always tracks, and those that
 * AccountingStorageTRES names.
 */
record TresText(ClusterView view) {
  private static final Set<String> ALWAYS = Set.of(Tres.CPU, Tres.MEM, Tres.NODE, Tres.BILLING);

  /** The name of the cluster. */
  String cluster() {
    ClusterInfo info = view.info();
    return info == null ? JobFacts.NOT_APPLICABLE : info.cluster();
  }

  private boolean isTracked(String name) {
    ClusterInfo info = view.info();
    return ALWAYS.contains(name) || (info != null && info.trackedTres().contains(name));
  }

  /** PriorityFlags; they matter to what is charged. */
  private Set<String> flags() {
    ClusterInfo info = view.info();
    return info == null ? Set.of() : info.priorityFlags();
  }

  private String print(Map<String, Long> amounts) {
    TreeMap<String, Long> shown = new TreeMap<>(amounts);
    shown.keySet().removeIf(name -> !isTracked(name));
    return new TresList(shown).toString();
  }

  String requested(Job job) {
    Map<String, Long> amounts = ReqTres.of(job.request()).amounts();
    if (amounts.isEmpty()) {
      return JobFacts.NULL;
    }
    if (job.request().memory().mib() == 0 && amounts.getOrDefault(Tres.MEM, 0L) == 0) {
      TreeMap<String, Long> whole = new TreeMap<>(amounts);
      whole.put(Tres.MEM, memoryOfFirst(job) * amounts.getOrDefault(Tres.NODE, 1L));
      return print(billed(whole, weighing(job)));
    }
    TreeMap<String, Long> asked = new TreeMap<>(billed(amounts, weighing(job)));
    asked.remove(Tres.BILLING, 0L);
    return print(asked);
  }

  /** All memory of a node ({@code --mem=0}): as in Slurm that of the first of the partition. */
  private long memoryOfFirst(Job job) {
    Partition partition = view.partitions().get(job.partition());
    return partition == null
        ? 0
        : partition.nodes().stream()
            .min(HostList.ORDER)
            .map(view.nodes()::get)
            .map(Node::spec)
            .map(spec -> spec.realMemoryMib() - spec.memSpecLimitMib())
            .orElse(0L);
  }

  String allocated(Job job) {
    Allocation allocation = job.allocation();
    boolean waits = job.state() == JobState.PENDING && !job.has(JobFlag.COMPLETING);
    Tres tres = allocation != null && !waits ? allocation.tres() : job.lost();
    if (tres == null) {
      return JobFacts.NULL;
    }
    Map<String, Long> amounts = tres.amounts();
    if (job.het() != null) {
      // Slurm prints what components of a heterogeneous job hold without what it is charged.
      TreeMap<String, Long> held = new TreeMap<>(amounts);
      held.remove(Tres.BILLING);
      return print(held);
    }
    // What an allocation was charged with already stays.
    boolean asIs = amounts.containsKey(Tres.BILLING);
    return print(asIs ? amounts : billed(amounts, job.partition()));
  }

  /** The partition by whose weights the request was charged. */
  private static String weighing(Job job) {
    return job.batch().shown().getOrDefault(Job.BILLED_IN, job.partition());
  }

  /** With what a partition charges: by its weights, else one for each CPU. */
  private Map<String, Long> billed(Map<String, Long> amounts, String name) {
    TreeMap<String, Long> billed = new TreeMap<>(amounts);
    Partition partition = view.partitions().get(name);
    billed.put(Tres.BILLING, Billing.of(billed, partition, flags()));
    return billed;
  }

  String configured(NodeSpec spec) {
    TreeMap<String, Long> amounts = new TreeMap<>();
    add(spec, amounts);
    amounts.put(Tres.BILLING, (long) spec.cpus());
    return print(amounts);
  }

  String used(NodeUse use) {
    TreeMap<String, Long> amounts = new TreeMap<>();
    amounts.put(Tres.CPU, (long) use.cpus());
    amounts.put(Tres.MEM, use.memoryMib());
    use.gres()
        .forEach(
            (name, held) -> {
              int colon = name.indexOf(':');
              amounts.merge(
                  "gres/" + (colon < 0 ? name : name.substring(0, colon)), held.count(), Long::sum);
              if (colon >= 0) {
                amounts.merge("gres/" + name, held.count(), Long::sum);
              }
            });
    return use.cpus() == 0 && use.memoryMib() == 0 ? "" : print(amounts);
  }

  String of(Partition partition, Collection<NodeSpec> nodes) {
    TreeMap<String, Long> amounts = new TreeMap<>();
    nodes.forEach(node -> add(node, amounts));
    amounts.put(Tres.NODE, (long) nodes.size());
    amounts.put(Tres.BILLING, Billing.of(amounts, partition, flags()));
    return print(amounts);
  }

  private static void add(NodeSpec spec, Map<String, Long> amounts) {
    amounts.merge(Tres.CPU, (long) spec.cpus(), Long::sum);
    amounts.merge(Tres.MEM, spec.realMemoryMib(), Long::sum);
    spec.gres()
        .forEach(
            gres -> {
              amounts.merge("gres/" + gres.name(), gres.count(), Long::sum);
              if (gres.type() != null) {
                amounts.merge("gres/" + gres.name() + ":" + gres.type(), gres.count(), Long::sum);
              }
            });
  }
}
