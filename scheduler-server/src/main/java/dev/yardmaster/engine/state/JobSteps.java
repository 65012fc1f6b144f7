package dev.yardmaster.engine.state;

import dev.yardmaster.model.ExitCode;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.JobStep;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.pcollections.TreePMap;

/**
 * The steps of the present run of a job.
 *
 * @param restarts which run
 * @param nextId the number of the next one
 * @param running by number
 */
public record JobSteps(int restarts, int nextId, List<Running> running) {
  public JobSteps {
    running = List.copyOf(running);
  }

  /**
   * One that runs.
   *
   * @param ended how it ended on the nodes that are done with it
   */
  public record Running(JobStep step, SortedMap<String, ExitCode> ended) {
    public Running {
      ended = Immutable.sortedMap(ended);
    }
  }

  static TreePMap<Integer, JobSteps> started(TreePMap<Integer, JobSteps> all, JobStep step) {
    JobSteps before = all.get(step.jobId());
    boolean same = before != null && before.restarts == step.restarts();
    List<Running> running = new ArrayList<>();
    int next = 0;
    if (before != null && same) {
      running.addAll(before.running);
      next = before.nextId;
    }
    running.add(new Running(step, new TreeMap<>()));
    return all.plus(
        step.jobId(), new JobSteps(step.restarts(), Math.max(next, step.stepId() + 1), running));
  }

  static TreePMap<Integer, JobSteps> left(TreePMap<Integer, JobSteps> all, Event.StepLeftNode e) {
    return changed(
        all,
        e.jobId(),
        e.restarts(),
        e.stepId(),
        running -> {
          TreeMap<String, ExitCode> ended = new TreeMap<>(running.ended);
          ended.put(e.node(), e.exitCode());
          return new Running(running.step, ended);
        });
  }

  static TreePMap<Integer, JobSteps> ended(TreePMap<Integer, JobSteps> all, Event.StepEnded e) {
    return changed(all, e.jobId(), e.restarts(), e.stepId(), running -> null);
  }

  private static TreePMap<Integer, JobSteps> changed(
      TreePMap<Integer, JobSteps> all,
      int jobId,
      int restarts,
      int stepId,
      Function<Running, @Nullable Running> change) {
    JobSteps before = all.get(jobId);
    if (before == null || before.restarts != restarts) {
      return all;
    }
    List<Running> running = new ArrayList<>();
    for (Running one : before.running) {
      Running next = one.step.stepId() == stepId ? change.apply(one) : one;
      if (next != null) {
        running.add(next);
      }
    }
    return all.plus(jobId, new JobSteps(restarts, before.nextId, running));
  }
}
