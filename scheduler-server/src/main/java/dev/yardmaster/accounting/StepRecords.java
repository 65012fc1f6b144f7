package dev.yardmaster.accounting;

import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.engine.state.Event;
import dev.yardmaster.model.Allocation;
import dev.yardmaster.model.ExitCode;
import dev.yardmaster.model.HetInfo;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobRecord;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.JobStep;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.StepRecord;
import dev.yardmaster.model.StepTres;
import dev.yardmaster.model.Tres;
import dev.yardmaster.model.text.HostList;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** What events make of the steps in the record of a run. */
final class StepRecords {
  private static final int SIGTERM = 15;

  /** What a step that ran out of memory shows as its signal. */
  private static final int OUT_OF_MEMORY = 125;

  private StepRecords() {}

  /**
   * A run begins with the steps that nobody asks for: its batch script, and what holds the
   * processes that do not come by srun where PrologFlags=Contain.
   */
  static JobRecord begun(JobRecord record, ClusterState state, Instant at) {
    Job job = record.job();
    Allocation allocation = job.allocation();
    List<StepRecord> steps = new ArrayList<>();
    if (allocation == null || allocation.shares().isEmpty() || job.request().external()) {
      return record;
    }
    HetInfo het = job.het();
    if (job.batch().batch() && (het == null || het.isLeader())) {
      String host = allocation.shares().getFirst().node();
      steps.add(
          step(StepRecord.BATCH, "batch", HostList.of(List.of(host)), 1)
              .with(s -> s.started(at).tres(TresOf.on(state, job, List.of(host)))));
    }
    if (contains(state)) {
      HostList nodes = allocation.nodes();
      TreeMap<String, Long> all = new TreeMap<>(record.allocated().amounts());
      steps.add(
          step(StepRecord.EXTERN, "extern", nodes, Math.toIntExact(nodes.size()))
              .with(s -> s.started(at).tres(new Tres(all))));
    }
    return record.withSteps(steps);
  }

  private static boolean contains(ClusterState state) {
    String flags = state.config().setting("PrologFlags").orElse("").toLowerCase(Locale.ROOT);
    return Arrays.stream(flags.split(",")).anyMatch(f -> f.strip().equals("contain"));
  }

  private static StepRecord step(int id, String name, HostList nodes, int tasks) {
    return new StepRecord(
        id,
        name,
        nodes,
        tasks,
        Tres.NONE,
        Instant.EPOCH,
        null,
        JobState.RUNNING,
        ExitCode.OK,
        Partition.UNLIMITED,
        0,
        null);
  }

  static JobRecord started(JobRecord record, ClusterState state, JobStep begun) {
    Job job = record.job();
    List<String> nodes = begun.layout().stream().map(JobStep.OnNode::node).toList();
    Tres tres = StepTres.of(job, begun, TresOf.on(state, job, nodes));
    StepRecord step =
        step(begun.stepId(), begun.name(), begun.nodes(), begun.tasks())
            .with(
                s ->
                    s.started(begun.started())
                        .timeLimitMinutes(begun.timeLimitMinutes())
                        .tres(tres));
    List<StepRecord> steps = new ArrayList<>(record.steps());
    steps.add(step);
    return record.withSteps(steps);
  }

  /** What one of them has used: all the time, or more than was known. */
  static JobRecord used(JobRecord record, Event.StepUsed e) {
    return changed(record, s -> s.id() == e.stepId() ? s.withUsage(e.usage()) : s);
  }

  static JobRecord ended(JobRecord record, Event.StepEnded e) {
    return changed(
        record, s -> s.id() == e.stepId() && s.ended() == null ? over(s, e.at(), e.exitCode()) : s);
  }

  /** The batch script ended by itself. */
  static JobRecord scriptEnded(JobRecord record, Instant at, ExitCode exit) {
    return changed(record, s -> s.id() == StepRecord.BATCH ? over(s, at, exit) : s);
  }

  /** No node has anything left of the run: what had to be ended has been. */
  static JobRecord released(JobRecord record, Instant at) {
    if (record.state() == JobState.NODE_FAIL) {
      return record;
    }
    return changed(
        record,
        s ->
            s.ended() != null
                ? s
                : s.id() == StepRecord.EXTERN
                    ? over(s, at, ExitCode.OK)
                    : over(s, at, new ExitCode(0, SIGTERM)));
  }

  static JobRecord inState(JobRecord record, JobState state, long suspendedSeconds) {
    return changed(
        record,
        s ->
            s.ended() != null
                ? s
                : s.withState(state).withSuspendedSeconds(s.suspendedSeconds() + suspendedSeconds));
  }

  private static StepRecord over(StepRecord step, Instant at, ExitCode exit) {
    JobState state =
        exit.signal() == OUT_OF_MEMORY
            ? JobState.OUT_OF_MEMORY
            : exit.signal() != 0
                ? JobState.CANCELLED
                : exit.code() != 0 ? JobState.FAILED : JobState.COMPLETED;
    return step.with(s -> s.ended(at).state(state).exitCode(exit));
  }

  private static JobRecord changed(JobRecord record, UnaryOperator<StepRecord> change) {
    return record.withSteps(record.steps().stream().map(change).toList());
  }
}
