package dev.yardmaster.console.terminal;

import java.util.ArrayList;
import java.util.List;

/** Splits a line into words as a shell does, without anything else that a shell does. */
final class CommandWords {
  private static final String OPERATORS = "|&;<>$`";

  private CommandWords() {}

  /** A line that is no single command. */
  static final class NotOneCommand extends Exception {
    private static final long serialVersionUID = 1;

    /** What only a shell understands; empty for a quotation that is not closed. */
    private final String operator;

    NotOneCommand(String operator) {
      super(operator);
      this.operator = operator;
    }

    String operator() {
      return operator;
    }
  }

  /**
   * The words of a line: separated by spaces, kept together by single or double quotes; a backslash
   * takes the next character as it is, except within single quotes.
   *
   * @throws NotOneCommand when a quotation is open or something needs a shell
   */
  static List<String> split(String line) throws NotOneCommand {
    List<String> words = new ArrayList<>();
    StringBuilder word = new StringBuilder();
    boolean inWord = false;
    char quote = 0;
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (quote == '\'' ? c == '\'' : quote != 0 && c == quote) {
        quote = 0;
      } else if (c == '\\' && quote != '\'' && i + 1 < line.length()) {
        word.append(line.charAt(++i));
        inWord = true;
      } else if (quote != 0) {
        word.append(c);
      } else if (c == '"' || c == '\'') {
        quote = c;
        inWord = true;
      } else if (Character.isWhitespace(c)) {
        if (inWord) {
          words.add(word.toString());
        }
        word.setLength(0);
        inWord = false;
      } else if (OPERATORS.indexOf(c) >= 0) {
        throw new NotOneCommand(String.valueOf(c));
      } else {
        word.append(c);
        inWord = true;
      }
    }
    if (quote != 0) {
      throw new NotOneCommand("");
    }
    if (inWord) {
      words.add(word.toString());
    }
    return words;
  }
}
