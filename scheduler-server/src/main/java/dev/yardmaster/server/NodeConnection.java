package dev.yardmaster.server;

import dev.yardmaster.api.v1.NodeRpc;
import dev.yardmaster.api.v1.NodeServiceGrpc;
import dev.yardmaster.client.ControllerChannel;
import dev.yardmaster.controller.Command;
import dev.yardmaster.controller.Effect;
import dev.yardmaster.controller.NodeLink;
import dev.yardmaster.controller.Reply;
import dev.yardmaster.model.SlurmError;
import dev.yardmaster.node.NodeDaemon;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
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

  /** A controller that was started again is found within two pauses. */
  private static final int MOST_DOUBLINGS = 2;

  /** After so many failures, about half a minute, it is not only started again. */
  private static final int PATIENT_FAILURES = 40;

  private static final Duration PATIENT_PAUSE = Duration.ofSeconds(2);

  /** Where there are several controllers, one that has not answered for so long is left. */
  private static final Duration LONGEST_SILENCE = Duration.ofSeconds(3);

  private final String node;
  private final NodeDaemon daemon;
  private final OrderCheck check;
  private final Consumer<Effect.Reconfigure> configuration;
  private final List<ControllerChannel> controllers;
  private final ScheduledExecutorService thread;
  private final Duration heartbeat;

  private @Nullable Stream stream;
  private int failures;
  private int controller;
  private boolean closed;

  /**
   * @param check whose orders are obeyed
   * @param configuration told when slurm.conf is to be read anew
   * @param controllers ways to the controllers of the cluster, of which one serves
   */
  NodeConnection(
      String node,
      NodeDaemon daemon,
      OrderCheck check,
      Consumer<Effect.Reconfigure> configuration,
      List<ControllerChannel> controllers,
      ScheduledExecutorService thread,
      Duration heartbeat) {
    this.node = node;
    this.daemon = daemon;
    this.check = check;
    this.configuration = configuration;
    this.controllers = controllers;
    this.thread = thread;
    this.heartbeat = heartbeat;
  }

  /** Connects, and stays connected until it is closed. */
  void start() {
    thread.execute(this::connect);
    thread.scheduleWithFixedDelay(
        this::beat, heartbeat.toMillis(), heartbeat.toMillis(), TimeUnit.MILLISECONDS);
    if (isOneOfSeveral()) {
      thread.scheduleWithFixedDelay(this::watch, 1, 1, TimeUnit.SECONDS);
    }
  }

  private boolean isOneOfSeveral() {
    return controllers.size() > 1;
  }

  /** One that was stopped keeps its connections, and does not answer. */
  private void watch() {
    if (stream != null && stream.isSilentFor(LONGEST_SILENCE)) {
      stream.end();
      lost(stream, "the controller does not answer");
    }
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
    check.newConnection();
    Stream next = new Stream();
    stream = next;
    ControllerChannel channel = controllers.get(controller);
    // The library waits longer and longer after failures, up to two minutes.
    channel.connectNow();
    next.reports = NodeServiceGrpc.newStub(channel.calls()).serve(next);
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
    controller = (controller + 1) % controllers.size();
    thread.schedule(this::connect, pause().toMillis(), TimeUnit.MILLISECONDS);
    failures++;
  }

  /** Until the next attempt; differs from node to node, so that not all come at once. */
  private Duration pause() {
    if (isOneOfSeveral()) {
      return FIRST_PAUSE;
    }
    Duration pause =
        failures < PATIENT_FAILURES
            ? FIRST_PAUSE.multipliedBy(1L << Math.min(failures, MOST_DOUBLINGS))
            : PATIENT_PAUSE;
    double part = 0.75 + ThreadLocalRandom.current().nextDouble() / 4;
    return Duration.ofMillis((long) (pause.toMillis() * part));
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
    private final Map<Long, CompletableFuture<Reply>> waiting = new LinkedHashMap<>();
    private long waitingSince = System.nanoTime();
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
            if (waiting.isEmpty()) {
              waitingSince = System.nanoTime();
            }
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
      try {
        NodeLink.Outgoing outgoing = NodeMessages.outgoing(node, check.open(order));
        if (outgoing != null && outgoing.effect() instanceof Effect.Reconfigure reconfigure) {
          configuration.accept(reconfigure);
        } else if (outgoing != null) {
          daemon.send(outgoing);
        }
      } catch (OrderCheck.RefusedException e) {
        LOG.error("{}: {} is not obeyed: {}", node, order.getKindCase(), e.getMessage());
      }
    }

    private void answered(NodeRpc.NodeOrder.Ack ack) {
      if (failures > 0) {
        LOG.info("{}: connected to the controller", node);
        failures = 0;
      }
      CompletableFuture<Reply> answer = waiting.remove(ack.getSequence());
      waitingSince = System.nanoTime();
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

    boolean isSilentFor(Duration time) {
      return !waiting.isEmpty() && System.nanoTime() - waitingSince > time.toNanos();
    }

    /** Gives the stream up; what still comes over it is not heard. */
    void end() {
      if (reports != null) {
        reports.onError(Status.CANCELLED.asRuntimeException());
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
