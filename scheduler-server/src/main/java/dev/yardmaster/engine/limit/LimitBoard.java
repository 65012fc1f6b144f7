package dev.yardmaster.engine.limit;

import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.explain.Evidence;
import dev.yardmaster.model.Association;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobOwner;
import dev.yardmaster.model.JobRequest;
import dev.yardmaster.model.LimitKind;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.Qos;
import dev.yardmaster.model.Reason;
import dev.yardmaster.model.Tres;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The limits of associations and QOS for one pass: what is taken of them, and whether a further job
 * may start. Changes as the pass starts jobs.
 */
public final class LimitBoard {
  private final ClusterState state;
  private final Enforcement enforcement;
  private final Usages usages;
  private final Map<Key, Charges> charges = new LinkedHashMap<>();

  private record Key(JobOwner owner, String partition) {}

  /**
   * How a job stands to one limit.
   *
   * @param qos whether a QOS sets it, else an association
   * @param broken whether it holds the job back
   * @param ofAmount whether it is about an amount of something, so that it is looked at when the
   *     nodes are
   */
  public record Standing(
      boolean qos,
      boolean broken,
      boolean ofAmount,
      Reason reason,
      boolean waitingHelps,
      Evidence evidence) {}

  public LimitBoard(ClusterState state, Instant now) {
    this.state = state;
    enforcement = Enforcement.of(state.config());
    usages = new Usages(state, now);
  }

  /** A job runs, or starts now. */
  public void add(Job job) {
    usages.add(job);
  }

  /** A job that was added runs no more. */
  public void remove(Job job) {
    usages.remove(job);
  }

  /** A job will run for a time, in seconds since the epoch; see {@link #moveTo}. */
  public void add(Job job, long from, long until) {
    usages.add(job, from, until);
  }

  /** Speaks of another time: jobs count that run then. */
  public void moveTo(long second) {
    usages.moveTo(second);
  }

  /** When, after a time, the first of the jobs ends that some limit counts together with a job. */
  public long nextEnd(Job job, long after) {
    return usages.nextEnd(job, after);
  }

  /** Whether limits count. */
  public boolean enforces() {
    return enforcement.limits();
  }

  /** Whether associations and QOS matter at all. */
  public boolean isActive() {
    return enforcement.associations();
  }

  Charges chargesOf(Job job, String partition) {
    return charges.computeIfAbsent(
        new Key(job.owner(), partition), k -> Charges.of(state, job, partition));
  }

  /**
   * The nodes that a job takes nothing of its limits on nodes for, as these count them already.
   *
   * @return null when it is under no such limit
   */
  public @Nullable Set<String> heldNodes(Job job, Partition partition) {
    return enforcement.limits()
        ? NodeLimits.held(usages, job, chargesOf(job, partition.name()))
        : null;
  }

  /**
   * The first limit on numbers of jobs or on time that holds a job back in a partition; null when
   * none does. These are looked at before nodes are.
   *
   * @param cpus CPUs that it needs at least there
   */
  public @Nullable Standing first(Job job, Partition partition, long cpus) {
    if (!enforcement.associations()) {
      return null;
    }
    Charges of = chargesOf(job, partition.name());
    Standing invalid = invalid(job, of);
    if (invalid != null || !enforcement.limits() || of.isFree() && !hasThreshold(of)) {
      return invalid;
    }
    Demand demand = Demand.of(state.config(), job, partition, cpus);
    Standing found = firstBroken(job, demand, of, null, measure -> !measure.ofAmount());
    return found == null ? threshold(of) : found;
  }

  /**
   * The first limit on an amount of something that a job breaks; null when none. Slurm looks at
   * these when it has found nodes.
   *
   * @param nodes where it would be placed; null to ask whether it breaks one wherever that is
   */
  public @Nullable Standing ofAmounts(
      Job job, Partition partition, long cpus, @Nullable Collection<String> nodes) {
    Charges of = enforcement.limits() ? chargesOf(job, partition.name()) : null;
    if (of == null || of.isFree()) {
      return null;
    }
    Demand demand = Demand.of(state.config(), job, partition, cpus);
    return firstBroken(job, demand, of, nodes, Measure::ofAmount);
  }

  /**
   * The limit on nodes that a job breaks whoever else runs; null when none. Of several it is the
   * least, as in Slurm, which then looks no further.
   */
  public @Nullable Standing ofNodesForever(Job job, Partition partition, long cpus) {
    Charges of = enforcement.limits() ? chargesOf(job, partition.name()) : null;
    if (of == null || of.isFree()) {
      return null;
    }
    List<Measure> found = new ArrayList<>(1);
    Predicate<Measure> all =
        measure -> {
          if (measure.broken() && measure.tres().equals(Tres.NODE) && !measure.waitingHelps()) {
            found.add(measure);
          }
          return true;
        };
    measure(job, Demand.of(state.config(), job, partition, cpus), of, null, all);
    return found.stream()
        .min(Comparator.comparingLong(Measure::allowed).thenComparingInt(NodeLimits::rank))
        .map(LimitBoard::standing)
        .orElse(null);
  }

  /** The first limit of some that a job breaks; the others are not measured. */
  private @Nullable Standing firstBroken(
      Job job,
      Demand demand,
      Charges of,
      @Nullable Collection<String> nodes,
      Predicate<Measure> which) {
    List<Standing> found = new ArrayList<>(1);
    measure(
        job,
        demand,
        of,
        nodes,
        measure -> {
          boolean broken = measure.broken() && which.test(measure);
          if (broken) {
            found.add(standing(measure));
          }
          return !broken;
        });
    return found.isEmpty() ? null : found.getFirst();
  }

  /** Every limit that concerns a job in a partition, in the order they are looked at. */
  public List<Standing> all(Job job, Partition partition, long cpus) {
    List<Standing> found = new ArrayList<>();
    if (!enforcement.associations()) {
      return found;
    }
    Charges of = chargesOf(job, partition.name());
    Standing invalid = invalid(job, of);
    if (invalid != null) {
      found.add(invalid);
    }
    if (enforcement.limits()) {
      measure(
          job,
          Demand.of(state.config(), job, partition, cpus),
          of,
          null,
          measure -> {
            found.add(standing(measure));
            return true;
          });
      Standing threshold = threshold(of);
      if (threshold != null) {
        found.add(threshold);
      }
    }
    return found;
  }

  /** The same with all that a job takes where it was placed. */
  public @Nullable Standing taking(
      Job job, Partition partition, Supplier<Tres> taken, Collection<String> nodes) {
    Charges of = enforcement.limits() ? chargesOf(job, partition.name()) : null;
    if (of == null || of.isFree()) {
      return null;
    }
    Demand demand = Demand.taking(state.config(), job, partition, taken.get());
    return firstBroken(job, demand, of, nodes, Measure::ofAmount);
  }

  private void measure(
      Job job, Partition partition, long cpus, Charges of, Predicate<Measure> listener) {
    measure(job, Demand.of(state.config(), job, partition, cpus), of, null, listener);
  }

  private void measure(
      Job job,
      Demand demand,
      Charges of,
      @Nullable Collection<String> nodes,
      Predicate<Measure> listener) {
    new LimitRules(
            state.usage(), usages, enforcement.safe(), true, job, of, demand, nodes, listener)
        .measure();
  }

  private static Standing standing(Measure measure) {
    return new Standing(
        measure.level().isQos(),
        measure.broken(),
        measure.ofAmount(),
        measure.broken() ? measure.reason() : Reason.NONE,
        measure.waitingHelps(),
        measure.evidence());
  }

  /** An association that is gone, or a QOS that it may not use any more. */
  private @Nullable Standing invalid(Job job, Charges of) {
    if (job.owner().uid() == 0) {
      return null;
    }
    JobOwner owner = job.owner();
    Association own = of.association();
    if (own == null) {
      return new Standing(
          false,
          true,
          false,
          Reason.INVALID_ACCOUNT,
          false,
          new Evidence.NotAllowed(
              job.partition(), "Account", accountsOf(owner.user()), owner.account()));
    }
    if (enforcement.qos() && !state.accounting().qosOf(own).contains(owner.qos())) {
      return new Standing(
          true,
          true,
          false,
          Reason.INVALID_QOS,
          false,
          new Evidence.NotAllowed(
              job.partition(),
              "QOS",
              String.join(",", state.accounting().qosOf(own)),
              owner.qos()));
    }
    return null;
  }

  private String accountsOf(String user) {
    return String.join(
        ",",
        state.accounting().associations().values().stream()
            .filter(a -> a.user().equals(user))
            .map(Association::account)
            .toList());
  }

  private static boolean hasThreshold(Charges of) {
    return of.qos().stream().anyMatch(l -> l.qos() != null && l.qos().usageThreshold() != null);
  }

  /** UsageThreshold with EnforceUsageThreshold: the least fair-share factor. */
  private @Nullable Standing threshold(Charges of) {
    for (Level level : of.qos()) {
      Qos qos = level.qos();
      Double least = qos == null ? null : qos.usageThreshold();
      if (qos == null || least == null || !qos.has("EnforceUsageThreshold")) {
        continue;
      }
      double factor = of.association() == null ? 0 : state.usage().of(of.association()).fairShare();
      if (factor < least) {
        return new Standing(
            true,
            true,
            false,
            Reason.QOS_USAGE_THRESHOLD,
            true,
            new Evidence.Limit(
                "qos",
                qos.name(),
                "UsageThreshold",
                "percent",
                (long) (least * 100),
                0,
                (long) (factor * 100)));
      }
    }
    return null;
  }

  /**
   * What a job asks for, with no more nodes than limits ever allow where it names a range of them,
   * or tasks which may be on one node or on several.
   */
  public JobRequest within(Job job, Partition partition) {
    JobRequest request = job.request();
    boolean either = request.nodesGiven() || request.tasksGiven();
    boolean range = either && request.minNodes() < request.maxNodes();
    if (!range || !enforcement.limits()) {
      return request;
    }
    long most = NodeLimits.most(chargesOf(job, partition.name()));
    return most < request.minNodes() || most >= request.maxNodes()
        ? request
        : request.with(r -> r.maxNodes((int) most));
  }

  /**
   * Whether a job may start but keeps nothing in the plan: its QOS has NoReserve, or its priority
   * is below MinPrioThreshold of its QOS or association.
   */
  public boolean mayNotReserve(Job job, long priority) {
    if (!enforcement.limits()) {
      return false;
    }
    if (overrides(job, "NoReserve")) {
      return true;
    }
    Charges of = chargesOf(job, job.partition());
    for (List<Level> levels : List.of(of.qos(), of.line())) {
      for (Level level : levels) {
        Long least = level.limits().number(LimitKind.MIN_PRIO_THRESHOLD);
        if (least != null) {
          return priority < least;
        }
      }
    }
    return false;
  }

  /** Whether a QOS of the job lets it past a limit of the partition, by flag. */
  public boolean overrides(Job job, String flag) {
    Qos qos = enforcement.tracked() ? state.accounting().qos().get(job.owner().qos()) : null;
    return qos != null && qos.has(flag);
  }
}
