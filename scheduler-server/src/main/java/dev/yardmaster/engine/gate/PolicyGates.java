package dev.yardmaster.engine.gate;

import dev.yardmaster.engine.place.Bits;
import dev.yardmaster.engine.place.Shape;
import dev.yardmaster.explain.Evidence;
import dev.yardmaster.explain.Gate;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobRequest;
import dev.yardmaster.model.MemoryRequest;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.PartitionState;
import dev.yardmaster.model.Reason;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/** The rules of the site about a job in one partition. */
public final class PolicyGates {
  private static final Evidence NONE = new Evidence.None();

  private PolicyGates() {}

  /**
   * Checks everything but licences, which Slurm looks at only when the job's turn comes.
   *
   * @return whether nothing failed
   */
  public static boolean check(Board board, Job job, Shape shape, Collector c) {
    boolean ok = partition(board, job, shape, c);
    if (!ok && !c.all()) {
      return false;
    }
    return ok & LimitGates.check(board, job, shape, c);
  }

  /**
   * Checks the rules of the partition alone.
   *
   * @return whether nothing failed
   */
  public static boolean partition(Board board, Job job, Shape shape, Collector c) {
    boolean ok = state(shape.partition(), c);
    if (!ok && !c.all()) {
      return false;
    }
    ok &= access(board, job, shape.partition(), c);
    if (!ok && !c.all()) {
      return false;
    }
    ok &= nodes(board, job, shape, c);
    if (!ok && !c.all()) {
      return false;
    }
    return ok & time(board, job, shape.partition(), c);
  }

  private static boolean state(Partition p, Collector c) {
    Evidence is = new Evidence.PartitionIs(p.name(), p.state().name());
    if (p.state().startsJobs()) {
      c.pass(Gate.PARTITION_STATE, () -> is);
      return true;
    }
    Reason reason =
        p.state() == PartitionState.INACTIVE ? Reason.PARTITION_INACTIVE : Reason.PARTITION_DOWN;
    c.fail(Gate.PARTITION_STATE, new Why(reason), false, () -> is);
    return false;
  }

  /**
   * AllowAccounts, DenyAccounts, AllowQos, DenyQos, AllowGroups; and the QOS and partitions of the
   * reservation in which the job is looked at.
   */
  private static boolean access(Board board, Job job, Partition p, Collector c) {
    String account = job.owner().account();
    String qos = job.owner().qos();
    Reservations.Booking own = board.reservations().of(job);
    if (own != null && !Admittance.takes(own.reservation(), job, p.name())) {
      Why why = new Why(Reason.RESERVATION);
      return own.reservation().takes(qos, p.name()) || own.reservation().qos().isEmpty()
          ? denied(c, why, p, "AllowedPartitions", own.reservation().allowedPartitions(), p.name())
          : denied(c, why, p, "QOS", own.reservation().qos(), qos);
    }
    Why config = new Why(Reason.PARTITION_CONFIG);
    if (!p.admitsAccount(account)) {
      return p.allowAccounts().isEmpty()
          ? denied(c, config, p, "DenyAccounts", p.denyAccounts(), account)
          : denied(c, config, p, "AllowAccounts", p.allowAccounts(), account);
    }
    if (!p.admitsQos(qos) && !p.allowQos().isEmpty()) {
      String text =
          "Job's QOS not permitted to use this partition (%s allows %s not %s)"
              .formatted(p.name(), String.join(",", p.allowQos()), qos);
      return denied(c, new Why(Reason.PARTITION_CONFIG, text), p, "AllowQos", p.allowQos(), qos);
    }
    if (!p.admitsQos(qos)) {
      String text =
          "Job's QOS not permitted to use this partition (%s denies %s including %s)"
              .formatted(p.name(), String.join(",", p.denyQos()), qos);
      return denied(c, new Why(Reason.PARTITION_CONFIG, text), p, "DenyQos", p.denyQos(), qos);
    }
    if (!p.allowGroups().isEmpty()
        && job.owner().uid() != 0
        && !p.allowGroups().contains(job.owner().group())) {
      String text =
          "uid %d not in group permitted to use this partition (%s). groups allowed: %s"
              .formatted(job.owner().uid(), p.name(), String.join(",", p.allowGroups()));
      return denied(
          c,
          new Why(Reason.PARTITION_CONFIG, text),
          p,
          "AllowGroups",
          p.allowGroups(),
          job.owner().group());
    }
    if (!memory(job, p, c)) {
      return false;
    }
    boolean rules =
        !p.allowAccounts().isEmpty()
            || !p.denyAccounts().isEmpty()
            || !p.allowQos().isEmpty()
            || !p.denyQos().isEmpty()
            || !p.allowGroups().isEmpty();
    if (rules) {
      c.pass(Gate.PARTITION_ACCESS, () -> NONE);
    } else {
      c.notApplicable(Gate.PARTITION_ACCESS);
    }
    return true;
  }

  /** MaxMemPerNode; MaxMemPerCPU is met at submission by asking for more CPUs. */
  private static boolean memory(Job job, Partition p, Collector c) {
    Long most = p.maxMemPerNodeMib();
    if (most != null
        && job.request().memory() instanceof MemoryRequest.PerNode(long mib)
        && mib > most) {
      Evidence.Limit limit = limit(p, "MaxMemPerNode", "mem", most, mib);
      c.fail(Gate.PARTITION_ACCESS, new Why(Reason.MAX_MEM_PER_LIMIT), false, () -> limit);
      return false;
    }
    return true;
  }

  private static boolean denied(
      Collector c, Why why, Partition p, String rule, List<String> list, String asked) {
    c.fail(
        Gate.PARTITION_ACCESS,
        why,
        false,
        () -> new Evidence.NotAllowed(p.name(), rule, String.join(",", list), asked));
    return false;
  }

  /**
   * MinNodes and MaxNodes of the partition, unless the job's QOS lets it past them. The whole range
   * of the job must be within (sbatch(1), --nodes), also where it comes from its number of tasks.
   */
  private static boolean nodes(Board board, Job job, Shape shape, Collector c) {
    Partition p = shape.partition();
    int there = Bits.count(board.nodesOf(p.name()));
    int needed = shape.request().minNodes();
    boolean lacksNodes = shape.request().nodesGiven() && needed > there;
    if (!board.possible(shape)) {
      long cpus = board.cpusOf(p);
      if (shape.askedCpus() > cpus) {
        // Who asked for nodes, not for CPUs, is told of nodes.
        Evidence.Limit limit =
            lacksNodes
                ? limit(p, "TotalNodes", "nodes", there, needed)
                : limit(p, "TotalCPUs", "cpu", cpus, shape.askedCpus());
        c.fail(Gate.PARTITION_NODES, new Why(Reason.PARTITION_CONFIG), false, () -> limit);
        return false;
      }
    }
    if (lacksNodes) {
      Evidence.Limit limit = limit(p, "TotalNodes", "nodes", there, needed);
      c.fail(Gate.PARTITION_NODES, new Why(Reason.PARTITION_NODE_LIMIT), false, () -> limit);
      return false;
    }
    int most = mostAsked(job.request(), shape);
    boolean tooMany =
        p.maxNodes() != Partition.UNLIMITED
            && most > p.maxNodes()
            && !board.limits().overrides(job, "PartitionMaxNodes");
    boolean tooFew = most < p.minNodes() && !board.limits().overrides(job, "PartitionMinNodes");
    if (tooMany || tooFew) {
      Evidence.Limit limit =
          tooMany
              ? limit(p, "MaxNodes", "nodes", p.maxNodes(), most)
              : limit(p, "MinNodes", "nodes", p.minNodes(), most);
      c.fail(Gate.PARTITION_NODES, new Why(Reason.PARTITION_NODE_LIMIT), false, () -> limit);
      return false;
    }
    if (p.maxNodes() == Partition.UNLIMITED) {
      c.notApplicable(Gate.PARTITION_NODES);
    } else {
      c.pass(Gate.PARTITION_NODES, () -> limit(p, "MaxNodes", "nodes", p.maxNodes(), most));
    }
    return true;
  }

  /** MaxTime of the partition; with --time-min the shortest acceptable limit counts. */
  private static boolean time(Board board, Job job, Partition p, Collector c) {
    if (p.maxTimeMinutes() == Partition.UNLIMITED
        || board.limits().overrides(job, "PartitionTimeLimit")) {
      c.notApplicable(Gate.PARTITION_TIME);
      return true;
    }
    long asked = NodeReasons.leastMinutes(job);
    Evidence.Limit limit = limit(p, "MaxTime", "minutes", p.maxTimeMinutes(), asked);
    if (asked == Partition.UNLIMITED || asked > p.maxTimeMinutes()) {
      c.fail(Gate.PARTITION_TIME, new Why(Reason.PARTITION_TIME_LIMIT), false, () -> limit);
      return false;
    }
    c.pass(Gate.PARTITION_TIME, () -> limit);
    return true;
  }

  private static Evidence.Limit limit(
      Partition p, String name, String unit, long allowed, long asked) {
    return new Evidence.Limit("partition", p.name(), name, unit, allowed, 0, asked);
  }

  /**
   * Licenses of the cluster: all that the job asks for must be free, or one of them where one will
   * do.
   */
  public static boolean licenses(Board board, Job job, Collector c) {
    JobRequest request = job.request();
    if (request.licenses().isEmpty()) {
      c.notApplicable(Gate.LICENSES);
      return true;
    }
    Evidence.Limit missing = null;
    Evidence.Limit free = null;
    for (String name : request.licenseNames()) {
      Evidence.Limit limit = license(board, job, name);
      boolean fits = limit.used() + limit.asked() <= limit.allowed();
      missing = fits || missing != null ? missing : limit;
      free = fits && (free == null || !request.anyLicense()) ? limit : free;
    }
    if (missing != null && (free == null || !request.anyLicense())) {
      Evidence.Limit limit = missing;
      boolean waitingHelps = limit.asked() <= limit.allowed();
      c.fail(Gate.LICENSES, new Why(Reason.LICENSES), waitingHelps, () -> limit);
      return false;
    }
    Evidence evidence = free == null ? NONE : free;
    c.pass(Gate.LICENSES, () -> evidence);
    return true;
  }

  private static Evidence.Limit license(Board board, Job job, String name) {
    int total = board.state().config().licenses().getOrDefault(name, 0);
    int used = board.licensesUsed(name) + board.licensesKept(job, name);
    int asked = job.request().licenses().getOrDefault(name, 0);
    return new Evidence.Limit("license", name, "Licenses", "license/" + name, total, used, asked);
  }

  /** The licences that a job takes when it starts: where one will do, the first that is free. */
  public static SortedMap<String, Integer> taken(Board board, Job job) {
    JobRequest request = job.request();
    if (!request.anyLicense()) {
      return request.licenses();
    }
    List<String> names = request.licenseNames();
    String chosen =
        names.stream()
            .filter(
                name -> {
                  Evidence.Limit limit = license(board, job, name);
                  return limit.used() + limit.asked() <= limit.allowed();
                })
            .findFirst()
            .orElse(names.getFirst());
    return Immutable.sortedMap(Map.of(chosen, request.licenses().getOrDefault(chosen, 0)));
  }

  /** Slurm looks at licences before it tries a job on the nodes that are there. */
  public static boolean isTriedOnNodes(Gate gate) {
    return switch (gate) {
      case NODES_FREE_CPUS, NODES_FREE_MEMORY, NODES_FREE_GRES, TOPOLOGY -> true;
      default -> false;
    };
  }

  /**
   * The most nodes that a job asks for: of a range, or of its tasks, whatever limits leave of it.
   */
  private static int mostAsked(JobRequest request, Shape shape) {
    if (request.nodesGiven()) {
      return request.maxNodes();
    }
    return request.tasksGiven()
        ? Math.max(shape.minNodes(), Math.min(request.maxNodes(), shape.tasks()))
        : shape.maxNodes();
  }
}
