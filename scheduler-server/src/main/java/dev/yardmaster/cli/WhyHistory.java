package dev.yardmaster.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import dev.yardmaster.explain.HistoryWords;
import dev.yardmaster.explain.JobHistory;
import dev.yardmaster.explain.JobHistory.Edit;
import dev.yardmaster.explain.JobHistory.Stage;
import dev.yardmaster.model.text.Instants;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The history of a job as lines of text or as data. */
final class WhyHistory {
  private final HistoryWords words;
  private final ZoneId zone;
  private final Instant now;

  WhyHistory(ZoneId zone, Instant now) {
    this.words = HistoryWords.of(Locale.getDefault(), zone);
    this.zone = zone;
    this.now = now;
  }

  String text(JobHistory history) {
    List<String[]> rows = new ArrayList<>();
    for (Stage stage : history.stages()) {
      String reason = words.reason(stage);
      rows.add(
          new String[] {
            WhyMoment.name(stage.from(), stage.moment(), zone),
            stage.until() == null ? words.now() : Instants.format(stage.until(), zone),
            words.length(stage, now),
            words.stage(stage) + (reason.isEmpty() ? "" : " [" + reason + "]")
          });
      for (Edit edit : stage.edits()) {
        rows.add(
            new String[] {
              WhyMoment.name(edit.at(), edit.moment(), zone), "", "", "  " + words.edit(edit)
            });
      }
    }
    int[] widths = new int[3];
    rows.forEach(
        row -> {
          for (int i = 0; i < widths.length; i++) {
            widths[i] = Math.max(widths[i], row[i].length());
          }
        });
    StringBuilder out = new StringBuilder(words.title(history)).append("\n\n");
    for (String[] row : rows) {
      out.append(left(row[0], widths[0]))
          .append("  ")
          .append(left(row[1], widths[1]))
          .append("  ")
          .append(" ".repeat(widths[2] - row[2].length()))
          .append(row[2])
          .append("  ")
          .append(row[3])
          .append('\n');
    }
    String waited = words.waited(history, now);
    if (!waited.isEmpty()) {
      out.append('\n').append(waited).append('\n');
    }
    if (!history.stages().isEmpty()) {
      Stage first = history.stages().getFirst();
      String moment = WhyMoment.name(first.from(), first.moment(), zone);
      out.append(words.ask("yardmaster why " + history.displayId() + " --at " + moment));
    }
    return out.toString();
  }

  private static String left(String text, int width) {
    return text + " ".repeat(width - text.length());
  }

  static String json(JobHistory history) {
    SimpleModule texts = new SimpleModule();
    texts.addSerializer(Instant.class, ToStringSerializer.instance);
    ObjectMapper mapper =
        new ObjectMapper().registerModule(texts).enable(SerializationFeature.INDENT_OUTPUT);
    try {
      return mapper.writeValueAsString(history);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }
}
