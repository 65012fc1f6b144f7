package dev.yardmaster.model.text;

/**
 * Says that a text is not what a notation allows. The message is one line: the notation, the input,
 * what is wrong, where, and what would be right, for example {@code hostlist "node[1-3": unmatched
 * "[" at column 5; write node[1-3]}.
 */
public final class NotationException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;
  private static final int SHOWN = 80;
  private static final int MAX_LINE = 200;

  private final String notation;
  private final String input;
  private final int column;
  private final String wrong;
  private final String right;

  /**
   * @param notation the name of the notation, as in "hostlist"
   * @param input the whole text that was read
   * @param column where the fault lies, counted from 1; 0 when it lies in the text as a whole
   * @param wrong what is wrong
   * @param right what would be right; empty when nothing helps
   */
  public NotationException(String notation, String input, int column, String wrong, String right) {
    super(message(notation, input, column, line(wrong), line(right)));
    this.notation = notation;
    this.input = input;
    this.column = column;
    this.wrong = line(wrong);
    this.right = line(right);
  }

  public String notation() {
    return notation;
  }

  public String input() {
    return input;
  }

  /** The place of the fault, counted from 1; 0 means the text as a whole. */
  public int column() {
    return column;
  }

  public String wrong() {
    return wrong;
  }

  /** What would be right; empty when nothing can be said. */
  public String right() {
    return right;
  }

  private static String message(
      String notation, String input, int column, String wrong, String right) {
    var text =
        new StringBuilder(notation)
            .append(" \"")
            .append(shown(input, column))
            .append("\": ")
            .append(wrong);
    if (column > 0) {
      text.append(" at column ").append(column);
    }
    if (!right.isEmpty()) {
      text.append("; ").append(right);
    }
    return text.toString();
  }

  /** One printable line of bounded length around the column, so that garbage floods no terminal. */
  static String shown(String input, int column) {
    int from = Math.max(0, Math.min(column - SHOWN / 2, input.length() - SHOWN));
    int to = Math.min(input.length(), from + SHOWN);
    return (from > 0 ? "..." : "")
        + printable(input, from, to)
        + (to < input.length() ? "..." : "");
  }

  /** A fault or its cure may quote the input, and is bounded as well. */
  private static String line(String text) {
    int to = Math.min(text.length(), MAX_LINE);
    return printable(text, 0, to) + (to < text.length() ? "..." : "");
  }

  private static String printable(String text, int from, int to) {
    var out = new StringBuilder();
    for (int i = from; i < to; i++) {
      char c = text.charAt(i);
      boolean separator = c == '\u2028' || c == '\u2029';
      if (Character.isISOControl(c) || Character.isSurrogate(c) || separator) {
        out.append(String.format("\\u%04x", (int) c));
      } else {
        out.append(c);
      }
    }
    return out.toString();
  }
}
