package dev.yardmaster.engine.limit;

import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.model.Association;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.LimitKind;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.Qos;
import dev.yardmaster.model.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Limits that refuse a job when it is submitted: those on how many jobs there may be, and, under a
 * QOS with DenyOnLimit, every limit that the job breaks by itself.
 */
public final class SubmitLimits {
  private final ClusterState state;
  private final Job job;
  private final Charges charges;

  private SubmitLimits(ClusterState state, Job job) {
    this.state = state;
    this.job = job;
    charges = Charges.of(state, job, job.partition());
  }

  /** The limit that refuses a job, in Slurm's word; null when none does. */
  public static @Nullable Reason refuses(ClusterState state, Job job, long cpus) {
    if (!Enforcement.of(state.config()).limits()) {
      return null;
    }
    SubmitLimits limits = new SubmitLimits(state, job);
    if (limits.charges.isFree()) {
      return null;
    }
    Reason reason = limits.counts();
    return reason != null ? reason : limits.alone(cpus);
  }

  /** Whether the QOS wants a reservation that the job does not name. */
  public static boolean lacksReservation(ClusterState state, Job job) {
    Qos qos = state.accounting().qos().get(job.owner().qos());
    return Enforcement.of(state.config()).tracked()
        && qos != null
        && qos.has("RequiresReservation")
        && job.reservation() == null;
  }

  private @Nullable Reason counts() {
    for (int i = 0; i < charges.qos().size(); i++) {
      Level level = charges.qos().get(i);
      Reason reason = ofQos(level, i);
      if (reason != null) {
        return reason;
      }
    }
    boolean grouped = anyQos(LimitKind.GRP_SUBMIT);
    boolean each = anyQos(LimitKind.MAX_SUBMIT_PER_USER);
    for (Level level : charges.line()) {
      Association a = level.association();
      Long group = grouped ? null : level.limits().number(LimitKind.GRP_SUBMIT);
      if (a != null && group != null && exceeds(group, other -> isBelow(other, a))) {
        return LimitReasons.of(LimitKind.GRP_SUBMIT, false, "");
      }
      Long most = each ? null : level.limits().number(LimitKind.MAX_SUBMIT);
      Association own = charges.association();
      if (most != null && own != null) {
        each = true;
        if (exceeds(most, other -> isBelow(other, own))) {
          return LimitReasons.of(LimitKind.MAX_SUBMIT, false, "");
        }
      }
    }
    return null;
  }

  private @Nullable Reason ofQos(Level level, int at) {
    for (LimitKind kind :
        List.of(
            LimitKind.GRP_SUBMIT,
            LimitKind.MAX_SUBMIT_PER_ACCOUNT,
            LimitKind.MAX_SUBMIT_PER_USER)) {
      Long most = level.limits().number(kind);
      boolean decided = at > 0 && charges.qos().getFirst().limits().number(kind) != null;
      if (most == null || decided) {
        continue;
      }
      Predicate<Job> counted =
          other ->
              isUnder(other, level)
                  && switch (kind) {
                    case MAX_SUBMIT_PER_ACCOUNT ->
                        other.owner().account().equals(job.owner().account());
                    case MAX_SUBMIT_PER_USER -> other.owner().user().equals(job.owner().user());
                    default -> true;
                  };
      if (exceeds(most, counted)) {
        return LimitReasons.of(kind, true, "");
      }
    }
    return null;
  }

  private boolean anyQos(LimitKind kind) {
    return charges.qos().stream().anyMatch(l -> l.limits().number(kind) != null);
  }

  /** Each task of an array counts. */
  private boolean exceeds(long most, Predicate<Job> counted) {
    long jobs = job.taskCount();
    for (Job other : state.jobs().values()) {
      if (other.id() != job.id() && !other.state().isFinished() && counted.test(other)) {
        jobs += other.taskCount();
      }
    }
    return jobs > most;
  }

  private boolean isBelow(Job other, Association a) {
    Association own =
        state.accounting().find(other.owner().user(), other.owner().account(), other.partition());
    return own != null && state.accounting().upwards(own).stream().anyMatch(x -> x.id() == a.id());
  }

  private boolean isUnder(Job other, Level qos) {
    Qos ofPartition = Charges.partitionQos(state, other.partition());
    return other.owner().qos().equals(qos.name())
        || ofPartition != null && ofPartition.name().equals(qos.name());
  }

  private @Nullable Reason alone(long cpus) {
    boolean strict =
        charges.qos().stream().anyMatch(l -> l.qos() != null && l.qos().has("DenyOnLimit"));
    if (!strict) {
      return null;
    }
    Partition partition = state.partitions().get(job.partition());
    Demand demand = Demand.of(state.config(), job, partition, cpus);
    List<Reason> found = new ArrayList<>(1);
    Predicate<Measure> listener =
        measure -> {
          if (measure.broken()) {
            found.add(measure.reason());
          }
          return !measure.broken();
        };
    boolean safe = Enforcement.of(state.config()).safe();
    Usages nobody = new Usages(state, state.time());
    new LimitRules(
            dev.yardmaster.engine.share.UsageBook.EMPTY,
            nobody,
            safe,
            job,
            charges,
            demand,
            null,
            listener)
        .measure();
    return found.isEmpty() ? null : found.getFirst();
  }
}
