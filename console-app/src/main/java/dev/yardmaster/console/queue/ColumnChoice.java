package dev.yardmaster.console.queue;

import dev.yardmaster.console.connect.Unit;
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
  private boolean chosen;
  private Unit unit = Unit.GPU;

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
    this.chosen = !columns.isEmpty();
    this.shown =
        new ReadOnlyObjectWrapper<>(this, "shown", columns.isEmpty() ? standard(unit) : columns);
  }

  /** The shown columns, in their fixed order. */
  public ReadOnlyObjectProperty<Set<JobColumn>> shownProperty() {
    return shown.getReadOnlyProperty();
  }

  /** The ids of the shown columns, to be kept until the next start; none for the standard ones. */
  public List<String> ids() {
    return !chosen ? List.of() : shown.get().stream().map(JobColumn::id).toList();
  }

  /** Whether the user has left the standard columns as they are. */
  public boolean isStandard() {
    return !chosen;
  }

  public boolean isShown(JobColumn column) {
    return shown.get().contains(column);
  }

  /**
   * Fits the standard columns to the cluster: one without GPUs tells CPUs and nodes instead. Does
   * nothing when the user has chosen.
   */
  public void suit(Unit measure) {
    if (unit != measure) {
      unit = measure;
      if (!chosen) {
        set(standard(unit));
      }
    }
  }

  /** Shows or hides a column; the id always stays, so that a row can be told. */
  public void show(JobColumn column, boolean visible) {
    EnumSet<JobColumn> columns = EnumSet.copyOf(shown.get());
    if (visible) {
      columns.add(column);
    } else if (column != JobColumn.ID) {
      columns.remove(column);
    }
    chosen = true;
    set(columns);
  }

  /** Shows the standard columns. */
  public void reset() {
    chosen = false;
    set(standard(unit));
  }

  private void set(EnumSet<JobColumn> columns) {
    shown.set(Collections.unmodifiableSet(columns));
  }

  private static EnumSet<JobColumn> standard(Unit unit) {
    EnumSet<JobColumn> standard = EnumSet.noneOf(JobColumn.class);
    Arrays.stream(JobColumn.values()).filter(JobColumn::standard).forEach(standard::add);
    if (unit == Unit.CPU) {
      standard.remove(JobColumn.GPUS);
      standard.add(JobColumn.CPUS);
      standard.add(JobColumn.NODES);
    }
    return standard;
  }
}
