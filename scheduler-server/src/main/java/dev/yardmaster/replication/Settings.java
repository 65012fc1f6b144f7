package dev.yardmaster.replication;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.grpc.GrpcTlsConfig;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.util.SizeInBytes;
import org.apache.ratis.util.TimeDuration;
import org.jspecify.annotations.Nullable;

/** How the votes are held: a controller that is silent for a second or two has lost control. */
final class Settings {
  private Settings() {}

  /**
   * @param alone whether there is nobody else whose silence could mean anything
   * @param limits of the log
   */
  static RaftProperties of(
      Path directory, Member self, String address, boolean alone, Limits limits) {
    int share = alone ? 10 : 1;
    RaftProperties all = new RaftProperties();
    RaftServerConfigKeys.setStorageDir(all, List.of(directory.toFile()));
    RaftServerConfigKeys.setCloseThreshold(all, TimeDuration.valueOf(365, TimeUnit.DAYS));
    RaftServerConfigKeys.Rpc.setTimeoutMin(all, millis(1_200 / share));
    RaftServerConfigKeys.Rpc.setTimeoutMax(all, millis(2_400 / share));
    RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMin(all, millis(500 / share));
    RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMax(all, millis(1_500 / share));
    RaftServerConfigKeys.Rpc.setRequestTimeout(all, millis(3_000));
    RaftServerConfigKeys.LeaderElection.setLeaderStepDownWaitTime(all, millis(2_000));
    SizeInBytes entry = SizeInBytes.valueOf(limits.entryBytes() + (1 << 20));
    RaftServerConfigKeys.Log.Appender.setBufferByteLimit(all, entry);
    RaftServerConfigKeys.Log.setWriteBufferSize(
        all, SizeInBytes.valueOf(entry.getSizeInt() + (1 << 10)));
    RaftServerConfigKeys.Log.setSegmentSizeMax(
        all, SizeInBytes.valueOf(entry.getSizeInt() + (2 << 20)));
    RaftServerConfigKeys.Log.setPreallocatedSize(all, SizeInBytes.valueOf(1 << 20));
    RaftServerConfigKeys.Log.setSegmentCacheNumMax(all, 2);
    // Only what all members have is cut off, so that none needs more than entries to come up.
    RaftServerConfigKeys.Snapshot.setAutoTriggerEnabled(all, true);
    RaftServerConfigKeys.Snapshot.setAutoTriggerThreshold(all, limits.cutEvery());
    RaftServerConfigKeys.Log.setPurgeUptoSnapshotIndex(all, false);
    RaftServerConfigKeys.Log.setPurgeGap(all, 1);
    RaftServerConfigKeys.Log.Appender.setInstallSnapshotEnabled(all, false);
    RaftServerConfigKeys.Snapshot.setTriggerWhenStopEnabled(all, false);
    GrpcConfigKeys.setMessageSizeMax(
        all, SizeInBytes.valueOf(2L * limits.entryBytes() + (1 << 20)));
    GrpcConfigKeys.Server.setHost(all, address);
    GrpcConfigKeys.Server.setPort(all, self.port());
    return all;
  }

  /** Both sides of each connection show a certificate. */
  static Parameters of(@Nullable Certificates certificates) {
    Parameters all = new Parameters();
    if (certificates != null) {
      GrpcConfigKeys.TLS.setConf(
          all,
          new GrpcTlsConfig(
              certificates.key().toFile(),
              certificates.certificate().toFile(),
              certificates.authority().toFile(),
              true));
    }
    return all;
  }

  static TimeDuration millis(long time) {
    return TimeDuration.valueOf(time, TimeUnit.MILLISECONDS);
  }
}
