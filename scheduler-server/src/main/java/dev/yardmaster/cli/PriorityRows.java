package dev.yardmaster.cli;

import dev.yardmaster.client.ClusterView;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Node;
import dev.yardmaster.model.NodeSpec;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.PriorityFactors;
import dev.yardmaster.model.Reason;
import dev.yardmaster.model.Tres;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Which jobs sprio(1) lists: those that take part in the order, each once for every partition it
 * may run in. PriorityFlags=CALCULATE_RUNNING lists what no longer waits, too, and ACCRUE_ALWAYS
 * what cannot begin yet (slurm.conf(5)).
 */
final class PriorityRows {
  private static final Set<Reason> NOT_ELIGIBLE =
      EnumSet.of(
          Reason.DEPENDENCY,
          Reason.DEPENDENCY_NEVER_SATISFIED,
          Reason.BEGIN_TIME,
          Reason.JOB_ARRAY_TASK_LIMIT,
          Reason.RESERVATION);

  private final boolean notOnlyWaiting;
  private final boolean agesAlways;
  private final boolean rawPartition;
  private final boolean rawTres;
  private final double weight;

  PriorityRows(Map<String, String> config) {
    Map<String, String> given = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    given.putAll(config);
    List<String> flags =
        List.of(given.getOrDefault("PriorityFlags", "").toUpperCase(Locale.ROOT).split(","));
    notOnlyWaiting = flags.contains("CALCULATE_RUNNING");
    agesAlways = flags.contains("ACCRUE_ALWAYS");
    rawPartition = flags.contains("NO_NORMAL_PART") || flags.contains("NO_NORMAL_ALL");
    rawTres = flags.contains("NO_NORMAL_TRES") || flags.contains("NO_NORMAL_ALL");
    weight = number(given.getOrDefault("PriorityWeightPartition", "0"));
  }

  private static double number(String text) {
    try {
      return Double.parseDouble(text.strip());
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  /** Whether jobs that do not wait are listed, too. */
  boolean notOnlyWaiting() {
    return notOnlyWaiting;
  }

  boolean lists(Job job, Instant now) {
    if (job.priority() <= 0 || (job.state() != JobState.PENDING && !notOnlyWaiting)) {
      return false;
    }
    return agesAlways
        || (!NOT_ELIGIBLE.contains(job.reason())
            && job.eligible() != null
            && !job.eligible().isAfter(now));
  }

  /** The job as each of its partitions weighs it, that of the highest tier first. */
  List<Job> rows(Job job, ClusterView view) {
    List<Partition> partitions =
        new ArrayList<>(
            job.partitions().stream()
                .map(view.partitions()::get)
                .filter(Objects::nonNull)
                .toList());
    if (partitions.size() < 2 || job.state() != JobState.PENDING) {
      return List.of(job);
    }
    partitions.sort(Comparator.comparingInt(Partition::priorityTier).reversed());
    int highest = 1;
    for (Partition each : view.partitions().values()) {
      highest = Math.max(highest, each.priorityJobFactor());
    }
    List<Job> rows = new ArrayList<>();
    PriorityFactors f = job.factors();
    int most = highest;
    Partition weighedIn =
        partitions.stream()
            .filter(p -> ofPartition(p, most) == f.partition())
            .findFirst()
            .orElse(partitions.getFirst());
    for (Partition partition : partitions) {
      boolean weighed = !f.equals(PriorityFactors.ZERO);
      double there = ofPartition(partition, highest);
      SortedMap<String, Double> tres =
          partition == weighedIn || rawTres ? f.tresByName() : tres(f, weighedIn, partition, view);
      double ofTres = tres.values().stream().mapToDouble(each -> each).sum();
      double sum =
          f.age()
              + f.assoc()
              + f.fairShare()
              + f.jobSize()
              + there
              + f.qos()
              + ofTres
              + f.site()
              - f.nice();
      PriorityFactors factors =
          weighed
              ? new PriorityFactors(
                  f.age(),
                  f.assoc(),
                  f.fairShare(),
                  f.jobSize(),
                  there,
                  f.qos(),
                  ofTres,
                  f.site(),
                  f.nice(),
                  tres)
              : f;
      long priority = weighed ? Math.max(1, (long) sum) : job.priority();
      rows.add(
          job.with(
              j -> j.partitions(List.of(partition.name())).factors(factors).priority(priority)));
    }
    return rows;
  }

  private double ofPartition(Partition partition, int highest) {
    return weight * partition.priorityJobFactor() / (rawPartition ? 1 : highest);
  }

  /** What the amounts weigh as shares of another partition than the one they were weighed in. */
  private static SortedMap<String, Double> tres(
      PriorityFactors factors, Partition from, Partition to, ClusterView view) {
    TreeMap<String, Double> tres = new TreeMap<>();
    factors
        .tresByName()
        .forEach(
            (name, value) -> {
              double here = total(name, from, view);
              double there = total(name, to, view);
              if (there > 0) {
                tres.put(name, here > 0 ? value * here / there : value);
              }
            });
    return tres;
  }

  private static double total(String tres, Partition partition, ClusterView view) {
    if (tres.startsWith("license/")) {
      return 1;
    }
    double total = 0;
    for (String name : partition.nodes()) {
      Node node = view.nodes().get(name);
      if (node != null) {
        total += amount(tres, node.spec());
      }
    }
    return total;
  }

  private static double amount(String tres, NodeSpec spec) {
    return switch (tres) {
      case Tres.CPU, Tres.BILLING -> spec.cpus();
      case Tres.MEM -> spec.realMemoryMib();
      case Tres.NODE -> 1;
      default ->
          spec.gres().stream()
              .filter(
                  g ->
                      tres.equals("gres/" + g.name())
                          || tres.equals("gres/" + g.name() + ":" + g.type()))
              .mapToLong(g -> g.count())
              .sum();
    };
  }
}
