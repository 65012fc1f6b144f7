package dev.yardmaster.console.events;

import dev.yardmaster.console.i18n.TextKey;

/** Texts of the events. */
public enum EventsText implements TextKey {
  COLUMN_TIME,
  COLUMN_EVENT,
  JOB_SUBMITTED,
  JOB_STARTED,
  JOB_ENDED,
  JOB_REQUEUED,
  JOB_HELD,
  JOB_RELEASED,
  JOB_SUSPENDED,
  JOB_RESUMED,
  JOB_LEFT,
  NODES_BACK,
  NODES_NOW,
  NODES_NOW_REASON,
  RESERVATION_NEW,
  RESERVATION_GONE,
  PARTITION_STATE,
  CONNECTION_LOST,
  CONNECTION_BACK,
  EMPTY_TITLE,
  EMPTY_TEXT,
  EMPTY_STEP,
  QUIET,
  FILTER_PROMPT,
  COUNT
}
