package dev.yardmaster.api;

import dev.yardmaster.api.v1.Rpc;
import dev.yardmaster.api.v1.Wire;
import dev.yardmaster.model.RunningSteps;
import dev.yardmaster.model.StepUsage;
import dev.yardmaster.model.UsedStep;

/** What steps have used, on the wire. */
public final class UsageWire {
  private UsageWire() {}

  public static Wire.Usage write(StepUsage usage) {
    return Wire.Usage.newBuilder()
        .setUserMicros(usage.userMicros())
        .setSystemMicros(usage.systemMicros())
        .setTasks(usage.tasks())
        .setCpu(write(usage.cpu()))
        .setResident(write(usage.resident()))
        .setVirtual(write(usage.virtual()))
        .setPageFaults(write(usage.pageFaults()))
        .setRead(write(usage.read()))
        .setWritten(write(usage.written()))
        .build();
  }

  public static Wire.StepUsed write(UsedStep used) {
    return Wire.StepUsed.newBuilder()
        .setJobId(used.jobId())
        .setRestarts(used.restarts())
        .setStepId(used.stepId())
        .setUsage(write(used.usage()))
        .build();
  }

  public static RunningSteps readSteps(Rpc.Steps in) {
    return new RunningSteps(
        in.getStepsList().stream().map(StepWire::read).toList(),
        in.getUsedList().stream().map(UsageWire::read).toList());
  }

  public static UsedStep read(Wire.StepUsed in) {
    return new UsedStep(in.getJobId(), in.getRestarts(), in.getStepId(), read(in.getUsage()));
  }

  private static Wire.OfTasks write(StepUsage.OfTasks of) {
    return Wire.OfTasks.newBuilder()
        .setValue(of.value())
        .setNode(of.node())
        .setTask(of.task())
        .setSum(of.sum())
        .build();
  }

  public static StepUsage read(Wire.Usage in) {
    return new StepUsage(
        in.getUserMicros(),
        in.getSystemMicros(),
        in.getTasks(),
        read(in.getCpu()),
        read(in.getResident()),
        read(in.getVirtual()),
        read(in.getPageFaults()),
        read(in.getRead()),
        read(in.getWritten()));
  }

  private static StepUsage.OfTasks read(Wire.OfTasks in) {
    return new StepUsage.OfTasks(in.getValue(), in.getNode(), in.getTask(), in.getSum());
  }
}
