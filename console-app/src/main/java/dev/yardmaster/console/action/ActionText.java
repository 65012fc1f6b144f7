package dev.yardmaster.console.action;

import dev.yardmaster.console.i18n.TextKey;

/** Texts of menus and palette. */
public enum ActionText implements TextKey {
  MENU_FILE,
  MENU_VIEW,
  MENU_GO,
  MENU_JOB,
  MENU_CLUSTER,
  MENU_HELP
}
