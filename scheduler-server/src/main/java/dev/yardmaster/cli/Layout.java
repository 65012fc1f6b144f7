package dev.yardmaster.cli;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * How one line of a listing is made: literal text and cells in order. Widths count bytes of UTF-8
 * as Slurm's do, but no character is ever cut in two.
 */
final class Layout<R> {
  /**
   * Something that can be shown of a row.
   *
   * @param wholeHead whether the head is shown whole though its right-justified column is narrower
   * @param whole which texts are; the others, and all that stand to the left, are cut
   * @param starred whether a star at the end of a text is kept when it is cut
   */
  record Field<R>(
      String header,
      Function<R, String> text,
      boolean wholeHead,
      Predicate<String> whole,
      boolean starred) {
    Field(String header, Function<R, String> text) {
      this(header, text, false, shown -> false, false);
    }
  }

  private record Cell<R>(Field<R> field, int width, boolean right, String after) {}

  private static final String NOTHING = "(null)";

  private String before = "";
  private final List<Cell<R>> cells = new ArrayList<>();

  /** Text before the first cell. */
  void literal(String text) {
    if (cells.isEmpty()) {
      before += text;
    } else {
      Cell<R> last = cells.removeLast();
      cells.add(new Cell<>(last.field(), last.width(), last.right(), last.after() + text));
    }
  }

  /**
   * @param width 0 for as wide as the text
   * @param after text that follows the cell
   */
  void cell(Field<R> field, int width, boolean right, String after) {
    cells.add(new Cell<>(field, width, right, after));
  }

  List<Field<R>> fields() {
    return cells.stream().map(Cell::field).toList();
  }

  String header() {
    return line(Field::header, (field, text) -> field.wholeHead());
  }

  String line(R row) {
    return line(field -> field.text().apply(row), (field, text) -> field.whole().test(text));
  }

  private String line(Function<Field<R>, String> text, BiPredicate<Field<R>, String> whole) {
    StringBuilder out = new StringBuilder(before);
    for (Cell<R> cell : cells) {
      String shown = text.apply(cell.field());
      if (cell.field().starred()
          && shown.endsWith("*")
          && cell.width() > 0
          && bytes(shown) > cell.width()) {
        shown = cut(shown, cell.width() - 1) + "*";
      }
      boolean uncut =
          cell.right() && bytes(shown) > cell.width() && whole.test(cell.field(), shown);
      pad(out, shown, uncut ? 0 : cell.width(), cell.right());
      out.append(cell.after());
    }
    return out.toString();
  }

  private static void pad(StringBuilder out, String text, int width, boolean right) {
    if (width == 0) {
      out.append(text);
      return;
    }
    // What Slurm has no text for is left out where there is no room to say so.
    boolean none = !right && width < NOTHING.length() && text.equals(NOTHING);
    String shown = none ? "" : cut(text, width);
    int blanks = width - bytes(shown);
    if (!right) {
      out.append(shown);
    }
    out.repeat(' ', blanks);
    if (right) {
      out.append(shown);
    }
  }

  /** The first characters of a text that take at most {@code width} bytes. */
  static String cut(String text, int width) {
    if (text.length() <= width && bytes(text) <= width) {
      return text;
    }
    int used = 0;
    int at = 0;
    while (at < text.length()) {
      int point = text.codePointAt(at);
      int size = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
      if (used + size > width) {
        break;
      }
      used += size;
      at += Character.charCount(point);
    }
    return text.substring(0, at);
  }

  static int bytes(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) >= 0x80) {
        return text.getBytes(StandardCharsets.UTF_8).length;
      }
    }
    return text.length();
  }
}
