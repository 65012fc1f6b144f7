package dev.yardmaster.console.problems;

import dev.yardmaster.console.i18n.TextKey;

/** Texts of the problems. */
public enum ProblemsText implements TextKey {
  COLUMN_PROBLEM,
  COLUMN_WHERE,
  COLUMN_SINCE,
  COLUMN_DETAIL,
  SEVERITY_BLOCKED,
  SEVERITY_ATTENTION,
  SEVERITY_INFO,
  WAIT,
  WAIT_OF,
  OF_QOS,
  OF_ACCOUNT,
  OF_USER,
  NODES,
  NODES_NO_REASON,
  NODES_STATE,
  WAIT_DETAIL,
  NODES_DETAIL,
  NODES_BY,
  UNKNOWN_TITLE,
  UNKNOWN_TEXT,
  EMPTY_TITLE,
  EMPTY_TEXT,
  EMPTY_STEP
}
