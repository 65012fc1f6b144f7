package dev.yardmaster.console.notice;

import dev.yardmaster.console.i18n.TextKey;

/** Texts of the notices. */
public enum NoticeText implements TextKey {
  OPEN,
  DISMISS,
  MORE,
  ACTION_QUIET
}
