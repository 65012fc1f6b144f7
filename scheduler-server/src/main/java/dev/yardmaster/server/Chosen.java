package dev.yardmaster.server;

import dev.yardmaster.api.v1.Rpc;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.model.ArrayInfo;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobFlag;
import dev.yardmaster.model.Reservation;
import dev.yardmaster.model.text.ArraySpec;
import dev.yardmaster.model.text.JobId;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Which jobs of a state a reader has chosen. */
final class Chosen {
  private final Rpc.Selection selection;
  private final Rpc.Selection.Jobs jobs;
  private final List<JobId> ids;
  private final Supplier<Privacy> privacy;

  /**
   * @param privacy what the reader may see at all, at present
   * @throws dev.yardmaster.model.text.NotationException for an id that is none
   */
  Chosen(Rpc.Selection selection, Supplier<Privacy> privacy) {
    this.selection = selection;
    this.privacy = privacy;
    jobs = selection.getJobs();
    ids = selection.getJobIdsList().stream().map(JobId::parse).toList();
  }

  /** Whether nodes are chosen, and may be seen; likewise partitions and reservations. */
  boolean nodes() {
    return selection.getNodes() && !privacy.get().hides("nodes");
  }

  boolean partitions() {
    return selection.getPartitions() && !privacy.get().hides("partitions");
  }

  boolean reservations() {
    return selection.getReservations();
  }

  /**
   * Whether nodes or partitions are asked for that may not be seen, and no jobs for their own sake,
   * with which they are only left out.
   */
  boolean isHidden() {
    boolean aboutJobs =
        !ids.isEmpty()
            || jobs == Rpc.Selection.Jobs.ALL_JOBS
            || jobs == Rpc.Selection.Jobs.LIVE_JOBS;
    boolean alone = selection.getPartitions() && !selection.getNodes();
    return !aboutJobs && (selection.getNodes() && !nodes() || alone && !partitions());
  }

  boolean test(Reservation reservation) {
    return privacy.get().shows(reservation);
  }

  boolean test(Job job) {
    if (!privacy.get().shows(job)) {
      return false;
    }
    if (!ids.isEmpty()) {
      return ids.stream().anyMatch(id -> names(id, job));
    }
    return switch (jobs) {
      case ALL_JOBS -> true;
      case HOLDING_JOBS ->
          job.holdsResources() || (job.planned() != null && !job.planned().nodes().isEmpty());
      case LIVE_JOBS -> !job.state().isFinished() || job.has(JobFlag.COMPLETING);
      case NO_JOBS, UNRECOGNIZED -> false;
    };
  }

  /** The job that an id names: the first in the order of ids when it names several. */
  static Optional<Job> find(ClusterState state, JobId id) {
    if (id.job() > Integer.MAX_VALUE) {
      return Optional.empty();
    }
    Job direct = state.job((int) id.job());
    if (direct != null && names(id, direct)) {
      return Optional.of(direct);
    }
    return state.jobs().values().stream().filter(job -> names(id, job)).findFirst();
  }

  private static boolean names(JobId id, Job job) {
    if (id.het() >= 0) {
      return job.het() != null
          && job.het().hetJobId() == id.job()
          && job.het().offset() == id.het();
    }
    ArrayInfo array = job.array();
    if (id.task() >= 0) {
      return array != null
          && array.arrayJobId() == id.job()
          && (array.taskId() == null
              ? array.waiting().contains(id.task())
              : array.taskId() == id.task());
    }
    if (id.tasks() instanceof ArraySpec tasks) {
      return array != null
          && array.arrayJobId() == id.job()
          && (array.taskId() == null
              ? array.waiting().stream().anyMatch(tasks.tasks()::contains)
              : tasks.tasks().contains(array.taskId()));
    }
    return job.id() == id.job()
        || (array != null && array.arrayJobId() == id.job())
        || (job.het() != null && job.het().hetJobId() == id.job());
  }
}
