package dev.yardmaster.server;

import dev.yardmaster.api.v1.Rpc;
import dev.yardmaster.controller.Controller;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.engine.state.Event;
import dev.yardmaster.model.ClusterInfo;
import io.grpc.stub.ServerCallStreamObserver;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One reader that follows the cluster. The controller only notes what was touched; a thread of the
 * session tells the reader the latest of it, at most ten times a second and only as fast as the
 * reader takes it. A slow reader so skips what is already past, and nobody waits for it.
 */
final class FollowSession implements Controller.Follower {
  private static final Duration BETWEEN = Duration.ofMillis(100);

  /** A reader hears at least this often, so that it can tell silence from loss. */
  private static final Duration HEARTBEAT = Duration.ofSeconds(2);

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Controller controller;
  private final Supplier<ClusterInfo> info;
  private final Updates updates;
  private final ServerCallStreamObserver<Rpc.Update> reader;

  // Guarded by the lock.
  private Touched touched = new Touched();
  private @Nullable ClusterState latest;
  private long sequence;
  private boolean started;
  private boolean gone;

  FollowSession(
      Controller controller,
      Supplier<ClusterInfo> info,
      Chosen chosen,
      ServerCallStreamObserver<Rpc.Update> reader) {
    this.controller = controller;
    this.info = info;
    this.reader = reader;
    this.updates = new Updates(chosen, controller.measures(), this::send);
    reader.setOnReadyHandler(this::wake);
    reader.setOnCancelHandler(this::cancelled);
  }

  /** Tells the reader until it goes away; to be run on a thread of its own. */
  void run() {
    Runnable unfollow = controller.follow(this);
    try {
      while (true) {
        Telling telling = await();
        if (telling == null) {
          return;
        }
        if (telling.snapshot()) {
          updates.snapshot(telling.state(), telling.sequence(), info.get(), controller.figures());
        } else {
          updates.changes(
              telling.state(), telling.sequence(), telling.touched(), controller.figures());
        }
        TimeUnit.MILLISECONDS.sleep(BETWEEN.toMillis());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      reader.onError(io.grpc.Status.UNAVAILABLE.withDescription("stopping").asException());
    } finally {
      unfollow.run();
    }
  }

  /** What to tell next: after a change, or after a while without; null when the reader is gone. */
  private @Nullable Telling await() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      long nanos = HEARTBEAT.toNanos();
      while (!gone && (latest == null || !reader.isReady() || (touched.isEmpty() && started))) {
        if (nanos <= 0 && latest != null && reader.isReady()) {
          break;
        }
        nanos = changed.awaitNanos(nanos <= 0 ? HEARTBEAT.toNanos() : nanos);
      }
      ClusterState state = latest;
      if (gone || state == null) {
        return null;
      }
      Telling telling = new Telling(state, sequence, touched, touched.everything() || !started);
      touched = new Touched();
      started = true;
      return telling;
    } finally {
      lock.unlock();
    }
  }

  private void send(Rpc.Update update) {
    lock.lock();
    try {
      while (!gone && !reader.isReady()) {
        changed.awaitUninterruptibly();
      }
      if (gone) {
        return;
      }
    } finally {
      lock.unlock();
    }
    reader.onNext(update);
  }

  @Override
  public void start(ClusterState state, long newSequence) {
    note(List.of(), state, newSequence);
  }

  @Override
  public void next(List<Event> events, ClusterState after, long newSequence) {
    note(events, after, newSequence);
  }

  private void note(List<Event> events, ClusterState state, long newSequence) {
    lock.lock();
    try {
      latest = state;
      sequence = newSequence;
      events.forEach(touched::add);
      changed.signal();
    } finally {
      lock.unlock();
    }
  }

  private void wake() {
    lock.lock();
    try {
      changed.signal();
    } finally {
      lock.unlock();
    }
  }

  private void cancelled() {
    lock.lock();
    try {
      gone = true;
      changed.signal();
    } finally {
      lock.unlock();
    }
  }

  private record Telling(ClusterState state, long sequence, Touched touched, boolean snapshot) {}
}
