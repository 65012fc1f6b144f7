package dev.yardmaster.console.queue;

import dev.yardmaster.console.action.Action;
import dev.yardmaster.console.action.Actions;
import dev.yardmaster.console.action.MenuPlace;
import dev.yardmaster.console.connect.JobCommand;
import dev.yardmaster.console.connect.JobCommand.Verb;
import dev.yardmaster.console.i18n.TextKey;
import dev.yardmaster.console.kit.ClipboardText;
import dev.yardmaster.console.kit.Icon;
import dev.yardmaster.console.terms.Terms;
import dev.yardmaster.model.Job;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import javafx.beans.binding.Bindings;
import javafx.beans.binding.BooleanBinding;

/**
 * What can be done with the selected jobs, in menu, palette and by shortcut, wherever in the window
 * they were selected. A command acts only on those of the selected jobs that it can act on.
 */
public final class JobActions {
  private final JobSelection selection;
  private final Terms terms;
  private final Consumer<JobQuestion> ask;

  /**
   * Actions that are not registered yet.
   *
   * @param ask asks the user, and does what the question is about when the answer is yes
   */
  public JobActions(JobSelection selection, Terms terms, Consumer<JobQuestion> ask) {
    this.selection = selection;
    this.terms = terms;
    this.ask = ask;
  }

  /**
   * Registers them.
   *
   * @param explain opens the explanation of a job
   */
  public void register(Actions actions, Consumer<Job> explain) {
    actions.add(
        Action.of("job.why", QueueText.MENU_WHY, MenuPlace.JOB, () -> explain(explain))
            .keys("Shortcut+E")
            .icon(Icon.WHY)
            .enabledWhile(any(job -> true)),
        command("job.hold", QueueText.MENU_HOLD, Verb.HOLD).keys("Shortcut+Shift+H"),
        command("job.release", QueueText.MENU_RELEASE, Verb.RELEASE).keys("Shortcut+Shift+R"),
        command("job.requeue", QueueText.MENU_REQUEUE, Verb.REQUEUE).keys("Shortcut+Shift+U"),
        command("job.cancel", QueueText.MENU_CANCEL, Verb.CANCEL).keys("Shortcut+Shift+X"),
        Action.of("job.copy", QueueText.MENU_COPY_COMMAND, MenuPlace.JOB, this::copy)
            .keys("Shortcut+Shift+C")
            .icon(Icon.COPY)
            .enabledWhile(any(job -> true)));
  }

  /** Whether a command can act on any of the selected jobs. */
  public boolean can(Verb verb) {
    return selection.jobsProperty().get().stream().anyMatch(verb::actsOn);
  }

  /** Asks before a command; does nothing when it cannot act on any of the selected jobs. */
  public void ask(Verb verb) {
    List<Job> jobs = selection.jobsProperty().get().stream().filter(verb::actsOn).toList();
    if (!jobs.isEmpty()) {
      ask.accept(JobQuestion.about(JobCommand.of(verb, jobs), terms));
    }
  }

  private Action command(String id, TextKey text, Verb verb) {
    return Action.of(id, text, MenuPlace.JOB, () -> ask(verb)).enabledWhile(any(verb::actsOn));
  }

  private BooleanBinding any(Predicate<Job> test) {
    return Bindings.createBooleanBinding(
        () -> selection.jobsProperty().get().stream().anyMatch(test), selection.jobsProperty());
  }

  private void explain(Consumer<Job> explain) {
    selection.jobsProperty().get().stream().findFirst().ifPresent(explain);
  }

  /** Puts the command that shows the selected jobs on the clipboard. */
  void copy() {
    List<Job> jobs = selection.jobsProperty().get();
    if (!jobs.isEmpty()) {
      ClipboardText.put(
          "scontrol show job "
              + jobs.stream().map(JobCommand::id).collect(Collectors.joining(",")));
    }
  }
}
