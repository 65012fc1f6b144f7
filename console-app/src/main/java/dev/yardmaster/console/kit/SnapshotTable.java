package dev.yardmaster.console.kit;

import dev.yardmaster.console.i18n.Texts;
import dev.yardmaster.console.theme.Appearance;
import java.util.Comparator;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import javafx.beans.InvalidationListener;
import javafx.beans.property.ReadOnlyDoubleProperty;
import javafx.beans.property.ReadOnlyStringWrapper;
import javafx.collections.FXCollections;
import javafx.scene.control.TableCell;
import javafx.scene.control.TableColumn;
import javafx.scene.control.TableView;
import javafx.scene.input.Clipboard;
import javafx.scene.input.ClipboardContent;
import javafx.scene.input.KeyCombination;
import javafx.scene.input.KeyEvent;
import org.jspecify.annotations.Nullable;

/**
 * A virtual table over {@link SnapshotRows}. The selected row is kept by its key when the rows are
 * replaced; sorting by a column header is done in the background; copying puts the selected rows on
 * the clipboard, one a line with tabs between the cells.
 *
 * @param <T> an immutable row
 */
public final class SnapshotTable<T> extends TableView<T> {
  /** Width of a letter of the code font, in pixels at the design's font size. */
  private static final double CODE_WIDTH = 7.5;

  private static final double CELL_PADDING = 18;

  /** Longer identifiers than this are cut, so that other columns stay in sight. */
  private static final int MAX_FIT = 40;

  /** Its style while no column is out of sight. */
  private static final String FITTING = "fitting";

  private static final KeyCombination COPY = KeyCombination.valueOf("Shortcut+C");

  private final SnapshotRows<T> rows;
  private final Function<? super T, ?> key;
  private final ReadOnlyDoubleProperty fontSize;
  private Consumer<@Nullable T> onSelect = row -> {};
  private Consumer<List<T>> onChoose = rows -> {};
  private final Map<TableColumn<T, ?>, Comparator<T>> orders = new IdentityHashMap<>();
  private TableColumn<T, String> lastColumn = new TableColumn<>();
  private boolean replacing;
  private @Nullable TableColumn<T, ?> stretched;
  private double unstretched;

  /**
   * A table.
   *
   * @param key what identifies a row through changes, for example the job id
   * @param fontSize the size that column widths follow
   */
  public SnapshotTable(
      SnapshotRows<T> rows,
      Function<? super T, ?> key,
      ReadOnlyDoubleProperty fontSize,
      Texts texts) {
    this.rows = rows;
    this.key = key;
    this.fontSize = fontSize;
    getStyleClass().addAll("snapshot-table", FITTING);
    setPlaceholder(Labels.muted(texts.get(KitText.NO_ROWS)));
    setColumnResizePolicy(this::lastColumnTakesTheRest);
    setSortPolicy(table -> sortInBackground());
    rows.rowsProperty().addListener((o, was, now) -> replace(now));
    replace(rows.rowsProperty().get());
    getSelectionModel().selectedItemProperty().addListener((o, was, now) -> selected(now));
    getSelectionModel().getSelectedItems().addListener((InvalidationListener) o -> chosen());
    addEventHandler(KeyEvent.KEY_PRESSED, this::copyOnKey);
    fontSize.addListener((o, was, now) -> scaleColumns(now.doubleValue() / was.doubleValue()));
  }

  /**
   * Adds a column of identifiers or text that sorts by its text.
   *
   * @param width in pixels at the design's font size
   */
  public SnapshotTable<T> column(String title, double width, Function<? super T, String> text) {
    return add(title, width, text, Comparator.comparing(text), "text");
  }

  /** Adds a column that sorts by another order than that of its text. */
  public SnapshotTable<T> column(
      String title, double width, Function<? super T, String> text, Comparator<? super T> order) {
    return add(title, width, text, order, "text");
  }

  /** Adds a column of running text. */
  public SnapshotTable<T> words(String title, double width, Function<? super T, String> text) {
    return add(title, width, text, Comparator.comparing(text), "plain");
  }

  /** Adds a column of numbers: right-aligned, sorted by value. */
  public SnapshotTable<T> number(
      String title,
      double width,
      ToDoubleFunction<? super T> value,
      Function<? super T, String> text) {
    return add(title, width, text, Comparator.comparingDouble(value), "number");
  }

  /** Draws the cells of the column that was added last. */
  public SnapshotTable<T> cells(Supplier<? extends TableCell<T, String>> cell) {
    lastColumn.setCellFactory(column -> cell.get());
    return this;
  }

  /** Sorts by a column that has been added, as if its header had been clicked. */
  public void sortBy(int column, TableColumn.SortType type) {
    TableColumn<T, ?> chosen = getColumns().get(column);
    chosen.setSortType(type);
    getSortOrder().setAll(List.of(chosen));
  }

  /**
   * Makes a column at least wide enough for identifiers of a length; never narrower, since the user
   * may have set its width.
   *
   * @param characters how many letters of the code font
   */
  public void fit(int column, int characters) {
    TableColumn<T, ?> fitted = getColumns().get(column);
    double wanted =
        Math.rint((Math.min(characters, MAX_FIT) * CODE_WIDTH + CELL_PADDING) * scale());
    if (fitted.getPrefWidth() < wanted) {
      fitted.setPrefWidth(wanted);
    }
  }

  /** Calls back when the user selects another row, with null for none. */
  public SnapshotTable<T> onSelect(Consumer<@Nullable T> callback) {
    onSelect = callback;
    return this;
  }

  /** Selects the row with this key, if it is shown, and scrolls to it. */
  public void selectKey(Object wanted) {
    for (int i = 0; i < getItems().size(); i++) {
      if (wanted.equals(key.apply(getItems().get(i)))) {
        getSelectionModel().clearAndSelect(i);
        scrollTo(i);
        return;
      }
    }
  }

  /** Calls back with all selected rows when others are selected, or when they are replaced. */
  public SnapshotTable<T> onChoose(Consumer<List<T>> callback) {
    onChoose = callback;
    return this;
  }

  private SnapshotTable<T> add(
      String title,
      double width,
      Function<? super T, String> text,
      Comparator<? super T> order,
      String styleClass) {
    TableColumn<T, String> column = new TableColumn<>(title);
    orders.put(column, order::compare);
    column.getStyleClass().add(styleClass);
    column.setCellValueFactory(cell -> new ReadOnlyStringWrapper(text.apply(cell.getValue())));
    column.setPrefWidth(Math.rint(width * scale()));
    getColumns().add(column);
    lastColumn = column;
    return this;
  }

  private void scaleColumns(double factor) {
    for (TableColumn<T, ?> column : getColumns()) {
      column.setPrefWidth(Math.rint(column.getWidth() * factor));
    }
    unstretched *= factor;
    lastColumnTakesTheRest(new ResizeFeatures<>(this, null, 0.0));
  }

  private double scale() {
    return fontSize.get() / Appearance.DEFAULT_FONT_SIZE;
  }

  private boolean lastColumnTakesTheRest(ResizeFeatures<?> features) {
    boolean done = UNCONSTRAINED_RESIZE_POLICY.call(features);
    List<TableColumn<T, ?>> columns = getVisibleLeafColumns();
    if (columns.isEmpty() || columns.getLast() == features.getColumn()) {
      return done;
    }
    TableColumn<T, ?> last = columns.getLast();
    if (stretched != last) {
      if (stretched != null) {
        stretched.setPrefWidth(unstretched);
      }
      stretched = last;
      unstretched = last.getWidth();
    }
    double others = 0;
    for (TableColumn<T, ?> column : columns.subList(0, columns.size() - 1)) {
      others += column.getWidth();
    }
    double rest = Math.floor(features.getContentWidth() - others);
    last.setPrefWidth(Math.max(rest, unstretched));
    fitting(rest >= unstretched);
    return done;
  }

  private void fitting(boolean all) {
    if (!all) {
      getStyleClass().remove(FITTING);
    } else if (!getStyleClass().contains(FITTING)) {
      getStyleClass().add(FITTING);
    }
  }

  private boolean sortInBackground() {
    if (replacing) {
      return true;
    }
    Comparator<T> all = null;
    for (TableColumn<T, ?> column : getSortOrder()) {
      Comparator<T> next = Objects.requireNonNull(orders.get(column));
      if (column.getSortType() == TableColumn.SortType.DESCENDING) {
        next = next.reversed();
      }
      all = all == null ? next : all.thenComparing(next);
    }
    rows.sort(all);
    return true;
  }

  private void replace(List<T> now) {
    if (getSelectionModel() == null) {
      // A new list makes the table forget how it is sorted; this one is sorted already.
      List<TableColumn<T, ?>> order = List.copyOf(getSortOrder());
      setItems(FXCollections.observableList(now));
      getSortOrder().setAll(order);
      return;
    }
    T focused = getSelectionModel().getSelectedItem();
    List<T> before = List.copyOf(getSelectionModel().getSelectedItems());
    replacing = true;
    try {
      // A new list makes the table forget how it is sorted; this one is sorted already.
      List<TableColumn<T, ?>> order = List.copyOf(getSortOrder());
      setItems(FXCollections.observableList(now));
      getSortOrder().setAll(order);
      selectSame(before, focused);
    } finally {
      replacing = false;
    }
    if (!before.isEmpty()) {
      chosen();
    }
    if (focused != null && getSelectionModel().getSelectedItem() == null) {
      onSelect.accept(null);
    }
  }

  /** Selects the rows with the keys of those before; the one that was selected last comes last. */
  private void selectSame(List<T> before, @Nullable T focused) {
    getSelectionModel().clearSelection();
    if (before.isEmpty()) {
      return;
    }
    Set<Object> wanted = new HashSet<>();
    before.forEach(row -> wanted.add(key.apply(row)));
    Object last = focused == null ? null : key.apply(focused);
    int lastIndex = -1;
    for (int i = 0; i < getItems().size() && !wanted.isEmpty(); i++) {
      Object rowKey = key.apply(getItems().get(i));
      if (wanted.remove(rowKey)) {
        if (rowKey.equals(last)) {
          lastIndex = i;
        } else {
          getSelectionModel().select(i);
        }
      }
    }
    if (lastIndex >= 0) {
      getSelectionModel().select(lastIndex);
    }
  }

  private void selected(@Nullable T row) {
    if (!replacing) {
      onSelect.accept(row);
    }
  }

  private void chosen() {
    if (!replacing) {
      // While a selection changes, the list holds rows that are gone as null.
      onChoose.accept(
          getSelectionModel().getSelectedItems().stream().filter(Objects::nonNull).toList());
    }
  }

  private void copyOnKey(KeyEvent event) {
    if (!COPY.match(event)) {
      return;
    }
    StringBuilder text = new StringBuilder();
    for (T row : getSelectionModel().getSelectedItems()) {
      String separator = "";
      for (TableColumn<T, ?> column : getVisibleLeafColumns()) {
        text.append(separator).append(column.getCellObservableValue(row).getValue());
        separator = "\t";
      }
      text.append('\n');
    }
    ClipboardContent content = new ClipboardContent();
    content.putString(text.toString());
    Clipboard.getSystemClipboard().setContent(content);
    event.consume();
  }
}
