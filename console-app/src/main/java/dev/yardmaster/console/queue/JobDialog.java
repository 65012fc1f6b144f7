package dev.yardmaster.console.queue;

import dev.yardmaster.console.kit.Labels;
import dev.yardmaster.console.shell.ConsoleContext;
import java.util.function.Consumer;
import javafx.scene.control.Button;
import javafx.scene.control.ButtonBar;
import javafx.scene.control.ButtonType;
import javafx.scene.control.Dialog;
import javafx.scene.control.DialogPane;
import javafx.scene.layout.VBox;
import javafx.stage.Window;

/** Asks a {@link JobQuestion} in a window of its own. */
public final class JobDialog {
  private JobDialog() {}

  /** Asks; calls back when the user says yes. */
  public static void ask(
      JobQuestion question, ConsoleContext context, Window owner, Consumer<JobQuestion> onYes) {
    ButtonType yes = new ButtonType(question.yes(), ButtonBar.ButtonData.OK_DONE);
    ButtonType back =
        new ButtonType(
            context.texts().get(QueueText.CONFIRM_BACK), ButtonBar.ButtonData.CANCEL_CLOSE);
    Dialog<ButtonType> dialog = new Dialog<>();
    dialog.initOwner(owner);
    dialog.setTitle(question.title());
    DialogPane pane = dialog.getDialogPane();
    pane.getStyleClass().add("job-dialog");
    pane.getButtonTypes().setAll(back, yes);
    VBox content =
        new VBox(
            Labels.wrapping(question.title(), "state-title"),
            Labels.wrapping(question.text(), "lead"),
            Labels.muted(context.texts().get(QueueText.CONFIRM_COMMAND)),
            Labels.wrapping(question.command().commandLine(), "state-detail"));
    content.getStyleClass().add("job-dialog-content");
    pane.setContent(content);
    // The safe answer is the default, so that Enter never cancels a job by accident.
    ((Button) pane.lookupButton(yes)).setDefaultButton(false);
    ((Button) pane.lookupButton(back)).setDefaultButton(true);
    context.appearance().style(pane.getScene());
    dialog.resultProperty().addListener((o, was, now) -> answer(now == yes, question, onYes));
    dialog.show();
  }

  private static void answer(boolean agreed, JobQuestion question, Consumer<JobQuestion> onYes) {
    if (agreed) {
      onYes.accept(question);
    }
  }
}
