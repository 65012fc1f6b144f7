package dev.yardmaster.engine;

import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.engine.state.Event;
import dev.yardmaster.model.ClusterConfig;
import dev.yardmaster.model.ExitCode;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Preemption;
import dev.yardmaster.model.Reason;
import dev.yardmaster.model.Suspension;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What decisions mean as events. A decision about a job that has changed since (it no longer waits,
 * or it is another run) means nothing and gives no event.
 */
public final class DecisionEvents {
  private static final Pattern CRED_EXPIRE = Pattern.compile("(?i)cred_expire=([0-9]+)");
  private static final long CRED_EXPIRE_SECONDS = 120;

  private final List<Event> events = new ArrayList<>();
  private ClusterState state;

  private DecisionEvents(ClusterState state) {
    this.state = state;
  }

  /** The events of decisions taken in this order, and the state after them. */
  public record Result(List<Event> events, ClusterState after) {
    public Result {
      events = List.copyOf(events);
    }
  }

  /** Turns decisions into events. */
  public static Result of(ClusterState state, List<Decision> decisions, Instant at) {
    DecisionEvents out = new DecisionEvents(state);
    List<Event.Assessment> batch = new ArrayList<>();
    for (Decision decision : decisions) {
      if (decision instanceof Decision.Assess(Event.Assessment assessment)) {
        if (out.isPending(assessment.jobId())) {
          batch.add(assessment);
        }
        continue;
      }
      out.assess(batch, at);
      switch (decision) {
        case Decision.Start start -> out.start(start, at);
        case Decision.Stop stop -> out.stop(stop, at);
        case Decision.Preempt preempt -> out.preempt(preempt, at);
        case Decision.Suspend suspend -> out.suspend(suspend, at);
        case Decision.Resume resume -> out.resume(resume, at);
        case Decision.Part part -> out.part(part, at);
        case Decision.GiveUp giveUp -> out.giveUp(giveUp, at);
        case Decision.Mark mark -> out.add(new Event.NodesPlanned(at, mark.planned(), mark.free()));
        case Decision.Assess assess -> {}
      }
    }
    out.assess(batch, at);
    return new Result(out.events, out.state);
  }

  /** Assessments that follow each other are one event. */
  private void assess(List<Event.Assessment> batch, Instant at) {
    if (!batch.isEmpty()) {
      add(new Event.JobsAssessed(at, batch));
      batch.clear();
    }
  }

  private void add(Event event) {
    events.add(event);
    state = state.apply(event);
  }

  private boolean isPending(int id) {
    Job job = state.job(id);
    return job != null && job.state() == JobState.PENDING;
  }

  private void start(Decision.Start start, Instant at) {
    Job job = state.job(start.jobId());
    if (job == null || job.state() != JobState.PENDING || job.restarts() != start.restarts()) {
      return;
    }
    int id = start.jobId();
    Integer task = start.taskId();
    if (task != null) {
      if (job.array() == null || !job.array().waiting().contains(task)) {
        return;
      }
      boolean last = job.array().waiting().size() == 1;
      id = last ? start.jobId() : state.nextJobId();
      add(new Event.ArrayTaskSplit(at, start.jobId(), task, id));
    }
    add(
        new Event.JobStarted(
            at,
            id,
            start.partition(),
            start.allocation(),
            start.timeLimitMinutes(),
            start.backfilled(),
            start.reservation(),
            start.ahead()));
  }

  private void stop(Decision.Stop stop, Instant at) {
    Job job = state.job(stop.jobId());
    if (job != null && job.state() == JobState.RUNNING && job.restarts() == stop.restarts()) {
      add(
          new Event.JobCompleting(
              at, stop.jobId(), stop.restarts(), stop.finalState(), ExitCode.OK, stop.reason()));
    }
  }

  private void preempt(Decision.Preempt preempt, Instant at) {
    Job job = state.job(preempt.jobId());
    if (job == null || job.state() != JobState.RUNNING || job.restarts() != preempt.restarts()) {
      return;
    }
    Preemption preemption = preempt.preemption();
    if (!preemption.equals(job.preemption())) {
      add(new Event.JobPreempted(at, job.id(), job.restarts(), preemption));
    }
    if (!preemption.until().isAfter(at)) {
      add(left(job, preemption, at));
    }
  }

  /** What becomes of a preempted job when its time to save its work is over. */
  private Event left(Job job, Preemption preemption, Instant at) {
    return requeues(job, preemption)
        ? new Event.JobRequeued(
            at, job.id(), startsAgain(state.config(), job, at), Reason.BEGIN_TIME, false)
        : new Event.JobCompleting(
            at, job.id(), job.restarts(), JobState.PREEMPTED, ExitCode.OK, Reason.NONE);
  }

  /**
   * When a job that is put back to the queue may start again: after the time in which its old run
   * is gone from the nodes (slurm.conf(5), SchedulerParameters=requeue_delay, else
   * AuthInfo=cred_expire, else 120 s) and a second, unless it is to begin later anyway.
   */
  public static Instant startsAgain(ClusterConfig config, Job job, Instant now) {
    String delay = config.scheduling().parameters().get("requeue_delay");
    if (delay == null) {
      Matcher expiry = CRED_EXPIRE.matcher(config.setting("AuthInfo").orElse(""));
      delay = expiry.find() ? expiry.group(1) : "";
    }
    long seconds;
    try {
      seconds = Math.max(0, Long.parseLong(delay));
    } catch (NumberFormatException e) {
      seconds = CRED_EXPIRE_SECONDS;
    }
    Instant begin = job.begin();
    return begin != null && begin.isAfter(now) ? begin : now.plusSeconds(seconds + 1);
  }

  /** Whether a preempted job goes back to the queue: it must be a batch job that may. */
  public static boolean requeues(Job job, Preemption preemption) {
    return preemption.mode() == Preemption.Mode.REQUEUE && job.requeue() && job.batch().batch();
  }

  private void suspend(Decision.Suspend suspend, Instant at) {
    Job job = state.job(suspend.jobId());
    if (job != null && job.state() == JobState.RUNNING && job.restarts() == suspend.restarts()) {
      add(
          new Event.JobSuspended(
              at, job.id(), job.restarts(), Suspension.Cause.GANG, suspend.by()));
    }
  }

  private void resume(Decision.Resume resume, Instant at) {
    Job job = state.job(resume.jobId());
    if (job != null && job.state() == JobState.SUSPENDED && job.restarts() == resume.restarts()) {
      add(new Event.JobResumed(at, job.id(), job.restarts()));
    }
  }

  /** The last task keeps the record of the array. */
  private void part(Decision.Part part, Instant at) {
    for (int task : part.tasks().stream().toArray()) {
      Job job = state.job(part.jobId());
      if (job != null && job.array() != null && job.array().waiting().contains(task)) {
        boolean last = job.array().waiting().size() == 1;
        int id = last ? job.id() : state.nextJobId();
        add(new Event.ArrayTaskSplit(at, job.id(), task, id));
      }
    }
  }

  private void giveUp(Decision.GiveUp giveUp, Instant at) {
    if (isPending(giveUp.jobId())) {
      add(new Event.JobEnded(at, giveUp.jobId(), giveUp.finalState(), giveUp.reason()));
    }
  }
}
