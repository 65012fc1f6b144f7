package dev.yardmaster.api;

import dev.yardmaster.api.v1.Wire;
import dev.yardmaster.model.ArrayInfo;
import dev.yardmaster.model.ExitCode;
import dev.yardmaster.model.HetInfo;
import dev.yardmaster.model.Hold;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobBatch;
import dev.yardmaster.model.JobFlag;
import dev.yardmaster.model.JobOwner;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.PlannedStart;
import dev.yardmaster.model.Preemption;
import dev.yardmaster.model.PriorityFactors;
import dev.yardmaster.model.Reason;
import dev.yardmaster.model.Suspension;
import dev.yardmaster.model.Tres;
import dev.yardmaster.model.Waited;
import dev.yardmaster.model.text.Dependency;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** {@link Job} on the wire. Instants lose what is finer than a second. */
public final class JobWire {
  private JobWire() {}

  public static Wire.Job write(Job job) {
    Wire.Job.Builder out =
        Wire.Job.newBuilder()
            .setId(job.id())
            .setName(job.name())
            .setOwner(owner(job.owner()))
            .addAllPartitions(job.partitions())
            .setRequest(RequestWire.write(job.request()))
            .setBatch(batch(job.batch()))
            .setComment(job.comment())
            .setAdminComment(job.adminComment())
            .setTimeLimitMinutes(job.timeLimitMinutes())
            .setTimeMinMinutes(job.timeMinMinutes())
            .setRequeue(job.requeue())
            .setNice(job.nice())
            .setHold(job.hold().name())
            .setState(job.state().name())
            .addAllFlags(Fields.names(job.flags()))
            .setReason(job.reason().name())
            .setReasonText(job.reasonText())
            .setPriority(job.priority())
            .setFactors(factors(job.factors()))
            .setSubmitted(Fields.seconds(job.submitted()))
            .setRestarts(job.restarts())
            .setExitCode(exitCode(job.exitCode()))
            .setDerivedExitCode(exitCode(job.derivedExitCode()));
    writeOptional(job, out);
    return out.build();
  }

  private static void writeOptional(Job job, Wire.Job.Builder out) {
    out.setSiteFactor(job.siteFactor())
        .setLimitOpen(job.limitOpen())
        .setExpectedNodes(job.expectedNodes())
        .setTriedCpus(job.triedCpus());
    if (job.array() instanceof ArrayInfo array) {
      Wire.Job.Array.Builder wire =
          Wire.Job.Array.newBuilder()
              .setArrayJobId(array.arrayJobId())
              .setWaiting(array.waiting().toString())
              .setThrottle(array.throttle())
              .setCancelled(array.cancelled().toString());
      if (array.taskId() instanceof Integer task) {
        wire.setTaskId(task);
      }
      out.setArray(wire);
    }
    if (job.het() instanceof HetInfo het) {
      out.setHet(
          Wire.Job.Het.newBuilder()
              .setHetJobId(het.hetJobId())
              .setOffset(het.offset())
              .setSize(het.size()));
    }
    if (job.reservation() instanceof String reservation) {
      out.setReservation(reservation);
    }
    if (job.dependency() instanceof Dependency dependency) {
      out.setDependency(dependency.toString());
    }
    if (job.directPriority() instanceof Long priority) {
      out.setDirectPriority(priority);
    }
    if (job.begin() instanceof Instant begin) {
      out.setBegin(Fields.seconds(begin));
    }
    if (job.deadline() instanceof Instant deadline) {
      out.setDeadline(Fields.seconds(deadline));
    }
    if (job.eligible() instanceof Instant eligible) {
      out.setEligible(Fields.seconds(eligible));
    }
    if (job.accrues() instanceof Instant accrues) {
      out.setAccrues(Fields.seconds(accrues));
    }
    if (job.started() instanceof Instant started) {
      out.setStarted(Fields.seconds(started));
    }
    if (job.ended() instanceof Instant ended) {
      out.setEnded(Fields.seconds(ended));
    }
    if (job.lastEvaluated() instanceof Instant evaluated) {
      out.setLastEvaluated(Fields.seconds(evaluated));
    }
    if (job.planned() instanceof PlannedStart planned) {
      out.setPlanned(
          Wire.PlannedStart.newBuilder()
              .setStart(Fields.seconds(planned.start()))
              .setNodes(Fields.hosts(planned.nodes()))
              .setPartition(planned.partition())
              .setMade(Fields.seconds(planned.made())));
    }
    if (job.allocation() != null) {
      out.setAllocation(AllocationWire.write(job.allocation()));
    }
    if (job.simulatedRuntime() instanceof Duration runtime) {
      out.setSimulatedRuntimeMillis(runtime.toMillis());
    }
    if (job.preemption() instanceof Preemption preemption) {
      out.setPreemption(PreemptionWire.write(preemption));
    }
    if (job.suspension() instanceof Suspension suspension) {
      out.setSuspension(
          Wire.Suspension.newBuilder()
              .setAt(Fields.seconds(suspension.at()))
              .setWorkedMillis(suspension.worked().toMillis())
              .setCause(suspension.cause().name())
              .setBy(suspension.by())
              .setLast(suspension.isLast())
              .setPriority(suspension.priority()));
    }
    if (job.lost() instanceof Tres lost) {
      out.setLost(Wire.Job.Lost.newBuilder().putAllTres(lost.amounts()));
    }
    if (job.failedNode() instanceof String failed) {
      out.setFailedNode(failed);
    }
    if (job.waited() instanceof Waited waited) {
      Wire.Waited.Builder wire =
          Wire.Waited.newBuilder()
              .setSince(Fields.seconds(waited.since()))
              .setBackfilled(waited.backfilled())
              .setAhead(waited.ahead());
      waited.seconds().forEach((reason, s) -> wire.putSeconds(reason.name(), s));
      out.setWaited(wire);
    }
  }

  /**
   * @param pool unifies what many jobs have in common
   * @throws WireException when the message has a word this version does not know
   */
  public static Job read(Wire.Job in, Pool pool) {
    return new Job(
        in.getId(),
        in.hasArray() ? array(in.getArray()) : null,
        in.hasHet() ? het(in.getHet()) : null,
        pool.same(in.getName()),
        pool.same(owner(in.getOwner())),
        pool.same(List.copyOf(in.getPartitionsList())),
        pool.same(RequestWire.read(in.getRequest())),
        batch(in.getBatch(), pool),
        in.getComment(),
        in.getAdminComment(),
        in.hasReservation() ? in.getReservation() : null,
        in.hasDependency() ? Dependency.parse(in.getDependency()) : null,
        in.getTimeLimitMinutes(),
        in.getTimeMinMinutes(),
        Fields.instant(in.hasBegin(), in.getBegin()),
        Fields.instant(in.hasDeadline(), in.getDeadline()),
        in.getRequeue(),
        in.getNice(),
        in.hasDirectPriority() ? in.getDirectPriority() : null,
        Fields.word(Hold.class, in.getHold()),
        Fields.word(JobState.class, in.getState()),
        Fields.words(JobFlag.class, in.getFlagsList()),
        Fields.word(Reason.class, in.getReason()),
        pool.same(in.getReasonText()),
        in.getPriority(),
        pool.same(factors(in.getFactors())),
        Instant.ofEpochSecond(in.getSubmitted()),
        Fields.instant(in.hasEligible(), in.getEligible()),
        Fields.instant(in.hasAccrues(), in.getAccrues()),
        Fields.instant(in.hasStarted(), in.getStarted()),
        Fields.instant(in.hasEnded(), in.getEnded()),
        Fields.instant(in.hasLastEvaluated(), in.getLastEvaluated()),
        in.getRestarts(),
        exitCode(in.getExitCode()),
        exitCode(in.getDerivedExitCode()),
        in.hasPlanned() ? planned(in.getPlanned(), pool) : null,
        in.hasAllocation() ? AllocationWire.read(in.getAllocation()) : null,
        in.hasSimulatedRuntimeMillis() ? Duration.ofMillis(in.getSimulatedRuntimeMillis()) : null,
        in.hasPreemption() ? PreemptionWire.read(in.getPreemption()) : null,
        in.hasSuspension() ? suspension(in.getSuspension()) : null,
        in.hasWaited() ? waited(in.getWaited()) : null,
        in.getSiteFactor(),
        in.hasLost() ? Tres.of(in.getLost().getTresMap()) : null,
        in.hasFailedNode() ? in.getFailedNode() : null,
        in.getLimitOpen(),
        in.getExpectedNodes(),
        in.getTriedCpus());
  }

  private static Waited waited(Wire.Waited in) {
    TreeMap<Reason, Long> seconds = new TreeMap<>();
    in.getSecondsMap().forEach((reason, s) -> seconds.put(Fields.word(Reason.class, reason), s));
    return new Waited(
        Instant.ofEpochSecond(in.getSince()), seconds, in.getBackfilled(), in.getAhead());
  }

  private static Suspension suspension(Wire.Suspension in) {
    return new Suspension(
        Instant.ofEpochSecond(in.getAt()),
        Duration.ofMillis(in.getWorkedMillis()),
        Fields.word(Suspension.Cause.class, in.getCause()),
        in.getBy(),
        in.getLast(),
        in.getPriority());
  }

  private static HetInfo het(Wire.Job.Het in) {
    return new HetInfo(in.getHetJobId(), in.getOffset(), in.getSize());
  }

  private static ArrayInfo array(Wire.Job.Array in) {
    @Nullable Integer task = in.hasTaskId() ? in.getTaskId() : null;
    return new ArrayInfo(
        in.getArrayJobId(),
        task,
        Fields.indices(in.getWaiting()),
        in.getThrottle(),
        Fields.indices(in.getCancelled()));
  }

  private static PlannedStart planned(Wire.PlannedStart in, Pool pool) {
    return new PlannedStart(
        Instant.ofEpochSecond(in.getStart()),
        Fields.hosts(in.getNodes()),
        pool.same(in.getPartition()),
        Instant.ofEpochSecond(in.getMade()));
  }

  private static Wire.Job.Owner owner(JobOwner owner) {
    return Wire.Job.Owner.newBuilder()
        .setUser(owner.user())
        .setUid(owner.uid())
        .setGroup(owner.group())
        .setGid(owner.gid())
        .setAccount(owner.account())
        .setQos(owner.qos())
        .setWckey(owner.wckey())
        .build();
  }

  private static JobOwner owner(Wire.Job.Owner in) {
    return new JobOwner(
        in.getUser(),
        in.getUid(),
        in.getGroup(),
        in.getGid(),
        in.getAccount(),
        in.getQos(),
        in.getWckey());
  }

  private static Wire.Job.Batch batch(JobBatch batch) {
    return Wire.Job.Batch.newBuilder()
        .setBatch(batch.batch())
        .setCommand(batch.command())
        .setSubmitLine(batch.submitLine())
        .setWorkDir(batch.workDir())
        .setStdinPattern(batch.stdinPattern())
        .setStdoutPattern(batch.stdoutPattern())
        .setStderrPattern(batch.stderrPattern())
        .setOpenMode(batch.openMode())
        .setSubmitHost(batch.submitHost())
        .setSignal(batch.signal())
        .setKillOnInvalidDep(batch.killOnInvalidDep())
        .putAllShown(batch.shown())
        .build();
  }

  private static JobBatch batch(Wire.Job.Batch in, Pool pool) {
    return pool.same(
        new JobBatch(
            in.getBatch(),
            in.getCommand(),
            in.getSubmitLine(),
            in.getWorkDir(),
            in.getStdinPattern(),
            in.getStdoutPattern(),
            in.getStderrPattern(),
            in.getOpenMode(),
            in.getSubmitHost(),
            in.getSignal(),
            in.getKillOnInvalidDep(),
            Immutable.sortedMap(in.getShownMap())));
  }

  static Wire.PriorityFactors factors(PriorityFactors factors) {
    return Wire.PriorityFactors.newBuilder()
        .setAge(factors.age())
        .setAssoc(factors.assoc())
        .setFairShare(factors.fairShare())
        .setJobSize(factors.jobSize())
        .setPartition(factors.partition())
        .setQos(factors.qos())
        .setTres(factors.tres())
        .setSite(factors.site())
        .setNice(factors.nice())
        .putAllTresByName(factors.tresByName())
        .build();
  }

  static PriorityFactors factors(Wire.PriorityFactors in) {
    return new PriorityFactors(
        in.getAge(),
        in.getAssoc(),
        in.getFairShare(),
        in.getJobSize(),
        in.getPartition(),
        in.getQos(),
        in.getTres(),
        in.getSite(),
        in.getNice(),
        Immutable.sortedMap(in.getTresByNameMap()));
  }

  /** How a process ended. */
  public static Wire.ExitCode exitCode(ExitCode exit) {
    return Wire.ExitCode.newBuilder().setCode(exit.code()).setSignal(exit.signal()).build();
  }

  /** How a process ended. */
  public static ExitCode exitCode(Wire.ExitCode in) {
    return in.getCode() == 0 && in.getSignal() == 0
        ? ExitCode.OK
        : new ExitCode(in.getCode(), in.getSignal());
  }
}
