package dev.yardmaster.controller;

import dev.yardmaster.engine.Admission;
import dev.yardmaster.engine.limit.SubmitLimits;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.model.Accounting;
import dev.yardmaster.model.ClusterConfig;
import dev.yardmaster.model.Identity;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobOwner;
import dev.yardmaster.model.JobRequest;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.Reason;
import dev.yardmaster.model.ReqTres;
import dev.yardmaster.model.Reservation;
import dev.yardmaster.model.SlurmError;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.pcollections.TreePMap;

/**
 * Asks the engine whether a job may be submitted ({@link Admission}), in Slurm's words. Equal
 * requests get the answer found before, as long as nothing they depend on has changed: thousands of
 * submissions a second are mostly alike. Belongs to the controller's thread.
 */
public final class EngineAdmission implements AdmissionCheck {
  private static final int KEPT = 4096;

  private @Nullable ClusterConfig config;
  private @Nullable TreePMap<String, Partition> partitions;
  private @Nullable TreePMap<String, Reservation> reservations;
  private @Nullable Accounting accounting;
  private final Map<Key, Answer> answers =
      new LinkedHashMap<>(64, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Answer> eldest) {
          return size() > KEPT;
        }
      };

  /** All that an answer depends on beside the cluster. */
  private record Key(
      JobRequest request,
      JobOwner owner,
      List<String> partitions,
      long timeLimit,
      long timeMin,
      @Nullable String reservation) {}

  private record Answer(Reply.@Nullable Refused refused, int nodes) {}

  @Override
  public int expectedNodes(ClusterState state, Job job) {
    return alone(state, job).nodes();
  }

  @Override
  public Reply.@Nullable Refused check(ClusterState state, Job job, Identity by) {
    Reply.Refused refused = alone(state, job).refused();
    return refused != null ? refused : limits(state, job);
  }

  /** What depends on other jobs, or on the accounting, is asked each time. */
  private static Reply.@Nullable Refused limits(ClusterState state, Job job) {
    if (SubmitLimits.lacksReservation(state, job)) {
      return new Reply.Refused(
          SlurmError.INVALID_QOS, "\nQOS " + job.owner().qos() + " requires a reservation");
    }
    Reason reason = SubmitLimits.refuses(state, job, ReqTres.cpus(job.request()));
    return reason == null ? null : new Reply.Refused(SlurmError.ACCOUNTING_POLICY, reason.text());
  }

  private Answer alone(ClusterState state, Job job) {
    if (job.deadline() != null || job.reservation() != null) {
      return ask(state, job);
    }
    if (config != state.config()
        || partitions != state.partitions()
        || reservations != state.reservations()
        || accounting != state.accounting()) {
      answers.clear();
      config = state.config();
      partitions = state.partitions();
      reservations = state.reservations();
      accounting = state.accounting();
    }
    Key key =
        new Key(
            job.request(),
            job.owner(),
            job.partitions(),
            job.timeLimitMinutes(),
            job.timeMinMinutes(),
            job.reservation());
    Answer known = answers.get(key);
    if (known == null) {
      known = ask(state, job);
      answers.put(key, known);
    }
    return known;
  }

  private static Answer ask(ClusterState state, Job job) {
    Admission.Verdict verdict = Admission.judge(state, job, state.time());
    if (verdict.problems().isEmpty()) {
      return new Answer(null, verdict.nodes());
    }
    Admission.Problem first = verdict.problems().getFirst();
    String advice = AdmissionAdvice.of(state, job, first);
    String detail = first.note() + (advice.isEmpty() ? "" : "\n" + advice);
    return new Answer(
        new Reply.Refused(error(first.kind()), detail.isEmpty() ? null : detail), verdict.nodes());
  }

  private static SlurmError error(Admission.Kind kind) {
    return switch (kind) {
      case PARTITION_UNAVAILABLE -> SlurmError.PARTITION_NOT_AVAILABLE;
      case ACCESS_DENIED -> SlurmError.ACCESS_DENIED;
      case ACCOUNT_NOT_ALLOWED -> SlurmError.INVALID_ACCOUNT;
      case QOS_NOT_ALLOWED -> SlurmError.INVALID_QOS;
      case GROUP_NOT_ALLOWED -> SlurmError.GROUP_NOT_ALLOWED;
      case NODE_COUNT -> SlurmError.INVALID_NODE_COUNT;
      case PARTITION_SIZE -> SlurmError.REQUESTED_PART_CONFIG_UNAVAILABLE;
      case CPU_COUNT -> SlurmError.TOO_MANY_CPUS;
      case MEMORY_LIMIT -> SlurmError.TASK_MEMORY;
      case TIME_LIMIT -> SlurmError.INVALID_TIME_LIMIT;
      case NODE_CONFIG -> SlurmError.REQUESTED_NODE_CONFIG_UNAVAILABLE;
      case TOPO_CONFIG -> SlurmError.REQUESTED_TOPO_CONFIG_UNAVAILABLE;
      case NODE_NAME -> SlurmError.INVALID_NODE_NAME;
      case FEATURE -> SlurmError.INVALID_FEATURE;
      case LICENSE -> SlurmError.INVALID_LICENSES;
      case RESERVATION -> SlurmError.INVALID_RESERVATION;
      case RESERVATION_ACCESS -> SlurmError.RESERVATION_ACCESS;
    };
  }
}
