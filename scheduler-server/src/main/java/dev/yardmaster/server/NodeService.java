package dev.yardmaster.server;

import dev.yardmaster.api.v1.NodeRpc;
import dev.yardmaster.api.v1.NodeServiceGrpc;
import dev.yardmaster.controller.Command;
import dev.yardmaster.controller.ConfigFingerprint;
import dev.yardmaster.controller.Controller;
import dev.yardmaster.controller.Effect;
import dev.yardmaster.controller.NodeLink;
import dev.yardmaster.controller.NodeLinks;
import dev.yardmaster.controller.Reply;
import dev.yardmaster.model.ClusterConfig;
import dev.yardmaster.model.Identity;
import dev.yardmaster.security.Authenticator;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The controller's end of the streams of the node daemons. */
final class NodeService extends NodeServiceGrpc.NodeServiceImplBase {
  private static final Logger LOG = LoggerFactory.getLogger(NodeService.class);

  private final Controller controller;
  private final NodeLinks links;
  private final Predicate<Identity> mayServe;
  private final OrderSeal seal;
  private volatile @Nullable Fingerprint fingerprint;

  /**
   * @param mayServe who may speak for a node: root, and whoever runs the controller
   * @param seal signs what nodes are to do
   */
  NodeService(
      Controller controller, NodeLinks links, Predicate<Identity> mayServe, OrderSeal seal) {
    this.controller = controller;
    this.links = links;
    this.mayServe = mayServe;
    this.seal = seal;
  }

  @Override
  public StreamObserver<NodeRpc.NodeReport> serve(StreamObserver<NodeRpc.NodeOrder> orders) {
    Identity caller = Authenticator.caller();
    if (!mayServe.test(caller)) {
      orders.onError(
          Status.PERMISSION_DENIED
              .withDescription(
                  caller.user() + " may not serve nodes: only root and the server's owner may")
              .asRuntimeException());
      return new Ignored();
    }
    return new Stream(orders);
  }

  /** What the controller works with, for a node that may have missed a change. */
  private String configuration() {
    ClusterConfig present = controller.state().config();
    Fingerprint known = fingerprint;
    if (known == null || known.of != present) {
      known = new Fingerprint(present, ConfigFingerprint.of(present));
      fingerprint = known;
    }
    return known.text;
  }

  private record Fingerprint(ClusterConfig of, String text) {}

  /** The stream of one node. */
  private final class Stream implements NodeLink, StreamObserver<NodeRpc.NodeReport> {
    private final StreamObserver<NodeRpc.NodeOrder> orders;
    private @Nullable String node;
    private boolean ended;

    Stream(StreamObserver<NodeRpc.NodeOrder> orders) {
      this.orders = orders;
    }

    @Override
    public void onNext(NodeRpc.NodeReport report) {
      Command command;
      try {
        command = NodeMessages.command(report);
      } catch (RuntimeException e) {
        answer(report.getSequence(), String.valueOf(e.getMessage()));
        return;
      }
      if (command instanceof Command.NodeRegistered registered) {
        if (controller.state().node(registered.node()) == null) {
          answer(report.getSequence(), "no node is called " + registered.node());
          return;
        }
        node = registered.node();
        links.attach(registered.node(), this);
      } else if (!report.getNode().equals(node)) {
        answer(report.getSequence(), report.getNode() + " has not registered on this stream");
        return;
      }
      controller
          .handle(command)
          .whenComplete(
              (reply, failure) -> {
                String refused = failure != null ? failure.toString() : refusal(reply);
                answer(report.getSequence(), refused);
                if (refused == null && command instanceof Command.NodeRegistered registered) {
                  send(
                      new Outgoing(
                          new Effect.Reconfigure(registered.node(), configuration(), 0), null));
                }
              });
    }

    private static @Nullable String refusal(Reply reply) {
      return reply instanceof Reply.Refused refused
          ? refused.error().text() + (refused.detail() == null ? "" : ": " + refused.detail())
          : null;
    }

    private void answer(long sequence, @Nullable String refused) {
      tell(NodeMessages.ack(sequence, refused));
    }

    @Override
    public void send(Outgoing outgoing) {
      // What switches a node is a program on this machine, not its daemon.
      if (!(outgoing.effect() instanceof Effect.Power)) {
        tell(seal.on(outgoing.effect().node(), NodeMessages.order(outgoing)));
      }
    }

    private synchronized void tell(NodeRpc.NodeOrder order) {
      if (ended) {
        return;
      }
      try {
        orders.onNext(order);
      } catch (RuntimeException e) {
        // The stream broke between two messages; its end is on the way.
        LOG.debug("{} cannot be told: {}", node, e.toString());
      }
    }

    @Override
    public void onError(Throwable failure) {
      end();
    }

    @Override
    public void onCompleted() {
      end();
      orders.onCompleted();
    }

    private void end() {
      synchronized (this) {
        ended = true;
      }
      String name = node;
      if (name != null && links.detach(name, this)) {
        controller.handle(new Command.NodeLost(name));
      }
    }
  }

  /** What is still on its way from a caller who was turned away. */
  private static final class Ignored implements StreamObserver<NodeRpc.NodeReport> {
    @Override
    public void onNext(NodeRpc.NodeReport report) {}

    @Override
    public void onError(Throwable failure) {}

    @Override
    public void onCompleted() {}
  }
}
