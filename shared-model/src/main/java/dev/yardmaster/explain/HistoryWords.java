package dev.yardmaster.explain;

import dev.yardmaster.explain.JobHistory.Edit;
import dev.yardmaster.explain.JobHistory.Stage;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Reason;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The history of a job in plain words of one language. */
public final class HistoryWords {
  private final Texts texts;
  private final RunWords runs;

  private HistoryWords(Texts texts) {
    this.texts = texts;
    this.runs = new RunWords(texts);
  }

  /**
   * Words in a language (English where there is no bundle for it), with instants shown in a zone.
   */
  public static HistoryWords of(Locale locale, ZoneId zone) {
    return new HistoryWords(new Texts(locale, zone));
  }

  /** Which job it is about. */
  public String title(JobHistory history) {
    String job =
        history.jobName().isBlank()
            ? texts.get("answer.subject.noName", history.displayId())
            : texts.get("answer.subject", history.displayId(), Texts.printable(history.jobName()));
    return history.account().isEmpty()
        ? texts.get("history.title.noAccount", job, history.user())
        : texts.get("history.title", job, history.user(), history.account());
  }

  /** What held the job in a stage, or what it did: {@code waits for free nodes}. */
  public String stage(Stage stage) {
    String text =
        switch (stage.state()) {
          case PENDING ->
              stage.completing()
                  ? texts.get("stage.PENDING.completing")
                  : stage.reason() == Reason.NONE
                      ? texts.get("stage.PENDING.none")
                      : texts.get("stage.PENDING", runs.reason(stage.reason()));
          case RUNNING, SUSPENDED -> texts.get("stage." + stage.state(), stage.nodes());
          default -> texts.get("stage." + stage.state());
        };
    return stage.completing() && stage.state() != JobState.PENDING
        ? texts.get("stage.completing", text)
        : text;
  }

  /** What Slurm shows for the reason of a stage; empty for none, and where that was said. */
  public String reason(Stage stage) {
    String text =
        stage.reason() == Reason.NONE
            ? ""
            : stage.reasonText().isEmpty()
                ? stage.reason().text()
                : Texts.printable(stage.reasonText());
    return stage(stage).endsWith(" " + text) ? "" : text;
  }

  /** Who changed what. */
  public String edit(Edit edit) {
    return texts.get(
        edit.by().isEmpty() ? "stage.edit.system" : "stage.edit",
        Texts.printable(edit.by()),
        Texts.printable(edit.change()));
  }

  /** How long a stage lasted, or has lasted. */
  public String length(Stage stage, Instant now) {
    return texts.duration(stage.length(now).toSeconds());
  }

  /** How long the job waited for what, the longest first; empty when it did not wait. */
  public String waited(JobHistory history, Instant now) {
    Map<String, Long> byReason = new LinkedHashMap<>();
    for (Stage stage : history.stages()) {
      if (stage.state() == JobState.PENDING) {
        String reason =
            stage.reason() == Reason.NONE
                ? texts.get("history.waited.unseen")
                : runs.reason(stage.reason());
        byReason.merge(reason, stage.length(now).toSeconds(), Long::sum);
      }
    }
    byReason.values().removeIf(seconds -> seconds == 0);
    if (byReason.isEmpty()) {
      return "";
    }
    List<String> parts = new ArrayList<>();
    byReason.entrySet().stream()
        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
        .forEach(
            e ->
                parts.add(
                    texts.get("history.waited.part", texts.duration(e.getValue()), e.getKey())));
    long total = byReason.values().stream().mapToLong(Long::longValue).sum();
    return texts.get("history.waited", texts.duration(total), String.join(", ", parts));
  }

  /** What stands for the end of a stage that has none yet. */
  public String now() {
    return texts.get("history.now");
  }

  /** That a job was there before the history begins. */
  public String begins(JobHistory history) {
    return texts.get("history.begins", texts.moment(history.begins()));
  }

  /** How the same is told again. */
  public String again(String moment, String command) {
    return texts.get("history.again", moment, command);
  }

  /** How a moment is asked about. */
  public String ask(String command) {
    return texts.get("history.ask", command);
  }
}
