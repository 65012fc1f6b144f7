package dev.yardmaster.console.queue;

import dev.yardmaster.console.connect.ClusterModel;
import dev.yardmaster.console.connect.Snapshot;
import dev.yardmaster.console.connect.Unit;
import dev.yardmaster.console.fx.Tasks;
import dev.yardmaster.console.terms.Terms;
import dev.yardmaster.model.Job;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import javafx.beans.property.ObjectProperty;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.beans.property.SimpleObjectProperty;
import org.jspecify.annotations.Nullable;

/**
 * The groups beside the queue: how many jobs each has, and the one that alone is shown. Counted in
 * the background; while one count runs further changes wait for one more. To be used on the JavaFX
 * thread.
 */
public final class QueueGrouping {
  private final ClusterModel cluster;
  private final Tasks tasks;
  private final Terms terms;
  private final ObjectProperty<GroupBy> by = new SimpleObjectProperty<>(this, "by", GroupBy.NONE);
  private final ObjectProperty<@Nullable String> chosen =
      new SimpleObjectProperty<>(this, "chosen", null);
  private final ReadOnlyObjectWrapper<List<QueueGroup>> groups =
      new ReadOnlyObjectWrapper<>(this, "groups", List.of());
  private Predicate<Job> passes = job -> true;
  private boolean busy;
  private boolean changed;

  QueueGrouping(ClusterModel cluster, Tasks tasks, Terms terms) {
    this.cluster = cluster;
    this.tasks = tasks;
    this.terms = terms;
    cluster.snapshotProperty().addListener(o -> refresh());
    by.addListener(
        o -> {
          chosen.set(null);
          groups.set(List.of());
          refresh();
        });
  }

  /** By what jobs are grouped. */
  public ObjectProperty<GroupBy> byProperty() {
    return by;
  }

  /** The key of the group that alone is shown; null for all. */
  public ObjectProperty<@Nullable String> chosenProperty() {
    return chosen;
  }

  /** All jobs and then the groups; empty while jobs are not grouped. */
  public ReadOnlyObjectProperty<List<QueueGroup>> groupsProperty() {
    return groups.getReadOnlyProperty();
  }

  /** Counts only jobs that pass; called on another thread. */
  void filter(Predicate<Job> predicate) {
    passes = predicate;
    refresh();
  }

  /** The jobs of the chosen group; may be used on another thread. */
  Predicate<Job> predicate() {
    GroupBy grouped = by.get();
    String key = chosen.get();
    return key == null ? job -> true : job -> grouped.key(job).equals(key);
  }

  private void refresh() {
    Snapshot snapshot = cluster.snapshot();
    if (by.get() == GroupBy.NONE || snapshot == null) {
      return;
    }
    if (busy) {
      changed = true;
      return;
    }
    busy = true;
    GroupBy grouped = by.get();
    Predicate<Job> counted = passes;
    Unit unit = snapshot.unit();
    tasks
        .quietly(
            p ->
                GroupCounter.count(snapshot.jobs(), counted, grouped, unit, snapshot.time(), terms))
        .onSuccess(counts -> finish(grouped, counts))
        .onFailure(
            failure -> {
              Tasks.report(failure);
              busy = false;
            });
  }

  private void finish(GroupBy grouped, List<QueueGroup> counts) {
    busy = false;
    if (grouped == by.get()) {
      groups.set(counts);
      String key = chosen.get();
      if (key != null && counts.stream().noneMatch(g -> Objects.equals(g.key(), key))) {
        chosen.set(null);
      }
    }
    if (changed) {
      changed = false;
      refresh();
    }
  }
}
