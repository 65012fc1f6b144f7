package dev.yardmaster.golden;

import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads what scontrol and sshare print. */
final class Shown {
  private static final Pattern FIELD = Pattern.compile("(?<![\\w/])([A-Z][\\w/:]*)=(\\S*)");
  private static final Pattern REASON = Pattern.compile("JobState=\\S+ Reason=(.*?) Dependency=");
  private static final Pattern SHARE =
      Pattern.compile("Nodes=(\\S+) CPU_IDs=\\S+ Mem=\\d+ GRES=(\\S*)");
  private static final Pattern NODE = Pattern.compile("NodeName=(\\S+)[\\s\\S]*?State=(\\S+)");
  private static final Pattern RESERVATION =
      Pattern.compile("ReservationName=(\\S+)[\\s\\S]*? Nodes=(\\S+) NodeCnt=");
  private static final Pattern DIGITS = Pattern.compile("\\d+");

  private Shown() {}

  /** The jobs of {@code scontrol -d show job} by name; further ones of a name as {@code name#2}. */
  static Map<String, Map<String, String>> jobs(String text) {
    List<Map<String, String>> all = new ArrayList<>();
    for (String record : text.split("\\n\\s*\\n")) {
      if (!record.contains("JobId=")) {
        continue;
      }
      Map<String, String> job = new TreeMap<>();
      Matcher field = FIELD.matcher(record);
      while (field.find()) {
        job.put(field.group(1), field.group(2));
      }
      Matcher reason = REASON.matcher(record);
      if (reason.find()) {
        job.put("Reason", reason.group(1));
      }
      List<String> gres = new ArrayList<>();
      Matcher share = SHARE.matcher(record);
      while (share.find()) {
        gres.add(share.group(1) + " " + share.group(2));
      }
      job.put("GRES", String.join(" ", gres).strip());
      all.add(job);
    }
    all.sort(
        Comparator.comparingInt((Map<String, String> job) -> number(job.get("JobId")))
            .thenComparing(job -> job.getOrDefault("ArrayTaskId", "")));
    Map<String, Integer> seen = new TreeMap<>();
    Map<String, Map<String, String>> byName = new LinkedHashMap<>();
    for (Map<String, String> job : all) {
      String name = job.getOrDefault("JobName", "?");
      int count = seen.merge(name, 1, Integer::sum);
      byName.put(count == 1 ? name : name + "#" + count, job);
    }
    return byName;
  }

  private static int number(@Nullable String text) {
    Matcher digits = DIGITS.matcher(text == null ? "" : text);
    return digits.find() ? Integer.parseInt(digits.group()) : 0;
  }

  static Map<String, String> nodes(String text) {
    return pairs(NODE, text);
  }

  static Map<String, String> reservations(String text) {
    return pairs(RESERVATION, text);
  }

  private static Map<String, String> pairs(Pattern pattern, String text) {
    Map<String, String> pairs = new TreeMap<>();
    Matcher matcher = pattern.matcher(text);
    while (matcher.find()) {
      pairs.put(matcher.group(1), matcher.group(2));
    }
    return pairs;
  }

  /** The rows of a table with a line of dashes under its head, by their first two columns. */
  static Map<String, Map<String, String>> shares(String text) {
    List<String> lines = text.lines().toList();
    Map<String, Map<String, String>> rows = new TreeMap<>();
    for (int dashes = 1; dashes < lines.size(); dashes++) {
      if (!lines.get(dashes).startsWith("-----")) {
        continue;
      }
      for (String line : lines.subList(dashes + 1, lines.size())) {
        Map<String, String> row = new TreeMap<>();
        Matcher column = Pattern.compile("-+").matcher(lines.get(dashes));
        while (column.find()) {
          row.put(
              part(lines.get(dashes - 1), column.start(), column.end()),
              part(line, column.start(), column.end()));
        }
        rows.put(row.getOrDefault("Account", "") + " " + row.getOrDefault("User", ""), row);
      }
      break;
    }
    return rows;
  }

  private static String part(String line, int from, int to) {
    return from >= line.length() ? "" : line.substring(from, Math.min(to, line.length())).strip();
  }

  /** Seconds from a moment to a printed time; null when that is none. */
  static @Nullable String relative(@Nullable String time, long now) {
    try {
      return time == null
          ? null
          : Long.toString(LocalDateTime.parse(time).toEpochSecond(ZoneOffset.UTC) - now);
    } catch (DateTimeParseException e) {
      return "-";
    }
  }
}
