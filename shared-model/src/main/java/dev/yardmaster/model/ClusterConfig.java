package dev.yardmaster.model;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/**
 * A cluster's whole configuration, all files read and resolved.
 *
 * @param controllers SlurmctldHost in order: host, and address when given as host(address)
 * @param settings every other setting of slurm.conf, by canonical key (the manual's spelling), as
 *     written
 * @param defMemPerCpuMib cluster-wide default, 0 when none; likewise per node
 * @param licenses Licenses= by name
 * @param gresTypes GresTypes
 * @param topology the cluster's topology
 * @param otherTopologies further ones of topology.yaml, for partitions that name them
 */
@RecordBuilder
public record ClusterConfig(
    String clusterName,
    List<String> controllers,
    int controllerPort,
    SchedulingPolicy scheduling,
    PriorityPolicy priority,
    List<NodeSpec> nodes,
    List<Partition> partitions,
    Topology topology,
    SortedMap<String, Integer> licenses,
    List<String> gresTypes,
    long defMemPerCpuMib,
    long defMemPerNodeMib,
    SortedMap<String, String> settings,
    List<Topology> otherTopologies)
    implements ClusterConfigBuilder.With {
  /** A cluster with one topology. */
  public ClusterConfig(
      String clusterName,
      List<String> controllers,
      int controllerPort,
      SchedulingPolicy scheduling,
      PriorityPolicy priority,
      List<NodeSpec> nodes,
      List<Partition> partitions,
      Topology topology,
      SortedMap<String, Integer> licenses,
      List<String> gresTypes,
      long defMemPerCpuMib,
      long defMemPerNodeMib,
      SortedMap<String, String> settings) {
    this(
        clusterName,
        controllers,
        controllerPort,
        scheduling,
        priority,
        nodes,
        partitions,
        topology,
        licenses,
        gresTypes,
        defMemPerCpuMib,
        defMemPerNodeMib,
        settings,
        List.of());
  }

  public ClusterConfig {
    controllers = List.copyOf(controllers);
    nodes = List.copyOf(nodes);
    partitions = List.copyOf(partitions);
    gresTypes = List.copyOf(gresTypes);
    otherTopologies = List.copyOf(otherTopologies);
  }

  /** The topology that a partition names (Topology=); the cluster's when it names none. */
  public Topology topologyOf(Partition partition) {
    String name = partition.other().getOrDefault("Topology", "");
    return otherTopologies.stream()
        .filter(other -> other.name().equals(name))
        .findFirst()
        .orElse(topology);
  }

  /** A setting by its canonical key, for example {@code ReturnToService}. */
  public Optional<String> setting(String key) {
    return Optional.ofNullable(settings.get(key));
  }

  public Optional<Partition> partition(String name) {
    return partitions.stream().filter(p -> p.name().equals(name)).findFirst();
  }

  public Optional<Partition> defaultPartition() {
    return partitions.stream().filter(Partition::isDefault).findFirst();
  }
}
