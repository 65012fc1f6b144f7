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
  private final String delimiter;

  /**
   * @param format names of columns with commas, each perhaps with %width
   * @throws CommandFailure for a name that no column has
   */
  PrintFields(List<Field<R>> known, String format, Style style) throws CommandFailure {
    this(style, "|");
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

  private PrintFields(Style style, String delimiter) {
    this.style = style;
    this.delimiter = delimiter;
  }

  /** A table of chosen columns, with another text than a bar where there are bars. */
  static <R> PrintFields<R> of(List<Field<R>> chosen, Style style, String delimiter) {
    PrintFields<R> table = new PrintFields<>(style, delimiter);
    table.fields.addAll(chosen);
    return table;
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
        case BARS -> out.append(value).append(delimiter);
        case BARS_BETWEEN -> out.append(value).append(i + 1 < fields.size() ? delimiter : "");
      }
    }
    return out.toString();
  }

  /** A value that is too long ends in a plus. Widths count bytes of UTF-8, as Slurm's do. */
  private static String fitted(String value, int width, boolean header) {
    int most = Math.abs(width);
    String shown = Layout.cut(value, most);
    if (shown.length() < value.length() && !header) {
      shown = Layout.cut(value, Math.max(0, most - 1)) + (most == 0 ? "" : "+");
    }
    String blanks = " ".repeat(most - Layout.bytes(shown));
    return width < 0 ? shown + blanks : blanks + shown;
  }
}
