package dev.yardmaster.api;

import dev.yardmaster.api.v1.Rpc;
import dev.yardmaster.api.v1.Wire;
import dev.yardmaster.model.ClusterInfo;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.IndexSet;
import dev.yardmaster.model.JobScript;
import dev.yardmaster.model.JobSubmission;
import dev.yardmaster.model.PassFigures;
import dev.yardmaster.model.Reservation;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** Reservations, submissions, scripts, figures and the controller's card on the wire. */
public final class ClusterWire {
  private ClusterWire() {}

  public static Wire.Reservation write(Reservation r) {
    Wire.Reservation.Builder out =
        Wire.Reservation.newBuilder()
            .setName(r.name())
            .setStart(Fields.seconds(r.start()))
            .setEnd(Fields.seconds(r.end()))
            .addAllNodes(r.nodes())
            .addAllFlags(r.flags())
            .addAllUsers(r.users())
            .addAllAccounts(r.accounts())
            .addAllGroups(r.groups())
            .addAllQos(r.qos())
            .addAllAllowedPartitions(r.allowedPartitions())
            .setPartition(r.partition())
            .setFeatures(r.features())
            .putAllGres(r.gres())
            .putAllLicenses(r.licenses())
            .setPurgeSeconds(r.purgeSeconds())
            .setMaxStartDelaySeconds(r.maxStartDelaySeconds())
            .setFloatSeconds(r.floatSeconds())
            .setZone(r.zone())
            .setId(r.id())
            .setDurationMinutes(r.durationMinutes())
            .setComment(r.comment());
    r.cores().forEach((node, cores) -> out.putCores(node, cores.toString()));
    if (r.idleSince() instanceof Instant idle) {
      out.setIdleSince(Fields.seconds(idle));
    }
    return out.build();
  }

  public static Reservation read(Wire.Reservation in) {
    SortedMap<String, IndexSet> cores = new TreeMap<>();
    in.getCoresMap().forEach((node, text) -> cores.put(node, IndexSet.parse(text)));
    return new Reservation(
        in.getName(),
        Instant.ofEpochSecond(in.getStart()),
        Instant.ofEpochSecond(in.getEnd()),
        in.getNodesList(),
        Set.copyOf(in.getFlagsList()),
        in.getUsersList(),
        in.getAccountsList(),
        in.getGroupsList(),
        in.getQosList(),
        in.getAllowedPartitionsList(),
        in.getPartition(),
        in.getFeatures(),
        Immutable.sortedMap(cores),
        Immutable.sortedMap(in.getGresMap()),
        Immutable.sortedMap(in.getLicensesMap()),
        in.getPurgeSeconds(),
        in.getMaxStartDelaySeconds(),
        in.getFloatSeconds(),
        in.getZone(),
        in.hasIdleSince() ? Instant.ofEpochSecond(in.getIdleSince()) : null,
        in.getId(),
        in.getDurationMinutes(),
        in.getComment());
  }

  public static Wire.Submission write(JobSubmission submission) {
    return Wire.Submission.newBuilder()
        .putAllOptions(submission.options())
        .setScript(submission.script())
        .addAllArguments(submission.arguments())
        .putAllEnvironment(submission.environment())
        .setCommand(submission.command())
        .setSubmitLine(submission.submitLine())
        .setWorkDir(submission.workDir())
        .setSubmitHost(submission.submitHost())
        .build();
  }

  public static JobSubmission read(Wire.Submission in) {
    return new JobSubmission(
        Immutable.sortedMap(in.getOptionsMap()),
        in.getScript(),
        in.getArgumentsList(),
        Immutable.sortedMap(in.getEnvironmentMap()),
        in.getCommand(),
        in.getSubmitLine(),
        in.getWorkDir(),
        in.getSubmitHost());
  }

  public static Wire.Script write(JobScript script) {
    return Wire.Script.newBuilder()
        .setScript(script.script())
        .addAllArguments(script.arguments())
        .putAllEnvironment(script.environment())
        .build();
  }

  public static JobScript read(Wire.Script in) {
    return new JobScript(
        in.getScript(), in.getArgumentsList(), Immutable.sortedMap(in.getEnvironmentMap()));
  }

  public static Wire.PassFigures write(PassFigures figures) {
    Wire.PassFigures.Builder out =
        Wire.PassFigures.newBuilder()
            .setMainPassMicros(figures.mainPassMicros())
            .setBackfillMicros(figures.backfillMicros())
            .setMainDepth(figures.mainDepth())
            .setBackfillDepth(figures.backfillDepth())
            .setPasses(figures.passes());
    if (figures.lastPass() instanceof Instant last) {
      out.setLastPassMillis(last.toEpochMilli());
    }
    return out.build();
  }

  public static PassFigures read(Wire.PassFigures in) {
    return new PassFigures(
        in.hasLastPassMillis() ? Instant.ofEpochMilli(in.getLastPassMillis()) : null,
        in.getMainPassMicros(),
        in.getBackfillMicros(),
        in.getMainDepth(),
        in.getBackfillDepth(),
        in.getPasses());
  }

  public static Rpc.ClusterInfo write(ClusterInfo info) {
    return Rpc.ClusterInfo.newBuilder()
        .setCluster(info.cluster())
        .setVersion(info.version())
        .setSlurmVersion(info.slurmVersion())
        .setRole(info.role())
        .setHost(info.host())
        .setServerTime(Fields.timestamp(info.serverTime()))
        .setStarted(Fields.timestamp(info.started()))
        .setConfigDigest(info.configDigest())
        .setZone(info.zone().getId())
        .setSimulatedNodes(info.simulatedNodes())
        .addAllTrackedTres(info.trackedTres())
        .addAllPriorityFlags(info.priorityFlags())
        .build();
  }

  public static ClusterInfo read(Rpc.ClusterInfo in) {
    return new ClusterInfo(
        in.getCluster(),
        in.getVersion(),
        in.getSlurmVersion(),
        in.getRole(),
        in.getHost(),
        Fields.instant(in.getServerTime()),
        Fields.instant(in.getStarted()),
        in.getConfigDigest(),
        ZoneId.of(in.getZone()),
        in.getSimulatedNodes(),
        in.getTrackedTresList(),
        new TreeSet<>(in.getPriorityFlagsList()));
  }
}
