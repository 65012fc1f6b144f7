package dev.yardmaster.console.queue;

import java.util.List;
import javafx.beans.property.ObjectProperty;
import javafx.beans.property.SimpleObjectProperty;

/** What the user chose for the queue and keeps between starts. */
public final class QueueChoices {
  private final ColumnChoice columns;
  private final SavedFilters filters;
  private final ObjectProperty<GroupBy> groupBy;

  /** Choices of an earlier start. */
  public QueueChoices(ColumnChoice columns, SavedFilters filters, GroupBy groupBy) {
    this.columns = columns;
    this.filters = filters;
    this.groupBy = new SimpleObjectProperty<>(this, "groupBy", groupBy);
  }

  /** The choices of a first start. */
  public static QueueChoices standard() {
    return new QueueChoices(new ColumnChoice(List.of()), new SavedFilters(List.of()), GroupBy.NONE);
  }

  public ColumnChoice columns() {
    return columns;
  }

  public SavedFilters filters() {
    return filters;
  }

  public ObjectProperty<GroupBy> groupByProperty() {
    return groupBy;
  }
}
