package dev.yardmaster.model;

import java.util.EnumSet;
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
  ASSOC_GRP_ENERGY("AssocGrpEnergy"),
  ASSOC_GRP_LICENSE("AssocGrpLicense"),
  ASSOC_GRP_BB("AssocGrpBB"),
  ASSOC_GRP_BILLING("AssocGrpBilling"),
  ASSOC_GRP_UNKNOWN("AssocGrpUnknown"),
  ASSOC_GRP_CPU_MINUTES_LIMIT("AssocGrpCPUMinutesLimit"),
  ASSOC_GRP_MEM_MINUTES("AssocGrpMemMinutes"),
  ASSOC_GRP_NODE_MINUTES("AssocGrpNodeMinutes"),
  ASSOC_GRP_ENERGY_MINUTES("AssocGrpEnergyMinutes"),
  ASSOC_GRP_GRES_MINUTES("AssocGrpGRESMinutes"),
  ASSOC_GRP_LICENSE_MINUTES("AssocGrpLicenseMinutes"),
  ASSOC_GRP_BB_MINUTES("AssocGrpBBMinutes"),
  ASSOC_GRP_BILLING_MINUTES("AssocGrpBillingMinutes"),
  ASSOC_GRP_UNKNOWN_MINUTES("AssocGrpUnknownMinutes"),
  ASSOC_GRP_CPU_RUN_MINUTES_LIMIT("AssocGrpCPURunMinutesLimit"),
  ASSOC_GRP_MEM_RUN_MINUTES("AssocGrpMemRunMinutes"),
  ASSOC_GRP_NODE_RUN_MINUTES("AssocGrpNodeRunMinutes"),
  ASSOC_GRP_ENERGY_RUN_MINUTES("AssocGrpEnergyRunMinutes"),
  ASSOC_GRP_GRES_RUN_MINUTES("AssocGrpGRESRunMinutes"),
  ASSOC_GRP_LICENSE_RUN_MINUTES("AssocGrpLicenseRunMinutes"),
  ASSOC_GRP_BB_RUN_MINUTES("AssocGrpBBRunMinutes"),
  ASSOC_GRP_BILLING_RUN_MINUTES("AssocGrpBillingRunMinutes"),
  ASSOC_GRP_UNKNOWN_RUN_MINUTES("AssocGrpUnknownRunMinutes"),
  ASSOC_MAX_CPU_PER_JOB_LIMIT("AssocMaxCpuPerJobLimit"),
  ASSOC_MAX_MEM_PER_JOB("AssocMaxMemPerJob"),
  ASSOC_MAX_NODE_PER_JOB_LIMIT("AssocMaxNodePerJobLimit"),
  ASSOC_MAX_ENERGY_PER_JOB("AssocMaxEnergyPerJob"),
  ASSOC_MAX_GRES_PER_JOB("AssocMaxGRESPerJob"),
  ASSOC_MAX_LICENSE_PER_JOB("AssocMaxLicensePerJob"),
  ASSOC_MAX_BB_PER_JOB("AssocMaxBBPerJob"),
  ASSOC_MAX_BILLING_PER_JOB("AssocMaxBillingPerJob"),
  ASSOC_MAX_UNKNOWN_PER_JOB("AssocMaxUnknownPerJob"),
  ASSOC_MAX_CPU_PER_NODE("AssocMaxCpuPerNode"),
  ASSOC_MAX_MEM_PER_NODE("AssocMaxMemPerNode"),
  ASSOC_MAX_NODE_PER_NODE("AssocMaxNodePerNode"),
  ASSOC_MAX_ENERGY_PER_NODE("AssocMaxEnergyPerNode"),
  ASSOC_MAX_GRES_PER_NODE("AssocMaxGRESPerNode"),
  ASSOC_MAX_LICENSE_PER_NODE("AssocMaxLicensePerNode"),
  ASSOC_MAX_BB_PER_NODE("AssocMaxBBPerNode"),
  ASSOC_MAX_BILLING_PER_NODE("AssocMaxBillingPerNode"),
  ASSOC_MAX_UNKNOWN_PER_NODE("AssocMaxUnknownPerNode"),
  ASSOC_MAX_CPU_MINUTES_PER_JOB_LIMIT("AssocMaxCpuMinutesPerJobLimit"),
  ASSOC_MAX_MEM_MINUTES_PER_JOB("AssocMaxMemMinutesPerJob"),
  ASSOC_MAX_NODE_MINUTES_PER_JOB("AssocMaxNodeMinutesPerJob"),
  ASSOC_MAX_ENERGY_MINUTES_PER_JOB("AssocMaxEnergyMinutesPerJob"),
  ASSOC_MAX_GRES_MINUTES_PER_JOB("AssocMaxGRESMinutesPerJob"),
  ASSOC_MAX_LICENSE_MINUTES_PER_JOB("AssocMaxLicenseMinutesPerJob"),
  ASSOC_MAX_BB_MINUTES_PER_JOB("AssocMaxBBMinutesPerJob"),
  ASSOC_MAX_BILLING_MINUTES_PER_JOB("AssocMaxBillingMinutesPerJob"),
  ASSOC_MAX_UNKNOWN_MINUTES_PER_JOB("AssocMaxUnknownMinutesPerJob"),
  QOS_GRP_MEM_LIMIT("QOSGrpMemLimit"),
  QOS_GRP_NODE_LIMIT("QOSGrpNodeLimit"),
  QOS_GRP_ENERGY("QOSGrpEnergy"),
  QOS_GRP_LICENSE("QOSGrpLicense"),
  QOS_GRP_BB("QOSGrpBB"),
  QOS_GRP_BILLING("QOSGrpBilling"),
  QOS_GRP_UNKNOWN("QOSGrpUnknown"),
  QOS_GRP_CPU_MINUTES_LIMIT("QOSGrpCPUMinutesLimit"),
  QOS_GRP_MEMORY_MINUTES("QOSGrpMemoryMinutes"),
  QOS_GRP_NODE_MINUTES("QOSGrpNodeMinutes"),
  QOS_GRP_ENERGY_MINUTES("QOSGrpEnergyMinutes"),
  QOS_GRP_GRES_MINUTES("QOSGrpGRESMinutes"),
  QOS_GRP_LICENSE_MINUTES("QOSGrpLicenseMinutes"),
  QOS_GRP_BB_MINUTES("QOSGrpBBMinutes"),
  QOS_GRP_BILLING_MINUTES("QOSGrpBillingMinutes"),
  QOS_GRP_UNKNOWN_MINUTES("QOSGrpUnknownMinutes"),
  QOS_GRP_CPU_RUN_MINUTES_LIMIT("QOSGrpCPURunMinutesLimit"),
  QOS_GRP_MEMORY_RUN_MINUTES("QOSGrpMemoryRunMinutes"),
  QOS_GRP_NODE_RUN_MINUTES("QOSGrpNodeRunMinutes"),
  QOS_GRP_ENERGY_RUN_MINUTES("QOSGrpEnergyRunMinutes"),
  QOS_GRP_GRES_RUN_MINUTES("QOSGrpGRESRunMinutes"),
  QOS_GRP_LICENSE_RUN_MINUTES("QOSGrpLicenseRunMinutes"),
  QOS_GRP_BB_RUN_MINUTES("QOSGrpBBRunMinutes"),
  QOS_GRP_BILLING_RUN_MINUTES("QOSGrpBillingRunMinutes"),
  QOS_GRP_UNKNOWN_RUN_MINUTES("QOSGrpUnknownRunMinutes"),
  QOS_MAX_CPU_PER_JOB_LIMIT("QOSMaxCpuPerJobLimit"),
  QOS_MAX_MEMORY_PER_JOB("QOSMaxMemoryPerJob"),
  QOS_MAX_NODE_PER_JOB_LIMIT("QOSMaxNodePerJobLimit"),
  QOS_MAX_ENERGY_PER_JOB("QOSMaxEnergyPerJob"),
  QOS_MAX_GRES_PER_JOB("QOSMaxGRESPerJob"),
  QOS_MAX_LICENSE_PER_JOB("QOSMaxLicensePerJob"),
  QOS_MAX_BB_PER_JOB("QOSMaxBBPerJob"),
  QOS_MAX_BILLING_PER_JOB("QOSMaxBillingPerJob"),
  QOS_MAX_UNKNOWN_PER_JOB("QOSMaxUnknownPerJob"),
  QOS_MAX_CPU_PER_NODE("QOSMaxCpuPerNode"),
  QOS_MAX_MEMORY_PER_NODE("QOSMaxMemoryPerNode"),
  QOS_MAX_NODE_PER_NODE("QOSMaxNodePerNode"),
  QOS_MAX_ENERGY_PER_NODE("QOSMaxEnergyPerNode"),
  QOS_MAX_GRES_PER_NODE("QOSMaxGRESPerNode"),
  QOS_MAX_LICENSE_PER_NODE("QOSMaxLicensePerNode"),
  QOS_MAX_BB_PER_NODE("QOSMaxBBPerNode"),
  QOS_MAX_BILLING_PER_NODE("QOSMaxBillingPerNode"),
  QOS_MAX_UNKNOWN_PER_NODE("QOSMaxUnknownPerNode"),
  QOS_MAX_CPU_MINUTES_PER_JOB_LIMIT("QOSMaxCpuMinutesPerJobLimit"),
  QOS_MAX_MEMORY_MINUTES_PER_JOB("QOSMaxMemoryMinutesPerJob"),
  QOS_MAX_NODE_MINUTES_PER_JOB("QOSMaxNodeMinutesPerJob"),
  QOS_MAX_ENERGY_MINUTES_PER_JOB("QOSMaxEnergyMinutesPerJob"),
  QOS_MAX_GRES_MINUTES_PER_JOB("QOSMaxGRESMinutesPerJob"),
  QOS_MAX_LICENSE_MINUTES_PER_JOB("QOSMaxLicenseMinutesPerJob"),
  QOS_MAX_BB_MINUTES_PER_JOB("QOSMaxBBMinutesPerJob"),
  QOS_MAX_BILLING_MINUTES_PER_JOB("QOSMaxBillingMinutesPerJob"),
  QOS_MAX_UNKNOWN_MINUTES_PER_JOB("QOSMaxUnknownMinutesPerJob"),
  QOS_MAX_MEMORY_PER_USER("QOSMaxMemoryPerUser"),
  QOS_MAX_NODE_PER_USER_LIMIT("QOSMaxNodePerUserLimit"),
  QOS_MAX_ENERGY_PER_USER("QOSMaxEnergyPerUser"),
  QOS_MAX_LICENSE_PER_USER("QOSMaxLicensePerUser"),
  QOS_MAX_BB_PER_USER("QOSMaxBBPerUser"),
  QOS_MAX_BILLING_PER_USER("QOSMaxBillingPerUser"),
  QOS_MAX_UNKNOWN_PER_USER("QOSMaxUnknownPerUser"),
  MAX_CPU_RUN_MINS_PER_USER("MaxCpuRunMinsPerUser"),
  MAX_MEMORY_RUN_MINS_PER_USER("MaxMemoryRunMinsPerUser"),
  MAX_NODE_RUN_MINS_PER_USER("MaxNodeRunMinsPerUser"),
  MAX_ENERGY_RUN_MINS_PER_USER("MaxEnergyRunMinsPerUser"),
  MAX_GRES_RUN_MINS_PER_USER("MaxGRESRunMinsPerUser"),
  MAX_LICENSE_RUN_MINS_PER_USER("MaxLicenseRunMinsPerUser"),
  MAX_BB_RUN_MINS_PER_USER("MaxBBRunMinsPerUser"),
  MAX_BILLING_RUN_MINS_PER_USER("MaxBillingRunMinsPerUser"),
  MAX_UNKNOWN_RUN_MINS_PER_USER("MaxUnknownRunMinsPerUser"),
  MAX_CPU_PER_ACCOUNT("MaxCpuPerAccount"),
  MAX_MEMORY_PER_ACCOUNT("MaxMemoryPerAccount"),
  MAX_NODE_PER_ACCOUNT("MaxNodePerAccount"),
  MAX_ENERGY_PER_ACCOUNT("MaxEnergyPerAccount"),
  MAX_GRES_PER_ACCOUNT("MaxGRESPerAccount"),
  MAX_LICENSE_PER_ACCOUNT("MaxLicensePerAccount"),
  MAX_BB_PER_ACCOUNT("MaxBBPerAccount"),
  MAX_BILLING_PER_ACCOUNT("MaxBillingPerAccount"),
  MAX_UNKNOWN_PER_ACCOUNT("MaxUnknownPerAccount"),
  MAX_CPU_RUN_MINS_PER_ACCOUNT("MaxCpuRunMinsPerAccount"),
  MAX_MEMORY_RUN_MINS_PER_ACCOUNT("MaxMemoryRunMinsPerAccount"),
  MAX_NODE_RUN_MINS_PER_ACCOUNT("MaxNodeRunMinsPerAccount"),
  MAX_ENERGY_RUN_MINS_PER_ACCOUNT("MaxEnergyRunMinsPerAccount"),
  MAX_GRES_RUN_MINS_PER_ACCOUNT("MaxGRESRunMinsPerAccount"),
  MAX_LICENSE_RUN_MINS_PER_ACCOUNT("MaxLicenseRunMinsPerAccount"),
  MAX_BB_RUN_MINS_PER_ACCOUNT("MaxBBRunMinsPerAccount"),
  MAX_BILLING_RUN_MINS_PER_ACCOUNT("MaxBillingRunMinsPerAccount"),
  MAX_UNKNOWN_RUN_MINS_PER_ACCOUNT("MaxUnknownRunMinsPerAccount"),
  QOS_MIN_CPU_NOT_SATISFIED("QOSMinCpuNotSatisfied"),
  QOS_MIN_MEMORY("QOSMinMemory"),
  QOS_MIN_NODE("QOSMinNode"),
  QOS_MIN_ENERGY("QOSMinEnergy"),
  QOS_MIN_GRES("QOSMinGRES"),
  QOS_MIN_LICENSE("QOSMinLicense"),
  QOS_MIN_BB("QOSMinBB"),
  QOS_MIN_BILLING("QOSMinBilling"),
  QOS_MIN_UNKNOWN("QOSMinUnknown"),
  ASSOC_GRP_SUBMIT_JOBS_LIMIT("AssocGrpSubmitJobsLimit"),
  ASSOC_GRP_WALL_LIMIT("AssocGrpWallLimit"),
  ASSOC_MAX_WALL_DURATION_PER_JOB_LIMIT("AssocMaxWallDurationPerJobLimit"),
  ASSOC_MAX_SUBMIT_JOB_LIMIT("AssocMaxSubmitJobLimit"),
  QOS_GRP_JOBS_LIMIT("QOSGrpJobsLimit"),
  QOS_GRP_SUBMIT_JOBS_LIMIT("QOSGrpSubmitJobsLimit"),
  QOS_GRP_WALL_LIMIT("QOSGrpWallLimit"),
  QOS_MAX_WALL_DURATION_PER_JOB_LIMIT("QOSMaxWallDurationPerJobLimit"),
  MAX_JOBS_PER_ACCOUNT("MaxJobsPerAccount"),
  MAX_SUBMIT_JOBS_PER_ACCOUNT("MaxSubmitJobsPerAccount"),
  QOS_USAGE_THRESHOLD("QOSUsageThreshold"),
  NODES_REQUIRED_UNAVAILABLE(
      "Nodes_required_for_job_are_DOWN,_DRAINED_or_reserved_for_jobs_in_higher_priority_partitions");

  private static final Map<String, Reason> BY_TEXT = new HashMap<>();

  static {
    for (Reason reason : values()) {
      BY_TEXT.put(reason.text, reason);
    }
  }

  private static final EnumSet<Reason> LIMITS = EnumSet.noneOf(Reason.class);

  static {
    for (Reason reason : values()) {
      String text = reason.text;
      boolean ofAccounting = text.startsWith("Assoc") || text.startsWith("QOS");
      boolean most = text.startsWith("Max") && reason != MAX_MEM_PER_LIMIT;
      if (ofAccounting || most || reason == INVALID_ACCOUNT || reason == INVALID_QOS) {
        LIMITS.add(reason);
      }
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

  /**
   * Whether a limit of an association or a QOS, or the lack of either, holds the job back: such a
   * reason stays in sight while jobs ahead wait as well.
   */
  public boolean isLimit() {
    return LIMITS.contains(this);
  }

  /** The reason that Slurm prints as {@code text}; empty for words this version does not know. */
  public static Optional<Reason> ofText(String text) {
    return Optional.ofNullable(BY_TEXT.get(text));
  }
}
