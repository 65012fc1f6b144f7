package dev.yardmaster.engine.state;

import dev.yardmaster.engine.share.UsageBook;
import dev.yardmaster.engine.share.UsagePeriod;
import dev.yardmaster.model.Accounting;
import dev.yardmaster.model.Allocation;
import dev.yardmaster.model.ArrayInfo;
import dev.yardmaster.model.Association;
import dev.yardmaster.model.ClusterConfig;
import dev.yardmaster.model.Crontab;
import dev.yardmaster.model.ExitCode;
import dev.yardmaster.model.IndexSet;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobFlag;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Node;
import dev.yardmaster.model.NodeFlag;
import dev.yardmaster.model.NodeSpec;
import dev.yardmaster.model.NodeStatus;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.Reservation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.pcollections.TreePMap;

/**
 * Everything the scheduler knows at one moment. Immutable, and cheap to fork: a fork is the same
 * object. Maps are sorted, so that nothing depends on the order of hashes.
 *
 * @param config what the files say
 * @param nodes by name; their order for scheduling is that of {@code config.nodes()}
 * @param partitions as they are now, which {@code scontrol update} may have changed since the file
 *     was read
 * @param jobs by id, finished ones included until they are purged
 * @param accounting accounts, users, QOS and associations
 * @param usage what they have used
 * @param nextJobId the id the next job gets
 * @param time when the last event happened
 * @param crontabs what users have recurring jobs from, by user
 * @param steps those that run, by job
 * @param commons what it shares with the other states of its configuration
 */
public record ClusterState(
    ClusterConfig config,
    TreePMap<String, Node> nodes,
    TreePMap<String, Partition> partitions,
    TreePMap<Integer, Job> jobs,
    TreePMap<String, Reservation> reservations,
    Accounting accounting,
    UsageBook usage,
    int nextJobId,
    Instant time,
    TreePMap<String, Crontab> crontabs,
    TreePMap<Integer, JobSteps> steps,
    Commons commons) {

  /** A state without crontabs that shares nothing with others yet. */
  public ClusterState(
      ClusterConfig config,
      TreePMap<String, Node> nodes,
      TreePMap<String, Partition> partitions,
      TreePMap<Integer, Job> jobs,
      TreePMap<String, Reservation> reservations,
      Accounting accounting,
      UsageBook usage,
      int nextJobId,
      Instant time) {
    this(
        config,
        nodes,
        partitions,
        jobs,
        reservations,
        accounting,
        usage,
        nextJobId,
        time,
        TreePMap.empty(),
        TreePMap.empty(),
        new Commons());
  }

  /** A cluster without jobs whose nodes have not been heard of. */
  public static ClusterState initial(ClusterConfig config, Instant now) {
    ClusterState empty =
        new ClusterState(
            config,
            TreePMap.empty(),
            TreePMap.empty(),
            TreePMap.empty(),
            TreePMap.empty(),
            Accounting.initial(),
            UsageBook.EMPTY,
            1,
            now);
    return empty.apply(new Event.ConfigApplied(now, config));
  }

  /** The job with this id, or null. */
  public @Nullable Job job(int id) {
    return jobs.get(id);
  }

  /** The node with this name, or null. */
  public @Nullable Node node(String name) {
    return nodes.get(name);
  }

  /** Nodes in configuration order. */
  public List<Node> nodesInOrder() {
    List<Node> ordered = new ArrayList<>(nodes.size());
    for (NodeSpec spec : config.nodes()) {
      Node node = nodes.get(spec.name());
      if (node != null) {
        ordered.add(node);
      }
    }
    return ordered;
  }

  /**
   * The state after an event.
   *
   * @throws IllegalStateException when the event speaks of something that does not exist, which
   *     means that the journal and this code do not belong together
   */
  public ClusterState apply(Event event) {
    return switch (event) {
      case Event.ConfigApplied e -> applyConfig(e);
      case Event.JobSubmitted e -> withJob(commons.share(e.job()), e.at());
      case Event.JobEdited e -> withJob(commons.share(e.job()), e.at());
      case Event.ArrayTaskSplit e -> splitTask(e);
      case Event.JobStarted e -> withJob(JobChanges.started(require(e.jobId()), e), e.at());
      case Event.JobsAssessed e -> assessed(e);
      case Event.JobCompleting e ->
          charged(require(e.jobId()), e.at())
              .withJob(JobChanges.completing(require(e.jobId()), e), e.at());
      case Event.JobPreempted e ->
          withJob(JobChanges.preempted(require(e.jobId()), e.preemption()), e.at());
      case Event.JobSuspended e ->
          charged(require(e.jobId()), e.at())
              .withJob(JobChanges.suspended(require(e.jobId()), e), e.at());
      case Event.JobResumed e -> withJob(JobChanges.resumed(require(e.jobId()), e.at()), e.at());
      case Event.NodeReleased e -> {
        Job job = require(e.jobId());
        Allocation held = job.allocation();
        yield held == null ? this : withJob(job.withAllocation(held.without(e.node())), e.at());
      }
      case Event.JobReleased e -> {
        Job job = require(e.jobId()).whole();
        boolean requeued = job.state() == JobState.PENDING;
        yield withJob(
                job.with(
                    j ->
                        j.flags(JobChanges.without(job.flags(), JobFlag.COMPLETING))
                            .allocation(requeued ? null : job.allocation())),
                e.at())
            .withSteps(steps.minus(e.jobId()), e.at());
      }
      case Event.JobEnded e -> withJob(JobChanges.neverRan(require(e.jobId()), e), e.at());
      case Event.JobRequeued e ->
          charged(require(e.jobId()), e.at())
              .withJob(JobChanges.requeued(require(e.jobId()), e), e.at());
      case Event.StepStarted e -> withSteps(JobSteps.started(steps, e.step()), e.at());
      case Event.StepLeftNode e -> withSteps(JobSteps.left(steps, e), e.at());
      case Event.StepUsed e -> with(nodes, partitions, jobs, reservations, e.at());
      case Event.StepEnded e -> stepEnded(e).withSteps(JobSteps.ended(steps, e), e.at());
      case Event.JobIdUsed e ->
          new ClusterState(
              config,
              nodes,
              partitions,
              jobs,
              reservations,
              accounting,
              usage,
              Math.max(nextJobId, e.jobId() + 1),
              e.at(),
              crontabs,
              steps,
              commons);
      case Event.JobPurged e ->
          with(nodes, partitions, jobs.minus(e.jobId()), reservations, e.at())
              .withSteps(steps.minus(e.jobId()), e.at());
      case Event.NodeChanged e -> nodeChanged(e);
      case Event.NodesPlanned e ->
          with(NodeMarks.planned(nodes, e), partitions, jobs, reservations, e.at());
      case Event.PartitionChanged e ->
          with(
              nodes,
              partitions.plus(e.partition().name(), e.partition()),
              jobs,
              reservations,
              e.at());
      case Event.PartitionDeleted e ->
          with(nodes, partitions.minus(e.name()), jobs, reservations, e.at());
      case Event.ReservationSaved e ->
          with(
              nodes,
              partitions,
              jobs,
              reservations.plus(e.reservation().name(), e.reservation()),
              e.at());
      case Event.ReservationDeleted e ->
          with(nodes, partitions, jobs, reservations.minus(e.name()), e.at());
      case Event.AccountingChanged e -> with(accounting.apply(e.change()), usage, e.at());
      case Event.UsagePeriodEnded e ->
          with(
              accounting,
              UsagePeriod.end(
                  accounting, config.priority(), usage, jobs.values(), e.at(), e.anew()),
              e.at());
      case Event.UsageReset e -> with(accounting, reset(e), e.at());
      case Event.CrontabSaved e -> withCrontab(e);
    };
  }

  private ClusterState withCrontab(Event.CrontabSaved e) {
    Crontab crontab = e.crontab();
    return new ClusterState(
        config,
        nodes,
        partitions,
        jobs,
        reservations,
        accounting,
        usage,
        nextJobId,
        e.at(),
        crontab == null ? crontabs.minus(e.user()) : crontabs.plus(e.user(), crontab),
        steps,
        commons);
  }

  private ClusterState with(Accounting newAccounting, UsageBook newUsage, Instant at) {
    return new ClusterState(
        config,
        nodes,
        partitions,
        jobs,
        reservations,
        newAccounting,
        newUsage,
        nextJobId,
        at,
        crontabs,
        steps,
        commons);
  }

  /** A run that ends is charged for what it has used since the last period. */
  private ClusterState charged(Job job, Instant at) {
    boolean counts = job.state() == JobState.RUNNING && config.priority().multifactor();
    return counts
        ? with(accounting, usage.charge(accounting, config.priority(), job, at), at)
        : this;
  }

  private UsageBook reset(Event.UsageReset e) {
    UsageBook book = usage;
    for (int id : e.associations()) {
      Association association = accounting.associations().get(id);
      book = association == null ? book : book.reset(accounting, association);
    }
    for (String name : e.qos()) {
      book = book.resetQos(name);
    }
    return book;
  }

  private ClusterState with(
      TreePMap<String, Node> newNodes,
      TreePMap<String, Partition> newPartitions,
      TreePMap<Integer, Job> newJobs,
      TreePMap<String, Reservation> newReservations,
      Instant at) {
    return new ClusterState(
        config,
        newNodes,
        newPartitions,
        newJobs,
        newReservations,
        accounting,
        usage,
        nextJobId,
        at,
        crontabs,
        steps,
        commons);
  }

  /** A fork with other jobs; nothing has happened. */
  public ClusterState withJobs(Map<Integer, Job> others) {
    return with(nodes, partitions, TreePMap.from(others), reservations, time);
  }

  /** A fork in which one job is different; nothing has happened. */
  public ClusterState withChanged(Job job) {
    return withJob(job, time);
  }

  private ClusterState withJob(Job job, Instant at) {
    return new ClusterState(
        config,
        nodes,
        partitions,
        jobs.plus(job.id(), JobChanges.noted(jobs.get(job.id()), job, at)),
        reservations,
        accounting,
        usage,
        Math.max(nextJobId, job.id() + 1),
        at,
        crontabs,
        steps,
        commons);
  }

  private Job require(int id) {
    Job job = jobs.get(id);
    if (job == null) {
      throw new IllegalStateException("no job " + id);
    }
    return job;
  }

  private ClusterState applyConfig(Event.ConfigApplied e) {
    TreeMap<String, Node> newNodes = new TreeMap<>();
    for (NodeSpec spec : e.config().nodes()) {
      Node known = nodes.get(spec.name());
      NodeStatus status = known == null ? NodeStatus.unknown() : known.status();
      newNodes.put(spec.name(), new Node(spec, status.withChanges(null)));
    }
    TreeMap<String, Partition> newPartitions = Merged.partitions(e.config(), partitions);
    return new ClusterState(
        e.config(),
        TreePMap.from(newNodes),
        TreePMap.from(newPartitions),
        jobs,
        reservations,
        accounting,
        usage,
        nextJobId,
        e.at(),
        crontabs,
        steps,
        new Commons());
  }

  private ClusterState nodeChanged(Event.NodeChanged e) {
    Node node = nodes.get(e.node());
    if (node == null) {
      throw new IllegalStateException("no node " + e.node());
    }
    boolean sameHardware =
        Objects.equals(node.status().changes(), e.status().changes())
            && node.status().has(NodeFlag.POWERED_DOWN) == e.status().has(NodeFlag.POWERED_DOWN)
            && node.status().bootsFirst() == e.status().bootsFirst();
    if (sameHardware) {
      return with(
          nodes.plus(e.node(), node.withStatus(e.status())),
          partitions,
          jobs,
          reservations,
          e.at());
    }
    NodeSpec inFile =
        config.nodes().stream()
            .filter(spec -> spec.name().equals(e.node()))
            .findFirst()
            .orElse(node.spec());
    // What was compiled from the hardware does not hold any more.
    return new ClusterState(
        config,
        nodes.plus(e.node(), Node.of(inFile, e.status())),
        partitions,
        jobs,
        reservations,
        accounting,
        usage,
        nextJobId,
        e.at(),
        crontabs,
        steps,
        new Commons());
  }

  private ClusterState splitTask(Event.ArrayTaskSplit e) {
    Job record = require(e.arrayRecordId());
    ArrayInfo array = record.array();
    if (array == null || !array.waiting().contains(e.taskId())) {
      throw new IllegalStateException(
          "task " + e.taskId() + " does not wait in array record " + e.arrayRecordId());
    }
    ArrayInfo task =
        new ArrayInfo(array.arrayJobId(), e.taskId(), IndexSet.EMPTY, array.throttle());
    IndexSet rest = array.waiting().andNot(IndexSet.of(e.taskId()));
    if (rest.isEmpty()) {
      ArrayInfo last =
          new ArrayInfo(task.arrayJobId(), e.taskId(), rest, array.throttle(), array.cancelled());
      return withJob(record.withArray(last), e.at());
    }
    ArrayInfo waiting =
        new ArrayInfo(array.arrayJobId(), null, rest, array.throttle(), array.cancelled());
    return withJob(record.with(j -> j.id(e.newJobId()).array(task)), e.at())
        .withJob(record.withArray(waiting), e.at());
  }

  private ClusterState withSteps(TreePMap<Integer, JobSteps> newSteps, Instant at) {
    return new ClusterState(
        config,
        nodes,
        partitions,
        jobs,
        reservations,
        accounting,
        usage,
        nextJobId,
        at,
        crontabs,
        newSteps,
        commons);
  }

  /** The derived exit code of a job is the highest of its steps' (sacct(1), DerivedExitCode). */
  private ClusterState stepEnded(Event.StepEnded e) {
    Job job = jobs.get(e.jobId());
    if (job == null
        || job.restarts() != e.restarts()
        || ExitCode.highest(job.derivedExitCode(), e.exitCode()) == job.derivedExitCode()) {
      return with(nodes, partitions, jobs, reservations, e.at());
    }
    return withJob(job.with(j -> j.derivedExitCode(e.exitCode())), e.at());
  }

  private ClusterState assessed(Event.JobsAssessed e) {
    TreePMap<Integer, Job> newJobs = jobs;
    for (Event.Assessment a : e.assessments()) {
      Job job = newJobs.get(a.jobId());
      if (job == null || job.state() != JobState.PENDING) {
        throw new IllegalStateException("job " + a.jobId() + " is not pending");
      }
      newJobs =
          newJobs.plus(
              a.jobId(),
              JobChanges.noted(
                  job,
                  job.with(
                      j ->
                          j.reason(a.reason())
                              .reasonText(a.reasonText())
                              .priority(a.priority())
                              .factors(a.factors())
                              .eligible(a.eligible())
                              .accrues(a.accrues())
                              .planned(a.planned())
                              .dependency(a.dependency())
                              .expectedNodes(
                                  a.expectedNodes() > 0 ? a.expectedNodes() : job.expectedNodes())
                              .triedCpus(a.triedCpus())
                              .lastEvaluated(e.at())),
                  e.at()));
    }
    return with(nodes, partitions, newJobs, reservations, e.at());
  }
}
