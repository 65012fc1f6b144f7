package dev.yardmaster.console.connect;

import dev.yardmaster.client.ClientException;
import dev.yardmaster.client.ClusterView;
import dev.yardmaster.client.Connection;
import dev.yardmaster.client.SchedulerClient;
import dev.yardmaster.console.connect.Connector.Session;
import dev.yardmaster.console.connect.Link.Phase;
import dev.yardmaster.console.fx.Fx;
import dev.yardmaster.console.fx.Worker;
import dev.yardmaster.model.ClusterInfo;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import org.jspecify.annotations.Nullable;

/**
 * The console's model of one cluster: the latest snapshot, how the connection stands, and the
 * server's time. Properties change on the JavaFX thread only, the snapshot at most {@value
 * #MAX_UPDATES_PER_SECOND} times a second however fast the cluster changes.
 */
public final class ClusterModel implements AutoCloseable {
  /** How often a new snapshot is shown at most. */
  public static final int MAX_UPDATES_PER_SECOND = 10;

  /** After this long without a sign of the server the data are called stale. */
  public static final Duration STALE_AFTER = Duration.ofSeconds(15);

  private final Connector connector;
  private final InstantSource local;
  private final Executor fx;
  private final ServerClock clock;
  private final Worker worker = new Worker("cluster-model");
  private final Conflater<ClusterView> incoming;
  private final AtomicReference<@Nullable Update> waiting = new AtomicReference<>();
  private volatile @Nullable Session session;
  private volatile @Nullable Snapshot latest;
  private @Nullable Instant lastCard;

  private final ReadOnlyObjectWrapper<@Nullable Snapshot> snapshot =
      new ReadOnlyObjectWrapper<>(this, "snapshot");
  private final ReadOnlyObjectWrapper<Link> link;
  private final ReadOnlyObjectWrapper<Instant> now;

  /** A model of the cluster that {@code connector} leads to; call {@link #open} to start. */
  public ClusterModel(Connector connector) {
    this(connector, InstantSource.system(), Fx::run);
  }

  /**
   * A model with its clock and its gate to the JavaFX thread given.
   *
   * @param fx runs what changes properties, in order
   */
  public ClusterModel(Connector connector, InstantSource local, Executor fx) {
    this.connector = connector;
    this.local = local;
    this.fx = fx;
    this.clock = new ServerClock(local);
    this.link = new ReadOnlyObjectWrapper<>(this, "link", Link.connecting(connector.endpoint()));
    this.now = new ReadOnlyObjectWrapper<>(this, "now", local.instant());
    this.incoming =
        new Conflater<>(
            worker, Duration.ofSeconds(1).dividedBy(MAX_UPDATES_PER_SECOND), this::digest);
  }

  /** Starts to follow the cluster; returns at once. */
  public void open() {
    worker.execute(this::connect);
    worker.every(Duration.ofSeconds(1), () -> fx.execute(this::tick));
  }

  /** Tries to connect now. Does nothing harmful when the connection is there. */
  public void reconnect() {
    Session open = session;
    if (open != null) {
      worker.execute(open.feed()::reconnect);
    } else {
      link.set(Link.connecting(connector.endpoint()));
      worker.execute(this::connect);
    }
  }

  /** The latest snapshot; null before the first. */
  public ReadOnlyObjectProperty<@Nullable Snapshot> snapshotProperty() {
    return snapshot.getReadOnlyProperty();
  }

  public @Nullable Snapshot snapshot() {
    return snapshot.get();
  }

  /** The latest snapshot for other threads than JavaFX's; null before the first. */
  public @Nullable Snapshot latest() {
    return latest;
  }

  /** How the connection stands. */
  public ReadOnlyObjectProperty<Link> linkProperty() {
    return link.getReadOnlyProperty();
  }

  public Link link() {
    return link.get();
  }

  /** The server's time, moved on once a second; durations on screen end here. */
  public ReadOnlyObjectProperty<Instant> nowProperty() {
    return now.getReadOnlyProperty();
  }

  public Instant now() {
    return now.get();
  }

  /** How old the shown data are. */
  public Duration age() {
    return link().age(local.instant());
  }

  /**
   * The way to ask and to command; its methods block and are not for the JavaFX thread.
   *
   * @throws ClientException when the cluster was never connected
   */
  public SchedulerClient client() throws ClientException {
    Session open = session;
    if (open == null) {
      throw new ClientException.Unreachable(
          "not connected to " + connector.endpoint() + ": wait for the connection and try again",
          null);
    }
    return open.client();
  }

  @Override
  public void close() {
    worker.close();
    Session open = session;
    if (open != null) {
      open.close();
    }
  }

  /** Moves the clock on and notices when data have become stale; called once a second. */
  void tick() {
    now.set(clock.instant());
    Session open = session;
    Link current = link();
    if (open == null) {
      return;
    }
    Instant heard = open.feed().view().asOf();
    if (heard != null && (current.received() == null || heard.isAfter(current.received()))) {
      current = current.receivedAt(heard);
    }
    link.set(current.judged(local.instant(), STALE_AFTER));
  }

  private void connect() {
    if (session != null) {
      return;
    }
    try {
      Session opened = connector.connect();
      session = opened;
      opened.feed().listen(incoming::offer);
    } catch (ClientException e) {
      fx.execute(() -> link.set(link().with(Phase.FAILED, e.text())));
    }
  }

  private void digest(ClusterView view) {
    ClusterInfo info = view.info();
    if (info != null && view.asOf() != null) {
      observe(view, info, view.asOf());
    }
    boolean known = info != null || !view.jobs().isEmpty() || !view.nodes().isEmpty();
    Snapshot made = known ? Snapshot.of(view, clock.instant()) : null;
    if (made != null) {
      latest = made;
    }
    Update update = new Update(made, view.connection(), view.asOf());
    if (waiting.getAndSet(update) == null) {
      fx.execute(this::show);
    }
  }

  /** A card tells the server's time only when it is new; later on it is a time of the past. */
  private void observe(ClusterView view, ClusterInfo info, Instant heard) {
    if (!info.serverTime().equals(lastCard)) {
      lastCard = info.serverTime();
      clock.observe(info.serverTime(), heard);
    }
    if (view.time() != null) {
      clock.atLeast(view.time());
    }
  }

  private void show() {
    Update update = waiting.getAndSet(null);
    if (update == null) {
      return;
    }
    now.set(clock.instant());
    link.set(
        Link.of(connector.endpoint(), update.connection(), update.asOf())
            .judged(local.instant(), STALE_AFTER));
    if (update.snapshot() != null) {
      snapshot.set(update.snapshot());
    }
  }

  private record Update(
      @Nullable Snapshot snapshot, Connection connection, @Nullable Instant asOf) {}
}
