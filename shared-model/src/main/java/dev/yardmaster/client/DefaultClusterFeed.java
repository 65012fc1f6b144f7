package dev.yardmaster.client;

import dev.yardmaster.api.Pool;
import dev.yardmaster.api.v1.Rpc;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A {@link ClusterFeed} over gRPC. All its state belongs to one thread of its own. */
public final class DefaultClusterFeed implements ClusterFeed {
  /** How long the controller may be silent before the feed takes it for lost. */
  static final Duration SILENCE = Duration.ofSeconds(12);

  private static final Duration PUBLISH_EVERY = Duration.ofMillis(100);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(250);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);
  private static final Duration LONGEST_PAUSE_OF_SEVERAL = Duration.ofMillis(500);

  private final DefaultSchedulerClient client;
  private final Selection selection;
  private final InstantSource clock;
  private final Duration silence;
  private final ScheduledExecutorService worker =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "cluster-feed");
            thread.setDaemon(true);
            return thread;
          });
  private final List<Consumer<ClusterView>> listeners = new ArrayList<>();
  private volatile ClusterView view = ClusterView.EMPTY;

  // Only for the worker.
  private ViewBuilder builder = new ViewBuilder(Pool.sharing());
  private @Nullable Stream stream;
  private long lastProgressNanos;
  private @Nullable Instant heard;
  private long publishedNanos = System.nanoTime() - PUBLISH_EVERY.toNanos();
  private boolean publishing;
  private int failures;
  private int attempt;

  private DefaultClusterFeed(
      DefaultSchedulerClient client, Selection selection, InstantSource clock, Duration silence) {
    this.client = client;
    this.selection = selection;
    this.clock = clock;
    this.silence = silence;
  }

  /** Follows the controller at an endpoint; starts at once. */
  public static ClusterFeed follow(Endpoint endpoint, Credential credential) {
    return follow(endpoint, credential, Selection.ALL, SILENCE);
  }

  /**
   * Follows a part of what the controller has.
   *
   * @param silence how long the controller may be silent before the feed takes it for lost
   */
  public static ClusterFeed follow(
      Endpoint endpoint, Credential credential, Selection selection, Duration silence) {
    return follow(DefaultSchedulerClient.of(endpoint, credential), selection, silence);
  }

  /** Follows whichever of a cluster's controllers serves; starts at once. */
  public static ClusterFeed follow(List<Endpoint> endpoints, Credential credential) {
    return follow(
        DefaultSchedulerClient.of(
            endpoints, credential, DefaultSchedulerClient.DEADLINE, Duration.ZERO),
        Selection.ALL,
        SILENCE);
  }

  private static ClusterFeed follow(
      DefaultSchedulerClient client, Selection selection, Duration silence) {
    DefaultClusterFeed feed =
        new DefaultClusterFeed(client, selection, InstantSource.system(), silence);
    feed.worker.execute(feed::connect);
    feed.worker.scheduleWithFixedDelay(
        feed::watch, silence.toMillis() / 4, silence.toMillis() / 4, TimeUnit.MILLISECONDS);
    return feed;
  }

  @Override
  public ClusterView view() {
    return view;
  }

  @Override
  public Runnable listen(Consumer<ClusterView> listener) {
    onWorker(
        () -> {
          listeners.add(listener);
          tell(listener, view);
        });
    return () -> onWorker(() -> listeners.remove(listener));
  }

  @Override
  public void reconnect() {
    onWorker(
        () -> {
          if (stream == null) {
            connect();
          }
        });
  }

  @Override
  public void close() {
    onWorker(
        () -> {
          drop();
          show(view.withConnection(new Connection.Closed()));
          listeners.clear();
          worker.shutdownNow();
        });
    client.close();
  }

  private void onWorker(Runnable task) {
    try {
      worker.execute(task);
    } catch (RejectedExecutionException e) {
      // The feed is closed: nobody is left to tell.
    }
  }

  private void connect() {
    drop();
    attempt++;
    builder = new ViewBuilder(Pool.sharing());
    lastProgressNanos = System.nanoTime();
    client.connectNow();
    Stream started = new Stream();
    stream = started;
    client.streaming().follow(DefaultSchedulerClient.wire(selection), started);
  }

  private void drop() {
    if (stream != null) {
      stream.cancel();
      stream = null;
    }
  }

  private void watch() {
    if (stream != null && System.nanoTime() - lastProgressNanos > silence.toNanos()) {
      lost(
          "the controller at "
              + client.endpoint()
              + " has been silent for "
              + silence.toSeconds()
              + " s");
    }
  }

  private void received(Stream from, Rpc.Update update) {
    if (from != stream) {
      return;
    }
    lastProgressNanos = System.nanoTime();
    heard = clock.instant();
    try {
      if (builder.apply(update)) {
        failures = 0;
        publishSoon();
      }
      from.more();
    } catch (RuntimeException e) {
      lost(Calls.failure(e, client.endpoint()).text());
    }
  }

  private void ended(Stream from, @Nullable RuntimeException failure) {
    if (from == stream) {
      lost(
          failure == null
              ? "the controller at " + client.endpoint() + " has stopped"
              : Calls.failure(failure, client.endpoint()).text());
    }
  }

  private void lost(String cause) {
    drop();
    Duration pause = FIRST_PAUSE.multipliedBy(1L << Math.min(failures, 10));
    Duration longest = client.turn() ? LONGEST_PAUSE_OF_SEVERAL : LONGEST_PAUSE;
    if (pause.compareTo(longest) > 0) {
      pause = longest;
    }
    failures++;
    int failed = attempt;
    worker.schedule(
        () -> {
          if (attempt == failed) {
            connect();
          }
        },
        pause.toMillis(),
        TimeUnit.MILLISECONDS);
    show(view.withConnection(new Connection.Lost(heard, cause, clock.instant().plus(pause))));
  }

  private void publishSoon() {
    if (publishing) {
      return;
    }
    publishing = true;
    long due = publishedNanos + PUBLISH_EVERY.toNanos() - System.nanoTime();
    worker.schedule(this::publish, Math.max(0, due), TimeUnit.NANOSECONDS);
  }

  private void publish() {
    publishing = false;
    Instant at = heard;
    if (stream != null && at != null && builder.isComplete()) {
      publishedNanos = System.nanoTime();
      show(builder.build(at, new Connection.Live()));
    }
  }

  private void show(ClusterView next) {
    view = next;
    List.copyOf(listeners).forEach(listener -> tell(listener, next));
  }

  private static void tell(Consumer<ClusterView> listener, ClusterView view) {
    try {
      listener.accept(view);
    } catch (RuntimeException e) {
      // A listener that fails is its own matter; the others are told.
      Thread thread = Thread.currentThread();
      thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
    }
  }

  /** One call to follow; hands everything to the worker, and asks for more when it is done. */
  private final class Stream implements ClientResponseObserver<Rpc.Selection, Rpc.Update> {
    private @Nullable ClientCallStreamObserver<Rpc.Selection> call;

    @Override
    public void beforeStart(ClientCallStreamObserver<Rpc.Selection> requestStream) {
      call = requestStream;
      requestStream.disableAutoRequestWithInitial(4);
    }

    void more() {
      if (call != null) {
        call.request(1);
      }
    }

    void cancel() {
      if (call != null) {
        call.cancel("no longer followed", null);
      }
    }

    @Override
    public void onNext(Rpc.Update update) {
      onWorker(() -> received(this, update));
    }

    @Override
    public void onError(Throwable failure) {
      onWorker(
          () ->
              ended(
                  this,
                  failure instanceof RuntimeException e ? e : new IllegalStateException(failure)));
    }

    @Override
    public void onCompleted() {
      onWorker(() -> ended(this, null));
    }
  }
}
