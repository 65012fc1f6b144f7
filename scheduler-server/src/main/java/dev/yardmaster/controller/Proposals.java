package dev.yardmaster.controller;

import dev.yardmaster.engine.Decision;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.engine.state.Event;
import dev.yardmaster.model.ArrayInfo;
import dev.yardmaster.model.ExitCode;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobFlag;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Node;
import dev.yardmaster.model.NodeShare;
import dev.yardmaster.model.NodeStatus;
import dev.yardmaster.model.Suspension;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Turns what a scheduling pass proposes into events. A pass works on the state of its beginning;
 * what it says of a job that has changed since, or of a node that can no longer be had, is dropped,
 * so that an accepted change is never undone.
 */
final class Proposals {
  private final Runs runs;
  private final ControllerPrograms programs;

  Proposals(Runs runs, ControllerPrograms programs) {
    this.runs = runs;
    this.programs = programs;
  }

  /**
   * A pass's proposal, accepted bit by bit so that commands are handled in between. A decision
   * holds as long as its job is what the pass saw, or what an earlier decision of the same pass
   * made of it.
   */
  static final class Open {
    private final ClusterState seen;
    private final List<Decision> decisions;
    private final Map<Integer, Job> expected = new HashMap<>();
    private final Set<Integer> started = new HashSet<>();
    private int next;

    /** Whether the next decision is about a further component of what was just started. */
    private boolean isAmongComponents() {
      return next > 0
          && next < decisions.size()
          && decisions.get(next) instanceof Decision.Start start
          && start.together() != 0
          && decisions.get(next - 1) instanceof Decision.Start last
          && last.together() == start.together();
    }

    Open(ClusterState seen, List<Decision> decisions) {
      this.seen = seen;
      this.decisions = decisions;
    }

    boolean isDone() {
      return next >= decisions.size();
    }

    private boolean holds(ClusterState state, int jobId) {
      Job job = state.job(jobId);
      Job known = expected.get(jobId);
      return job != null && job == (known == null ? seen.job(jobId) : known);
    }

    private void made(ClusterState state, int jobId) {
      Job job = state.job(jobId);
      if (job != null) {
        expected.put(jobId, job);
      }
    }

    private boolean samePlaces(ClusterState state) {
      return seen.config() == state.config()
          && seen.partitions() == state.partitions()
          && seen.reservations() == state.reservations();
    }
  }

  /** Accepts what still holds of the next {@code most} decisions. */
  void accept(Turn turn, Open open, int most) {
    List<Event.Assessment> assessments = new ArrayList<>();
    int end = Math.min(open.decisions.size(), open.next + most);
    for (; open.next < end || open.isAmongComponents(); open.next++) {
      Decision decision = open.decisions.get(open.next);
      if (decision instanceof Decision.Assess assess) {
        assessments.add(assess.assessment());
        continue;
      }
      tell(turn, open, assessments);
      if (decision instanceof Decision.Mark mark) {
        turn.emit(new Event.NodesPlanned(turn.now(), mark.planned(), mark.free()));
        continue;
      }
      if (!open.holds(turn.state(), decision.jobId()) || !canAll(turn, open, decision)) {
        turn.requestPass();
        continue;
      }
      switch (decision) {
        case Decision.Start start -> {
          if (open.samePlaces(turn.state()) && isFree(turn, start)) {
            start(turn, start);
          } else {
            turn.requestPass();
          }
        }
        case Decision.Assess assess -> {}
        case Decision.Mark mark -> {}
        case Decision.Stop stop -> stop(turn, stop);
        case Decision.Preempt preempt -> preempt(turn, preempt);
        case Decision.Suspend suspend -> suspend(turn, suspend);
        case Decision.Resume resume -> resume(turn, resume);
        case Decision.Part part -> part(turn, part);
        case Decision.GiveUp giveUp -> {
          if (turn.job(giveUp.jobId()).state() == JobState.PENDING) {
            turn.emit(
                new Event.JobEnded(
                    turn.now(), giveUp.jobId(), giveUp.finalState(), giveUp.reason()));
          }
        }
      }
      open.made(turn.state(), decision.jobId());
    }
    tell(turn, open, assessments);
  }

  /** What was found about jobs that start is said before they start: they carry their priority. */
  private static void tell(Turn turn, Open open, List<Event.Assessment> assessments) {
    List<Event.Assessment> still = new ArrayList<>();
    Map<Integer, Event.Assessment> last = new LinkedHashMap<>();
    assessments.forEach(a -> last.put(a.jobId(), a)); // of a job what was said last holds
    for (Event.Assessment assessment : last.values()) {
      if (!open.holds(turn.state(), assessment.jobId())) {
        turn.requestPass();
      } else {
        Job job = turn.job(assessment.jobId());
        if (job.state() == JobState.PENDING && says(assessment, job)) {
          still.add(assessment);
        }
      }
    }
    assessments.clear();
    if (!still.isEmpty()) {
      turn.emit(new Event.JobsAssessed(turn.now(), still));
      still.forEach(a -> open.made(turn.state(), a.jobId()));
    }
  }

  /** Whether an assessment says anything that the job does not say already. */
  private static boolean says(Event.Assessment a, Job job) {
    return !(a.reason() == job.reason()
        && a.reasonText().equals(job.reasonText())
        && a.priority() == job.priority()
        && a.factors().equals(job.factors())
        && Objects.equals(a.eligible(), job.eligible())
        && Objects.equals(a.accrues(), job.accrues())
        && Objects.equals(a.dependency(), job.dependency())
        && Objects.equals(a.planned(), job.planned())
        && a.expectedNodes() == job.expectedNodes()
        && a.triedCpus() == job.triedCpus());
  }

  /** The components of a heterogeneous job start together or not at all. */
  private static boolean canAll(Turn turn, Open open, Decision decision) {
    if (!(decision instanceof Decision.Start start) || start.together() == 0) {
      return true;
    }
    for (Decision other : open.decisions) {
      if (other instanceof Decision.Start component
          && component.together() == start.together()
          && !open.started.contains(component.jobId())
          && !(open.holds(turn.state(), component.jobId())
              && open.samePlaces(turn.state())
              && isFree(turn, component))) {
        return false;
      }
    }
    open.started.add(start.jobId());
    return true;
  }

  private static boolean isFree(Turn turn, Decision.Start start) {
    for (NodeShare share : start.allocation().shares()) {
      Node node = turn.state().node(share.node());
      if (node == null || !node.status().isAvailable()) {
        return false;
      }
    }
    return true;
  }

  private void start(Turn turn, Decision.Start start) {
    Job job = turn.job(start.jobId());
    if (job.state() != JobState.PENDING
        || job.restarts() != start.restarts()
        || job.has(JobFlag.COMPLETING)) {
      return;
    }
    int id = start.jobId();
    ArrayInfo array = job.array();
    if (array != null && array.taskId() == null) {
      Integer task = start.taskId();
      if (task == null || !array.waiting().contains(task)) {
        return;
      }
      id = JobCommands.split(turn, id, task);
    }
    turn.emit(
        new Event.JobStarted(
            turn.now(),
            id,
            start.partition(),
            start.allocation(),
            start.timeLimitMinutes(),
            start.backfilled(),
            start.reservation(),
            start.ahead()));
    for (NodeShare share : start.allocation().shares()) {
      // As in Slurm a reason that somebody gave for a node ends when it gets work.
      Node node = turn.state().node(share.node());
      if (node != null && !node.status().reason().isEmpty()) {
        NodeStatus clean = NodeCommands.clean(node.status());
        turn.emit(new Event.NodeChanged(turn.now(), node.name(), clean, "slurm"));
      }
    }
    boolean prepares = programs.prepare(turn, turn.job(id));
    if (prepares || PowerSaving.mustWake(turn.state(), turn.job(id))) {
      EnumSet<JobFlag> flags = EnumSet.of(JobFlag.CONFIGURING);
      flags.addAll(turn.job(id).flags());
      Job waits = turn.job(id).withFlags(flags);
      turn.emit(
          new Event.JobEdited(
              turn.now(), waits, "slurm", prepares ? "PrologSlurmctld" : "nodes are woken"));
    }
    Runs.launch(turn, turn.job(id));
  }

  private static void part(Turn turn, Decision.Part part) {
    for (int task : part.tasks().stream().toArray()) {
      ArrayInfo array = turn.job(part.jobId()).array();
      if (array != null && array.waiting().contains(task)) {
        JobCommands.split(turn, part.jobId(), task);
      }
    }
    turn.requestPassAtOnce(true);
  }

  private void preempt(Turn turn, Decision.Preempt preempt) {
    Job job = turn.job(preempt.jobId());
    if (job.state() == JobState.RUNNING && job.restarts() == preempt.restarts()) {
      runs.preempt(turn, job, preempt.preemption());
    }
  }

  private static void suspend(Turn turn, Decision.Suspend suspend) {
    Job job = turn.job(suspend.jobId());
    if (job.state() == JobState.RUNNING && job.restarts() == suspend.restarts()) {
      Suspensions.suspend(turn, job, Suspension.Cause.GANG, suspend.by());
    }
  }

  private static void resume(Turn turn, Decision.Resume resume) {
    Job job = turn.job(resume.jobId());
    if (job.state() == JobState.SUSPENDED && job.restarts() == resume.restarts()) {
      Suspensions.resume(turn, job);
    }
  }

  private void stop(Turn turn, Decision.Stop stop) {
    Job job = turn.job(stop.jobId());
    if (job.state() == JobState.RUNNING && job.restarts() == stop.restarts()) {
      String message = stop.finalState() == JobState.TIMEOUT ? "DUE TO TIME LIMIT" : "";
      runs.complete(turn, job, stop.finalState(), ExitCode.OK, stop.reason(), message);
    }
  }
}
