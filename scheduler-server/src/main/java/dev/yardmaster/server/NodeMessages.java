package dev.yardmaster.server;

import dev.yardmaster.api.ClusterWire;
import dev.yardmaster.api.JobWire;
import dev.yardmaster.api.NodeWire;
import dev.yardmaster.api.Pool;
import dev.yardmaster.api.StepWire;
import dev.yardmaster.api.UsageWire;
import dev.yardmaster.api.WireException;
import dev.yardmaster.api.v1.NodeRpc;
import dev.yardmaster.controller.Command;
import dev.yardmaster.controller.Effect;
import dev.yardmaster.controller.NodeLink;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.JobScript;
import dev.yardmaster.model.StepUsage;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What controller and node daemon tell each other, on the wire. */
final class NodeMessages {
  private NodeMessages() {}

  /**
   * @throws IllegalArgumentException for a command that no node sends
   */
  static NodeRpc.NodeReport report(Command command, long sequence) {
    NodeRpc.NodeReport.Builder out = NodeRpc.NodeReport.newBuilder().setSequence(sequence);
    switch (command) {
      case Command.NodeRegistered c ->
          out.setNode(c.node())
              .setRegistered(
                  NodeRpc.NodeReport.Registered.newBuilder()
                      .setCpus(c.cpus())
                      .setSockets(c.sockets())
                      .setCoresPerSocket(c.coresPerSocket())
                      .setThreadsPerCore(c.threadsPerCore())
                      .setRealMemoryMib(c.realMemoryMib())
                      .setTmpDiskMib(c.tmpDiskMib())
                      .putAllGres(c.gres())
                      .setBootTime(c.bootTime().getEpochSecond())
                      .setVersion(c.version())
                      .addAllRuns(runs(c.jobs()))
                      .addAllSteps(steps(c.steps()))
                      .setMeasure(NodeWire.write(c.measure())));
      case Command.NodeHeartbeat c ->
          out.setNode(c.node())
              .setHeartbeat(
                  NodeRpc.NodeReport.Heartbeat.newBuilder()
                      .addAllRuns(runs(c.jobs()))
                      .setMeasure(NodeWire.write(c.measure())));
      case Command.ScriptEnded c -> {
        NodeRpc.NodeReport.ScriptEnded.Builder wire =
            NodeRpc.NodeReport.ScriptEnded.newBuilder()
                .setRun(run(c.jobId(), c.restarts()))
                .setExitCode(JobWire.exitCode(c.exitCode()))
                .setAtMillis(c.at().toEpochMilli())
                .setMessage(c.message());
        if (c.usage() instanceof StepUsage usage) {
          wire.setUsage(UsageWire.write(usage));
        }
        out.setNode(c.node()).setScriptEnded(wire);
      }
      case Command.StepsUsed c -> {
        NodeRpc.NodeReport.Used.Builder used = NodeRpc.NodeReport.Used.newBuilder();
        c.steps().forEach(step -> used.addSteps(UsageWire.write(step)));
        out.setNode(c.node()).setUsed(used);
      }
      case Command.LaunchFailed c ->
          out.setNode(c.node())
              .setLaunchFailed(
                  NodeRpc.NodeReport.LaunchFailed.newBuilder()
                      .setRun(run(c.jobId(), c.restarts()))
                      .setMessage(c.message())
                      .setProlog(c.prolog()));
      case Command.StepEnded c -> {
        NodeRpc.NodeReport.StepEnded.Builder wire =
            NodeRpc.NodeReport.StepEnded.newBuilder()
                .setRun(run(c.jobId(), c.restarts()))
                .setStepId(c.stepId())
                .setExitCode(JobWire.exitCode(c.exitCode()))
                .setAtMillis(c.at().toEpochMilli());
        if (c.usage() instanceof StepUsage usage) {
          wire.setUsage(UsageWire.write(usage));
        }
        out.setNode(c.node()).setStepEnded(wire);
      }
      case Command.RunGone c ->
          out.setNode(c.node())
              .setRunGone(
                  NodeRpc.NodeReport.RunGone.newBuilder()
                      .setRun(run(c.jobId(), c.restarts()))
                      .setAtMillis(c.at().toEpochMilli())
                      .setEpilogFailed(c.epilogFailed()));
      default -> throw new IllegalArgumentException("no node sends " + command);
    }
    return out.build();
  }

  private static List<NodeRpc.NodeReport.StepThere> steps(List<Command.RunningStep> steps) {
    return steps.stream()
        .map(
            step ->
                NodeRpc.NodeReport.StepThere.newBuilder()
                    .setRun(run(step.jobId(), step.restarts()))
                    .setStepId(step.stepId())
                    .build())
        .toList();
  }

  static Command command(NodeRpc.NodeReport in) {
    return switch (in.getKindCase()) {
      case REGISTERED -> {
        NodeRpc.NodeReport.Registered r = in.getRegistered();
        yield new Command.NodeRegistered(
            in.getNode(),
            r.getCpus(),
            r.getSockets(),
            r.getCoresPerSocket(),
            r.getThreadsPerCore(),
            r.getRealMemoryMib(),
            r.getTmpDiskMib(),
            Immutable.sortedMap(r.getGresMap()),
            Instant.ofEpochSecond(r.getBootTime()),
            r.getVersion(),
            jobs(r.getRunsList()),
            r.getStepsList().stream()
                .map(
                    step ->
                        new Command.RunningStep(
                            step.getRun().getJobId(),
                            step.getRun().getRestarts(),
                            step.getStepId()))
                .toList(),
            NodeWire.read(r.getMeasure()));
      }
      case HEARTBEAT ->
          new Command.NodeHeartbeat(
              in.getNode(),
              jobs(in.getHeartbeat().getRunsList()),
              NodeWire.read(in.getHeartbeat().getMeasure()));
      case SCRIPT_ENDED ->
          new Command.ScriptEnded(
              in.getNode(),
              in.getScriptEnded().getRun().getJobId(),
              in.getScriptEnded().getRun().getRestarts(),
              JobWire.exitCode(in.getScriptEnded().getExitCode()),
              Instant.ofEpochMilli(in.getScriptEnded().getAtMillis()),
              in.getScriptEnded().getMessage(),
              in.getScriptEnded().hasUsage()
                  ? UsageWire.read(in.getScriptEnded().getUsage())
                  : null);
      case USED ->
          new Command.StepsUsed(
              in.getNode(), in.getUsed().getStepsList().stream().map(UsageWire::read).toList());
      case LAUNCH_FAILED ->
          new Command.LaunchFailed(
              in.getNode(),
              in.getLaunchFailed().getRun().getJobId(),
              in.getLaunchFailed().getRun().getRestarts(),
              in.getLaunchFailed().getMessage(),
              in.getLaunchFailed().getProlog());
      case STEP_ENDED ->
          new Command.StepEnded(
              in.getNode(),
              in.getStepEnded().getRun().getJobId(),
              in.getStepEnded().getRun().getRestarts(),
              in.getStepEnded().getStepId(),
              JobWire.exitCode(in.getStepEnded().getExitCode()),
              Instant.ofEpochMilli(in.getStepEnded().getAtMillis()),
              in.getStepEnded().hasUsage() ? UsageWire.read(in.getStepEnded().getUsage()) : null);
      case RUN_GONE ->
          new Command.RunGone(
              in.getNode(),
              in.getRunGone().getRun().getJobId(),
              in.getRunGone().getRun().getRestarts(),
              Instant.ofEpochMilli(in.getRunGone().getAtMillis()),
              in.getRunGone().getEpilogFailed());
      case KIND_NOT_SET -> throw new WireException("a report of a kind this version does not know");
    };
  }

  static NodeRpc.NodeOrder order(NodeLink.Outgoing outgoing) {
    NodeRpc.NodeOrder.Builder out = NodeRpc.NodeOrder.newBuilder();
    switch (outgoing.effect()) {
      case Effect.Launch launch -> {
        NodeRpc.NodeOrder.Launch.Builder wire =
            NodeRpc.NodeOrder.Launch.newBuilder().setJob(JobWire.write(launch.job()));
        if (outgoing.script() instanceof JobScript script) {
          wire.setScript(ClusterWire.write(script));
        }
        out.setLaunch(wire);
      }
      case Effect.LaunchStep launch ->
          out.setLaunchStep(
              NodeRpc.NodeOrder.LaunchStep.newBuilder()
                  .setJob(JobWire.write(launch.job()))
                  .setStep(StepWire.write(launch.step()))
                  .setProgram(StepWire.write(launch.program()))
                  .putAllOptions(launch.options()));
      case Effect.SignalStep signal ->
          out.setSignalStep(
              NodeRpc.NodeOrder.SignalStep.newBuilder()
                  .setRun(run(signal.jobId(), signal.restarts()))
                  .setStepId(signal.stepId())
                  .setSignal(signal.signal())
                  .setKillWaitSeconds(signal.killWaitSeconds()));
      case Effect.Signal signal ->
          out.setSignal(
              NodeRpc.NodeOrder.Signal.newBuilder()
                  .setRun(run(signal.jobId(), signal.restarts()))
                  .setSignal(signal.signal())
                  .setBatchOnly(signal.batchOnly()));
      case Effect.Notify say ->
          out.setNotify(
              NodeRpc.NodeOrder.Notify.newBuilder()
                  .setRun(run(say.jobId(), say.restarts()))
                  .setText(say.text()));
      case Effect.Pause pause ->
          out.setPause(
              NodeRpc.NodeOrder.Pause.newBuilder()
                  .setRun(run(pause.jobId(), pause.restarts()))
                  .setGraceSeconds(pause.graceSeconds()));
      case Effect.SiteScript script ->
          out.setSiteScript(
              NodeRpc.NodeOrder.SiteScript.newBuilder()
                  .setJob(JobWire.write(script.job()))
                  .setRestarts(script.restarts())
                  .setEpilog(script.epilog()));
      case Effect.HealthCheck check ->
          out.setHealthCheck(
              NodeRpc.NodeOrder.HealthCheck.newBuilder().setHealthy(check.healthy()));
      case Effect.Reconfigure reconfigure ->
          out.setReconfigure(
              NodeRpc.NodeOrder.Reconfigure.newBuilder()
                  .setConfig(reconfigure.config())
                  .setNumber(reconfigure.number()));
      case Effect.AttachStep attach ->
          out.setAttachStep(
              NodeRpc.NodeOrder.AttachStep.newBuilder()
                  .setRun(run(attach.jobId(), attach.restarts()))
                  .setStepId(attach.stepId())
                  .setProgram(StepWire.write(attach.program())));
      case Effect.Power power -> {}
      case Effect.ControllerScript script -> {}
      case Effect.Reboot reboot ->
          out.setReboot(NodeRpc.NodeOrder.Reboot.newBuilder().setProgram(reboot.program()));
      case Effect.Terminate terminate -> {
        NodeRpc.NodeOrder.Terminate.Builder wire =
            NodeRpc.NodeOrder.Terminate.newBuilder()
                .setRun(run(terminate.jobId(), terminate.restarts()))
                .setKillWaitSeconds(terminate.killWaitSeconds());
        if (terminate.message() instanceof String message) {
          wire.setMessage(message);
        }
        out.setTerminate(wire);
      }
    }
    return out.build();
  }

  static NodeRpc.NodeOrder ack(long sequence, @Nullable String refused) {
    NodeRpc.NodeOrder.Ack.Builder ack = NodeRpc.NodeOrder.Ack.newBuilder().setSequence(sequence);
    if (refused != null) {
      ack.setRefused(refused);
    }
    return NodeRpc.NodeOrder.newBuilder().setAck(ack).build();
  }

  /** An order for a node; null for one that is none but an acknowledgement. */
  static NodeLink.@Nullable Outgoing outgoing(String node, NodeRpc.NodeOrder in) {
    return switch (in.getKindCase()) {
      case LAUNCH ->
          new NodeLink.Outgoing(
              new Effect.Launch(node, JobWire.read(in.getLaunch().getJob(), Pool.none())),
              in.getLaunch().hasScript() ? ClusterWire.read(in.getLaunch().getScript()) : null);
      case LAUNCH_STEP ->
          new NodeLink.Outgoing(
              new Effect.LaunchStep(
                  node,
                  JobWire.read(in.getLaunchStep().getJob(), Pool.none()),
                  StepWire.read(in.getLaunchStep().getStep()),
                  StepWire.read(in.getLaunchStep().getProgram()),
                  Immutable.sortedMap(in.getLaunchStep().getOptionsMap())),
              null);
      case SIGNAL_STEP ->
          new NodeLink.Outgoing(
              new Effect.SignalStep(
                  node,
                  in.getSignalStep().getRun().getJobId(),
                  in.getSignalStep().getRun().getRestarts(),
                  in.getSignalStep().getStepId(),
                  in.getSignalStep().getSignal(),
                  in.getSignalStep().getKillWaitSeconds()),
              null);
      case SIGNAL ->
          new NodeLink.Outgoing(
              new Effect.Signal(
                  node,
                  in.getSignal().getRun().getJobId(),
                  in.getSignal().getRun().getRestarts(),
                  in.getSignal().getSignal(),
                  in.getSignal().getBatchOnly()),
              null);
      case TERMINATE ->
          new NodeLink.Outgoing(
              new Effect.Terminate(
                  node,
                  in.getTerminate().getRun().getJobId(),
                  in.getTerminate().getRun().getRestarts(),
                  in.getTerminate().getKillWaitSeconds(),
                  in.getTerminate().hasMessage() ? in.getTerminate().getMessage() : null),
              null);
      case PAUSE ->
          new NodeLink.Outgoing(
              new Effect.Pause(
                  node,
                  in.getPause().getRun().getJobId(),
                  in.getPause().getRun().getRestarts(),
                  in.getPause().getGraceSeconds()),
              null);
      case NOTIFY ->
          new NodeLink.Outgoing(
              new Effect.Notify(
                  node,
                  in.getNotify().getRun().getJobId(),
                  in.getNotify().getRun().getRestarts(),
                  in.getNotify().getText()),
              null);
      case SITE_SCRIPT ->
          new NodeLink.Outgoing(
              new Effect.SiteScript(
                  node,
                  JobWire.read(in.getSiteScript().getJob(), Pool.none()),
                  in.getSiteScript().getRestarts(),
                  in.getSiteScript().getEpilog()),
              null);
      case HEALTH_CHECK ->
          new NodeLink.Outgoing(
              new Effect.HealthCheck(node, in.getHealthCheck().getHealthy()), null);
      case RECONFIGURE ->
          new NodeLink.Outgoing(
              new Effect.Reconfigure(
                  node, in.getReconfigure().getConfig(), in.getReconfigure().getNumber()),
              null);
      case ATTACH_STEP ->
          new NodeLink.Outgoing(
              new Effect.AttachStep(
                  node,
                  in.getAttachStep().getRun().getJobId(),
                  in.getAttachStep().getRun().getRestarts(),
                  in.getAttachStep().getStepId(),
                  StepWire.read(in.getAttachStep().getProgram())),
              null);
      case REBOOT ->
          new NodeLink.Outgoing(new Effect.Reboot(node, in.getReboot().getProgram()), null);
      case ACK -> null;
      case SIGNED -> throw new WireException("a signed order that nobody has opened");
      case KIND_NOT_SET -> throw new WireException("an order of a kind this version does not know");
    };
  }

  private static NodeRpc.Run run(int jobId, int restarts) {
    return NodeRpc.Run.newBuilder().setJobId(jobId).setRestarts(restarts).build();
  }

  private static List<NodeRpc.Run> runs(List<Command.RunningJob> jobs) {
    return jobs.stream().map(job -> run(job.jobId(), job.restarts())).toList();
  }

  private static List<Command.RunningJob> jobs(List<NodeRpc.Run> runs) {
    return runs.stream()
        .map(run -> new Command.RunningJob(run.getJobId(), run.getRestarts()))
        .toList();
  }
}
