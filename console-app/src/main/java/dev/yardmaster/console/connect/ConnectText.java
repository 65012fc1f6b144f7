package dev.yardmaster.console.connect;

import dev.yardmaster.console.i18n.TextKey;

/** Texts of the states of a connection. */
public enum ConnectText implements TextKey {
  CONNECTING_TITLE,
  CONNECTING_TEXT,
  DISCONNECTED_TITLE,
  DISCONNECTED_TEXT,
  FAILED_TITLE,
  FAILED_TEXT,
  TRY_NOW,
  BANNER_STALE,
  BANNER_DISCONNECTED,
  BANNER_FAILED,
  CLUSTER_UNKNOWN
}
