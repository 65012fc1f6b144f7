package dev.yardmaster.console.queue;

import dev.yardmaster.console.connect.JobCommand;
import dev.yardmaster.console.terms.Terms;

/**
 * What is asked before a command about jobs is sent. It names the ids that it acts on, which were
 * fixed when it was asked, so a list that changes meanwhile changes nothing.
 *
 * @param title the question
 * @param text what will happen, with every id
 * @param yes the text of the button that does it
 */
public record JobQuestion(JobCommand command, String title, String text, String yes) {
  /** The question for a command. */
  public static JobQuestion about(JobCommand command, Terms terms) {
    int count = command.jobs().size();
    String first = command.jobs().getFirst();
    String ids = String.join(", ", command.jobs());
    return switch (command.verb()) {
      case HOLD ->
          new JobQuestion(
              command,
              terms.text(QueueText.CONFIRM_HOLD, count, first),
              terms.text(QueueText.CONFIRM_HOLD_TEXT, ids),
              terms.text(QueueText.CONFIRM_HOLD_YES, count, first));
      case RELEASE ->
          new JobQuestion(
              command,
              terms.text(QueueText.CONFIRM_RELEASE, count, first),
              terms.text(QueueText.CONFIRM_RELEASE_TEXT, ids),
              terms.text(QueueText.CONFIRM_RELEASE_YES, count, first));
      case REQUEUE ->
          new JobQuestion(
              command,
              terms.text(QueueText.CONFIRM_REQUEUE, count, first),
              terms.text(QueueText.CONFIRM_REQUEUE_TEXT, ids),
              terms.text(QueueText.CONFIRM_REQUEUE_YES, count, first));
      case CANCEL ->
          new JobQuestion(
              command,
              terms.text(QueueText.CONFIRM_CANCEL, count, first),
              terms.text(QueueText.CONFIRM_CANCEL_TEXT, ids),
              terms.text(QueueText.CONFIRM_CANCEL_YES, count, first));
    };
  }
}
