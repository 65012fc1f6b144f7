package dev.yardmaster.engine.limit;

import dev.yardmaster.engine.share.UsageBook;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.model.Association;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.LimitKind;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.Qos;
import dev.yardmaster.model.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Limits that refuse a job when it is submitted: those on how many jobs there may be, and, under a
 * QOS with DenyOnLimit, every limit that the job breaks by itself.
 */
public final class SubmitLimits {
  private static final List<LimitKind> QOS_FIRST =
      List.of(LimitKind.MAX_TRES_PER_ACCOUNT, LimitKind.MAX_TRES_PER_USER, LimitKind.GRP_TRES);
  private static final List<LimitKind> QOS_THEN =
      List.of(
          LimitKind.MAX_TRES_MINS,
          LimitKind.GRP_TRES_MINS,
          LimitKind.GRP_TRES_RUN_MINS,
          LimitKind.MAX_TRES_RUN_MINS_PER_ACCOUNT,
          LimitKind.MAX_TRES_RUN_MINS_PER_USER,
          LimitKind.MAX_WALL,
          LimitKind.GRP_WALL,
          LimitKind.MAX_TRES,
          LimitKind.MAX_TRES_PER_NODE);
  private static final List<LimitKind> LINE_GROUP =
      List.of(LimitKind.GRP_TRES_MINS, LimitKind.GRP_TRES_RUN_MINS, LimitKind.GRP_WALL);
  private static final List<LimitKind> LINE_FIRST =
      List.of(LimitKind.MAX_TRES, LimitKind.MAX_TRES_PER_NODE);
  private static final List<LimitKind> LINE_THEN =
      List.of(LimitKind.MAX_TRES_MINS, LimitKind.MAX_WALL);

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
    return limits.first(cpus);
  }

  /** Whether the QOS wants a reservation that the job does not name. */
  public static boolean lacksReservation(ClusterState state, Job job) {
    Qos qos = state.accounting().qos().get(job.owner().qos());
    return Enforcement.of(state.config()).tracked()
        && qos != null
        && qos.has("RequiresReservation")
        && job.reservation() == null;
  }

  /** The first limit that refuses the job, in the order that Slurm looks at them. */
  private @Nullable Reason first(long cpus) {
    List<Reason> found = new ArrayList<>(1);
    boolean strict =
        charges.qos().stream().anyMatch(l -> l.qos() != null && l.qos().has("DenyOnLimit"));
    LimitRules rules = strict ? rules(cpus, found) : null;
    for (int i = 0; i < charges.qos().size(); i++) {
      Reason reason = ofQos(i, rules, found);
      if (reason != null) {
        return reason;
      }
    }
    boolean grouped = anyQos(LimitKind.GRP_SUBMIT);
    for (int i = 0; i < charges.line().size(); i++) {
      Reason reason = ofLine(i, grouped, rules, found);
      if (reason != null) {
        return reason;
      }
    }
    return null;
  }

  private @Nullable Reason ofQos(int at, @Nullable LimitRules rules, List<Reason> found) {
    if (rules != null && !rules.ofQos(at, QOS_FIRST)) {
      return found.getFirst();
    }
    Reason reason = submitted(at, List.of(LimitKind.GRP_SUBMIT));
    if (reason == null && rules != null && !rules.ofQos(at, QOS_THEN)) {
      reason = found.getFirst();
    }
    if (reason == null) {
      reason =
          submitted(at, List.of(LimitKind.MAX_SUBMIT_PER_ACCOUNT, LimitKind.MAX_SUBMIT_PER_USER));
    }
    if (reason == null && rules != null && !rules.ofQos(at, List.of(LimitKind.MIN_TRES))) {
      reason = found.getFirst();
    }
    return reason;
  }

  private @Nullable Reason ofLine(
      int at, boolean grouped, @Nullable LimitRules rules, List<Reason> found) {
    Level level = charges.line().get(at);
    Association a = level.association();
    if (rules != null && !rules.ofAssociation(at, List.of(LimitKind.GRP_TRES))) {
      return found.getFirst();
    }
    Long group = grouped ? null : level.limits().number(LimitKind.GRP_SUBMIT);
    if (a != null && group != null && exceeds(group, other -> isBelow(other, a))) {
      return LimitReasons.of(LimitKind.GRP_SUBMIT, false, "");
    }
    if (rules != null && !rules.ofAssociation(at, LINE_GROUP)) {
      return found.getFirst();
    }
    return at == 0 ? ofOwn(rules, found) : null;
  }

  /** What an association sets for its own jobs, or has from the nearest above it that does. */
  private @Nullable Reason ofOwn(@Nullable LimitRules rules, List<Reason> found) {
    if (rules != null && !each(rules, LINE_FIRST)) {
      return found.getFirst();
    }
    Association own = charges.association();
    Long most =
        anyQos(LimitKind.MAX_SUBMIT_PER_USER) || anyQos(LimitKind.MAX_SUBMIT_PER_ACCOUNT)
            ? null
            : charges.line().stream()
                .map(l -> l.limits().number(LimitKind.MAX_SUBMIT))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    if (most != null && own != null && exceeds(most, other -> isBelow(other, own))) {
      return LimitReasons.of(LimitKind.MAX_SUBMIT, false, "");
    }
    return rules != null && !each(rules, LINE_THEN) ? found.getFirst() : null;
  }

  private boolean each(LimitRules rules, List<LimitKind> kinds) {
    boolean more = true;
    for (LimitKind kind : kinds) {
      for (int i = 0; i < charges.line().size() && more; i++) {
        more = rules.ofAssociation(i, List.of(kind));
      }
    }
    return more;
  }

  private @Nullable Reason submitted(int at, List<LimitKind> kinds) {
    Level level = charges.qos().get(at);
    for (LimitKind kind : kinds) {
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

  private LimitRules rules(long cpus, List<Reason> found) {
    Partition partition = state.partitions().get(job.partition());
    Demand demand = Demand.of(state.config(), job, partition, cpus);
    Predicate<Measure> listener =
        measure -> {
          if (measure.broken()) {
            found.add(measure.reason());
          }
          return !measure.broken();
        };
    return new LimitRules(
        UsageBook.EMPTY,
        new Usages(state, state.time()),
        true,
        false,
        job,
        charges,
        demand,
        null,
        listener);
  }
}
