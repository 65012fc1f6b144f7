package dev.yardmaster.model.text;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The name of a job, a task of an array, a component of a heterogeneous job, or a step: {@code
 * 123}, {@code 123_4}, {@code 123_[4-9%2]}, {@code 123_*}, {@code 123+1}, {@code 123.batch}, {@code
 * 123_4.0}.
 *
 * @param job the number of the job or array, from 1
 * @param task the task of an array; {@link #NO_TASK} or {@link #ALL_TASKS}
 * @param tasks the tasks that remain of a pending array; else null
 * @param het the component of a heterogeneous job, or {@link #NO_TASK}
 * @param step the step: a number, {@code batch}, {@code extern}, {@code interactive}; else null
 */
public record JobId(long job, int task, @Nullable ArraySpec tasks, int het, @Nullable String step)
    implements Comparable<JobId> {
  /** Stands for no task and no component. */
  public static final int NO_TASK = -1;

  /** The task of {@code 123_*}: every task. */
  public static final int ALL_TASKS = -2;

  /** The largest job number, that of a federated job. */
  public static final long MAX_JOB = 0xFFFF_FFFFL;

  private static final String NOTATION = "job id";
  private static final String HELP = "write 123, 123_4, 123_[4-9], 123+1 or 123.batch";

  public JobId {
    if (job < 0
        || job > MAX_JOB
        || task < ALL_TASKS
        || het < NO_TASK
        || (tasks != null && task != NO_TASK)) {
      throw new NotationException(NOTATION, Long.toString(job), 0, "not a job id", HELP);
    }
  }

  /** A whole job. */
  public static JobId of(long job) {
    return new JobId(job, NO_TASK, null, NO_TASK, null);
  }

  /** A task of an array. */
  public static JobId of(long job, int task) {
    return new JobId(job, task, null, NO_TASK, null);
  }

  /** Parses a job id. */
  public static JobId parse(String text) {
    var scan = new Scan(NOTATION, text);
    long job = scan.number("a job number", MAX_JOB);
    int task = NO_TASK;
    int het = NO_TASK;
    ArraySpec tasks = null;
    if (scan.accept('_')) {
      if (scan.accept('*')) {
        task = ALL_TASKS;
      } else if (scan.peek() == '[') {
        int from = scan.at;
        int close = text.indexOf(']', from);
        if (close < 0) {
          throw scan.error(from, "unmatched \"[\"", "close it with \"]\"");
        }
        tasks = ArraySpec.parse(NOTATION, text, from, close + 1);
        scan.at = close + 1;
      } else {
        task = (int) scan.number("a task number", ArraySpec.MAX_TASK);
      }
    }
    if (scan.accept('+')) {
      het = (int) scan.number("a component number", ArraySpec.MAX_TASK);
    }
    String step = null;
    if (scan.accept('.')) {
      int from = scan.at;
      step = text.substring(from);
      if (!step.matches("[0-9]{1,10}(\\+[0-9]{1,9})?|[A-Za-z]{1,20}")) {
        throw scan.error(from, "not a step", "write a number, batch, extern or interactive");
      }
      scan.at = text.length();
    }
    if (!scan.end()) {
      throw scan.error(scan.at, scan.unexpected(), HELP);
    }
    return new JobId(job, task, tasks, het, step);
  }

  /** The job without its step. */
  public JobId withoutStep() {
    return new JobId(job, task, tasks, het, null);
  }

  public JobId withStep(String name) {
    return new JobId(job, task, tasks, het, name);
  }

  public boolean isArrayTask() {
    return task >= 0;
  }

  @Override
  public int compareTo(JobId other) {
    int order = Long.compare(job, other.job);
    if (order == 0) {
      order = Integer.compare(task, other.task);
    }
    if (order == 0) {
      order = Objects.toString(tasks, "").compareTo(Objects.toString(other.tasks, ""));
    }
    if (order == 0) {
      order = Integer.compare(het, other.het);
    }
    return order == 0
        ? HostList.ORDER.compare(Objects.toString(step, ""), Objects.toString(other.step, ""))
        : order;
  }

  @Override
  public String toString() {
    var out = new StringBuilder().append(job);
    if (task >= 0) {
      out.append('_').append(task);
    } else if (task == ALL_TASKS) {
      out.append("_*");
    } else if (tasks != null) {
      out.append('_').append(tasks.bracketed());
    }
    if (het >= 0) {
      out.append('+').append(het);
    }
    return step == null ? out.toString() : out.append('.').append(step).toString();
  }
}
