package dev.yardmaster.model;

import java.util.ArrayList;
import java.util.List;

/**
 * What a user has recurring jobs from (scrontab(1)).
 *
 * @param text as the user wrote it
 * @param disabled the lines, from 1, of jobs that were cancelled: {@code FIRST-LAST} each
 */
public record Crontab(String text, List<String> disabled) {
  public Crontab {
    disabled = List.copyOf(disabled);
  }

  /** The same with the lines of another job that was cancelled. */
  public Crontab without(CronEntry entry) {
    List<String> lines = new ArrayList<>(disabled);
    lines.add(entry.lines());
    return new Crontab(text, lines);
  }

  /** What its owner reads: the lines of cancelled jobs are commented out. */
  public String shown() {
    return disabled.isEmpty() ? text : marked(text, disabled, "#DISABLED: ");
  }

  /**
   * A text with something before some of its lines.
   *
   * @param ranges {@code FIRST-LAST} or {@code LINE} each, from 1
   */
  public static String marked(String text, List<String> ranges, String mark) {
    StringBuilder marked = new StringBuilder();
    String[] lines = text.split("\n", -1);
    int count = text.endsWith("\n") ? lines.length - 1 : lines.length;
    for (int i = 0; i < count; i++) {
      int number = i + 1;
      boolean in = ranges.stream().anyMatch(range -> covers(range, number));
      marked.append(in ? mark : "").append(lines[i]).append('\n');
    }
    return marked.toString();
  }

  private static boolean covers(String range, int number) {
    int dash = range.indexOf('-');
    int first = Integer.parseInt(dash < 0 ? range : range.substring(0, dash));
    int last = dash < 0 ? first : Integer.parseInt(range.substring(dash + 1));
    return first <= number && number <= last;
  }
}
