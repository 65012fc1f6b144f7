package dev.yardmaster.api;

import dev.yardmaster.api.v1.Wire;
import dev.yardmaster.model.Exclusivity;
import dev.yardmaster.model.GresRequest;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.JobRequest;
import dev.yardmaster.model.MemoryRequest;
import dev.yardmaster.model.Tres;
import dev.yardmaster.model.text.Distribution;
import dev.yardmaster.model.text.FeatureExpression;

/** {@link JobRequest} on the wire. */
final class RequestWire {
  private RequestWire() {}

  static Wire.Request write(JobRequest request) {
    Wire.Request.Builder out =
        Wire.Request.newBuilder()
            .setMinNodes(request.minNodes())
            .setMaxNodes(request.maxNodes())
            .setTasks(request.tasks())
            .setTasksGiven(request.tasksGiven())
            .setCpusPerTask(request.cpusPerTask())
            .setTasksPerNode(request.tasksPerNode())
            .setTasksPerSocket(request.tasksPerSocket())
            .setTasksPerCore(request.tasksPerCore())
            .setTasksPerGpu(request.tasksPerGpu())
            .setCpusPerGpu(request.cpusPerGpu())
            .setMinCpusPerNode(request.minCpusPerNode())
            .setSocketsPerNode(request.socketsPerNode())
            .setCoresPerSocket(request.coresPerSocket())
            .setThreadsPerCore(request.threadsPerCore())
            .setTmpDiskMib(request.tmpDiskMib())
            .setRequiredNodes(Fields.hosts(request.requiredNodes()))
            .setExcludedNodes(Fields.hosts(request.excludedNodes()))
            .setExclusivity(request.exclusivity().name())
            .setContiguous(request.contiguous())
            .putAllLicenses(request.licenses())
            .setSwitches(request.switches())
            .setSwitchesWaitSeconds(request.switchesWaitSeconds())
            .setSegment(request.segment())
            .setSpread(request.spread())
            .setCoreSpec(request.coreSpec())
            .setNodesGiven(request.nodesGiven())
            .setEnforceBinding(request.enforceBinding())
            .setOneTaskPerSharing(request.oneTaskPerSharing())
            .setSpreadSegments(request.spreadSegments())
            .setConsolidateSegments(request.consolidateSegments())
            .setExternal(request.external())
            .setLicensesText(request.licensesText())
            .setOvercommit(request.overcommit());
    switch (request.memory()) {
      case MemoryRequest.PerNode m -> out.setMibPerNode(m.mib());
      case MemoryRequest.PerCpu m -> out.setMibPerCpu(m.mib());
      case MemoryRequest.PerGpu m -> out.setMibPerGpu(m.mib());
    }
    request.gres().forEach(gres -> out.addGres(write(gres)));
    if (request.features() instanceof FeatureExpression features) {
      out.setFeatures(features.toString());
    }
    if (request.prefer() instanceof FeatureExpression prefer) {
      out.setPrefer(prefer.toString());
    }
    if (request.distribution() instanceof Distribution distribution) {
      out.setDistribution(distribution.toString());
    }
    if (request.asked() instanceof JobRequest.Asked asked) {
      Wire.Request.Asked.Builder had =
          Wire.Request.Asked.newBuilder().setCpus(asked.cpus()).setCpusPerTask(asked.cpusPerTask());
      switch (asked.memory()) {
        case MemoryRequest.PerNode m -> had.setMibPerNode(m.mib());
        case MemoryRequest.PerCpu m -> had.setMibPerCpu(m.mib());
        case MemoryRequest.PerGpu m -> had.setMibPerGpu(m.mib());
      }
      if (asked.rest() instanceof Tres rest) {
        had.setRest(Wire.Request.Rest.newBuilder().putAllTres(rest.amounts()));
      }
      out.setAsked(had);
    }
    return out.build();
  }

  static JobRequest read(Wire.Request in) {
    return new JobRequest(
        in.getMinNodes(),
        in.getMaxNodes(),
        in.getTasks(),
        in.getTasksGiven(),
        in.getCpusPerTask(),
        in.getTasksPerNode(),
        in.getTasksPerSocket(),
        in.getTasksPerCore(),
        in.getTasksPerGpu(),
        in.getCpusPerGpu(),
        in.getMinCpusPerNode(),
        in.getSocketsPerNode(),
        in.getCoresPerSocket(),
        in.getThreadsPerCore(),
        memory(in),
        in.getTmpDiskMib(),
        in.getGresList().stream().map(RequestWire::read).toList(),
        Fields.hosts(in.getRequiredNodes()),
        Fields.hosts(in.getExcludedNodes()),
        in.hasFeatures() ? FeatureExpression.parse(in.getFeatures()) : null,
        Fields.word(Exclusivity.class, in.getExclusivity()),
        in.getContiguous(),
        Immutable.sortedMap(in.getLicensesMap()),
        in.getSwitches(),
        in.getSwitchesWaitSeconds(),
        in.getSegment(),
        in.getSpread(),
        in.getCoreSpec(),
        in.getNodesGiven(),
        in.hasPrefer() ? FeatureExpression.parse(in.getPrefer()) : null,
        in.getEnforceBinding(),
        in.getOneTaskPerSharing(),
        in.getSpreadSegments(),
        in.getConsolidateSegments(),
        in.getExternal(),
        in.getLicensesText(),
        in.hasDistribution() ? Distribution.parse(in.getDistribution()) : null,
        in.getOvercommit(),
        in.hasAsked() ? asked(in.getAsked()) : null);
  }

  private static JobRequest.Asked asked(Wire.Request.Asked in) {
    return new JobRequest.Asked(
        in.getCpus(),
        in.getCpusPerTask(),
        switch (in.getMemoryCase()) {
          case MIB_PER_NODE -> new MemoryRequest.PerNode(in.getMibPerNode());
          case MIB_PER_CPU -> new MemoryRequest.PerCpu(in.getMibPerCpu());
          case MIB_PER_GPU -> new MemoryRequest.PerGpu(in.getMibPerGpu());
          case MEMORY_NOT_SET -> MemoryRequest.NONE;
        },
        in.hasRest() ? Tres.of(in.getRest().getTresMap()) : null);
  }

  private static MemoryRequest memory(Wire.Request in) {
    return switch (in.getMemoryCase()) {
      case MIB_PER_NODE -> new MemoryRequest.PerNode(in.getMibPerNode());
      case MIB_PER_CPU -> new MemoryRequest.PerCpu(in.getMibPerCpu());
      case MIB_PER_GPU -> new MemoryRequest.PerGpu(in.getMibPerGpu());
      case MEMORY_NOT_SET -> MemoryRequest.NONE;
    };
  }

  private static Wire.Request.Gres write(GresRequest gres) {
    Wire.Request.Gres.Builder out =
        Wire.Request.Gres.newBuilder()
            .setName(gres.name())
            .setCount(gres.count())
            .setScope(gres.scope().name());
    if (gres.type() instanceof String type) {
      out.setType(type);
    }
    return out.build();
  }

  private static GresRequest read(Wire.Request.Gres in) {
    return new GresRequest(
        in.getName(),
        in.hasType() ? in.getType() : null,
        in.getCount(),
        Fields.word(GresRequest.Scope.class, in.getScope()));
  }
}
