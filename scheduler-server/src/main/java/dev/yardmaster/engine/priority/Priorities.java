package dev.yardmaster.engine.priority;

import dev.yardmaster.engine.place.Hardware;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.model.Hold;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.PriorityFactors;
import dev.yardmaster.model.PriorityPolicy;
import java.time.Instant;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * The priority of a pending job. {@code priority/multifactor} adds weighted factors (slurm.conf,
 * PriorityWeight*); {@code priority/basic} is first come, first served.
 */
public final class Priorities {
  /** Where {@code priority/basic} counts down from. */
  public static final long BASIC_TOP = 4_294_901_760L;

  private static final long YEAR_MINUTES = 365L * 24 * 60;

  /** A priority with what it is made of. */
  public record Result(long priority, PriorityFactors factors) {}

  private final PriorityPolicy policy;
  private final SortedMap<String, Partition> partitions;
  private final Instant now;
  private final double totalNodes;
  private final double totalCpus;
  private final int highestJobFactor;
  private final Shared shared;
  private final @Nullable Instant counted;
  private final boolean onlyIncreases;
  private final boolean agesAlways;
  private final boolean smallToTime;
  private final boolean rawPartition;

  public Priorities(ClusterState state, Hardware hardware, Instant now) {
    policy = state.config().priority();
    this.now = now;
    partitions = state.partitions();
    totalNodes = Math.max(1, hardware.size());
    totalCpus = Math.max(1, hardware.totalCpus());
    int highest = 1;
    for (Partition p : state.partitions().values()) {
      highest = Math.max(highest, p.priorityJobFactor());
    }
    highestJobFactor = highest;
    shared = new Shared(state);
    counted = state.usage().counted();
    onlyIncreases = policy.has("INCR_ONLY");
    agesAlways = policy.has("ACCRUE_ALWAYS");
    smallToTime = policy.has("SMALL_RELATIVE_TO_TIME");
    rawPartition = policy.has("NO_NORMAL_PART");
  }

  /**
   * The priority a job has now, or the one it was last given while only its age has moved and the
   * next calculation is not due (PriorityCalcPeriod). As in Slurm its size is first what it asks
   * for, and once it was found to fit on nodes, what it takes of them.
   *
   * @param minNodes nodes it asks for
   * @param minCpus CPUs it asks for
   * @param jobFactor the highest PriorityJobFactor of its partitions
   */
  public Result of(Job job, int minNodes, long minCpus, int jobFactor) {
    if (job.hold() != Hold.NONE) {
      return new Result(0, PriorityFactors.ZERO);
    }
    Long direct = job.directPriority();
    if (direct != null) {
      return new Result(direct, PriorityFactors.ZERO);
    }
    if (!policy.multifactor()) {
      return new Result(Math.max(1, BASIC_TOP - job.id() - job.nice()), PriorityFactors.ZERO);
    }
    boolean calculated = job.priority() > 0;
    if (calculated && !due(job) && holds(job, minNodes, minCpus, jobFactor)) {
      return new Result(job.priority(), job.factors());
    }
    long taken = job.triedCpus() > 0 ? job.triedCpus() : minCpus;
    PriorityFactors fresh = factors(job, minNodes, minCpus, taken, jobFactor);
    if (onlyIncreases && sum(fresh) < job.priority()) {
      return new Result(job.priority(), job.factors());
    }
    if (calculated && !due(job)) {
      for (String name : others(job)) {
        Partition other = partitions.get(name);
        PriorityFactors there =
            other == null ? fresh : in(other, new Result(0, fresh), job, minNodes, minCpus).factors;
        if (equalButAge(there, job.factors())) {
          return asOf(job.factors(), fresh);
        }
      }
    }
    return new Result(sum(fresh), fresh);
  }

  /** The partitions of a job but the one that counts before any was looked at. */
  private List<String> others(Job job) {
    if (job.partitions().size() < 2) {
      return List.of();
    }
    String first = first(partitions, job);
    return job.partitions().stream().filter(name -> !name.equals(first)).toList();
  }

  /** As in Slurm the partition of the highest tier counts, of equals the one named first. */
  private static String first(SortedMap<String, Partition> partitions, Job job) {
    String first = job.partition();
    if (job.partitions().size() > 1) {
      int tier = Integer.MIN_VALUE;
      for (String name : job.partitions()) {
        Partition p = partitions.get(name);
        if (p != null && p.priorityTier() > tier) {
          tier = p.priorityTier();
          first = name;
        }
      }
    }
    return first;
  }

  /** What was calculated before, and was last shown for another partition, in the first one. */
  private static Result asOf(PriorityFactors before, PriorityFactors first) {
    PriorityFactors factors =
        new PriorityFactors(
            before.age(),
            before.assoc(),
            before.fairShare(),
            before.jobSize(),
            first.partition(),
            before.qos(),
            first.tres(),
            before.site(),
            before.nice(),
            first.tresByName());
    return new Result(sum(factors), factors);
  }

  /** The partition factor that a job shows before any of its partitions was looked at. */
  public static int jobFactor(ClusterState state, Job job) {
    Partition p = state.partitions().get(first(state.partitions(), job));
    return p == null ? 0 : p.priorityJobFactor();
  }

  /**
   * The priority of a job in one of its partitions, each of which has a PriorityJobFactor of its
   * own, and amounts of its own to compare those of the job with (PriorityWeightTRES).
   *
   * @param result its priority in the one of the highest tier
   * @param minNodes nodes it asks for there
   * @param minCpus CPUs it asks for
   */
  public Result in(Partition partition, Result result, Job job, int minNodes, long minCpus) {
    PriorityFactors f = result.factors();
    double there = partition(partition.priorityJobFactor());
    boolean other = !f.tresByName().isEmpty() && !partition.name().equals(first(partitions, job));
    if ((f.partition() == there && !other) || f.equals(PriorityFactors.ZERO)) {
      return result;
    }
    SortedMap<String, Double> tres =
        other ? shared.tres(job, partition.name(), minNodes, minCpus) : f.tresByName();
    PriorityFactors factors =
        new PriorityFactors(
            f.age(),
            f.assoc(),
            f.fairShare(),
            f.jobSize(),
            there,
            f.qos(),
            other ? sum(tres) : f.tres(),
            f.site(),
            f.nice(),
            tres);
    return new Result(sum(factors), factors);
  }

  private double partition(int jobFactor) {
    return policy.weightPartition() * (double) jobFactor / (rawPartition ? 1 : highestJobFactor);
  }

  private static double sum(SortedMap<String, Double> tres) {
    double sum = 0;
    for (double each : tres.values()) {
      sum += each;
    }
    return sum;
  }

  /**
   * What the priority is made of.
   *
   * @param minCpus CPUs it asks for
   * @param size CPUs by which its size is judged
   */
  private PriorityFactors factors(Job job, int minNodes, long minCpus, long size, int jobFactor) {
    Shared.Standing standing = shared.standing(job);
    SortedMap<String, Double> tres = shared.tres(job, first(partitions, job), minNodes, minCpus);
    double ofTres = tres.isEmpty() ? 0 : sum(tres);
    return new PriorityFactors(
        policy.weightAge() * age(job),
        policy.weightAssoc() * standing.association(),
        policy.weightFairShare() * standing.fairShare(),
        policy.weightJobSize() * size(job, minNodes, size),
        partition(jobFactor),
        policy.weightQos() * standing.qos(),
        ofTres,
        job.siteFactor(),
        job.nice(),
        tres);
  }

  /**
   * Time since it began to accrue, as a share of PriorityMaxAge; with ACCRUE_ALWAYS since it was
   * submitted. A job has none from its submission on until the next calculation is due: as in Slurm
   * it is weighed when it is submitted, before it begins to accrue.
   */
  private double age(Job job) {
    Instant since = agesAlways ? job.submitted() : job.accrues();
    if (since == null || !since.isBefore(now) || isAsSubmitted(job)) {
      return 0;
    }
    long whole = now.getEpochSecond() - since.getEpochSecond();
    double seconds = now.getNano() < since.getNano() ? whole - 1 : whole;
    return Math.min(1, seconds / Math.max(1, policy.maxAgeSeconds()));
  }

  /** Whether no calculation came due since it was submitted, nor was it looked at since. */
  private boolean isAsSubmitted(Job job) {
    return job.lastEvaluated() == null && (counted == null || !job.submitted().isBefore(counted));
  }

  /**
   * The mean of the shares of nodes and CPUs. With SMALL_RELATIVE_TO_TIME the share of CPUs, or
   * that of nodes if it is greater, for each minute of the time limit. PriorityFavorSmall turns it
   * round.
   */
  private double size(Job job, int minNodes, long minCpus) {
    if (smallToTime) {
      long minutes = job.timeLimitMinutes() < 0 ? YEAR_MINUTES : job.timeLimitMinutes();
      double share = Math.max(minCpus / totalCpus, minNodes / totalNodes) / Math.max(1, minutes);
      double size = policy.favorSmall() ? 1 - share : share;
      return Math.max(0, Math.min(1, size));
    }
    double share = (minNodes / totalNodes + minCpus / totalCpus) / 2;
    double size = policy.favorSmall() ? 1 - share : share;
    return Math.max(0, Math.min(1, size));
  }

  private static long sum(PriorityFactors f) {
    double sum =
        f.age()
            + f.assoc()
            + f.fairShare()
            + f.jobSize()
            + f.partition()
            + f.qos()
            + f.tres()
            + f.site()
            - f.nice();
    return Math.max(1, (long) sum);
  }

  /** Priorities are calculated anew when a period of usage ends, or at multiples of its length. */
  private boolean due(Job job) {
    Instant last = job.lastEvaluated();
    if (counted != null && last != null) {
      return last.isBefore(counted);
    }
    long period = Math.max(1, policy.calcPeriodSeconds());
    return last == null || last.getEpochSecond() / period != now.getEpochSecond() / period;
  }

  /**
   * Whether what was calculated holds until the next calculation is due: apart from the age, and
   * from the size, which a change of the job weighs anew, and a search for nodes does not.
   */
  private boolean holds(Job job, int minNodes, long minCpus, int jobFactor) {
    PriorityFactors last = job.factors();
    Shared.Standing standing = shared.standing(job);
    boolean same =
        last.assoc() == policy.weightAssoc() * standing.association()
            && last.fairShare() == policy.weightFairShare() * standing.fairShare()
            && last.partition() == partition(jobFactor)
            && last.qos() == policy.weightQos() * standing.qos()
            && last.site() == job.siteFactor()
            && last.nice() == job.nice();
    if (!same) {
      return false;
    }
    SortedMap<String, Double> tres = shared.tres(job, first(partitions, job), minNodes, minCpus);
    return tres == last.tresByName()
        || (last.tres() == (tres.isEmpty() ? 0 : sum(tres)) && tres.equals(last.tresByName()));
  }

  /** The same of factors that were calculated already. */
  private static boolean equalButAge(PriorityFactors a, PriorityFactors b) {
    return a.assoc() == b.assoc()
        && a.fairShare() == b.fairShare()
        && a.partition() == b.partition()
        && a.qos() == b.qos()
        && a.tres() == b.tres()
        && (a.tresByName() == b.tresByName() || a.tresByName().equals(b.tresByName()))
        && a.site() == b.site()
        && a.nice() == b.nice();
  }
}
