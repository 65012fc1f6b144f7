package dev.yardmaster.console.queue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.yardmaster.console.terms.Terms;
import dev.yardmaster.model.Job;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * The rows of the queue as text for other programs: the shown columns, in their order, as they are
 * shown.
 */
public final class QueueExport {
  /** How the rows are written; the ending of a file's name tells. */
  public enum Format {
    CSV,
    JSON,
    MARKDOWN;

    /** The format that a file's name asks for; {@link #CSV} unless it ends in json or md. */
    static Format of(Path file) {
      String name = String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
      return name.endsWith(".json") ? JSON : name.endsWith(".md") ? MARKDOWN : CSV;
    }
  }

  private final Terms terms;
  private final List<JobColumn> columns;

  /** Writes these columns. */
  public QueueExport(Terms terms, List<JobColumn> columns) {
    this.terms = terms;
    this.columns = List.copyOf(columns);
  }

  /**
   * Writes a file in the format that its name asks for.
   *
   * @throws UncheckedIOException if it cannot be written
   */
  public void write(Path file, List<Job> jobs, Instant now) {
    try {
      Files.writeString(file, text(Format.of(file), jobs, now));
    } catch (IOException e) {
      throw new UncheckedIOException(file + ": cannot be written: " + e.getMessage(), e);
    }
  }

  /** The rows in a format, with a line end at the end. */
  public String text(Format format, List<Job> jobs, Instant now) {
    return switch (format) {
      case CSV -> lines(jobs, now, ",", QueueExport::quoted, "");
      case MARKDOWN -> markdown(jobs, now);
      case JSON -> json(jobs, now);
    };
  }

  private String markdown(List<Job> jobs, Instant now) {
    String rule = "|" + " --- |".repeat(columns.size()) + "\n";
    String table = lines(jobs, now, " | ", text -> text.replace("|", "\\|"), rule);
    return table
        .lines()
        .map(line -> line.startsWith("| ---") ? line : "| " + line + " |")
        .collect(Collectors.joining("\n", "", "\n"));
  }

  private String lines(
      List<Job> jobs, Instant now, String separator, UnaryOperator<String> cell, String rule) {
    StringBuilder text = new StringBuilder();
    text.append(
            columns.stream()
                .map(column -> cell.apply(terms.text(column.title())))
                .collect(Collectors.joining(separator)))
        .append('\n')
        .append(rule);
    for (Job job : jobs) {
      text.append(
              columns.stream()
                  .map(column -> cell.apply(oneLine(column.text(job, terms, now))))
                  .collect(Collectors.joining(separator)))
          .append('\n');
    }
    return text.toString();
  }

  private String json(List<Job> jobs, Instant now) {
    List<Map<String, String>> rows = new ArrayList<>();
    for (Job job : jobs) {
      Map<String, String> row = new LinkedHashMap<>();
      columns.forEach(column -> row.put(column.id(), column.text(job, terms, now)));
      rows.add(row);
    }
    try {
      return new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(rows) + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("texts can always be written as JSON", e);
    }
  }

  private static String oneLine(String text) {
    return text.replaceAll("\\R", " ");
  }

  /** As RFC 4180 has it; a cell that a spreadsheet would take for a formula is text. */
  private static String quoted(String text) {
    String safe = !text.isEmpty() && "=+@\t".indexOf(text.charAt(0)) >= 0 ? "'" + text : text;
    return safe.matches("(?s).*[\",\n].*") ? '"' + safe.replace("\"", "\"\"") + '"' : safe;
  }
}
