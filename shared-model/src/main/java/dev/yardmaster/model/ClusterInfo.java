package dev.yardmaster.model;

import java.time.Instant;
import java.time.ZoneId;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The card of a running controller.
 *
 * @param cluster ClusterName
 * @param version of Yardmaster
 * @param slurmVersion of the Slurm whose behaviour it follows
 * @param role {@code primary}, or {@code backup} with its number
 * @param host the machine it runs on
 * @param serverTime its clock when it made this card
 * @param started when it started
 * @param configDigest changes whenever the configuration in force changes
 * @param zone the time zone of the cluster
 * @param simulatedNodes true when its nodes are simulated
 * @param trackedTres AccountingStorageTRES: what is tracked besides cpu, mem, node and billing
 * @param priorityFlags PriorityFlags, upper case
 */
public record ClusterInfo(
    String cluster,
    String version,
    String slurmVersion,
    String role,
    String host,
    Instant serverTime,
    Instant started,
    String configDigest,
    ZoneId zone,
    boolean simulatedNodes,
    List<String> trackedTres,
    Set<String> priorityFlags) {
  public ClusterInfo {
    trackedTres = List.copyOf(trackedTres);
    priorityFlags = Collections.unmodifiableSet(new TreeSet<>(priorityFlags));
  }
}
