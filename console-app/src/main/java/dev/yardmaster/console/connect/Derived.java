package dev.yardmaster.console.connect;

import dev.yardmaster.console.fx.Tasks;
import java.util.function.Function;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import org.jspecify.annotations.Nullable;

/**
 * Something that a view shows and that follows from the snapshot, worked out in the background.
 * While one is worked out, newer snapshots wait and only the newest of them is looked at. A value
 * that equals the one before is not set again, so nothing is drawn for nothing.
 *
 * <p>To be used on the JavaFX thread.
 */
public final class Derived<T> {
  private final Tasks tasks;
  private final Function<Snapshot, T> derive;
  private final ReadOnlyObjectWrapper<T> value;
  private @Nullable Snapshot next;
  private boolean busy;

  /**
   * Starts to follow a cluster.
   *
   * @param before the value before the first snapshot
   * @param derive a function of the snapshot alone; called on another thread
   */
  public Derived(ClusterModel cluster, Tasks tasks, T before, Function<Snapshot, T> derive) {
    this.tasks = tasks;
    this.derive = derive;
    this.value = new ReadOnlyObjectWrapper<>(this, "value", before);
    cluster.snapshotProperty().addListener((o, was, now) -> follow(now));
    follow(cluster.snapshot());
  }

  /** The latest value. */
  public ReadOnlyObjectProperty<T> valueProperty() {
    return value.getReadOnlyProperty();
  }

  public T value() {
    return value.get();
  }

  private void follow(@Nullable Snapshot snapshot) {
    next = snapshot;
    if (!busy && snapshot != null) {
      start(snapshot);
    }
  }

  private void start(Snapshot snapshot) {
    busy = true;
    next = null;
    tasks.quietly(p -> derive.apply(snapshot)).onSuccess(this::finish).onFailure(this::giveUp);
  }

  private void finish(T result) {
    busy = false;
    if (!result.equals(value.get())) {
      value.set(result);
    }
    startNext();
  }

  private void giveUp(Throwable failure) {
    busy = false;
    Tasks.report(failure);
    startNext();
  }

  private void startNext() {
    Snapshot waiting = next;
    if (waiting != null) {
      start(waiting);
    }
  }
}
