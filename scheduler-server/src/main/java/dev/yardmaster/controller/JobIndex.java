package dev.yardmaster.controller;

import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.engine.state.Event;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobSubmission;
import dev.yardmaster.model.Reservation;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What the controller looks up often and the state does not keep: the records of an array, the jobs
 * that hold a node, and the last number that a reservation got. Follows from the state; belongs to
 * the controller's thread.
 */
final class JobIndex {
  private final Map<Integer, TreeSet<Integer>> arrays = new HashMap<>();
  private final Map<String, Set<Integer>> onNode = new HashMap<>();
  private final Map<String, Integer> requests = new HashMap<>();
  private int lastReservation;

  static JobIndex of(ClusterState state) {
    JobIndex index = new JobIndex();
    state.jobs().values().forEach(index::add);
    state.reservations().values().forEach(index::add);
    return index;
  }

  /** The number of the next reservation; as in Slurm, a new controller goes on from those there. */
  int nextReservation() {
    return lastReservation + 1;
  }

  /** Ids of all records of an array, ascending; empty when there is no such array. */
  SortedSet<Integer> array(int arrayJobId) {
    return arrays.getOrDefault(arrayJobId, new TreeSet<>());
  }

  /** Ids of the jobs that hold resources of a node, or may: to be checked with the state. */
  SortedSet<Integer> onNode(String node) {
    return new TreeSet<>(onNode.getOrDefault(node, Set.of()));
  }

  /**
   * The job that came of a submission with an id of the client's making, as its answer named it;
   * null for one that is not known.
   */
  @Nullable Integer ofRequest(String requestId) {
    return requests.get(requestId);
  }

  /** Follows an event that was applied. */
  void follow(Event event, ClusterState before, ClusterState after) {
    switch (event) {
      case Event.JobSubmitted e -> add(e.job());
      case Event.ArrayTaskSplit e -> addIfPresent(after, e.newJobId());
      case Event.JobStarted e -> addIfPresent(after, e.jobId());
      case Event.NodeReleased e -> leaveNode(e.node(), e.jobId());
      case Event.JobReleased e -> leaveNodes(before, e.jobId());
      case Event.JobPurged e -> {
        leaveNodes(before, e.jobId());
        Job job = before.job(e.jobId());
        if (job != null) {
          requests.remove(job.batch().shown().get(JobSubmission.REQUEST_ID), answered(job));
        }
        if (job != null && job.array() != null) {
          TreeSet<Integer> ids = arrays.get(job.array().arrayJobId());
          if (ids != null && ids.remove(e.jobId()) && ids.isEmpty()) {
            arrays.remove(job.array().arrayJobId());
          }
        }
      }
      case Event.ReservationSaved e -> add(e.reservation());
      default -> {}
    }
  }

  private void add(Reservation reservation) {
    lastReservation = Math.max(lastReservation, reservation.id());
  }

  private void addIfPresent(ClusterState state, int id) {
    Job job = state.job(id);
    if (job != null) {
      add(job);
    }
  }

  private static int answered(Job job) {
    if (job.array() != null) {
      return job.array().arrayJobId();
    }
    return job.het() != null ? job.het().hetJobId() : job.id();
  }

  private void add(Job job) {
    String request = job.batch().shown().get(JobSubmission.REQUEST_ID);
    if (request != null) {
      requests.put(request, answered(job));
    }
    if (job.array() != null) {
      arrays.computeIfAbsent(job.array().arrayJobId(), k -> new TreeSet<>()).add(job.id());
    }
    if (job.holdsResources() && job.allocation() != null) {
      job.allocation()
          .shares()
          .forEach(s -> onNode.computeIfAbsent(s.node(), k -> new HashSet<>()).add(job.id()));
    }
  }

  private void leaveNodes(ClusterState before, int id) {
    Job job = before.job(id);
    if (job != null && job.allocation() != null) {
      job.allocation().shares().forEach(s -> leaveNode(s.node(), id));
    }
  }

  private void leaveNode(String node, int id) {
    Set<Integer> ids = onNode.get(node);
    if (ids != null) {
      ids.remove(id);
    }
  }
}
