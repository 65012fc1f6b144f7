package dev.yardmaster.api;

import dev.yardmaster.api.v1.WireRecords;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.JobRecord;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Reason;
import dev.yardmaster.model.RecordQuery;
import dev.yardmaster.model.StepRecord;
import dev.yardmaster.model.StepUsage;
import dev.yardmaster.model.Tres;
import dev.yardmaster.model.UsageReport;
import java.time.Instant;
import java.util.TreeMap;

/** The records of accounting on the wire. */
public final class RecordWire {
  private RecordWire() {}

  public static WireRecords.RecordQuery write(RecordQuery query) {
    WireRecords.RecordQuery.Builder out =
        WireRecords.RecordQuery.newBuilder()
            .addAllStates(query.states())
            .setEnd(Fields.seconds(query.end()))
            .addAllUsers(query.users())
            .addAllGroups(query.groups())
            .addAllAccounts(query.accounts())
            .addAllAssociations(query.associations())
            .addAllPartitions(query.partitions())
            .addAllQos(query.qos())
            .addAllNames(query.names())
            .addAllWckeys(query.wckeys())
            .addAllReasons(query.reasons())
            .addAllConstraints(query.constraints())
            .addAllNodes(query.nodes())
            .addAllFlags(query.flags())
            .setMinNodes(query.minNodes())
            .setMaxNodes(query.maxNodes())
            .setMinCpus(query.minCpus())
            .setMaxCpus(query.maxCpus())
            .setMinMinutes(query.minMinutes())
            .setMaxMinutes(query.maxMinutes())
            .setDuplicates(query.duplicates());
    for (RecordQuery.Wanted job : query.jobs()) {
      WireRecords.RecordQuery.Wanted.Builder wanted =
          WireRecords.RecordQuery.Wanted.newBuilder().setId(job.id());
      if (job.task() instanceof Integer task) {
        wanted.setTask(task);
      }
      if (job.offset() instanceof Integer offset) {
        wanted.setOffset(offset);
      }
      out.addJobs(wanted);
    }
    if (query.start() instanceof Instant start) {
      out.setStart(Fields.seconds(start));
    }
    if (query.wholeHet() instanceof Boolean whole) {
      out.setWholeHet(whole);
    }
    return out.build();
  }

  public static RecordQuery read(WireRecords.RecordQuery in) {
    return new RecordQuery(
        in.getJobsList().stream()
            .map(
                job ->
                    new RecordQuery.Wanted(
                        job.getId(),
                        job.hasTask() ? job.getTask() : null,
                        job.hasOffset() ? job.getOffset() : null))
            .toList(),
        in.getStatesList(),
        Fields.instant(in.hasStart(), in.getStart()),
        Instant.ofEpochSecond(in.getEnd()),
        in.getUsersList(),
        in.getGroupsList(),
        in.getAccountsList(),
        in.getAssociationsList(),
        in.getPartitionsList(),
        in.getQosList(),
        in.getNamesList(),
        in.getWckeysList(),
        in.getReasonsList(),
        in.getConstraintsList(),
        in.getNodesList(),
        in.getFlagsList(),
        in.getMinNodes(),
        in.getMaxNodes(),
        in.getMinCpus(),
        in.getMaxCpus(),
        in.getMinMinutes(),
        in.getMaxMinutes(),
        in.getDuplicates(),
        in.hasWholeHet() ? in.getWholeHet() : null);
  }

  public static WireRecords.JobRecord write(JobRecord record) {
    WireRecords.JobRecord.Builder out =
        WireRecords.JobRecord.newBuilder()
            .setJob(JobWire.write(record.job()))
            .setCluster(record.cluster())
            .setAssociation(record.association())
            .setQosId(record.qosId())
            .setWckeyId(record.wckeyId())
            .setState(record.state().name())
            .setRequeued(record.requeued())
            .setComponent(record.component())
            .setPriority(record.priority())
            .setReason(record.reason().name())
            .setSeen(record.seen().name())
            .setSuspendedSeconds(record.suspendedSeconds())
            .setFailedNode(record.failedNode())
            .setPart(record.part())
            .setResized(record.resized())
            .putAllRequested(record.requested().amounts())
            .putAllAllocated(record.allocated().amounts());
    if (record.eligible() instanceof Instant eligible) {
      out.setEligible(Fields.seconds(eligible));
    }
    if (record.started() instanceof Instant started) {
      out.setStarted(Fields.seconds(started));
    }
    if (record.ended() instanceof Instant ended) {
      out.setEnded(Fields.seconds(ended));
    }
    if (record.suspendedSince() instanceof Instant since) {
      out.setSuspendedSince(Fields.seconds(since));
    }
    if (record.killedBy() instanceof Integer uid) {
      out.setKilledBy(uid);
    }
    record.steps().forEach(step -> out.addSteps(write(step)));
    return out.build();
  }

  /**
   * @param pool unifies what many records have in common
   */
  public static JobRecord read(WireRecords.JobRecord in, Pool pool) {
    return new JobRecord(
        JobWire.read(in.getJob(), pool),
        pool.same(in.getCluster()),
        in.getAssociation(),
        in.getQosId(),
        in.getWckeyId(),
        Fields.word(JobState.class, in.getState()),
        in.getRequeued(),
        in.getComponent(),
        in.getPriority(),
        Fields.word(Reason.class, in.getReason()),
        Fields.word(Reason.class, in.getSeen()),
        Fields.instant(in.hasEligible(), in.getEligible()),
        Fields.instant(in.hasStarted(), in.getStarted()),
        Fields.instant(in.hasEnded(), in.getEnded()),
        in.getSuspendedSeconds(),
        Fields.instant(in.hasSuspendedSince(), in.getSuspendedSince()),
        in.hasKilledBy() ? in.getKilledBy() : null,
        in.getFailedNode(),
        Tres.of(in.getRequestedMap()),
        Tres.of(in.getAllocatedMap()),
        in.getStepsList().stream().map(RecordWire::read).toList(),
        in.getPart(),
        in.getResized());
  }

  private static WireRecords.StepRecord write(StepRecord step) {
    WireRecords.StepRecord.Builder out =
        WireRecords.StepRecord.newBuilder()
            .setId(step.id())
            .setName(step.name())
            .setNodes(Fields.hosts(step.nodes()))
            .setTasks(step.tasks())
            .putAllTres(step.tres().amounts())
            .setStarted(Fields.seconds(step.started()))
            .setState(step.state().name())
            .setExitCode(JobWire.exitCode(step.exitCode()))
            .setTimeLimitMinutes(step.timeLimitMinutes())
            .setSuspendedSeconds(step.suspendedSeconds());
    if (step.ended() instanceof Instant ended) {
      out.setEnded(Fields.seconds(ended));
    }
    if (step.usage() instanceof StepUsage usage) {
      out.setUsage(UsageWire.write(usage));
    }
    return out.build();
  }

  private static StepRecord read(WireRecords.StepRecord in) {
    return new StepRecord(
        in.getId(),
        in.getName(),
        Fields.hosts(in.getNodes()),
        in.getTasks(),
        Tres.of(in.getTresMap()),
        Instant.ofEpochSecond(in.getStarted()),
        Fields.instant(in.hasEnded(), in.getEnded()),
        Fields.word(JobState.class, in.getState()),
        JobWire.exitCode(in.getExitCode()),
        in.getTimeLimitMinutes(),
        in.getSuspendedSeconds(),
        in.hasUsage() ? UsageWire.read(in.getUsage()) : null);
  }

  public static WireRecords.UsageReport write(UsageReport report) {
    WireRecords.UsageReport.Builder out =
        WireRecords.UsageReport.newBuilder()
            .setStart(Fields.seconds(report.start()))
            .setEnd(Fields.seconds(report.end()));
    for (UsageReport.Used used : report.used()) {
      out.addUsed(
          WireRecords.UsageReport.Used.newBuilder()
              .setAccount(used.account())
              .setUser(used.user())
              .putAllSeconds(used.seconds())
              .putAllSizes(used.sizes())
              .putAllJobs(used.jobs()));
    }
    report
        .cluster()
        .forEach(
            (name, time) ->
                out.putCluster(
                    name,
                    WireRecords.UsageReport.ClusterTime.newBuilder()
                        .setCount(time.count())
                        .setAllocated(time.allocated())
                        .setDown(time.down())
                        .setIdle(time.idle())
                        .setPlanned(time.planned())
                        .build()));
    return out.build();
  }

  public static UsageReport read(WireRecords.UsageReport in) {
    TreeMap<String, UsageReport.ClusterTime> cluster = new TreeMap<>();
    in.getClusterMap()
        .forEach(
            (name, time) ->
                cluster.put(
                    name,
                    new UsageReport.ClusterTime(
                        time.getCount(),
                        time.getAllocated(),
                        time.getDown(),
                        time.getIdle(),
                        time.getPlanned())));
    return new UsageReport(
        Instant.ofEpochSecond(in.getStart()),
        Instant.ofEpochSecond(in.getEnd()),
        in.getUsedList().stream()
            .map(
                used ->
                    new UsageReport.Used(
                        used.getAccount(),
                        used.getUser(),
                        Immutable.sortedMap(used.getSecondsMap()),
                        Immutable.sortedMap(used.getSizesMap()),
                        Immutable.sortedMap(used.getJobsMap())))
            .toList(),
        cluster);
  }
}
