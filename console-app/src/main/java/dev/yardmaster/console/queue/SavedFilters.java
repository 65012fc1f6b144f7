package dev.yardmaster.console.queue;

import java.util.ArrayList;
import java.util.List;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;

/** Filters of the queue that the user kept, the latest first; to be used on the JavaFX thread. */
public final class SavedFilters {
  /** More than this are not kept; the oldest goes. */
  public static final int LIMIT = 20;

  private final ReadOnlyObjectWrapper<List<String>> filters;

  /** Filters from an earlier start. */
  public SavedFilters(List<String> kept) {
    filters =
        new ReadOnlyObjectWrapper<>(
            this,
            "filters",
            kept.stream().filter(f -> !f.isBlank()).distinct().limit(LIMIT).toList());
  }

  public ReadOnlyObjectProperty<List<String>> filtersProperty() {
    return filters.getReadOnlyProperty();
  }

  /** Keeps a filter; one that is kept already comes to the front. */
  public void keep(String filter) {
    String text = filter.strip();
    if (!text.isEmpty()) {
      List<String> all = new ArrayList<>(filters.get());
      all.remove(text);
      all.addFirst(text);
      filters.set(List.copyOf(all.subList(0, Math.min(all.size(), LIMIT))));
    }
  }

  /** Forgets a filter. */
  public void forget(String filter) {
    filters.set(filters.get().stream().filter(f -> !f.equals(filter)).toList());
  }
}
