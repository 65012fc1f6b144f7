package dev.yardmaster.console.why;

import dev.yardmaster.console.i18n.TextKey;

/** Texts of the life of a job, from which a moment can be chosen. */
public enum LifeText implements TextKey {
  TITLE,
  LOADING,
  FAILED,
  FAILED_STEP,
  NONE,
  NOW,
  BACK,
  PREVIOUS,
  NEXT,
  AT,
  AT_PROMPT,
  AT_BAD,
  MOMENT_FAILED,
  STAGE,
  STAGE_REASON,
  EDIT,
  BAND,
  AS_IT_WAS,
  ASKING
}
