package dev.yardmaster.cli;

/** Text of one thing as scontrol shows it: words on lines, or all on one line ({@code -o}). */
final class RecordText {
  private final StringBuilder out = new StringBuilder();
  private final String joint;
  private boolean atStart = true;

  RecordText(boolean oneLine) {
    joint = oneLine ? " " : "\n   ";
  }

  /** Adds {@code key=value} to the present line. */
  RecordText word(String key, Object value) {
    if (!atStart) {
      out.append(' ');
    }
    out.append(key).append('=').append(value);
    atStart = false;
    return this;
  }

  /** Adds text as it is. */
  RecordText raw(String text) {
    out.append(text);
    return this;
  }

  /** Begins a new line. */
  RecordText line() {
    out.append(joint);
    atStart = true;
    return this;
  }

  @Override
  public String toString() {
    return out.toString();
  }
}
