package dev.yardmaster.server;

import dev.yardmaster.api.v1.NodeRpc;
import dev.yardmaster.api.v1.NodeServiceGrpc;
import dev.yardmaster.client.ControllerChannel;
import dev.yardmaster.controller.Command;
import dev.yardmaster.controller.NodeLink;
import dev.yardmaster.controller.Reply;
import dev.yardmaster.model.SlurmError;
import dev.yardmaster.node.NodeDaemon;
import io.grpc.Channel;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node daemon's connection to its controller: connects, connects again after a loss, carries
 * reports and orders, and lets the node's heart beat. All of its state belongs to one thread.
 */
final class NodeConnection implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(NodeConnection.class);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

  private final String node;
  private final NodeDaemon daemon;
  private final Channel channel;
  private final ScheduledExecutorService thread;
  private final Duration heartbeat;

  private @Nullable Stream stream;
  private int failures;
  private boolean closed;

  NodeConnection(
      String node,
      NodeDaemon daemon,
      Channel channel,
      ScheduledExecutorService thread,
      Duration heartbeat) {
    this.node = node;
    this.daemon = daemon;
    this.channel = channel;
    this.thread = thread;
    this.heartbeat = heartbeat;
  }

  /** Connects, and stays connected until it is closed. */
  void start() {
    thread.execute(this::connect);
    thread.scheduleWithFixedDelay(
        this::beat, heartbeat.toMillis(), heartbeat.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void beat() {
    if (stream != null) {
      daemon.heartbeat();
    }
  }

  private void connect() {
    if (closed) {
      return;
    }
    Stream next = new Stream();
    stream = next;
    next.reports = NodeServiceGrpc.newStub(channel).serve(next);
    daemon.connected(next);
  }

  private void lost(Stream from, String why) {
    from.failAll(why);
    if (from != stream) {
      return;
    }
    stream = null;
    daemon.disconnected();
    if (closed) {
      return;
    }
    if (failures == 0) {
      LOG.warn("{}: no connection to the controller: {}", node, why);
    }
    Duration pause = FIRST_PAUSE.multipliedBy(1L << Math.min(failures, 6));
    failures++;
    thread.schedule(
        this::connect, Math.min(pause.toMillis(), LONGEST_PAUSE.toMillis()), TimeUnit.MILLISECONDS);
  }

  @Override
  public void close() {
    thread.execute(
        () -> {
          closed = true;
          if (stream != null && stream.reports != null) {
            stream.reports.onCompleted();
          }
        });
  }

  /** One stream, and what was reported over it and not answered yet. */
  private final class Stream implements StreamObserver<NodeRpc.NodeOrder>, NodeDaemon.Reports {
    private final Map<Long, CompletableFuture<Reply>> waiting = new HashMap<>();
    private @Nullable StreamObserver<NodeRpc.NodeReport> reports;
    private long sequence;

    @Override
    public CompletionStage<Reply> tell(Command command) {
      CompletableFuture<Reply> answer = new CompletableFuture<>();
      thread.execute(
          () -> {
            if (this != stream || reports == null) {
              answer.completeExceptionally(new IllegalStateException("the connection is lost"));
              return;
            }
            sequence++;
            waiting.put(sequence, answer);
            reports.onNext(NodeMessages.report(command, sequence));
          });
      return answer;
    }

    @Override
    public void onNext(NodeRpc.NodeOrder order) {
      thread.execute(() -> take(order));
    }

    private void take(NodeRpc.NodeOrder order) {
      if (this != stream) {
        return;
      }
      if (order.hasAck()) {
        answered(order.getAck());
        return;
      }
      NodeLink.Outgoing outgoing = NodeMessages.outgoing(node, order);
      if (outgoing != null) {
        daemon.send(outgoing);
      }
    }

    private void answered(NodeRpc.NodeOrder.Ack ack) {
      if (failures > 0) {
        LOG.info("{}: connected to the controller", node);
        failures = 0;
      }
      CompletableFuture<Reply> answer = waiting.remove(ack.getSequence());
      if (answer == null) {
        return;
      }
      if (ack.hasRefused()) {
        LOG.warn("{}: the controller refused a report: {}", node, ack.getRefused());
        answer.complete(new Reply.Refused(SlurmError.UNSPECIFIED, ack.getRefused()));
      } else {
        answer.complete(new Reply.Done(List.of()));
      }
    }

    void failAll(String why) {
      waiting.values().forEach(w -> w.completeExceptionally(new IllegalStateException(why)));
      waiting.clear();
    }

    @Override
    public void onError(Throwable failure) {
      thread.execute(() -> lost(this, ControllerChannel.why(failure)));
    }

    @Override
    public void onCompleted() {
      thread.execute(() -> lost(this, "the controller has ended"));
    }
  }
}
