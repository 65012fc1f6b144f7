package dev.yardmaster.api;

import dev.yardmaster.api.v1.Wire;
import dev.yardmaster.model.GresDevices;
import dev.yardmaster.model.Node;
import dev.yardmaster.model.NodeBaseState;
import dev.yardmaster.model.NodeFlag;
import dev.yardmaster.model.NodeMeasure;
import dev.yardmaster.model.NodeSpec;
import dev.yardmaster.model.NodeStatus;
import java.time.Instant;
import java.util.List;

/** {@link Node} on the wire. Instants lose what is finer than a second. */
public final class NodeWire {
  private NodeWire() {}

  public static Wire.Node write(Node node) {
    Wire.Node.Builder out =
        Wire.Node.newBuilder().setSpec(spec(node.spec())).setStatus(status(node.status()));
    if (!node.measure().equals(NodeMeasure.NONE)) {
      out.setMeasure(write(node.measure()));
    }
    return out.build();
  }

  public static Node read(Wire.Node in) {
    return new Node(spec(in.getSpec()), status(in.getStatus()), read(in.getMeasure()));
  }

  public static Wire.NodeMeasure write(NodeMeasure measure) {
    Wire.NodeMeasure.Builder out =
        Wire.NodeMeasure.newBuilder()
            .setCpuLoadPercent(measure.cpuLoadPercent())
            .setSystem(measure.system());
    if (measure.freeMib() >= 0) {
      out.setFreeMib(measure.freeMib());
    }
    if (measure.daemonStarted() instanceof Instant time) {
      out.setDaemonStarted(Fields.seconds(time));
    }
    if (measure.lastBusy() instanceof Instant time) {
      out.setLastBusy(Fields.seconds(time));
    }
    return out.build();
  }

  /** What is absent is unknown. */
  public static NodeMeasure read(Wire.NodeMeasure in) {
    return new NodeMeasure(
        in.getCpuLoadPercent(),
        in.hasFreeMib() ? in.getFreeMib() : -1,
        in.getSystem(),
        Fields.instant(in.hasDaemonStarted(), in.getDaemonStarted()),
        Fields.instant(in.hasLastBusy(), in.getLastBusy()));
  }

  private static Wire.NodeSpec spec(NodeSpec spec) {
    Wire.NodeSpec.Builder out =
        Wire.NodeSpec.newBuilder()
            .setName(spec.name())
            .setHostname(spec.hostname())
            .setAddress(spec.address())
            .setPort(spec.port())
            .setBoards(spec.boards())
            .setSockets(spec.sockets())
            .setCoresPerSocket(spec.coresPerSocket())
            .setThreadsPerCore(spec.threadsPerCore())
            .setCpus(spec.cpus())
            .setRealMemoryMib(spec.realMemoryMib())
            .setTmpDiskMib(spec.tmpDiskMib())
            .setWeight(spec.weight())
            .addAllFeatures(spec.features())
            .setState(spec.state())
            .setReason(spec.reason())
            .setCoreSpecCount(spec.coreSpecCount())
            .setMemSpecLimitMib(spec.memSpecLimitMib());
    spec.gres().forEach(gres -> out.addGres(devices(gres)));
    if (spec.available() instanceof List<String> available) {
      out.setAvailable(Wire.NodeSpec.Features.newBuilder().addAllNames(available));
    }
    return out.build();
  }

  private static NodeSpec spec(Wire.NodeSpec in) {
    return new NodeSpec(
        in.getName(),
        in.getHostname(),
        in.getAddress(),
        in.getPort(),
        in.getBoards(),
        in.getSockets(),
        in.getCoresPerSocket(),
        in.getThreadsPerCore(),
        in.getCpus(),
        in.getRealMemoryMib(),
        in.getTmpDiskMib(),
        in.getWeight(),
        in.getFeaturesList(),
        in.getGresList().stream().map(NodeWire::devices).toList(),
        in.getState(),
        in.getReason(),
        in.getCoreSpecCount(),
        in.getMemSpecLimitMib(),
        in.hasAvailable() ? in.getAvailable().getNamesList() : null);
  }

  private static Wire.GresDevices devices(GresDevices gres) {
    Wire.GresDevices.Builder out =
        Wire.GresDevices.newBuilder()
            .setName(gres.name())
            .setCount(gres.count())
            .setFirstIndex(gres.firstIndex())
            .setCountOnly(gres.countOnly())
            .addAllFiles(gres.files());
    if (gres.type() instanceof String type) {
      out.setType(type);
    }
    gres.cores().forEach(cores -> out.addCores(cores.toString()));
    gres.links()
        .forEach(links -> out.addLinks(Wire.GresDevices.Links.newBuilder().addAllCounts(links)));
    return out.build();
  }

  private static GresDevices devices(Wire.GresDevices in) {
    return new GresDevices(
        in.getName(),
        in.hasType() ? in.getType() : null,
        in.getCount(),
        in.getFirstIndex(),
        in.getFilesList(),
        in.getCoresList().stream().map(Fields::indices).toList(),
        in.getLinksList().stream().map(Wire.GresDevices.Links::getCountsList).toList(),
        in.getCountOnly());
  }

  private static Wire.NodeStatus status(NodeStatus status) {
    Wire.NodeStatus.Builder out =
        Wire.NodeStatus.newBuilder()
            .setBase(status.base().name())
            .addAllFlags(Fields.names(status.flags()))
            .setReason(status.reason())
            .setReasonUser(status.reasonUser())
            .setVersion(status.version())
            .setComment(status.comment())
            .setExtra(status.extra())
            .setNextState(status.nextState())
            .setInstanceId(status.instanceId())
            .setInstanceType(status.instanceType());
    if (status.resumeAfter() instanceof Instant time) {
      out.setResumeAfter(Fields.seconds(time));
    }
    if (status.reasonTime() instanceof Instant time) {
      out.setReasonTime(Fields.seconds(time));
    }
    if (status.bootTime() instanceof Instant time) {
      out.setBootTime(Fields.seconds(time));
    }
    if (status.registered() instanceof Instant time) {
      out.setRegistered(Fields.seconds(time));
    }
    if (status.lastResponse() instanceof Instant time) {
      out.setLastResponse(Fields.seconds(time));
    }
    return out.build();
  }

  private static NodeStatus status(Wire.NodeStatus in) {
    return new NodeStatus(
        Fields.word(NodeBaseState.class, in.getBase()),
        Fields.words(NodeFlag.class, in.getFlagsList()),
        in.getReason(),
        in.getReasonUser(),
        Fields.instant(in.hasReasonTime(), in.getReasonTime()),
        Fields.instant(in.hasBootTime(), in.getBootTime()),
        Fields.instant(in.hasRegistered(), in.getRegistered()),
        Fields.instant(in.hasLastResponse(), in.getLastResponse()),
        in.getVersion(),
        in.getComment(),
        in.getExtra(),
        in.getNextState(),
        Fields.instant(in.hasResumeAfter(), in.getResumeAfter()),
        in.getInstanceId(),
        in.getInstanceType(),
        null);
  }
}
