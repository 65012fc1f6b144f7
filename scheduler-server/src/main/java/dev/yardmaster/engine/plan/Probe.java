package dev.yardmaster.engine.plan;

import dev.yardmaster.engine.gate.AllFindings;
import dev.yardmaster.explain.Evidence;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * Asks a pass to let one job's gates speak in full, for an explanation. The pass decides as it
 * would without.
 */
public final class Probe {
  private final int jobId;
  private final TreeMap<String, AllFindings> byPartition = new TreeMap<>();
  private final TreeMap<String, List<Integer>> order = new TreeMap<>();

  public Probe(int jobId) {
    this.jobId = jobId;
  }

  public int jobId() {
    return jobId;
  }

  /** What the gates said, by partition. */
  public TreeMap<String, AllFindings> byPartition() {
    return byPartition;
  }

  AllFindings collector(String partition) {
    return byPartition.computeIfAbsent(partition, p -> new AllFindings());
  }

  void ordered(String partition, int id) {
    order.computeIfAbsent(partition, p -> new ArrayList<>()).add(id);
  }

  Evidence.Ahead ahead(List<Integer> ids, String partition) {
    return new Evidence.Ahead(ids, rank(partition), order(partition).size());
  }

  /** The jobs of a partition in the order in which the pass looks at them. */
  public List<Integer> order(String partition) {
    return order.getOrDefault(partition, List.of());
  }

  /** The place of the job in that order, from 1; 0 when it is not in it. */
  public int rank(String partition) {
    return order(partition).indexOf(jobId) + 1;
  }
}
