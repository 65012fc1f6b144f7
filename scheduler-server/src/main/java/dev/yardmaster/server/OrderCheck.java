package dev.yardmaster.server;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.yardmaster.api.v1.NodeRpc;
import dev.yardmaster.api.v1.Wire;
import dev.yardmaster.security.LaunchTrust;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;

/** A node's end of {@link OrderSeal}. To be used on one thread. */
final class OrderCheck {
  private final String node;
  private final LaunchTrust trust;
  private final InstantSource clock;

  /** An order that is not to be obeyed, with the reason. */
  static final class RefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    RefusedException(String why) {
      super(why);
    }
  }

  OrderCheck(String node, LaunchTrust trust, InstantSource clock) {
    this.node = node;
    this.trust = trust;
    this.clock = clock;
  }

  /** Another connection begins. */
  void newConnection() {
    trust.newConnection();
  }

  /**
   * What is to be done.
   *
   * @throws RefusedException when the order needs a credential and has no good one
   */
  NodeRpc.NodeOrder open(NodeRpc.NodeOrder order) throws RefusedException {
    if (!order.hasSigned()) {
      if (OrderSeal.isNeeded(order)) {
        throw new RefusedException("the controller has not signed it");
      }
      return order;
    }
    NodeRpc.SignedOrder signed = order.getSigned();
    try {
      byte[] content = signed.getCredential().toByteArray();
      String refusal =
          trust.refusal(
              signed.getKey().toByteArray(), content, signed.getSignature().toByteArray());
      if (refusal != null) {
        throw new RefusedException(refusal);
      }
      NodeRpc.Credential credential = NodeRpc.Credential.parseFrom(content);
      check(credential);
      Instant ends = Instant.ofEpochMilli(credential.getExpiresAtMillis());
      if (!trust.isFirst(credential.getNonce().toByteArray(), ends, clock.instant())) {
        throw new RefusedException("it was obeyed before");
      }
      return credential.getOrder();
    } catch (InvalidProtocolBufferException e) {
      throw new RefusedException("its credential cannot be read");
    } catch (IOException e) {
      throw new RefusedException("the spool cannot be used: " + e);
    }
  }

  private void check(NodeRpc.Credential credential) throws RefusedException {
    Instant now = clock.instant();
    Instant ends = Instant.ofEpochMilli(credential.getExpiresAtMillis());
    if (!credential.getNode().equals(node)) {
      throw new RefusedException("it is for " + credential.getNode());
    }
    if (!ends.isAfter(now)) {
      throw new RefusedException(
          "its credential ended at " + ends + ", and here it is " + now + "; look at the clocks");
    }
    if (ends.isAfter(now.plus(OrderSeal.LIFE.multipliedBy(2)))) {
      throw new RefusedException(
          "its credential ends at "
              + ends
              + ", which is too far from "
              + now
              + "; look at the clocks");
    }
    NodeRpc.NodeOrder order = credential.getOrder();
    if (!OrderSeal.isNeeded(order)) {
      throw new RefusedException("an order of kind " + order.getKindCase() + " is not signed");
    }
    NodeRpc.Run run = OrderSeal.run(order);
    Wire.Job job = OrderSeal.job(order);
    if (run != null && !run.equals(credential.getRun())
        || job != null && job.getOwner().getUid() != credential.getUid()) {
      throw new RefusedException("job or user are not those of its credential");
    }
    if (job == null) {
      return;
    }
    if (!credential.getNodesList().contains(node)) {
      throw new RefusedException(
          "job " + job.getId() + " of its credential has nodes " + credential.getNodesList());
    }
  }
}
