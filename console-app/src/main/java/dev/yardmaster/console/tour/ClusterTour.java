package dev.yardmaster.console.tour;

import dev.yardmaster.client.ClientException;
import dev.yardmaster.client.ClusterView;
import dev.yardmaster.client.Connection;
import dev.yardmaster.console.ClusterViews;
import dev.yardmaster.console.ConsoleBuilder;
import dev.yardmaster.console.connect.ClusterModel;
import dev.yardmaster.console.connect.Connector;
import dev.yardmaster.console.connect.Link;
import dev.yardmaster.console.shell.Activity;
import dev.yardmaster.console.shell.Shell;
import dev.yardmaster.console.theme.Theme;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import javafx.scene.Parent;
import org.jspecify.annotations.Nullable;

/** Pictures of the views of a cluster: all of them live, and each state of the connection. */
public final class ClusterTour {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Path folder;
  private final Theme theme;
  private final Locale locale;
  private final String suffix;
  private final BiConsumer<String, Parent> look;

  /** A tour that writes to {@code folder}; see {@link Tour#run}. */
  public ClusterTour(Path folder, Theme theme, Locale locale, String suffix) {
    this(folder, theme, locale, suffix, (stop, window) -> {});
  }

  /**
   * The same with somebody who looks.
   *
   * @param look sees the window of each stop, perhaps several times, the last time as it is
   *     pictured
   */
  ClusterTour(
      Path folder, Theme theme, Locale locale, String suffix, BiConsumer<String, Parent> look) {
    this.look = look;
    this.folder = folder;
    this.theme = theme;
    this.locale = locale;
    this.suffix = suffix;
  }

  /**
   * Walks all views of a cluster.
   *
   * @return the files written
   * @throws IOException if the cluster cannot be reached, or a picture cannot be written
   */
  public List<Path> run(Connector connector) throws IOException, InterruptedException {
    try (Connector.Session session = connector.connect()) {
      ClusterView view = first(session);
      List<Path> files = new ArrayList<>();
      Still still = new Still(connector.endpoint(), session);
      files.addAll(walk(connector, new ClusterStops(view).all()));
      for (StateOfConnection state : StateOfConnection.values()) {
        files.addAll(walk(still.in(state, view), List.of(state.stop())));
      }
      return files;
    } catch (ClientException e) {
      throw new IOException(e.text(), e);
    }
  }

  private List<Path> walk(Connector connector, List<ClusterStop> stops)
      throws IOException, InterruptedException {
    CompletableFuture<ClusterViews> views = new CompletableFuture<>();
    List<TourStop> walked = stops.stream().map(stop -> stop.of(views::join, look)).toList();
    try {
      return Tour.run(
          folder,
          theme,
          locale,
          suffix,
          walked,
          context -> {
            ClusterModel cluster = new ClusterModel(connector);
            Shell shell = ConsoleBuilder.shell(context);
            views.complete(ClusterViews.install(shell, context, cluster));
            cluster.open();
            return shell;
          });
    } finally {
      views.join().cluster().close();
    }
  }

  /** Waits until the first whole view of the cluster came. */
  private static ClusterView first(Connector.Session session)
      throws IOException, InterruptedException {
    CompletableFuture<ClusterView> first = new CompletableFuture<>();
    Runnable end =
        session
            .feed()
            .listen(
                view -> {
                  if (view.isLive() && view.info() != null) {
                    first.complete(view);
                  }
                });
    try {
      return first.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new IOException(
          "no data came from the server within " + PATIENCE.toSeconds() + " s: " + why(session), e);
    } catch (ExecutionException e) {
      throw new IOException("the server’s data could not be read", e);
    } finally {
      end.run();
    }
  }

  private static String why(Connector.Session session) {
    return session.feed().view().connection() instanceof Connection.Lost lost
        ? lost.cause()
        : "it does not answer";
  }

  /** The same cluster, standing still in different states. */
  private record Still(String endpoint, Connector.Session session) {
    Connector in(StateOfConnection state, ClusterView view) {
      Instant before = Instant.now().minus(Duration.ofMinutes(3));
      Connection lost =
          new Connection.Lost(before, "connection refused", Instant.now().plusSeconds(8));
      @Nullable ClusterView shown =
          switch (state) {
            case CONNECTING -> ClusterView.EMPTY;
            case DISCONNECTED_EMPTY -> StillConnector.with(ClusterView.EMPTY, lost, null);
            case FAILED -> null;
            case STALE -> StillConnector.with(view, new Connection.Live(), before);
            case DISCONNECTED -> StillConnector.with(view, lost, before);
            case EMPTY -> now(withoutJobs(view), new Connection.Live());
          };
      return new StillConnector(endpoint, shown, session.client());
    }

    private static ClusterView now(ClusterView view, Connection connection) {
      return StillConnector.with(view, connection, Instant.now());
    }

    private static ClusterView withoutJobs(ClusterView view) {
      return new ClusterView(
          view.info(),
          ClusterView.EMPTY.jobs(),
          view.nodes(),
          view.partitions(),
          view.reservations(),
          view.figures(),
          view.sequence(),
          view.time(),
          view.asOf(),
          view.connection());
    }
  }

  /** A state of the connection that has its own picture. */
  private enum StateOfConnection {
    CONNECTING,
    DISCONNECTED_EMPTY,
    FAILED,
    STALE,
    DISCONNECTED,
    EMPTY;

    ClusterStop stop() {
      String name = "state-" + name().toLowerCase(Locale.ROOT).replace('_', '-');
      return new ClusterStop(name, (shell, views) -> shell.show(Activity.QUEUE), this::ready);
    }

    private boolean ready(ClusterViews views) {
      boolean hasData = views.cluster().snapshot() != null;
      Link link = views.cluster().link();
      return switch (this) {
        case CONNECTING -> true;
        case DISCONNECTED_EMPTY, FAILED -> link.phase() != Link.Phase.CONNECTING;
        case STALE, DISCONNECTED -> hasData && !link.isLive();
        case EMPTY -> hasData;
      };
    }
  }
}
