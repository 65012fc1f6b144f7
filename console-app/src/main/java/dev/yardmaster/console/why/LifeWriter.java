package dev.yardmaster.console.why;

import dev.yardmaster.console.kit.Tone;
import dev.yardmaster.console.terms.Terms;
import dev.yardmaster.console.why.LifePage.Band;
import dev.yardmaster.explain.HistoryWords;
import dev.yardmaster.explain.JobHistory;
import dev.yardmaster.explain.JobHistory.Stage;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Reason;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Writes a {@link JobHistory} as a {@link LifePage}. Immutable; may be used by any thread. */
final class LifeWriter {
  private final Terms terms;
  private final HistoryWords words;

  LifeWriter(Terms terms, HistoryWords words) {
    this.terms = terms;
    this.words = words;
  }

  LifePage page(JobHistory history, Instant now) {
    List<Band> bands = new ArrayList<>();
    for (Stage stage : history.stages()) {
      boolean over = stage.state().isFinished() && !stage.completing();
      boolean brief = stage.length(now).isZero() && stage.completing();
      if (!brief) {
        bands.add(band(stage, now, over));
      }
    }
    return new LifePage(bands, words.waited(history, now));
  }

  private Band band(Stage stage, Instant now, boolean over) {
    Instant until = stage.until() == null ? now : stage.until();
    String reason = words.reason(stage);
    String from = terms.formats().instant(stage.from(), now);
    String to =
        stage.until() == null
            ? terms.text(LifeText.NOW)
            : terms.formats().instant(stage.until(), now);
    String length = words.length(stage, now);
    String what = words.stage(stage);
    List<String> edits =
        stage.edits().stream()
            .map(
                edit ->
                    terms.text(
                        LifeText.EDIT, terms.formats().instant(edit.at(), now), words.edit(edit)))
            .toList();
    return new Band(
        stage.from(),
        until.isBefore(stage.from()) ? stage.from() : until,
        stage.moment(),
        stage.state() == JobState.PENDING && stage.reason() != Reason.NONE
            ? terms.reason(stage.reason())
            : terms.sentence(terms.state(stage.state())),
        reason.isEmpty()
            ? terms.text(LifeText.STAGE, from, to, length, what)
            : terms.text(LifeText.STAGE_REASON, from, to, length, what, reason),
        edits,
        tone(stage),
        over);
  }

  private static Tone tone(Stage stage) {
    return switch (stage.state()) {
      case PENDING ->
          switch (stage.reason()) {
            case NONE -> Tone.NEUTRAL;
            case JOB_HELD_USER,
                JOB_HELD_ADMIN,
                DEPENDENCY_NEVER_SATISFIED,
                BAD_CONSTRAINTS,
                PARTITION_DOWN,
                PARTITION_INACTIVE,
                PARTITION_NODE_LIMIT,
                PARTITION_TIME_LIMIT ->
                Tone.BLOCKED;
            default -> Tone.ATTENTION;
          };
      case RUNNING -> Tone.ACCENT;
      case SUSPENDED -> Tone.ATTENTION;
      case COMPLETED, CANCELLED, PREEMPTED -> Tone.NEUTRAL;
      case FAILED, TIMEOUT, NODE_FAIL, BOOT_FAIL, DEADLINE, OUT_OF_MEMORY -> Tone.BLOCKED;
    };
  }
}
