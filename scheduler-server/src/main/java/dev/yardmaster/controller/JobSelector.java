package dev.yardmaster.controller;

import dev.yardmaster.model.ArrayInfo;
import dev.yardmaster.model.IndexSet;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.SlurmError;
import dev.yardmaster.model.text.ArraySpec;
import dev.yardmaster.model.text.JobId;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the records that a job id as written means: a job, an array, or some tasks of one. */
final class JobSelector {
  private JobSelector() {}

  /**
   * A record, or some of the waiting tasks that a record of an array stands for.
   *
   * @param tasks the tasks meant, or null for the record as a whole
   * @param isPart whether it is one component of a heterogeneous job without the others
   */
  record Target(Job job, @Nullable IndexSet tasks, boolean isPart) {
    Target(Job job, @Nullable IndexSet tasks) {
      this(job, tasks, false);
    }
  }

  /** All that a comma list of ids means, in the order written. */
  static List<Target> select(Turn turn, String ids) {
    List<Target> targets = new ArrayList<>();
    for (String id : splitOutsideBrackets(ids)) {
      targets.addAll(selectOne(turn, id));
    }
    return targets;
  }

  private static List<String> splitOutsideBrackets(String ids) {
    List<String> parts = new ArrayList<>();
    int depth = 0;
    int from = 0;
    for (int i = 0; i < ids.length(); i++) {
      char c = ids.charAt(i);
      depth += c == '[' ? 1 : c == ']' ? -1 : 0;
      if (c == ',' && depth == 0) {
        parts.add(ids.substring(from, i));
        from = i + 1;
      }
    }
    parts.add(ids.substring(from));
    return parts;
  }

  /**
   * @throws Refusal when the text is no job id or means nothing that exists
   */
  static List<Target> selectOne(Turn turn, String text) {
    JobId id;
    try {
      id = JobId.parse(text.strip());
    } catch (IllegalArgumentException e) {
      throw new Refusal(SlurmError.INVALID_JOB_ID, "\n" + e.getMessage());
    }
    if (id.job() > Integer.MAX_VALUE || id.step() != null) {
      throw new Refusal(SlurmError.INVALID_JOB_ID, "\n" + text);
    }
    int number = (int) id.job();
    if (id.het() != JobId.NO_TASK) {
      return component(turn, text, number, id.het());
    }
    ArraySpec spec = id.tasks();
    List<Target> targets =
        spec != null
            ? tasks(turn, number, spec)
            : id.task() >= 0
                ? tasks(turn, number, ArraySpec.parse(Integer.toString(id.task())))
                : whole(turn, number);
    if (targets.isEmpty()) {
      throw new Refusal(SlurmError.INVALID_JOB_ID, "\nthere is no job " + text);
    }
    return targets;
  }

  private static List<Target> whole(Turn turn, int number) {
    List<Target> targets = new ArrayList<>();
    for (int record : turn.index().array(number)) {
      targets.add(new Target(turn.job(record), null));
    }
    Job job = turn.state().job(number);
    if (targets.isEmpty() && job != null) {
      if (job.het() == null) {
        targets.add(new Target(job, null));
      } else if (job.het().isLeader() || isWhole(turn)) {
        Runs.components(turn.state(), job).forEach(c -> targets.add(new Target(c, null)));
      } else {
        targets.add(new Target(job, null, true));
      }
    }
    return targets;
  }

  /** SchedulerParameters=whole_hetjob: a component stands for all of its job. */
  private static boolean isWhole(Turn turn) {
    return turn.state().config().scheduling().parameters().containsKey("whole_hetjob");
  }

  private static List<Target> component(Turn turn, String text, int leader, int offset) {
    Job job = turn.state().job(leader + offset);
    boolean is = job != null && job.het() != null && job.het().hetJobId() == leader;
    if (job == null || !is) {
      throw new Refusal(SlurmError.INVALID_JOB_ID, "\nthere is no job " + text);
    }
    return List.of(new Target(job, null, true));
  }

  private static List<Target> tasks(Turn turn, int number, ArraySpec spec) {
    List<Target> targets = new ArrayList<>();
    BitSet wanted = new BitSet();
    spec.tasks().stream().forEach(wanted::set);
    IndexSet asked = IndexSet.of(wanted);
    for (int record : turn.index().array(number)) {
      Job job = turn.job(record);
      ArrayInfo array = job.array();
      if (array == null) {
        continue;
      }
      Integer task = array.taskId();
      if (task != null) {
        if (asked.contains(task)) {
          targets.add(new Target(job, null));
        }
        continue;
      }
      IndexSet some = array.waiting().and(asked);
      if (!some.isEmpty()) {
        targets.add(new Target(job, some.equals(array.waiting()) ? null : some));
      }
    }
    return targets;
  }
}
