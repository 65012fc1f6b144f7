package dev.yardmaster.api;

import dev.yardmaster.api.v1.Rpc;
import dev.yardmaster.api.v1.Wire;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.JobStep;
import dev.yardmaster.model.StepProgram;
import java.time.Instant;
import java.util.Map;

/** Steps on the wire. */
public final class StepWire {
  private StepWire() {}

  public static Wire.Step write(JobStep step) {
    Wire.Step.Builder out =
        Wire.Step.newBuilder()
            .setJobId(step.jobId())
            .setRestarts(step.restarts())
            .setStepId(step.stepId())
            .setName(step.name())
            .setUser(step.user())
            .setUid(step.uid())
            .setPartition(step.partition())
            .setCpus(step.cpus())
            .setStarted(Fields.seconds(step.started()))
            .setTimeLimitMinutes(step.timeLimitMinutes());
    for (JobStep.OnNode node : step.layout()) {
      out.addLayout(
          Wire.StepNode.newBuilder()
              .setNode(node.node())
              .addAllTasks(node.tasks())
              .setCpus(node.cpus())
              .addAllGpus(node.gpus())
              .setMemoryMib(node.memoryMib()));
    }
    return out.build();
  }

  public static JobStep read(Wire.Step in) {
    return new JobStep(
        in.getJobId(),
        in.getRestarts(),
        in.getStepId(),
        in.getName(),
        in.getUser(),
        in.getUid(),
        in.getPartition(),
        in.getLayoutList().stream()
            .map(
                n ->
                    new JobStep.OnNode(
                        n.getNode(),
                        n.getTasksList(),
                        n.getCpus(),
                        n.getGpusList(),
                        n.getMemoryMib()))
            .toList(),
        in.getCpus(),
        Instant.ofEpochSecond(in.getStarted()),
        in.getTimeLimitMinutes());
  }

  public static Wire.StepProgram write(StepProgram program) {
    return Wire.StepProgram.newBuilder()
        .addAllArguments(program.arguments())
        .putAllEnvironment(program.environment())
        .setWorkDir(program.workDir())
        .setHost(program.host())
        .setPort(program.port())
        .setKey(program.key())
        .build();
  }

  /**
   * @param job of a new step, or JOB.STEP
   */
  public static Rpc.StepRequest request(
      String job, Map<String, String> options, StepProgram program) {
    return Rpc.StepRequest.newBuilder()
        .setJob(job)
        .putAllOptions(options)
        .setProgram(write(program))
        .build();
  }

  public static StepProgram read(Wire.StepProgram in) {
    return new StepProgram(
        in.getArgumentsList(),
        Immutable.sortedMap(in.getEnvironmentMap()),
        in.getWorkDir(),
        in.getHost(),
        in.getPort(),
        in.getKey());
  }
}
