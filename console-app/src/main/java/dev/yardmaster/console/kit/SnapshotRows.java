package dev.yardmaster.console.kit;

import dev.yardmaster.console.fx.Tasks;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import javafx.beans.property.ReadOnlyIntegerProperty;
import javafx.beans.property.ReadOnlyIntegerWrapper;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a table as an immutable list that is replaced as a whole. Filtering and sorting
 * happen in the background; while one pass runs, further changes wait and are done in one go, so a
 * fast feed can neither starve the table nor pile up work.
 *
 * <p>To be used on the JavaFX thread.
 */
public final class SnapshotRows<T> {
  private final Tasks tasks;
  private final ReadOnlyObjectWrapper<List<T>> rows = new ReadOnlyObjectWrapper<>(List.of());
  private final ReadOnlyIntegerWrapper total = new ReadOnlyIntegerWrapper();
  private List<T> snapshot = List.of();
  private Predicate<? super T> filter = row -> true;
  private final @Nullable Comparator<? super T> naturalOrder;
  private @Nullable Comparator<? super T> order;
  private boolean busy;
  private boolean changed;

  /** Rows that keep their own order unless they are sorted. */
  public SnapshotRows(Tasks tasks) {
    this(tasks, null);
  }

  /** Rows that are in {@code naturalOrder} unless they are sorted otherwise. */
  public SnapshotRows(Tasks tasks, @Nullable Comparator<? super T> naturalOrder) {
    this.tasks = tasks;
    this.naturalOrder = naturalOrder;
    this.order = naturalOrder;
  }

  /** Shows a new list; it must not change any more. */
  public void show(List<T> newSnapshot) {
    snapshot = newSnapshot;
    total.set(newSnapshot.size());
    refresh();
  }

  /** Shows only the rows that pass; called on another thread, so it must not look at controls. */
  public void filter(Predicate<? super T> predicate) {
    filter = predicate;
    refresh();
  }

  /** Sorts the rows, or puts them in their natural order when null. */
  public void sort(@Nullable Comparator<? super T> comparator) {
    order = comparator == null ? naturalOrder : comparator;
    refresh();
  }

  /** The rows to show. */
  public ReadOnlyObjectProperty<List<T>> rowsProperty() {
    return rows.getReadOnlyProperty();
  }

  /** How many rows there are before filtering. */
  public ReadOnlyIntegerProperty totalProperty() {
    return total.getReadOnlyProperty();
  }

  private void refresh() {
    if (busy) {
      changed = true;
      return;
    }
    busy = true;
    List<T> source = snapshot;
    Predicate<? super T> predicate = filter;
    Comparator<? super T> comparator = order;
    tasks
        .quietly(p -> arrange(source, predicate, comparator))
        .onSuccess(this::finish)
        .onFailure(this::giveUp);
  }

  private void finish(List<T> result) {
    busy = false;
    rows.set(result);
    if (changed) {
      changed = false;
      refresh();
    }
  }

  /** The rows stay as they were; a later change is tried again. */
  private void giveUp(Throwable failure) {
    busy = false;
    Tasks.report(failure);
  }

  private static <T> List<T> arrange(
      List<T> source, Predicate<? super T> predicate, @Nullable Comparator<? super T> comparator) {
    List<T> kept = new ArrayList<>(source.size());
    for (T row : source) {
      if (predicate.test(row)) {
        kept.add(row);
      }
    }
    if (comparator != null) {
      kept.sort(comparator);
    }
    return kept;
  }
}
