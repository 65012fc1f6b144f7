package dev.yardmaster.cli;

import dev.yardmaster.model.ArrayInfo;
import dev.yardmaster.model.IndexSet;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The rows of squeue where waiting tasks of an array that are records of their own, because they
 * were held or changed by themselves, stand in one row with the tasks that wait with the array; it
 * then gives the reasons of all (squeue(1), {@code --array}).
 */
final class ArrayRows {
  private ArrayRows() {}

  static List<JobFacts> together(List<JobFacts> rows) {
    Map<List<Object>, Integer> leaders = new HashMap<>();
    List<JobFacts> shown = new ArrayList<>();
    for (JobFacts row : rows) {
      List<Object> key = key(row.job());
      if (key != null && taskOf(row.job()) == null) {
        leaders.put(key, shown.size());
      }
      shown.add(row);
    }
    if (leaders.isEmpty()) {
      return rows;
    }
    Set<JobFacts> gone = Collections.newSetFromMap(new IdentityHashMap<>());
    for (JobFacts row : rows) {
      List<Object> key = key(row.job());
      Integer task = taskOf(row.job());
      Integer leader = key == null || task == null ? null : leaders.get(key);
      if (leader != null && task != null) {
        shown.set(leader, joined(shown.get(leader), row, task));
        gone.add(row);
      }
    }
    shown.removeIf(gone::contains);
    return shown;
  }

  private static @Nullable List<Object> key(Job job) {
    ArrayInfo array = job.array();
    return array == null || job.state() != JobState.PENDING
        ? null
        : List.of(array.arrayJobId(), job.name(), job.partitions());
  }

  private static @Nullable Integer taskOf(Job job) {
    return job.array() == null ? null : job.array().taskId();
  }

  /** As in Slurm the row no longer says how many tasks may run at a time. */
  private static JobFacts joined(JobFacts leader, JobFacts row, int task) {
    Job job = leader.job();
    ArrayInfo array = job.array();
    if (array == null) {
      return leader;
    }
    IndexSet tasks = array.waiting().or(IndexSet.of(task));
    ArrayInfo all = new ArrayInfo(array.arrayJobId(), null, tasks, 0, array.cancelled());
    boolean known =
        job.reason() == row.job().reason() || leader.reason().contains(row.job().reason().text());
    String reasons = known ? job.reasonText() : leader.reason() + "," + row.job().reason().text();
    return leader.of(job.with(j -> j.array(all).reasonText(reasons)));
  }
}
