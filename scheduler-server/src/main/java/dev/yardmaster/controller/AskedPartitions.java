package dev.yardmaster.controller;

import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.model.JobOwner;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.PartitionState;
import dev.yardmaster.model.Qos;
import dev.yardmaster.model.Reservation;
import dev.yardmaster.model.SlurmError;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The partitions that a submission asks for, by name or by default. */
final class AskedPartitions {
  private final ClusterState state;

  AskedPartitions(ClusterState state) {
    this.state = state;
  }

  /**
   * The names, in the order of the request.
   *
   * @throws Refusal when there is no such partition
   */
  List<String> names(Options options) {
    String value = options.get("partition");
    if (value == null || value.isEmpty()) {
      Reservation reservation = state.reservations().get(options.text("reservation", ""));
      if (reservation != null && state.partitions().containsKey(reservation.partition())) {
        return List.of(reservation.partition());
      }
      return List.of(
          state.partitions().values().stream()
              .filter(Partition::isDefault)
              .findFirst()
              .orElseThrow(() -> new Refusal(SlurmError.DEFAULT_PARTITION_NOT_SET))
              .name());
    }
    List<String> names =
        Arrays.stream(value.split(",", -1)).filter(name -> !name.isEmpty()).distinct().toList();
    List<String> unknown =
        names.stream().filter(name -> !state.partitions().containsKey(name)).toList();
    if (names.isEmpty() || !unknown.isEmpty()) {
      throw unknown(names.isEmpty() ? value : String.join(",", unknown));
    }
    List<String> open =
        names.stream()
            .map(name -> orAlternate(partition(name)))
            .flatMap(Optional::stream)
            .map(Partition::name)
            .distinct()
            .toList();
    return open.isEmpty() ? names.stream().distinct().toList() : open;
  }

  /**
   * The partition, or where it takes no jobs the first of its Alternate partitions that does
   * (slurm.conf(5)); nothing when there is none.
   */
  private Optional<Partition> orAlternate(Partition partition) {
    Set<String> seen = new TreeSet<>();
    Partition next = partition;
    while (next != null && !takesJobs(next)) {
      String alternate = next.other().get("Alternate");
      next = alternate == null || !seen.add(next.name()) ? null : partition(alternate);
    }
    return Optional.ofNullable(next);
  }

  private static boolean takesJobs(Partition p) {
    return p.state() == PartitionState.UP || p.state() == PartitionState.DOWN;
  }

  /**
   * MinNodes, of several partitions the smallest; a QOS may let jobs past it. Where limits are
   * enforced at submission (EnforcePartLimits), a job that says less is refused instead.
   */
  int leastNodes(List<String> partitions, JobOwner owner) {
    boolean enforced =
        !state.config().setting("EnforcePartLimits").orElse("NO").equalsIgnoreCase("NO");
    Qos qos = state.accounting().qos().get(owner.qos());
    if (enforced || (qos != null && qos.has("PartitionMinNodes"))) {
      return 0;
    }
    return partitions.stream().mapToInt(name -> partition(name).minNodes()).min().orElse(0);
  }

  Partition partition(String name) {
    Partition partition = state.partitions().get(name);
    if (partition == null) {
      throw unknown(name);
    }
    return partition;
  }

  private Refusal unknown(String names) {
    return new Refusal(
        SlurmError.INVALID_PARTITION_NAME,
        "invalid partition specified: "
            + names
            + "\nthere are "
            + String.join(", ", state.partitions().keySet()));
  }
}
