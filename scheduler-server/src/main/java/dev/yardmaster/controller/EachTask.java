package dev.yardmaster.controller;

import dev.yardmaster.model.ArrayInfo;
import dev.yardmaster.model.Identity;
import dev.yardmaster.model.IndexSet;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.SlurmError;
import java.util.BitSet;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * A command that names a whole array does with each of its tasks what it can: what fails for some
 * of them does not keep the others, and the answer says which (scontrol(1)).
 */
final class EachTask {
  /** What is done with one record; it refuses before it changes anything. */
  interface Work {
    void with(Job job);
  }

  private EachTask() {}

  /**
   * Does something with all jobs that a text names.
   *
   * @param denied the error for jobs of others
   */
  static Reply of(Turn turn, Identity by, String ids, SlurmError denied, Work work) {
    List<JobSelector.Target> targets = JobSelector.select(turn, ids);
    boolean array = targets.size() > 1 && targets.stream().allMatch(t -> t.job().array() != null);
    if (!array) {
      for (JobSelector.Target target : targets) {
        JobCommands.requireOwner(turn, target.job(), by, denied);
      }
      for (JobSelector.Target target : targets) {
        JobCommands.own(turn, target).forEach(work::with);
      }
      return new Reply.Done(List.of());
    }
    Map<String, BitSet> byAnswer = new LinkedHashMap<>();
    Refusal last = null;
    for (JobSelector.Target target : targets) {
      Refusal refusal = done(turn, by, target, denied, work);
      last = refusal == null ? last : refusal;
      String answer = refusal == null ? "No error" : refusal.reply().error().text();
      byAnswer.computeIfAbsent(answer, a -> new BitSet()).or(tasks(target));
    }
    if (last == null) {
      return new Reply.Done(List.of());
    }
    if (byAnswer.size() == 1) {
      throw last;
    }
    return new Reply.Refused(SlurmError.COMMAND_TASKS, text(targets, byAnswer));
  }

  private static @Nullable Refusal done(
      Turn turn, Identity by, JobSelector.Target target, SlurmError denied, Work work) {
    try {
      JobCommands.requireOwner(turn, target.job(), by, denied);
      JobCommands.own(turn, target).forEach(work::with);
      return null;
    } catch (Refusal refusal) {
      return refusal;
    }
  }

  private static BitSet tasks(JobSelector.Target target) {
    BitSet tasks = new BitSet();
    ArrayInfo array = target.job().array();
    IndexSet some = target.tasks();
    if (some != null) {
      some.stream().forEach(tasks::set);
    } else if (array != null && array.taskId() != null) {
      tasks.set(array.taskId());
    } else if (array != null) {
      array.waiting().stream().forEach(tasks::set);
    }
    return tasks;
  }

  private static String text(List<JobSelector.Target> targets, Map<String, BitSet> byAnswer) {
    ArrayInfo array = targets.getFirst().job().array();
    int id = array == null ? targets.getFirst().job().id() : array.arrayJobId();
    StringJoiner lines = new StringJoiner("\n");
    byAnswer.entrySet().stream()
        .sorted(Comparator.comparingInt(e -> e.getValue().nextSetBit(0)))
        .forEach(e -> lines.add(id + "_[" + IndexSet.of(e.getValue()) + "]: " + e.getKey()));
    return lines.toString();
  }
}
