package dev.yardmaster.console.kit;

import dev.yardmaster.console.i18n.TextKey;

/** Texts of the components themselves. */
public enum KitText implements TextKey {
  CANCEL,
  OF,
  NO_ROWS
}
