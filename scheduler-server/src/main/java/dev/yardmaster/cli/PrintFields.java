package dev.yardmaster.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The tables of sacctmgr, sshare and sacct: columns of fixed width with a line of dashes under
 * their heads, or with bars between them ({@code -p}, {@code -P}).
 */
final class PrintFields<R> {
  /**
   * A column.
   *
   * @param option the name in {@code format=}, which may be cut short
   * @param width negative when it is flush left
   */
  record Field<R>(String option, String head, int width, Function<R, String> text) {}

  /** How a table is printed. */
  enum Style {
    COLUMNS,
    /** A bar after every value. */
    BARS,
    /** A bar between values. */
    BARS_BETWEEN
  }

  private final List<Field<R>> fields = new ArrayList<>();
  private final Style style;

  /**
   * @param format names of columns with commas, each perhaps with %width
   * @throws CommandFailure for a name that no column has
   */
  PrintFields(List<Field<R>> known, String format, Style style) throws CommandFailure {
    this.style = style;
    for (String item : Formats.list(format)) {
      int percent = item.indexOf('%');
      String name = percent < 0 ? item : item.substring(0, percent);
      Field<R> field = find(known, name);
      if (field == null) {
        throw new CommandFailure(1, "Unknown field '" + name + "'");
      }
      int width = field.width();
      if (percent >= 0 && item.substring(percent + 1).matches("-?[0-9]{1,5}")) {
        width = Integer.parseInt(item.substring(percent + 1));
      }
      fields.add(new Field<>(field.option(), field.head(), width, field.text()));
    }
  }

  private static <R> @Nullable Field<R> find(List<Field<R>> known, String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    Field<R> first = null;
    for (Field<R> field : known) {
      String option = field.option().toLowerCase(Locale.ROOT);
      String head = field.head().toLowerCase(Locale.ROOT).replace(" ", "");
      if (option.equals(lower) || head.equals(lower)) {
        return field;
      }
      if (first == null
          && !lower.isEmpty()
          && (option.startsWith(lower) || head.startsWith(lower))) {
        first = field;
      }
    }
    return first;
  }

  /** The heads, and below them the line of dashes. */
  List<String> header() {
    String heads = line(Field::head, true);
    if (style != Style.COLUMNS) {
      return List.of(heads);
    }
    StringBuilder dashes = new StringBuilder();
    for (Field<R> field : fields) {
      dashes.repeat('-', Math.abs(field.width())).append(' ');
    }
    return List.of(heads, dashes.toString());
  }

  String line(R row) {
    return line(field -> field.text().apply(row), false);
  }

  private String line(Function<Field<R>, String> text, boolean header) {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < fields.size(); i++) {
      Field<R> field = fields.get(i);
      String value = text.apply(field);
      switch (style) {
        case COLUMNS -> out.append(fitted(value, field.width(), header)).append(' ');
        case BARS -> out.append(value).append('|');
        case BARS_BETWEEN -> out.append(value).append(i + 1 < fields.size() ? "|" : "");
      }
    }
    return out.toString();
  }

  /** A value that is too long ends in a plus. */
  private static String fitted(String value, int width, boolean header) {
    int most = Math.abs(width);
    String shown =
        value.length() <= most
            ? value
            : header ? value.substring(0, most) : value.substring(0, Math.max(0, most - 1)) + "+";
    String blanks = " ".repeat(most - shown.length());
    return width < 0 ? shown + blanks : blanks + shown;
  }
}
