package dev.yardmaster.console.nodes;

import dev.yardmaster.console.i18n.TextKey;

/** Texts of the table of nodes. */
public enum NodesText implements TextKey {
  TITLE,
  ACTION,
  ANSWER,
  ANSWER_NO_GPUS,
  FILTER_PROMPT,
  FILTER_LABEL,
  COLUMN_NAME,
  COLUMN_STATE,
  COLUMN_GPUS,
  COLUMN_ALLOCATED,
  COLUMN_CPUS,
  COLUMN_MEMORY,
  COLUMN_JOBS,
  COLUMN_REASON,
  STRIP_SPOKEN,
  LEGEND_ACCOUNT,
  LEGEND_FREE,
  LEGEND_UNAVAILABLE,
  RESERVED_BY,
  REASON_BY
}
