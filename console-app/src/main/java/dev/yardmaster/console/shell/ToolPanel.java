package dev.yardmaster.console.shell;

import dev.yardmaster.console.i18n.TextKey;

/** The panels below the centre, in their order. */
public enum ToolPanel {
  PROBLEMS(ShellText.PROBLEMS),
  EVENTS(ShellText.EVENTS),
  TERMINAL(ShellText.TERMINAL),
  CHANGES(ShellText.CHANGES),
  TASKS(ShellText.TASKS);

  private final TextKey text;

  ToolPanel(TextKey text) {
    this.text = text;
  }

  public TextKey text() {
    return text;
  }
}
