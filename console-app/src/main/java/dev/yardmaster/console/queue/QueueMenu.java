package dev.yardmaster.console.queue;

import dev.yardmaster.console.connect.JobCommand.Verb;
import dev.yardmaster.console.i18n.Texts;
import dev.yardmaster.console.kit.ClipboardText;
import dev.yardmaster.model.Job;
import java.util.List;
import java.util.stream.Collectors;
import javafx.scene.Node;
import javafx.scene.control.ContextMenu;
import javafx.scene.control.MenuItem;
import javafx.scene.control.SeparatorMenuItem;
import javafx.scene.control.TableCell;
import javafx.scene.control.TableColumn;
import javafx.scene.input.ContextMenuEvent;

/** The menu of the rows of the queue. */
final class QueueMenu {
  private final QueueView view;
  private final JobActions actions;
  private final Texts texts;
  private String cell = "";

  QueueMenu(QueueView view, JobActions actions, Texts texts) {
    this.actions = actions;
    this.view = view;
    this.texts = texts;
  }

  ContextMenu menu() {
    MenuItem hold = item(QueueText.MENU_HOLD, () -> actions.ask(Verb.HOLD));
    MenuItem release = item(QueueText.MENU_RELEASE, () -> actions.ask(Verb.RELEASE));
    MenuItem requeue = item(QueueText.MENU_REQUEUE, () -> actions.ask(Verb.REQUEUE));
    MenuItem cancel = item(QueueText.MENU_CANCEL, () -> actions.ask(Verb.CANCEL));
    ContextMenu menu =
        new ContextMenu(
            item(QueueText.MENU_WHY, view::explainSelected),
            new SeparatorMenuItem(),
            item(QueueText.MENU_COPY_CELL, () -> ClipboardText.put(cell)),
            item(QueueText.MENU_COPY_ROWS, this::copyRows),
            item(QueueText.MENU_COPY_COMMAND, actions::copy),
            new SeparatorMenuItem(),
            hold,
            release,
            requeue,
            cancel);
    menu.setOnShowing(
        e -> {
          hold.setDisable(!actions.can(Verb.HOLD));
          release.setDisable(!actions.can(Verb.RELEASE));
          requeue.setDisable(!actions.can(Verb.REQUEUE));
          cancel.setDisable(!actions.can(Verb.CANCEL));
        });
    view.table().addEventFilter(ContextMenuEvent.CONTEXT_MENU_REQUESTED, this::rememberCell);
    return menu;
  }

  private MenuItem item(QueueText text, Runnable run) {
    MenuItem item = new MenuItem(texts.get(text));
    item.setOnAction(e -> run.run());
    return item;
  }

  private List<Job> selected() {
    return List.copyOf(view.table().getSelectionModel().getSelectedItems());
  }

  private void copyRows() {
    ClipboardText.put(
        selected().stream()
            .map(
                job ->
                    view.table().getVisibleLeafColumns().stream()
                        .map(column -> value(column, job))
                        .collect(Collectors.joining("\t")))
            .collect(Collectors.joining("\n")));
  }

  private static String value(TableColumn<Job, ?> column, Job job) {
    return String.valueOf(column.getCellObservableValue(job).getValue());
  }

  private void rememberCell(ContextMenuEvent event) {
    Node node = event.getTarget() instanceof Node target ? target : null;
    while (node != null && !(node instanceof TableCell<?, ?>)) {
      node = node.getParent();
    }
    cell = node instanceof TableCell<?, ?> found ? String.valueOf(found.getItem()) : "";
  }
}
