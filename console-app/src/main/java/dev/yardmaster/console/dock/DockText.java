package dev.yardmaster.console.dock;

import dev.yardmaster.console.i18n.TextKey;

/** Texts of the tabs. */
public enum DockText implements TextKey {
  CLOSE,
  CLOSE_OTHERS,
  SPLIT_RIGHT,
  SPLIT_DOWN,
  FLOAT
}
