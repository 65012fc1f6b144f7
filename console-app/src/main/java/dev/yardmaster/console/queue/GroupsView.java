package dev.yardmaster.console.queue;

import dev.yardmaster.console.i18n.Formats;
import dev.yardmaster.console.i18n.Texts;
import dev.yardmaster.console.kit.Dot;
import dev.yardmaster.console.kit.SnapshotRows;
import dev.yardmaster.console.kit.SnapshotTable;
import dev.yardmaster.console.shell.ConsoleContext;
import java.util.List;
import java.util.Objects;
import javafx.scene.control.TableCell;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.StackPane;
import org.jspecify.annotations.Nullable;

/** The groups at the left of the queue; choosing one shows its jobs alone. */
final class GroupsView extends StackPane {
  private static final double NAME = 250;
  private static final double COUNT = 58;

  /** The columns, a scroll bar beside them and the gap to the jobs. */
  private static final double WIDTH = NAME + 2 * COUNT + 20;

  private final ConsoleContext context;
  private final QueueGrouping grouping;
  private final SnapshotRows<QueueGroup> rows;
  private final SnapshotTable<QueueGroup> table;

  GroupsView(ConsoleContext context, QueueGrouping grouping) {
    this.context = context;
    this.grouping = grouping;
    Texts texts = context.texts();
    Formats formats = context.formats();
    rows = new SnapshotRows<>(context.tasks());
    table =
        new SnapshotTable<>(
            rows, GroupsView::key, context.appearance().fontSizeProperty(), context.texts());
    table
        .words(texts.get(QueueText.GROUP), NAME, QueueGroup::label)
        .cells(NameCell::new)
        .number(
            texts.get(QueueText.GROUP_WAITING),
            COUNT,
            QueueGroup::waiting,
            group -> count(formats, group.waiting()))
        .number(
            texts.get(QueueText.GROUP_RUNNING),
            COUNT,
            QueueGroup::running,
            group -> count(formats, group.running()));
    table.onSelect(this::choose);
    double width = context.appearance().scaled(WIDTH);
    setMinWidth(width);
    setPrefWidth(width);
    setMaxWidth(width);
    getStyleClass().add("queue-groups");
    getChildren().add(table);
    grouping.groupsProperty().addListener((o, was, now) -> rows.show(now));
    grouping.chosenProperty().addListener(o -> showChosen());
    // A change and not an invalidation, so that the table has the rows already.
    rows.rowsProperty().addListener((o, was, now) -> showChosen());
    rows.show(grouping.groupsProperty().get());
  }

  private static String key(QueueGroup group) {
    return group.key() == null ? "all" : "group/" + group.key();
  }

  private static String count(Formats formats, long count) {
    return count == 0 ? Formats.UNKNOWN : formats.count(count);
  }

  private void choose(@Nullable QueueGroup group) {
    if (group != null) {
      grouping.chosenProperty().set(group.key());
    }
  }

  private void showChosen() {
    String wanted = grouping.chosenProperty().get();
    QueueGroup selected = table.getSelectionModel().getSelectedItem();
    if (selected == null || !Objects.equals(selected.key(), wanted)) {
      table.selectKey(wanted == null ? "all" : "group/" + wanted);
    }
  }

  /** Tests look at what is shown. */
  List<QueueGroup> shown() {
    return table.getItems();
  }

  private String hover(QueueGroup group) {
    return group.longest().isZero()
        ? group.label()
        : context
            .texts()
            .get(QueueText.GROUP_HOVER, group.label(), context.formats().duration(group.longest()));
  }

  private final class NameCell extends TableCell<QueueGroup, String> {
    NameCell() {
      getStyleClass().add("plain");
    }

    @Override
    protected void updateItem(@Nullable String text, boolean empty) {
      super.updateItem(text, empty);
      QueueGroup group = empty || getTableRow() == null ? null : getTableRow().getItem();
      setText(group == null ? null : text);
      setTooltip(group == null ? null : new Tooltip(hover(group)));
      String key = group == null ? null : group.key();
      boolean account =
          grouping.byProperty().get() == GroupBy.ACCOUNT && key != null && !key.isEmpty();
      setGraphic(account && key != null ? Dot.ofAccount(context.accounts().indexOf(key)) : null);
    }
  }
}
