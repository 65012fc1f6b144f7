package dev.yardmaster.api;

import dev.yardmaster.api.v1.Wire;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.PartitionState;

/** {@link Partition} on the wire. */
public final class PartitionWire {
  private PartitionWire() {}

  public static Wire.Partition write(Partition partition) {
    Wire.Partition.Builder out =
        Wire.Partition.newBuilder()
            .setName(partition.name())
            .addAllNodes(partition.nodes())
            .setNodesText(partition.nodesText())
            .setIsDefault(partition.isDefault())
            .setHidden(partition.hidden())
            .setState(partition.state().name())
            .setMaxTimeMinutes(partition.maxTimeMinutes())
            .setMinNodes(partition.minNodes())
            .setMaxNodes(partition.maxNodes())
            .setPriorityTier(partition.priorityTier())
            .setPriorityJobFactor(partition.priorityJobFactor())
            .setOverSubscribe(partition.overSubscribe())
            .setRootOnly(partition.rootOnly())
            .setReqResv(partition.reqResv())
            .setLln(partition.lln())
            .setExclusiveUser(partition.exclusiveUser())
            .addAllAllowAccounts(partition.allowAccounts())
            .addAllDenyAccounts(partition.denyAccounts())
            .addAllAllowGroups(partition.allowGroups())
            .addAllAllowQos(partition.allowQos())
            .addAllDenyQos(partition.denyQos())
            .setMaxCpusPerNode(partition.maxCpusPerNode())
            .putAllJobDefaults(partition.jobDefaults())
            .putAllBillingWeights(partition.billingWeights())
            .putAllOther(partition.other());
    if (partition.defaultTimeMinutes() instanceof Long minutes) {
      out.setDefaultTimeMinutes(minutes);
    }
    if (partition.qos() instanceof String qos) {
      out.setQos(qos);
    }
    if (partition.defMemPerCpuMib() instanceof Long mib) {
      out.setDefMemPerCpuMib(mib);
    }
    if (partition.defMemPerNodeMib() instanceof Long mib) {
      out.setDefMemPerNodeMib(mib);
    }
    if (partition.maxMemPerCpuMib() instanceof Long mib) {
      out.setMaxMemPerCpuMib(mib);
    }
    if (partition.maxMemPerNodeMib() instanceof Long mib) {
      out.setMaxMemPerNodeMib(mib);
    }
    return out.build();
  }

  public static Partition read(Wire.Partition in) {
    return new Partition(
        in.getName(),
        in.getNodesList(),
        in.getNodesText(),
        in.getIsDefault(),
        in.getHidden(),
        Fields.word(PartitionState.class, in.getState()),
        in.getMaxTimeMinutes(),
        in.hasDefaultTimeMinutes() ? in.getDefaultTimeMinutes() : null,
        in.getMinNodes(),
        in.getMaxNodes(),
        in.getPriorityTier(),
        in.getPriorityJobFactor(),
        in.getOverSubscribe(),
        in.getRootOnly(),
        in.getReqResv(),
        in.getLln(),
        in.getExclusiveUser(),
        in.getAllowAccountsList(),
        in.getDenyAccountsList(),
        in.getAllowGroupsList(),
        in.getAllowQosList(),
        in.getDenyQosList(),
        in.hasQos() ? in.getQos() : null,
        in.hasDefMemPerCpuMib() ? in.getDefMemPerCpuMib() : null,
        in.hasDefMemPerNodeMib() ? in.getDefMemPerNodeMib() : null,
        in.hasMaxMemPerCpuMib() ? in.getMaxMemPerCpuMib() : null,
        in.hasMaxMemPerNodeMib() ? in.getMaxMemPerNodeMib() : null,
        in.getMaxCpusPerNode(),
        Immutable.sortedMap(in.getJobDefaultsMap()),
        Immutable.sortedMap(in.getBillingWeightsMap()),
        Immutable.sortedMap(in.getOtherMap()));
  }
}
