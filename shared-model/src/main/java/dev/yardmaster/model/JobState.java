package dev.yardmaster.model;

/** The base state of a job, named and abbreviated as in squeue(1), "JOB STATE CODES". */
public enum JobState {
  PENDING("PD"),
  RUNNING("R"),
  SUSPENDED("S"),
  COMPLETED("CD"),
  CANCELLED("CA"),
  FAILED("F"),
  TIMEOUT("TO"),
  NODE_FAIL("NF"),
  PREEMPTED("PR"),
  BOOT_FAIL("BF"),
  DEADLINE("DL"),
  OUT_OF_MEMORY("OOM");

  private final String code;

  JobState(String code) {
    this.code = code;
  }

  /** The compact form, for example {@code PD}. */
  public String code() {
    return code;
  }

  /** True for every state that a job does not leave except by being requeued. */
  public boolean isFinished() {
    return this != PENDING && this != RUNNING && this != SUSPENDED;
  }
}
