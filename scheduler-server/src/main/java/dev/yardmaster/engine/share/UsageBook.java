package dev.yardmaster.engine.share;

import dev.yardmaster.model.Accounting;
import dev.yardmaster.model.Association;
import dev.yardmaster.model.AssociationUsage;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.PriorityPolicy;
import dev.yardmaster.model.Qos;
import dev.yardmaster.model.QosUsage;
import dev.yardmaster.model.Tres;
import java.time.Duration;
import java.time.Instant;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.pcollections.TreePMap;

/**
 * Usage by association and QOS. Jobs are charged when they end and, while they run, whenever a
 * period ends (PriorityCalcPeriod); what was used decays by half in PriorityDecayHalfLife.
 *
 * @param associations by id; absent where nothing was used and nothing calculated
 * @param qos by name
 * @param counted up to when running jobs are charged; null before the first period ended
 */
public record UsageBook(
    TreePMap<Integer, AssociationUsage> associations,
    TreePMap<String, QosUsage> qos,
    @Nullable Instant counted) {
  public static final UsageBook EMPTY = new UsageBook(TreePMap.empty(), TreePMap.empty(), null);

  /** Slurm's ln 2. */
  private static final double LN2 = 0.693;

  public AssociationUsage of(Association association) {
    return associations.getOrDefault(association.id(), AssociationUsage.NONE);
  }

  public QosUsage ofQos(String name) {
    return qos.getOrDefault(name, QosUsage.NONE);
  }

  /** What a second leaves of usage. */
  static double decayPerSecond(PriorityPolicy policy) {
    long halfLife = policy.decayHalfLifeSeconds();
    return halfLife <= 0 ? 1 : 1 - LN2 / halfLife;
  }

  /**
   * A running job has run until {@code until}: charges what was not charged before to its
   * association, all above it, and its QOS.
   */
  public UsageBook charge(Accounting accounting, PriorityPolicy policy, Job job, Instant until) {
    Instant started = job.started();
    if (started == null || job.allocation() == null) {
      return this;
    }
    Instant begun = job.suspension() == null ? started : job.suspension().at();
    Instant from = counted != null && counted.isAfter(begun) ? counted : begun;
    long seconds = Duration.between(from, until).toSeconds();
    if (seconds <= 0) {
      return this;
    }
    double wall = seconds * Math.pow(decayPerSecond(policy), seconds);
    Qos of = accounting.qos().get(job.owner().qos());
    double weighted = wall * (of == null ? 1 : of.usageFactor());
    Tres tres = job.allocation().tres();
    TreePMap<Integer, AssociationUsage> charged = associations;
    Association own = accounting.find(job.owner().user(), job.owner().account(), job.partition());
    if (own != null) {
      for (Association a : accounting.upwards(own)) {
        AssociationUsage u = charged.getOrDefault(a.id(), AssociationUsage.NONE);
        charged =
            charged.plus(
                a.id(),
                u.withRaw(u.raw() + tres.get(Tres.BILLING) * weighted)
                    .withWallSeconds(u.wallSeconds() + wall)
                    .withTres(sum(u.tres(), tres, weighted)));
      }
    }
    TreePMap<String, QosUsage> chargedQos = qos;
    if (of != null) {
      QosUsage u = ofQos(of.name());
      double kept = lasts(of) ? seconds : wall;
      double keptWeighted = kept * of.usageFactor();
      chargedQos =
          qos.plus(
              of.name(),
              new QosUsage(
                  u.raw() + tres.get(Tres.BILLING) * keptWeighted,
                  u.wallSeconds() + kept,
                  sum(u.tres(), tres, keptWeighted)));
    }
    return new UsageBook(charged, chargedQos, counted);
  }

  private static SortedMap<String, Double> sum(
      SortedMap<String, Double> before, Tres tres, double seconds) {
    TreeMap<String, Double> sum = new TreeMap<>(before);
    tres.amounts().forEach((name, amount) -> sum.merge(name, amount * seconds, Double::sum));
    return sum;
  }

  /** Lets usage decay from the end of the last period to a moment, which becomes the last end. */
  UsageBook decayTo(Accounting accounting, PriorityPolicy policy, Instant now) {
    if (counted == null) {
      return new UsageBook(associations, qos, now);
    }
    double factor =
        Math.pow(decayPerSecond(policy), Math.max(0, Duration.between(counted, now).toSeconds()));
    if (factor == 1) {
      return new UsageBook(associations, qos, now);
    }
    TreeMap<Integer, AssociationUsage> decayed = new TreeMap<>();
    associations.forEach(
        (id, u) ->
            decayed.put(
                id,
                u.withRaw(u.raw() * factor)
                    .withWallSeconds(u.wallSeconds() * factor)
                    .withTres(scaled(u.tres(), factor))));
    TreeMap<String, QosUsage> decayedQos = new TreeMap<>(qos);
    decayedQos.replaceAll(
        (name, u) -> {
          return lasts(accounting.qos().get(name))
              ? u
              : new QosUsage(u.raw() * factor, u.wallSeconds() * factor, scaled(u.tres(), factor));
        });
    return new UsageBook(TreePMap.from(decayed), TreePMap.from(decayedQos), now);
  }

  /** Whether what was used of a QOS is never forgotten by itself (sacctmgr(1), NoDecay). */
  private static boolean lasts(@Nullable Qos qos) {
    return qos != null && qos.has("NoDecay");
  }

  private static SortedMap<String, Double> scaled(SortedMap<String, Double> tres, double factor) {
    TreeMap<String, Double> scaled = new TreeMap<>(tres);
    scaled.replaceAll((name, amount) -> amount * factor);
    return scaled;
  }

  /**
   * Forgets the usage of an association and all below it, and takes it from those above
   * (sacctmgr(1), RawUsage=0).
   */
  public UsageBook reset(Accounting accounting, Association association) {
    AssociationUsage gone = of(association);
    TreePMap<Integer, AssociationUsage> left = associations;
    for (Association a : accounting.upwards(association)) {
      left = left.plus(a.id(), minus(left.getOrDefault(a.id(), AssociationUsage.NONE), gone));
    }
    SortedMap<Integer, java.util.List<Association>> children = accounting.children();
    java.util.ArrayDeque<Integer> below = new java.util.ArrayDeque<>();
    below.add(association.id());
    while (!below.isEmpty()) {
      int id = below.remove();
      AssociationUsage u = left.getOrDefault(id, AssociationUsage.NONE);
      left =
          left.plus(
              id,
              u.withRaw(0).withWallSeconds(0).withTres(dev.yardmaster.model.Immutable.sortedMap()));
      children.getOrDefault(id, java.util.List.of()).forEach(a -> below.add(a.id()));
    }
    return new UsageBook(left, qos, counted);
  }

  /** Forgets the usage of a QOS. */
  public UsageBook resetQos(String name) {
    return new UsageBook(associations, qos.plus(name, QosUsage.NONE), counted);
  }

  /** Forgets all usage but that of QOS with NoDecay, as PriorityUsageResetPeriod asks. */
  UsageBook cleared(Accounting accounting) {
    TreeMap<Integer, AssociationUsage> left = new TreeMap<>(associations);
    left.replaceAll((id, u) -> AssociationUsage.NONE.withFairShare(u.fairShare()));
    TreeMap<String, QosUsage> leftQos = new TreeMap<>(qos);
    leftQos.keySet().removeIf(name -> !lasts(accounting.qos().get(name)));
    return new UsageBook(TreePMap.from(left), TreePMap.from(leftQos), counted);
  }

  private static AssociationUsage minus(AssociationUsage from, AssociationUsage gone) {
    TreeMap<String, Double> tres = new TreeMap<>(from.tres());
    gone.tres().forEach((name, amount) -> tres.merge(name, -amount, UsageBook::atLeastZero));
    return from.withRaw(Math.max(0, from.raw() - gone.raw()))
        .withWallSeconds(Math.max(0, from.wallSeconds() - gone.wallSeconds()))
        .withTres(tres);
  }

  private static Double atLeastZero(Double a, Double b) {
    return Math.max(0, a + b);
  }

  UsageBook with(TreePMap<Integer, AssociationUsage> calculated) {
    return new UsageBook(calculated, qos, counted);
  }
}
