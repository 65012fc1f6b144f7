package dev.yardmaster.console.terminal;

import java.util.ArrayList;
import java.util.List;

/**
 * The line that is typed in a terminal: editing keys, history and completion. Knows nothing of
 * screens and processes; what it echoes are characters and the few control sequences that every
 * terminal knows. Not safe for use by several threads.
 */
final class LineEditor {
  private static final int HISTORY = 500;
  private static final String CLEAR_LINE = "\r\u001b[K";

  /** What the editor works for. */
  interface Host {
    /** Shows text where the cursor is. */
    void echo(String text);

    /** A line was entered; the host shows the next prompt with {@link LineEditor#prompt}. */
    void enter(String line);

    /** Control C. */
    void interrupt();

    /**
     * What may stand in place of the word before the cursor.
     *
     * @param line the line up to the cursor
     */
    List<String> complete(String line);
  }

  private final Host host;
  private final String prompt;
  private final StringBuilder line = new StringBuilder();
  private final List<String> history = new ArrayList<>();
  private final StringBuilder escape = new StringBuilder();
  private int cursor;
  private int recalled;

  LineEditor(String prompt, Host host) {
    this.prompt = prompt;
    this.host = host;
  }

  /** Begins a new line. */
  void prompt() {
    line.setLength(0);
    cursor = 0;
    recalled = history.size();
    host.echo(prompt);
  }

  /** Puts a command into the line as if it had been typed. */
  void type(String text) {
    text.chars().filter(c -> c >= ' ').forEach(c -> insert((char) c));
  }

  /** Takes keys as a terminal sends them. */
  void feed(String keys) {
    for (char c : keys.toCharArray()) {
      if (!escape.isEmpty()) {
        sequence(c);
      } else {
        key(c);
      }
    }
  }

  private void key(char c) {
    switch (c) {
      case '\u001b' -> escape.append(c);
      case '\r', '\n' -> enter();
      case '\t' -> complete();
      case '\u007f', '\b' -> backspace();
      case '\u0001' -> move(0);
      case '\u0005' -> move(line.length());
      case '\u0003' -> {
        host.echo("^C\r\n");
        host.interrupt();
      }
      case '\u000b' -> delete(cursor, line.length());
      case '\u0015' -> delete(0, cursor);
      case '\u0017' -> delete(wordStart(), cursor);
      case '\u000c' -> {
        host.echo("\u001b[2J\u001b[H");
        redraw();
      }
      default -> {
        if (c >= ' ') {
          insert(c);
        }
      }
    }
  }

  /** Sequences of cursor keys: ESC [ A, ESC O A, ESC [ 3 ~ and their like. */
  private void sequence(char c) {
    escape.append(c);
    boolean introduced = escape.length() == 2 && (c == '[' || c == 'O');
    if (introduced || Character.isDigit(c) || c == ';') {
      return;
    }
    String keys = escape.substring(1).replaceAll("^[\\[O]", "");
    escape.setLength(0);
    switch (keys) {
      case "A" -> recall(recalled - 1);
      case "B" -> recall(recalled + 1);
      case "C" -> move(cursor + 1);
      case "D" -> move(cursor - 1);
      case "H", "1~", "7~" -> move(0);
      case "F", "4~", "8~" -> move(line.length());
      case "3~" -> delete(cursor, Math.min(cursor + 1, line.length()));
      default -> {}
    }
  }

  private void enter() {
    String entered = line.toString();
    host.echo("\r\n");
    if (!entered.isBlank() && (history.isEmpty() || !history.getLast().equals(entered))) {
      history.add(entered);
      if (history.size() > HISTORY) {
        history.removeFirst();
      }
    }
    line.setLength(0);
    cursor = 0;
    host.enter(entered);
  }

  private void insert(char c) {
    line.insert(cursor++, c);
    if (cursor == line.length()) {
      host.echo(String.valueOf(c));
    } else {
      redraw();
    }
  }

  private void backspace() {
    if (cursor > 0 && cursor == line.length()) {
      line.setLength(--cursor);
      host.echo("\b \b");
    } else {
      delete(Math.max(0, cursor - 1), cursor);
    }
  }

  private void delete(int from, int to) {
    if (from < to) {
      line.delete(from, to);
      cursor = from;
      redraw();
    }
  }

  private void move(int to) {
    int target = Math.clamp(to, 0, line.length());
    if (target != cursor) {
      cursor = target;
      redraw();
    }
  }

  private void recall(int index) {
    if (index >= 0 && index <= history.size()) {
      recalled = index;
      line.setLength(0);
      line.append(index == history.size() ? "" : history.get(index));
      cursor = line.length();
      redraw();
    }
  }

  private void complete() {
    List<String> found = host.complete(line.substring(0, cursor));
    if (found.isEmpty()) {
      return;
    }
    int start = wordStart();
    String common = commonStart(found);
    if (found.size() == 1) {
      boolean open = common.endsWith("=") || common.endsWith("/");
      replace(start, open ? common : common + " ");
    } else if (common.length() > cursor - start) {
      replace(start, common);
    } else {
      host.echo("\r\n" + String.join("  ", found) + "\r\n");
      redraw();
    }
  }

  private void replace(int start, String text) {
    line.replace(start, cursor, text);
    cursor = start + text.length();
    redraw();
  }

  private void redraw() {
    int back = line.length() - cursor;
    host.echo(CLEAR_LINE + prompt + line + (back == 0 ? "" : "\u001b[" + back + "D"));
  }

  private int wordStart() {
    return wordStart(line.substring(0, cursor));
  }

  /** Where the word at the end of a line begins; the value of an option is a word of its own. */
  static int wordStart(String text) {
    int at = text.length();
    while (at > 0 && " ,=".indexOf(text.charAt(at - 1)) < 0) {
      at--;
    }
    return at;
  }

  private static String commonStart(List<String> words) {
    String common = words.getFirst();
    for (String word : words) {
      while (!word.startsWith(common)) {
        common = common.substring(0, common.length() - 1);
      }
    }
    return common;
  }
}
