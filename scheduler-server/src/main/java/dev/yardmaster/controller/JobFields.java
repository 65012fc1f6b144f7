package dev.yardmaster.controller;

import dev.yardmaster.engine.gate.Admittance;
import dev.yardmaster.model.ArrayInfo;
import dev.yardmaster.model.Exclusivity;
import dev.yardmaster.model.GresRequest.Scope;
import dev.yardmaster.model.Hold;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobOwner;
import dev.yardmaster.model.JobRequest;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.JobSubmission;
import dev.yardmaster.model.MemoryRequest;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.Reason;
import dev.yardmaster.model.SlurmError;
import dev.yardmaster.model.text.HostList;
import dev.yardmaster.model.text.Instants;
import dev.yardmaster.model.text.Memory;
import dev.yardmaster.model.text.NodeCount;
import dev.yardmaster.model.text.TimeLimits;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** The fields of {@code scontrol update job}, one by one. */
final class JobFields {
  private static final int MAX_NICE = 2_147_483_645;

  private JobFields() {}

  /**
   * The job with a field changed.
   *
   * @param name the field in lower case
   * @throws Refusal when the field is not known, the value is wrong, or the sender may not
   */
  static Job apply(Job job, String name, String value, JobUpdates.Context context) {
    if (ShapeFields.isOne(name)) {
      return ShapeFields.apply(job, name, value, context);
    }
    return switch (name) {
      case "account" ->
          charged(pending(job), with(job.owner(), value, "", job.owner().wckey()), context);
      case "qos" ->
          charged(
              job, with(job.owner(), job.owner().account(), value, job.owner().wckey()), context);
      case "wckey" -> wckey(job, value, context);
      case "admincomment" -> {
        requireAdministrator(context);
        yield job.withAdminComment(value);
      }
      case "arraytaskthrottle" -> throttle(job, number(name, value));
      case "comment" -> job.withComment(value);
      case "contiguous" -> request(job, r -> r.withContiguous(yes(name, value)));
      case "cpuspertask" -> request(job, r -> r.withCpusPerTask(positive(name, value)));
      case "deadline" -> deadline(job, value, context);
      case "dependency" -> dependency(job, value, context);
      case "eligibletime", "starttime" -> begin(job, value, context);
      case "excnodelist" -> request(job, r -> r.withExcludedNodes(nodes(value, context)));
      case "features" -> request(job, r -> readAgain(r, "constraint", value, job, context));
      case "gres" -> {
        if (value.isEmpty()) {
          throw new Refusal(SlurmError.INVALID_GRES, "\nGres= names none; TresPerNode= takes away");
        }
        yield gres(job, Scope.NODE, value, context);
      }
      case "trespernode" -> gres(job, Scope.NODE, value, context);
      case "tresperjob" -> gres(job, Scope.JOB, value, context);
      case "trespersocket" -> gres(job, Scope.SOCKET, value, context);
      case "trespertask" -> gres(job, Scope.TASK, value, context);
      case "jobname", "name" -> job.withName(value);
      case "prefer" -> request(job, r -> readAgain(r, "prefer", value, job, context));
      case "licenses" -> request(job, r -> readAgain(r, "licenses", value, job, context));
      case "mincpusnode" -> request(job, r -> r.withMinCpusPerNode(positive(name, value)));
      case "minmemorycpu" ->
          request(job, r -> r.withMemory(new MemoryRequest.PerCpu(memory(value))));
      case "minmemorynode" ->
          request(job, r -> r.withMemory(new MemoryRequest.PerNode(memory(value))));
      case "mintmpdisknode" -> request(job, r -> r.withTmpDiskMib(memory(value)));
      case "nice" -> nice(job, value, context);
      case "nodelist", "reqnodelist" -> request(job, r -> required(r, nodes(value, context)));
      case "numcpus", "numtasks" ->
          request(job, r -> r.withTasks(positive(name, value)).withTasksGiven(true));
      case "numnodes" -> request(job, r -> nodeCount(r, value));
      case "oversubscribe", "shared" -> {
        requireAdministrator(context);
        Exclusivity sharing = yes(name, value) ? Exclusivity.OVERSUBSCRIBE : Exclusivity.NODE;
        yield request(job, r -> r.withExclusivity(sharing));
      }
      case "partition" -> partition(job, value, context);
      case "priority" -> priority(job, value, context);
      case "requeue" -> job.withRequeue(yes(name, value));
      case "resetaccruetime" -> {
        if (job.state() != JobState.PENDING) {
          throw new Refusal(SlurmError.JOB_NOT_PENDING);
        }
        yield job.accrues() == null ? job : job.withAccrues(context.now());
      }
      case "reservationname", "reservation" -> reservation(job, value, context);
      case "segmentsize" -> request(job, r -> r.withSegment(number(name, value)));
      case "sitefactor" -> siteFactor(job, value, context);
      case "switches" ->
          request(
              job,
              r ->
                  value.matches("0*(@.*)?")
                      ? r.with(b -> b.switches(0).switchesWaitSeconds(0))
                      : readAgain(r, "switches", value, job, context));
      case "timelimit" -> TimeLimitField.apply(job, value, context);
      case "timemin" -> job.withTimeMinMinutes(minutes(value));
      case "extra" -> shown(job, "extra", value);
      case "mailuser" -> shown(job, "mail-user", value);
      case "mailtype" -> shown(job, "mail-type", value);
      case "tresfreq" -> shown(pending(job), "gpu-freq", value.replaceFirst("^gpu:", ""));
      case "tresbind" -> shown(pending(job), "tres-bind", value);
      case "delayboot" -> shown(pending(job), "delay-boot", Long.toString(60 * minutes(value)));
      case "workdir" -> {
        pending(job);
        yield job.withBatch(job.batch().withWorkDir(value));
      }
      case "clusters", "clusterfeatures" -> throw new Refusal(SlurmError.UNSPECIFIED);
      case "burstbuffer" -> throw new Refusal(SlurmError.NOT_SUPPORTED);
      default ->
          throw new Refusal(
              SlurmError.COMMAND_VALUE,
              "Update of this parameter is not supported: "
                  + name
                  + "="
                  + value
                  + "\nRequest aborted");
    };
  }

  /** An option that decides nothing; an empty value takes it away. */
  static Job shown(Job job, String option, String value) {
    TreeMap<String, String> shown = new TreeMap<>(job.batch().shown());
    if (value.isEmpty()) {
      shown.remove(option);
    } else {
      shown.put(option, value);
    }
    return job.withBatch(job.batch().withShown(shown));
  }

  private static Job pending(Job job) {
    if (job.state() != JobState.PENDING) {
      throw new Refusal(
          job.state().isFinished() ? SlurmError.JOB_FINISHED : SlurmError.JOB_NOT_PENDING);
    }
    return job;
  }

  private static Job request(Job job, UnaryOperator<JobRequest> change) {
    return job.withRequest(change.apply(job.request())).withPlanned(null);
  }

  private static Job gres(Job job, Scope scope, String value, JobUpdates.Context context) {
    return request(job, r -> GresFields.apply(r, scope, value, context));
  }

  private static Job wckey(Job job, String value, JobUpdates.Context context) {
    JobOwner o = job.owner();
    if (job.state() != JobState.PENDING && !value.equals(o.wckey())) {
      throw new Refusal(SlurmError.JOB_NOT_PENDING);
    }
    return value.equals(o.wckey())
        ? job
        : job.withOwner(
            with(o, o.account(), o.qos(), WorkloadKeys.ofUpdate(context.state(), o.user(), value)));
  }

  private static Job charged(Job job, JobOwner asked, JobUpdates.Context context) {
    return job.withOwner(
        Owners.resolve(context.state(), asked, job.partition(), context.administrator()));
  }

  private static JobOwner with(JobOwner o, String account, String qos, String wckey) {
    return new JobOwner(o.user(), o.uid(), o.group(), o.gid(), account, qos, wckey);
  }

  private static void requireAdministrator(JobUpdates.Context context) {
    if (!context.administrator()) {
      throw new Refusal(SlurmError.ACCESS_DENIED);
    }
  }

  private static Refusal wrong(String name, String value, String right) {
    return new Refusal(
        SlurmError.COMMAND_VALUE,
        "Invalid input: %s=%s\n%s takes %s".formatted(name, value, name, right));
  }

  private static int number(String name, String value) {
    if (!value.matches("[0-9]{1,9}")) {
      throw wrong(name, value, "a number from 0");
    }
    return Integer.parseInt(value);
  }

  private static int positive(String name, String value) {
    int number = number(name, value);
    if (number == 0) {
      throw new Refusal(SlurmError.INVALID_CPU_COUNT, "\n" + name + "=0: a number from 1");
    }
    return number;
  }

  private static boolean yes(String name, String value) {
    return switch (value.toLowerCase(Locale.ROOT)) {
      case "yes", "1" -> true;
      case "no", "0" -> false;
      default -> throw wrong(name, value, "yes or no");
    };
  }

  private static long memory(String value) {
    try {
      return Memory.parse(value);
    } catch (IllegalArgumentException e) {
      throw new Refusal(SlurmError.INVALID_MEMORY, "\n" + e.getMessage());
    }
  }

  static long minutes(String value) {
    try {
      return TimeLimits.parseMinutes(value);
    } catch (IllegalArgumentException e) {
      throw new Refusal(SlurmError.COMMAND_VALUE, "Invalid TimeLimit value\n" + e.getMessage());
    }
  }

  private static HostList nodes(String value, JobUpdates.Context context) {
    HostList names;
    try {
      names = HostList.parse(value);
    } catch (IllegalArgumentException e) {
      throw new Refusal(SlurmError.INVALID_NODE_NAME, "\n" + e.getMessage());
    }
    for (String node : names.expand()) {
      if (context.state().node(node) == null) {
        throw new Refusal(SlurmError.INVALID_NODE_NAME, "\nno node is called " + node);
      }
    }
    return names;
  }

  private static JobRequest required(JobRequest request, HostList names) {
    int min = Math.max(request.minNodes(), (int) names.size());
    return request
        .withRequiredNodes(names)
        .withMinNodes(min)
        .withMaxNodes(Math.max(min, request.maxNodes()))
        .withAsked(null);
  }

  private static JobRequest nodeCount(JobRequest request, String value) {
    NodeCount count;
    try {
      count = NodeCount.parse(value);
    } catch (IllegalArgumentException e) {
      throw new Refusal(SlurmError.INVALID_NODE_COUNT, "\n" + e.getMessage());
    }
    if (count.min() == 0) {
      throw new Refusal(SlurmError.INVALID_NODE_COUNT, "\nNumNodes=" + value + ": at least 1");
    }
    // There is a task for each node at least; fewer nodes leave the tasks alone.
    int tasks = Math.max(request.tasks(), count.min());
    return request.with(
        r ->
            r.minNodes(count.min())
                .maxNodes(count.max())
                .nodesGiven(true)
                .tasks(tasks)
                .asked(null));
  }

  /** Reads one option as a submission would, so that both refuse the same. */
  private static JobRequest readAgain(
      JobRequest request, String option, String value, Job job, JobUpdates.Context context) {
    JobSubmission one =
        new JobSubmission(
            Immutable.sortedMap(Map.of(option, value)),
            "",
            List.of(),
            Immutable.sortedMap(),
            "",
            "",
            "",
            "");
    Partition partition = context.state().partitions().get(job.partition());
    if (partition == null) {
      throw new Refusal(SlurmError.INVALID_PARTITION_NAME);
    }
    JobRequest read =
        new RequestReader(
                new Options(one.options()), context.state(), partition, 0, new ArrayList<>())
            .read();
    return request
        .withFeatures(option.equals("constraint") ? read.features() : request.features())
        .withPrefer(option.equals("prefer") ? read.prefer() : request.prefer())
        .withLicenses(option.equals("licenses") ? read.licenses() : request.licenses())
        .withLicensesText(option.equals("licenses") ? read.licensesText() : request.licensesText())
        .with(
            r -> {
              if (option.equals("switches")) {
                r.switches(read.switches()).switchesWaitSeconds(read.switchesWaitSeconds());
              }
            });
  }

  private static Job throttle(Job job, int throttle) {
    ArrayInfo array = job.array();
    if (array == null) {
      throw new Refusal(
          SlurmError.NOT_SUPPORTED,
          "error: Update of ArrayTaskThrottle is only allowed on ArrayJobId");
    }
    return job.withArray(array.withThrottle(throttle));
  }

  static Instant instant(String field, String value, JobUpdates.Context context) {
    try {
      return Instants.parse(value, context.now(), context.zone());
    } catch (IllegalArgumentException e) {
      throw new Refusal(SlurmError.COMMAND_VALUE, "Invalid " + field + " value\n" + e.getMessage());
    }
  }

  private static Job deadline(Job job, String value, JobUpdates.Context context) {
    Instant deadline = instant("Deadline", value, context);
    if (!context.administrator() || !deadline.isAfter(context.now())) {
      throw new Refusal(
          context.administrator() ? SlurmError.INVALID_TIME_VALUE : SlurmError.ACCESS_DENIED);
    }
    return job.withDeadline(deadline);
  }

  private static Job begin(Job job, String value, JobUpdates.Context context) {
    Instant begin = instant("StartTime", value, context);
    boolean later = begin.isAfter(context.now());
    return job.with(
        j ->
            j.begin(later ? begin : null)
                .eligible(later ? null : job.eligible())
                .planned(null)
                .reason(
                    later && job.hold() == Hold.NONE
                        ? Reason.BEGIN_TIME
                        : job.reason() == Reason.BEGIN_TIME ? Reason.NONE : job.reason()));
  }

  private static Job dependency(Job job, String value, JobUpdates.Context context) {
    if (value.isEmpty()) {
      return job.with(
          j ->
              j.dependency(null)
                  .reason(
                      job.reason() == Reason.DEPENDENCY
                              || job.reason() == Reason.DEPENDENCY_NEVER_SATISFIED
                          ? Reason.NONE
                          : job.reason()));
    }
    int self = job.array() == null ? job.id() : job.array().arrayJobId();
    return job.withDependency(Dependencies.read(value, context.state(), self));
  }

  private static Job nice(Job job, String value, JobUpdates.Context context) {
    int nice;
    try {
      nice = Fields.nice(value, MAX_NICE, context.administrator());
    } catch (Refusal e) {
      throw e.reply().error() == SlurmError.INVALID_NICE
          ? new Refusal(SlurmError.ACCESS_DENIED, e.reply().detail())
          : e;
    }
    if (nice < job.nice() && !context.administrator()) {
      throw new Refusal(SlurmError.ACCESS_DENIED, "\nNice=" + value + ": a user may only raise it");
    }
    return job.withNice(nice);
  }

  private static Job siteFactor(Job job, String value, JobUpdates.Context context) {
    requireAdministrator(context);
    boolean number = value.matches("[+-]?[0-9]{1,10}");
    if (!number || Math.abs(Long.parseLong(value)) > MAX_NICE) {
      throw wrong("SiteFactor", value, "a number from -" + MAX_NICE + " to " + MAX_NICE);
    }
    return job.withSiteFactor(Integer.parseInt(value));
  }

  /** A user may lower the priority of an own job, and hold it with 0. */
  private static Job priority(Job job, String value, JobUpdates.Context context) {
    if (!value.matches("[0-9]{1,10}") || Long.parseLong(value) > 0xFFFF_FFFDL) {
      throw wrong("Priority", value, "a number from 0 to 4294967293");
    }
    long priority = Long.parseLong(value);
    if (job.state() == JobState.PENDING && job.hold() != Hold.NONE && priority != 0) {
      throw new Refusal(
          SlurmError.JOB_HELD, "\nscontrol release lets job " + job.displayId() + " go");
    }
    if (!context.administrator() && priority > job.priority()) {
      throw new Refusal(
          SlurmError.ACCESS_DENIED,
          "\nPriority=" + value + ": a user may only lower it (now " + job.priority() + ")");
    }
    if (job.state() != JobState.PENDING) {
      return job;
    }
    if (priority == 0) {
      boolean admin = context.administrator();
      return job.with(
          j ->
              j.hold(admin ? Hold.ADMIN : Hold.USER)
                  .priority(0)
                  .eligible(null)
                  .planned(null)
                  .reason(admin ? Reason.JOB_HELD_ADMIN : Reason.JOB_HELD_USER));
    }
    if (job.hold() == Hold.ADMIN && !context.administrator()) {
      throw new Refusal(SlurmError.ACCESS_DENIED);
    }
    return job.with(
        j ->
            j.directPriority(priority)
                .priority(priority)
                .hold(Hold.NONE)
                .reason(job.hold() == Hold.NONE ? job.reason() : Reason.NONE));
  }

  private static Job partition(Job job, String value, JobUpdates.Context context) {
    List<String> names =
        value.isEmpty()
            ? context.state().partitions().values().stream()
                .filter(Partition::isDefault)
                .map(Partition::name)
                .toList()
            : List.of(value.split(",", -1));
    if (names.isEmpty()) {
      throw new Refusal(SlurmError.INVALID_PARTITION_NAME, "\nno partition is the default");
    }
    for (String name : names) {
      if (!context.state().partitions().containsKey(name)) {
        throw new Refusal(SlurmError.INVALID_PARTITION_NAME, "\nno partition is called " + name);
      }
    }
    return job.withPartitions(names).withPlanned(null);
  }

  private static Job reservation(Job job, String value, JobUpdates.Context context) {
    if (value.isEmpty()) {
      return job.withReservation(null);
    }
    var reservation = context.state().reservations().get(value);
    if (reservation == null) {
      throw new Refusal(SlurmError.INVALID_RESERVATION, "\nno reservation is called " + value);
    }
    if (!context.administrator() && !Admittance.admits(context.state(), reservation, job.owner())) {
      throw new Refusal(SlurmError.RESERVATION_ACCESS, "\nreservation " + value);
    }
    return job.withReservation(value);
  }
}
