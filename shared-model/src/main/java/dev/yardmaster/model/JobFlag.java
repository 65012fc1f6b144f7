package dev.yardmaster.model;

/** What a job is besides its {@link JobState}; a job may have several. Names as in squeue(1). */
public enum JobFlag {
  COMPLETING("CG"),
  CONFIGURING("CF"),
  LAUNCH_FAILED("LF"),
  POWER_UP_NODE("PN"),
  RECONFIG_FAIL("RE"),
  REQUEUED("RQ"),
  REQUEUE_FED("RF"),
  REQUEUE_HOLD("RH"),
  RESIZING("RS"),
  RESV_DEL_HOLD("RD"),
  REVOKED("RV"),
  SIGNALING("SI"),
  SPECIAL_EXIT("SE"),
  STAGE_OUT("SO"),
  STOPPED("ST");

  private final String code;

  JobFlag(String code) {
    this.code = code;
  }

  /** The compact form, for example {@code CG}. */
  public String code() {
    return code;
  }
}
