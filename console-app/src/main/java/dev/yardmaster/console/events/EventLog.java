package dev.yardmaster.console.events;

import dev.yardmaster.console.connect.ClusterModel;
import dev.yardmaster.console.connect.Link;
import dev.yardmaster.console.connect.ReasonLog;
import dev.yardmaster.console.connect.Snapshot;
import dev.yardmaster.console.fx.Tasks;
import dev.yardmaster.console.kit.Tone;
import dev.yardmaster.console.terms.Terms;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import org.jspecify.annotations.Nullable;

/**
 * The events since the console watches a cluster, the latest first. Every snapshot is compared with
 * the last one that was compared, in the background, so that nothing is lost when the cluster is
 * fast; only the last {@value #LIMIT} events are kept. To be used on the JavaFX thread.
 */
public final class EventLog {
  /** How many events are kept. */
  public static final int LIMIT = 2_000;

  private final ClusterModel cluster;
  private final Tasks tasks;
  private final Terms terms;
  private final EventWriter writer;
  private final ReasonLog reasons;
  private final Consumer<ClusterEvent> urgent;
  private final ReadOnlyObjectWrapper<List<ClusterEvent>> events =
      new ReadOnlyObjectWrapper<>(this, "events", List.of());
  private @Nullable Snapshot compared;
  private boolean busy;
  private boolean lost;

  /**
   * Starts to watch.
   *
   * @param reasons notes what holds jobs from the same comparisons
   * @param urgent hears of each event that is worth a notice
   */
  public EventLog(
      ClusterModel cluster,
      Tasks tasks,
      Terms terms,
      ReasonLog reasons,
      Consumer<ClusterEvent> urgent) {
    this.reasons = reasons;
    this.cluster = cluster;
    this.tasks = tasks;
    this.terms = terms;
    this.writer = new EventWriter(terms);
    this.urgent = urgent;
    this.compared = cluster.snapshot();
    cluster.snapshotProperty().addListener(o -> compare());
    cluster.linkProperty().addListener((o, was, now) -> watch(now));
  }

  /** The events, the latest first. */
  public ReadOnlyObjectProperty<List<ClusterEvent>> eventsProperty() {
    return events.getReadOnlyProperty();
  }

  private void compare() {
    Snapshot before = compared;
    Snapshot after = cluster.snapshot();
    if (busy || after == null || after == before) {
      return;
    }
    compared = after;
    if (before == null) {
      return;
    }
    busy = true;
    tasks
        .quietly(p -> happened(before, after))
        .onSuccess(this::finish)
        .onFailure(
            failure -> {
              Tasks.report(failure);
              finish(List.of());
            });
  }

  private List<ClusterEvent> happened(Snapshot before, Snapshot after) {
    reasons.compare(before, after);
    return writer.between(before, after);
  }

  private void finish(List<ClusterEvent> found) {
    busy = false;
    add(found);
    compare();
  }

  private void watch(Link link) {
    boolean away = link.phase() == Link.Phase.DISCONNECTED || link.phase() == Link.Phase.FAILED;
    if (away && !lost) {
      lost = true;
      add(
          List.of(
              connection(
                  "lost", Tone.BLOCKED, terms.text(EventsText.CONNECTION_LOST, link.problem()))));
    } else if (lost && link.isLive()) {
      lost = false;
      add(List.of(connection("back", Tone.GOOD, terms.text(EventsText.CONNECTION_BACK))));
    }
  }

  private ClusterEvent connection(String what, Tone tone, String text) {
    return new ClusterEvent("connection/" + what, cluster.now(), tone, text, null, true);
  }

  private void add(List<ClusterEvent> found) {
    if (found.isEmpty()) {
      return;
    }
    List<ClusterEvent> all = new ArrayList<>(found.reversed());
    all.addAll(events.get());
    events.set(List.copyOf(all.subList(0, Math.min(all.size(), LIMIT))));
    found.stream().filter(ClusterEvent::urgent).forEach(urgent);
  }
}
