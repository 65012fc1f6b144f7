package dev.yardmaster.console.queue;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;

/** Which columns of the queue are shown, kept between starts. */
public final class ColumnChoice {
  private final ReadOnlyObjectWrapper<Set<JobColumn>> shown;

  /**
   * A choice.
   *
   * @param saved ids of columns from an earlier start, empty for the standard columns; ids of other
   *     versions are ignored
   */
  public ColumnChoice(List<String> saved) {
    EnumSet<JobColumn> columns = EnumSet.noneOf(JobColumn.class);
    for (JobColumn column : JobColumn.values()) {
      if (saved.contains(column.id())) {
        columns.add(column);
      }
    }
    this.shown =
        new ReadOnlyObjectWrapper<>(this, "shown", columns.isEmpty() ? standard() : columns);
  }

  /** The shown columns, in their fixed order. */
  public ReadOnlyObjectProperty<Set<JobColumn>> shownProperty() {
    return shown.getReadOnlyProperty();
  }

  /** The ids of the shown columns, to be kept until the next start. */
  public List<String> ids() {
    return shown.get().stream().map(JobColumn::id).toList();
  }

  public boolean isShown(JobColumn column) {
    return shown.get().contains(column);
  }

  /** Shows or hides a column; the id always stays, so that a row can be told. */
  public void show(JobColumn column, boolean visible) {
    EnumSet<JobColumn> columns = EnumSet.copyOf(shown.get());
    if (visible) {
      columns.add(column);
    } else if (column != JobColumn.ID) {
      columns.remove(column);
    }
    set(columns);
  }

  /** Shows the standard columns. */
  public void reset() {
    set(standard());
  }

  private void set(EnumSet<JobColumn> columns) {
    shown.set(Collections.unmodifiableSet(columns));
  }

  private static EnumSet<JobColumn> standard() {
    EnumSet<JobColumn> standard = EnumSet.noneOf(JobColumn.class);
    Arrays.stream(JobColumn.values()).filter(JobColumn::standard).forEach(standard::add);
    return standard;
  }
}
