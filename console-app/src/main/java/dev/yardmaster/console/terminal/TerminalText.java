package dev.yardmaster.console.terminal;

import dev.yardmaster.console.i18n.TextKey;

/** Texts of the terminal. */
public enum TerminalText implements TextKey {
  WELCOME,
  UNKNOWN,
  NO_SHELL,
  OPEN_QUOTE,
  FAILED,
  EXIT_CODE,
  HELP,
  NO_COMMANDS_TITLE,
  NO_COMMANDS_TEXT,
  TRY_AGAIN
}
