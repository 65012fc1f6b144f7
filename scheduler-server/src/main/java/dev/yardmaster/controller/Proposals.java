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
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Turns what a scheduling pass proposes into events. A pass works on the state of its beginning;
 * what it says of a job that has changed since, or of a node that can no longer be had, is dropped,
 * so that an accepted change is never undone.
 */
final class Proposals {
  private final Runs runs;

  Proposals(Runs runs) {
    this.runs = runs;
  }

  /**
   * Accepts what still holds.
   *
   * @param seen the state the pass worked on
   * @return how many jobs were started
   */
  int accept(Turn turn, ClusterState seen, List<Decision> decisions) {
    ClusterState current = turn.state();
    boolean samePlaces =
        seen.config() == current.config()
            && seen.partitions() == current.partitions()
            && seen.reservations() == current.reservations();
    Set<Integer> unchanged = new HashSet<>();
    for (Decision decision : decisions) {
      Job job = current.job(decision.jobId());
      if (job != null && job == seen.job(decision.jobId())) {
        unchanged.add(decision.jobId());
      }
    }
    int started = 0;
    List<Event.Assessment> assessments = new ArrayList<>();
    for (Decision decision : decisions) {
      if (!unchanged.contains(decision.jobId())) {
        turn.requestPass();
        continue;
      }
      switch (decision) {
        case Decision.Start start -> {
          tell(turn, assessments);
          if (samePlaces && isFree(turn, start)) {
            start(turn, start);
            started++;
          } else {
            turn.requestPass();
          }
        }
        case Decision.Assess assess -> assessments.add(assess.assessment());
        case Decision.Stop stop -> stop(turn, stop);
        case Decision.GiveUp giveUp -> {
          if (turn.job(giveUp.jobId()).state() == JobState.PENDING) {
            turn.emit(
                new Event.JobEnded(
                    turn.now(), giveUp.jobId(), giveUp.finalState(), giveUp.reason()));
          }
        }
      }
    }
    tell(turn, assessments);
    return started;
  }

  /** What was found about jobs that start is said before they start: they carry their priority. */
  private static void tell(Turn turn, List<Event.Assessment> assessments) {
    List<Event.Assessment> still =
        assessments.stream()
            .filter(
                a -> {
                  Job job = turn.state().job(a.jobId());
                  return job != null && job.state() == JobState.PENDING && says(a, job);
                })
            .toList();
    if (!still.isEmpty()) {
      turn.emit(new Event.JobsAssessed(turn.now(), still));
    }
    assessments.clear();
  }

  /** Whether an assessment says anything that the job does not say already. */
  private static boolean says(Event.Assessment a, Job job) {
    return !(a.reason() == job.reason()
        && a.reasonText().equals(job.reasonText())
        && a.priority() == job.priority()
        && a.factors().equals(job.factors())
        && Objects.equals(a.eligible(), job.eligible())
        && Objects.equals(a.planned(), job.planned()));
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

  private static void start(Turn turn, Decision.Start start) {
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
            start.backfilled()));
    Runs.launch(turn, turn.job(id));
  }

  private void stop(Turn turn, Decision.Stop stop) {
    Job job = turn.job(stop.jobId());
    if (job.state() == JobState.RUNNING && job.restarts() == stop.restarts()) {
      String message = stop.finalState() == JobState.TIMEOUT ? "DUE TO TIME LIMIT" : "";
      runs.complete(turn, job, stop.finalState(), ExitCode.OK, stop.reason(), message);
    }
  }
}
