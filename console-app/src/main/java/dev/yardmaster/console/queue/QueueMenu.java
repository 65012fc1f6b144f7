package dev.yardmaster.console.queue;

import dev.yardmaster.console.connect.JobCommand;
import dev.yardmaster.console.connect.JobCommand.Verb;
import dev.yardmaster.console.i18n.Texts;
import dev.yardmaster.console.kit.ClipboardText;
import dev.yardmaster.model.Hold;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import java.util.List;
import java.util.function.Predicate;
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
  private final Texts texts;
  private String cell = "";

  QueueMenu(QueueView view, Texts texts) {
    this.view = view;
    this.texts = texts;
  }

  ContextMenu menu() {
    MenuItem hold = item(QueueText.MENU_HOLD, () -> view.ask(Verb.HOLD));
    MenuItem release = item(QueueText.MENU_RELEASE, () -> view.ask(Verb.RELEASE));
    MenuItem cancel = item(QueueText.MENU_CANCEL, () -> view.ask(Verb.CANCEL));
    ContextMenu menu =
        new ContextMenu(
            item(QueueText.MENU_WHY, view::explainSelected),
            new SeparatorMenuItem(),
            item(QueueText.MENU_COPY_CELL, () -> ClipboardText.put(cell)),
            item(QueueText.MENU_COPY_ROWS, this::copyRows),
            item(QueueText.MENU_COPY_COMMAND, this::copyCommand),
            new SeparatorMenuItem(),
            hold,
            release,
            cancel);
    menu.setOnShowing(
        e -> {
          hold.setDisable(!any(job -> job.state() == JobState.PENDING && job.hold() == Hold.NONE));
          release.setDisable(!any(job -> job.hold() != Hold.NONE));
          cancel.setDisable(!any(job -> !job.state().isFinished()));
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

  private boolean any(Predicate<Job> test) {
    return selected().stream().anyMatch(test);
  }

  private void copyCommand() {
    List<Job> jobs = selected();
    if (!jobs.isEmpty()) {
      ClipboardText.put(
          "scontrol show job "
              + jobs.stream().map(JobCommand::id).collect(Collectors.joining(",")));
    }
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
