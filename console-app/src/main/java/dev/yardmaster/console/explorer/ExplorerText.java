package dev.yardmaster.console.explorer;

import dev.yardmaster.console.i18n.TextKey;

/** Texts of the explorer. */
public enum ExplorerText implements TextKey {
  PARTITIONS,
  NODES,
  ATTENTION,
  ACCOUNTS,
  RESERVATIONS,
  GPUS_FREE,
  NODES_COUNT,
  GPUS_HELD,
  JOBS_WAITING,
  MORE,
  ACTIVE,
  NO_ACCOUNT
}
