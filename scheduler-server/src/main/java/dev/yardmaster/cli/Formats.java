package dev.yardmaster.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the two notations in which Slurm's commands are told what to list (squeue(1)). */
final class Formats {
  /** Width of a column of {@code --Format} that gives none. */
  private static final int LONG_WIDTH = 20;

  /** A number as strtol(3) reads it. */
  private static final Pattern SIZE = Pattern.compile("(\\s*[+-]?)([0-9]*)");

  private Formats() {}

  /**
   * Reads {@code -o}: {@code %[[.]size]letter[text]} again and again; "." means right-justified. A
   * letter that is not known is reported, and its text is shown as it is.
   *
   * @param field the field of a letter, null for one that is not known
   * @param problems receives what is not known
   */
  static <R> Layout<R> percent(
      String format, Function<Character, Layout.@Nullable Field<R>> field, List<String> problems) {
    return percent(format, field, problems, true);
  }

  /**
   * The same.
   *
   * @param keeps whether what is not known stands in the lines as it is, rather than being left out
   *     with what follows it
   */
  static <R> Layout<R> percent(
      String format,
      Function<Character, Layout.@Nullable Field<R>> field,
      List<String> problems,
      boolean keeps) {
    Layout<R> layout = new Layout<>();
    int at = format.indexOf('%');
    layout.literal(at < 0 ? format : format.substring(0, at));
    while (at >= 0) {
      int end = format.indexOf('%', at + 1);
      String token = end < 0 ? format.substring(at + 1) : format.substring(at + 1, end);
      if (!token.isEmpty()) {
        token(token, field, layout, problems, keeps);
      }
      at = end;
    }
    return layout;
  }

  private static <R> void token(
      String token,
      Function<Character, Layout.@Nullable Field<R>> field,
      Layout<R> layout,
      List<String> problems,
      boolean keeps) {
    int i = 0;
    boolean right = token.charAt(0) == '.';
    if (right) {
      i++;
    }
    int width = 0;
    while (i < token.length() && token.charAt(i) >= '0' && token.charAt(i) <= '9') {
      width = Math.min(width * 10 + token.charAt(i) - '0', 100_000);
      i++;
    }
    // Where nothing follows a width, Slurm takes the first column that has no letter.
    Layout.Field<R> known = field.apply(i < token.length() ? token.charAt(i) : '\0');
    if (known == null) {
      problems.add(i < token.length() ? token.substring(i, i + 1) : "");
      if (keeps) {
        layout.literal("%" + token);
      }
    } else {
      layout.cell(known, width, right, token.substring(Math.min(i + 1, token.length())));
    }
  }

  /**
   * Reads {@code -O}: {@code field[:[.][size][text]]} in a list with commas. A name that is not
   * known is reported and left out.
   *
   * @param fields by name in lower case, as in the manual page
   */
  static <R> Layout<R> names(
      String format, Map<String, Layout.Field<R>> fields, List<String> problems) {
    Layout<R> layout = new Layout<>();
    for (String item : format.split(",", -1)) {
      if (item.isEmpty()) {
        continue;
      }
      int colon = item.indexOf(':');
      String name = colon < 0 ? item : item.substring(0, colon);
      Layout.Field<R> field = fields.get(name.toLowerCase(Locale.ROOT));
      if (field == null) {
        problems.add(name);
        continue;
      }
      if (colon < 0) {
        layout.cell(field, LONG_WIDTH, false, "");
        continue;
      }
      String rest = item.substring(colon + 1);
      boolean right = rest.startsWith(".");
      Matcher size = SIZE.matcher(right ? rest.substring(1) : rest);
      size.lookingAt();
      String digits = size.group(2);
      int width =
          digits.isEmpty()
              ? 0
              : digits.length() > 6 ? 100_000 : Math.min(100_000, Integer.parseInt(digits));
      boolean negative = size.group(1).endsWith("-");
      String after =
          (right ? rest.substring(1) : rest).substring(digits.isEmpty() ? 0 : size.end());
      // A negative width cuts nothing and leaves one blank.
      layout.cell(field, negative ? 0 : width, right, negative ? " " + after : after);
    }
    return layout;
  }

  /** Reads the seconds between two listings; 0 for what is none. */
  static int seconds(String text) {
    try {
      return Math.max(0, Integer.parseInt(text.strip()));
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  /** Splits a list at commas; empty items are left out. */
  static List<String> list(String text) {
    List<String> items = new ArrayList<>();
    for (String item : text.split(",", -1)) {
      if (!item.isEmpty()) {
        items.add(item);
      }
    }
    return items;
  }
}
