package dev.yardmaster.server;

import com.google.protobuf.ByteString;
import dev.yardmaster.api.v1.NodeRpc;
import dev.yardmaster.api.v1.Wire;
import dev.yardmaster.security.LaunchKey;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** Signs what nodes are to do, for one node and for a short while. */
final class OrderSeal {
  /** As the credentials of Slurm's jobs (slurm.conf(5), AuthInfo=cred_expire). */
  static final Duration LIFE = Duration.ofSeconds(120);

  private static final int NUMBER_BYTES = 16;

  private final LaunchKey key;
  private final ByteString publicKey;
  private final InstantSource clock;
  private final SecureRandom random = new SecureRandom();

  OrderSeal(LaunchKey key, InstantSource clock) {
    this.key = key;
    this.publicKey = ByteString.copyFrom(key.publicKey());
    this.clock = clock;
  }

  /** The job that an order starts something of; null when it is about none. */
  static Wire.@Nullable Job job(NodeRpc.NodeOrder order) {
    return switch (order.getKindCase()) {
      case LAUNCH -> order.getLaunch().getJob();
      case LAUNCH_STEP -> order.getLaunchStep().getJob();
      case SITE_SCRIPT -> order.getSiteScript().getJob();
      default -> null;
    };
  }

  /** The run of a job that an order is about; null when it is about none. */
  static NodeRpc.@Nullable Run run(NodeRpc.NodeOrder order) {
    Wire.Job job = job(order);
    if (job != null) {
      return NodeRpc.Run.newBuilder()
          .setJobId(job.getId())
          .setRestarts(
              order.hasSiteScript() ? order.getSiteScript().getRestarts() : job.getRestarts())
          .build();
    }
    return switch (order.getKindCase()) {
      case ATTACH_STEP -> order.getAttachStep().getRun();
      case SIGNAL_STEP -> order.getSignalStep().getRun();
      case SIGNAL -> order.getSignal().getRun();
      case PAUSE -> order.getPause().getRun();
      case NOTIFY -> order.getNotify().getRun();
      case TERMINATE -> order.getTerminate().getRun();
      default -> null;
    };
  }

  /**
   * Whether an order makes a node do something, so that it obeys only when it is signed: all but
   * the answer to a report.
   */
  static boolean isNeeded(NodeRpc.NodeOrder order) {
    return !order.hasAck();
  }

  /** The order as it goes to a node. */
  NodeRpc.NodeOrder on(String node, NodeRpc.NodeOrder order) {
    if (!isNeeded(order)) {
      return order;
    }
    byte[] number = new byte[NUMBER_BYTES];
    random.nextBytes(number);
    NodeRpc.Credential.Builder credential =
        NodeRpc.Credential.newBuilder()
            .setNode(node)
            .setExpiresAtMillis(clock.instant().plus(LIFE).toEpochMilli())
            .setNonce(ByteString.copyFrom(number))
            .setOrder(order);
    NodeRpc.Run run = run(order);
    if (run != null) {
      credential.setRun(run);
    }
    Wire.Job job = job(order);
    if (job != null) {
      credential.setUid(job.getOwner().getUid());
      job.getAllocation().getSharesList().forEach(share -> credential.addNodes(share.getNode()));
    }
    ByteString content = credential.build().toByteString();
    return NodeRpc.NodeOrder.newBuilder()
        .setSigned(
            NodeRpc.SignedOrder.newBuilder()
                .setCredential(content)
                .setSignature(ByteString.copyFrom(key.sign(content.toByteArray())))
                .setKey(publicKey))
        .build();
  }
}
