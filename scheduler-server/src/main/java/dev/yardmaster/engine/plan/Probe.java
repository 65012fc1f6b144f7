package dev.yardmaster.engine.plan;

import dev.yardmaster.engine.gate.AllFindings;
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
  private final List<Integer> order = new ArrayList<>();

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

  void ordered(int id) {
    order.add(id);
  }

  /** The place of the job in that order, from 1; 0 when it is not in it. */
  public int rank() {
    return order.indexOf(jobId) + 1;
  }

  /** The jobs in the order in which the pass looks at them. */
  public List<Integer> order() {
    return order;
  }
}
