package dev.yardmaster.console.overview;

import dev.yardmaster.console.i18n.TextKey;

/** Texts of the overview. */
public enum OverviewText implements TextKey {
  ANSWER,
  ANSWER_NO_NODES,
  LEAD,
  BY_ACCOUNT,
  BY_ACCOUNT_REMARK,
  BY_ACCOUNT_NONE,
  NO_ACCOUNT,
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
  ENDING_DETAIL,
  ENDING_DETAIL_CPUS
}
