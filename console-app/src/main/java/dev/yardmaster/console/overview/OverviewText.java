package dev.yardmaster.console.overview;

import dev.yardmaster.console.i18n.TextKey;

/** Texts of the overview. */
public enum OverviewText implements TextKey {
  ANSWER,
  ANSWER_NO_GPUS,
  LEAD,
  GPUS,
  GPUS_REMARK,
  GPUS_NONE,
  FREE,
  UNAVAILABLE,
  PARTITIONS,
  PARTITION_VALUE,
  JOBS,
  JOBS_REMARK,
  WAITS,
  WAITS_REMARK,
  WAITS_NONE,
  NODES,
  ENDING,
  ENDING_REMARK,
  ENDING_NONE,
  ENDING_DETAIL
}
