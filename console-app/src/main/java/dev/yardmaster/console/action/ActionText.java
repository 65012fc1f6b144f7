package dev.yardmaster.console.action;

import dev.yardmaster.console.i18n.TextKey;

/** Texts of menus and palette. */
public enum ActionText implements TextKey {
  MENU_FILE,
  MENU_VIEW,
  MENU_GO,
  MENU_JOB,
  MENU_CLUSTER,
  MENU_HELP,
  KIND_COMMAND,
  KIND_JOB,
  KIND_NODE,
  KIND_ACCOUNT,
  KIND_USER,
  KIND_PARTITION,
  KIND_QOS,
  KIND_RESERVATION,
  KIND_SETTING
}
