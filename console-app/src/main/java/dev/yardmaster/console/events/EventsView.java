package dev.yardmaster.console.events;

import dev.yardmaster.console.i18n.Formats;
import dev.yardmaster.console.i18n.Texts;
import dev.yardmaster.console.kit.Dot;
import dev.yardmaster.console.kit.EmptyState;
import dev.yardmaster.console.kit.Icon;
import dev.yardmaster.console.kit.Labels;
import dev.yardmaster.console.kit.NextStep;
import dev.yardmaster.console.kit.SnapshotRows;
import dev.yardmaster.console.kit.SnapshotTable;
import dev.yardmaster.console.shell.ConsoleContext;
import dev.yardmaster.console.shell.Item;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import javafx.beans.property.BooleanProperty;
import javafx.geometry.Pos;
import javafx.scene.control.CheckBox;
import javafx.scene.control.Label;
import javafx.scene.control.TableCell;
import javafx.scene.control.TextField;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;
import org.jspecify.annotations.Nullable;

/** The list of events below the centre. Choosing one selects what it happened to. */
public final class EventsView extends StackPane {
  private final Texts texts;
  private final Formats formats;
  private final SnapshotRows<ClusterEvent> rows;
  private final SnapshotTable<ClusterEvent> table;
  private final VBox list;
  private final EmptyState none;
  private final Label count = Labels.muted("");

  /**
   * A view.
   *
   * @param quiet whether notices are switched off
   * @param select selects a thing everywhere
   * @param openQueue opens the queue, for when nothing has happened yet
   */
  public EventsView(
      ConsoleContext context,
      EventLog log,
      BooleanProperty quiet,
      Consumer<Item> select,
      Runnable openQueue) {
    texts = context.texts();
    formats = context.formats();
    rows = new SnapshotRows<>(context.tasks());
    table =
        new SnapshotTable<>(
            rows, ClusterEvent::key, context.appearance().fontSizeProperty(), context.texts());
    table
        .column(
            texts.get(EventsText.COLUMN_TIME),
            100,
            event -> formats.clock(event.time()),
            Comparator.comparing(ClusterEvent::time))
        .cells(TimeCell::new)
        .words(texts.get(EventsText.COLUMN_EVENT), 700, ClusterEvent::text)
        .cells(EventCell::new);
    table.onSelect(event -> chosen(event, select));
    list = new VBox(header(quiet), table);
    VBox.setVgrow(table, Priority.ALWAYS);
    none =
        new EmptyState(
            Icon.HISTORY,
            texts.get(EventsText.EMPTY_TITLE),
            texts.get(EventsText.EMPTY_TEXT),
            new NextStep(texts.get(EventsText.EMPTY_STEP), openQueue));
    none.getStyleClass().add("compact");
    log.eventsProperty().addListener((o, was, now) -> show(now));
    show(log.eventsProperty().get());
  }

  private HBox header(BooleanProperty quiet) {
    TextField filter = new TextField();
    filter.setPromptText(texts.get(EventsText.FILTER_PROMPT));
    filter.setAccessibleText(texts.get(EventsText.FILTER_PROMPT));
    filter.textProperty().addListener((o, was, now) -> filter(now));
    CheckBox silence = new CheckBox(texts.get(EventsText.QUIET));
    silence.setMinWidth(USE_PREF_SIZE);
    silence.selectedProperty().bindBidirectional(quiet);
    HBox header = new HBox(filter, count, Labels.gap(), silence);
    header.getStyleClass().add("tool-bar-row");
    header.setAlignment(Pos.CENTER_LEFT);
    return header;
  }

  private void filter(String text) {
    String wanted = text.strip().toLowerCase(Locale.ROOT);
    rows.filter(event -> event.text().toLowerCase(Locale.ROOT).contains(wanted));
  }

  private void show(List<ClusterEvent> events) {
    rows.show(events);
    count.setText(texts.get(EventsText.COUNT, events.size()));
    getChildren().setAll(events.isEmpty() ? none : list);
  }

  private static void chosen(@Nullable ClusterEvent event, Consumer<Item> select) {
    if (event != null && event.target() != null) {
      select.accept(event.target());
    }
  }

  private final class TimeCell extends TableCell<ClusterEvent, String> {
    TimeCell() {
      getStyleClass().add("text");
    }

    @Override
    protected void updateItem(@Nullable String text, boolean empty) {
      super.updateItem(text, empty);
      ClusterEvent event = empty || getTableRow() == null ? null : getTableRow().getItem();
      setText(event == null ? null : text);
      setTooltip(event == null ? null : new Tooltip(formats.full(event.time())));
    }
  }

  private static final class EventCell extends TableCell<ClusterEvent, String> {
    EventCell() {
      getStyleClass().add("plain");
    }

    @Override
    protected void updateItem(@Nullable String text, boolean empty) {
      super.updateItem(text, empty);
      ClusterEvent event = empty || getTableRow() == null ? null : getTableRow().getItem();
      setText(event == null ? null : text);
      setGraphic(event == null ? null : new Dot(event.tone()));
      setTooltip(event == null ? null : new Tooltip(text));
    }
  }
}
