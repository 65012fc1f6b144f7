package dev.yardmaster.model;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Why a job waits or how it ended, with the exact words that Slurm prints (squeue(1), "JOB REASON
 * CODES", and resource_limits).
 */
public enum Reason {
  NONE("None"),
  PRIORITY("Priority"),
  RESOURCES("Resources"),
  DEPENDENCY("Dependency"),
  DEPENDENCY_NEVER_SATISFIED("DependencyNeverSatisfied"),
  BEGIN_TIME("BeginTime"),
  JOB_HELD_USER("JobHeldUser"),
  JOB_HELD_ADMIN("JobHeldAdmin"),
  JOB_HOLD_MAX_REQUEUE("JobHoldMaxRequeue"),
  JOB_ARRAY_TASK_LIMIT("JobArrayTaskLimit"),
  PARTITION_DOWN("PartitionDown"),
  PARTITION_INACTIVE("PartitionInactive"),
  PARTITION_NODE_LIMIT("PartitionNodeLimit"),
  PARTITION_TIME_LIMIT("PartitionTimeLimit"),
  PARTITION_CONFIG("PartitionConfig"),
  MAX_MEM_PER_LIMIT("MaxMemPerLimit"),
  REQ_NODE_NOT_AVAIL("ReqNodeNotAvail"),
  RESERVATION("Reservation"),
  RESERVATION_DELETED("ReservationDeleted"),
  RESV_DEL_HOLD("ResvDelHold"),
  RESV_INVALID("ResvInvalid"),
  LICENSES("Licenses"),
  BAD_CONSTRAINTS("BadConstraints"),
  NODE_DOWN("NodeDown"),
  FRONT_END_DOWN("FrontEndDown"),
  CLEANING("Cleaning"),
  PROLOG("Prolog"),
  DEADLINE("DeadLine"),
  ACCOUNT_NOT_ALLOWED("AccountNotAllowed"),
  INVALID_ACCOUNT("InvalidAccount"),
  INVALID_QOS("InvalidQOS"),
  QOS_NOT_ALLOWED("QOSNotAllowed"),
  SYSTEM_FAILURE("SystemFailure"),
  JOB_LAUNCH_FAILURE("JobLaunchFailure"),
  NON_ZERO_EXIT_CODE("NonZeroExitCode"),
  RAISED_SIGNAL("RaisedSignal"),
  TIME_LIMIT("TimeLimit"),
  INACTIVE_LIMIT("InactiveLimit"),
  OUT_OF_MEMORY("OutOfMemory"),
  MAX_SUBMIT_JOBS_PER_USER("QOSMaxSubmitJobPerUserLimit"),
  ASSOCIATION_JOB_LIMIT("AssocMaxJobsLimit"),
  ASSOC_GRP_JOBS("AssocGrpJobsLimit"),
  ASSOC_GRP_CPU("AssocGrpCpuLimit"),
  ASSOC_GRP_MEM("AssocGrpMemLimit"),
  ASSOC_GRP_NODE("AssocGrpNodeLimit"),
  ASSOC_GRP_GRES("AssocGrpGRES"),
  QOS_MAX_JOBS_PER_USER("QOSMaxJobsPerUserLimit"),
  QOS_MAX_CPU_PER_USER("QOSMaxCpuPerUserLimit"),
  QOS_MAX_GRES_PER_USER("QOSMaxGRESPerUser"),
  QOS_GRP_CPU("QOSGrpCpuLimit"),
  QOS_GRP_GRES("QOSGrpGRES"),
  NODES_REQUIRED_UNAVAILABLE(
      "Nodes_required_for_job_are_DOWN,_DRAINED_or_reserved_for_jobs_in_higher_priority_partitions");

  private static final Map<String, Reason> BY_TEXT = new HashMap<>();

  static {
    for (Reason reason : values()) {
      BY_TEXT.put(reason.text, reason);
    }
  }

  private final String text;

  Reason(String text) {
    this.text = text;
  }

  /** As Slurm prints it, for example {@code ReqNodeNotAvail}. */
  public String text() {
    return text;
  }

  /** The reason that Slurm prints as {@code text}; empty for words this version does not know. */
  public static Optional<Reason> ofText(String text) {
    return Optional.ofNullable(BY_TEXT.get(text));
  }
}
