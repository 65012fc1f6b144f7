package dev.yardmaster.console.status;

import dev.yardmaster.console.i18n.TextKey;

/** Texts of the status bar. */
public enum StatusText implements TextKey {
  CONNECTING,
  LIVE,
  LIVE_HOVER,
  STALE,
  STALE_HOVER,
  DISCONNECTED,
  FAILED,
  ROLE_PRIMARY,
  AGE,
  AGE_HOVER,
  PASSES,
  PASSES_NONE,
  UNDER,
  PASSES_HOVER,
  QUEUE,
  QUEUE_HOVER,
  UNITS,
  UNITS_HOVER
}
