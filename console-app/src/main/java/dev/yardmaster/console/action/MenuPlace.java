package dev.yardmaster.console.action;

import dev.yardmaster.console.i18n.TextKey;

/** The menus of the console, in their order. */
public enum MenuPlace {
  FILE(ActionText.MENU_FILE),
  VIEW(ActionText.MENU_VIEW),
  GO(ActionText.MENU_GO),
  JOB(ActionText.MENU_JOB),
  CLUSTER(ActionText.MENU_CLUSTER),
  HELP(ActionText.MENU_HELP);

  private final TextKey text;

  MenuPlace(TextKey text) {
    this.text = text;
  }

  /** The title of the menu. */
  public TextKey text() {
    return text;
  }
}
