package dev.yardmaster.cli;

import dev.yardmaster.model.ArrayInfo;
import dev.yardmaster.model.ExitCode;
import dev.yardmaster.model.HetInfo;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobFlag;
import dev.yardmaster.model.JobRecord;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.StepRecord;
import dev.yardmaster.model.Tres;
import dev.yardmaster.model.text.ArraySpec;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A line of sacct: a record of a job, or a step of it.
 *
 * @param step null for the job
 * @param task of the waiting tasks of an array the one that is meant; null for all
 * @param window what times are cut to; null when they are not
 */
record SacctRow(
    JobRecord record,
    @Nullable StepRecord step,
    @Nullable Integer task,
    Instant now,
    @Nullable Window window) {
  /** A window of time; null for the beginning of time. */
  record Window(@Nullable Instant start, Instant end) {}

  boolean isJob() {
    return step == null;
  }

  Job job() {
    return record.job();
  }

  /** As users write it. */
  String id() {
    return step == null ? jobId() : jobId() + "." + step.idText();
  }

  private String jobId() {
    ArrayInfo array = job().array();
    HetInfo het = record.component() ? job().het() : null;
    if (array != null) {
      Integer one = task == null ? array.taskId() : task;
      return array.arrayJobId() + "_" + (one == null ? waiting(array) : Integer.toString(one));
    }
    return het != null ? het.hetJobId() + "+" + het.offset() : Integer.toString(job().id());
  }

  private static String waiting(ArrayInfo array) {
    ArraySpec spec = JobFacts.spec(array);
    return "[" + spec + "]";
  }

  String rawId() {
    return step == null ? Integer.toString(job().id()) : job().id() + "." + step.idText();
  }

  /** The name; Slurm calls an allocation without one so. */
  String name() {
    if (step != null) {
      return step.name();
    }
    return job().name().isEmpty() ? "allocation" : job().name();
  }

  /** Whether the step ended with its job rather than by itself. */
  private boolean endedWithJob() {
    return step != null && step.ended() == null && record.ended() != null && !record.resized();
  }

  String state() {
    if (step != null) {
      return endedWithJob() ? jobState(false) : step.state().name();
    }
    return jobState(true);
  }

  private String jobState(boolean by) {
    Integer killer = record.killedBy();
    return by && !record.requeued() && record.state() == JobState.CANCELLED && killer != null
        ? "CANCELLED by " + killer
        : state(record);
  }

  /** How a record ended, or stands. */
  static String state(JobRecord record) {
    return record.requeued()
        ? JobFlag.REQUEUED.name()
        : record.resized() ? JobFlag.RESIZING.name() : record.state().name();
  }

  ExitCode exit() {
    return step == null
        ? record.state().isFinished() || record.requeued() ? job().exitCode() : ExitCode.OK
        : step.exitCode();
  }

  /** Null when it has not; {@link #isNever} says whether it never will. */
  @Nullable Instant start() {
    Instant start = step == null ? record.started() : step.started();
    if (window == null) {
      return start;
    }
    if (start != null && window.start() != null && start.isBefore(window.start())) {
      return window.start();
    }
    return start == null ? end() : start;
  }

  /** Whether it ended before it could start. */
  boolean isNever() {
    return step == null && record.started() == null && record.ended() != null && window == null;
  }

  @Nullable Instant end() {
    Instant end = step == null || endedWithJob() ? record.ended() : step.ended();
    if (window == null) {
      return end;
    }
    Instant last = window.end().isAfter(now) ? now : window.end();
    return end == null || end.isAfter(last) ? last : end;
  }

  /** Seconds of work, without those in which it was suspended. */
  long elapsed() {
    Instant start = start();
    if (start == null) {
      return 0;
    }
    Instant end = end();
    long whole = Duration.between(start, end == null ? now : end).toSeconds();
    return Math.max(0, whole - suspended());
  }

  long suspended() {
    long before = step == null ? record.suspendedSeconds() : step.suspendedSeconds();
    Instant since = record.suspendedSince();
    boolean goesOn = since != null && (step == null || step.ended() == null);
    return goesOn ? before + Math.max(0, Duration.between(since, now).toSeconds()) : before;
  }

  /** What it was given. */
  Tres allocated() {
    return step == null ? record.allocated() : step.tres();
  }

  long cpus() {
    return allocated().cpus();
  }

  /** Nodes that it was given; for a job that waits those that it asks for. */
  long nodeCount() {
    long given = allocated().get(Tres.NODE);
    return given == 0 && step == null ? record.requested().get(Tres.NODE) : given;
  }

  String nodes() {
    if (step != null) {
      return step.nodes().toString();
    }
    return record.started() == null || job().allocation() == null
        ? "None assigned"
        : job().allocation().nodes().toString();
  }

  /** How long it waited, in seconds, from when it could start. */
  long planned() {
    Instant eligible = record.eligible();
    if (eligible == null) {
      return 0;
    }
    Instant until =
        isNever() && record.ended() != null ? record.ended() : start() == null ? now : start();
    return Math.max(0, Duration.between(eligible, until).toSeconds());
  }
}
