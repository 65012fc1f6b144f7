package dev.yardmaster.model;

/**
 * Slurm's errors with the words that its commands print (slurm_errno.h gives the numbers and texts
 * as facts).
 */
public enum SlurmError {
  INVALID_PARTITION_NAME(2000, "Invalid partition name specified"),
  PARTITION_IN_USE(2086, "Partition is in use"),
  INVALID_JOB_ID(2017, "Invalid job id specified"),
  INVALID_NODE_NAME(2018, "Invalid node name specified"),
  ACCESS_DENIED(2002, "Access/permission denied"),
  JOB_MISSING_SIZE_SPECIFICATION(2008, "Size specification missing from request"),
  REQUESTED_NODE_CONFIG_UNAVAILABLE(2014, "Requested node configuration is not available"),
  REQUESTED_PART_CONFIG_UNAVAILABLE(2015, "Requested partition configuration not available now"),
  REQUESTED_TOPO_CONFIG_UNAVAILABLE(2178, "Requested topology configuration is not available"),
  REQUESTED_NODES_NOT_IN_PARTITION(2007, "Requested node(s) not in partition"),
  INVALID_NODE_COUNT(2006, "Node count specification invalid"),
  INVALID_TIME_LIMIT(2051, "Requested time limit is invalid (missing or exceeds some limit)"),
  ACTIVE_FEATURE_NOT_SUBSET(2110, "Active features not subset of available features"),
  INVALID_FEATURE(2052, "Invalid feature specification"),
  TRY_AGAIN(2020, "Job can not be altered now, try again later"),
  JOB_NOT_PENDING(2021, "Job is no longer pending execution"),
  JOB_PENDING(2022, "Job is pending execution"),
  JOB_NOT_RUNNING(2023, "Job is not running"),
  NOT_HET_JOB(2179, "Job not heterogeneous job"),
  NOT_HET_JOB_LEADER(2180, "Job not heterogeneous job leader"),
  NOT_WHOLE_HET_JOB(2181, "Operation not permitted on individual component of heterogeneous job"),
  JOB_SUSPENDED(2018, "Job is suspended"),
  JOB_NOT_SUSPENDED(2060, "Job is not suspended"),
  JOB_HELD(2042, "Job is in held state, pending scheduler release"),
  JOB_FINISHED(2021, "Job/step already completing or completed"),
  CIRCULAR_DEPENDENCY(2071, "Circular job dependency"),
  JOB_ALREADY_FINISHED(2084, "Job has already finished"),
  PARTITION_DOWN(2015, "Requested partition configuration not available now"),
  PARTITION_DRAINED(2016, "Requested partition is in drain state"),
  PATHNAME_TOO_LONG(2012, "Pathname of a file, directory or other parameter too long"),
  TOO_MANY_NODES(2012, "Requested partition configuration not available now"),
  UNSUPPORTED_GRES(2122, "Requested GRES option unsupported by configured SelectType plugin"),
  INVALID_GRES(2072, "Invalid generic resource (gres) specification"),
  INVALID_LICENSES(2048, "Invalid license specification"),
  INVALID_CPU_COUNT(2053, "CPU count specification invalid"),
  INVALID_MEMORY(2044, "Memory specification can not be satisfied"),
  BATCH_ONLY(2039, "Only batch jobs are accepted or processed"),
  EXTERN_ONLY(2186, "Requested operation requires extern step"),
  INVALID_EXTERNAL_JOB(2189, "Invalid configuration for external job"),
  DEPENDENCY_PROBLEM(2030, "Job dependency problem"),
  INVALID_ARRAY(2078, "Invalid job array specification"),
  INVALID_RESERVATION(2056, "Requested reservation is invalid"),
  RESERVATION_ACCESS(2058, "Access denied to requested reservation"),
  BEGIN_TIME_PAST(2069, "Requested begin time is invalid"),
  INVALID_UPDATE(2054, "Invalid job update request"),
  NOT_SUPPORTED(2057, "Requested operation not supported on this system"),
  BAD_TASK_COUNT(2024, "Task count specification invalid"),
  PARTITION_NOT_AVAILABLE(2094, "Required partition not available (inactive or drain)"),
  GROUP_NOT_ALLOWED(2097, "User's group not permitted to use this partition"),
  TASK_MEMORY(2044, "Memory required by task is not available"),
  TOO_MANY_CPUS(2011, "More processors requested than permitted"),
  INVALID_USER_ID(2010, "Invalid user id"),
  JOB_SCRIPT_MISSING(2009, "Job script not specified"),
  CANNOT_MODIFY_CRON_JOB(2096, "Cannot modify scrontab jobs through scontrol"),
  CANNOT_CANCEL_CRON_JOB(2098, "Cannot cancel scrontab jobs without --cron flag."),
  DEFAULT_PARTITION_NOT_SET(2001, "No partition specified or system default partition"),
  INVALID_QOS(2066, "Invalid qos specification"),
  PREEMPTION_REQUIRED(2179, "Preemption is required but is disabled on this system"),
  INVALID_WCKEY(2057, "Invalid wckey specification"),
  INVALID_ACCOUNT(2045, "Invalid account or account/partition combination specified"),
  INVALID_TIME_MIN(2089, "Invalid time-min specification (exceeds job's time or other limits)"),
  INVALID_NICE(2102, "Invalid --nice value"),
  INVALID_PREFERRED_FEATURE(2114, "Invalid preferred feature specification"),
  INVALID_POWER_ACTION(2187, "Invalid power action"),
  TRIGGER_DUPLICATE(2089, "Duplicate event trigger"),
  NO_SUCH_TRIGGER(3, "No such process"),
  INVALID_NODE_STATE(2094, "Invalid node state transition"),
  DISABLED(2043, "Requested operation is presently disabled"),
  RESERVATION_EMPTY(2080, "Reservation request lacks users, groups or accounts"),
  RESERVATION_NAME_DUPLICATE(2082, "Duplicate reservation name"),
  RESERVATION_OVERLAP(2059, "Requested reservation overlaps with another reservation"),
  RESERVATION_STARTED(2104, "Reservation already started"),
  RESERVATION_NO_SKIP(2128, "Reservation given is not skipable, try deleting instead"),
  RESERVATION_USER_GROUP(
      2129, "Reservations can't have users and groups specified, only one or the other"),
  RESERVATION_BUSY(2057, "Requested reservation is in use"),
  NODES_BUSY(2060, "Requested nodes are busy"),
  INVALID_GROUP_ID(2113, "Invalid group id"),
  CORE_RESERVATION_UPDATE(2109, "Core-based reservation can not be updated"),
  INVALID_CORE_COUNT(2111, "Core count for reservation node list is not consistent!"),
  INVALID_ACCOUNTING_FREQUENCY(4003, "Invalid accounting frequency requested"),
  INVALID_TRES(2115, "Invalid Trackable RESource (TRES) specification"),
  INVALID_TIME_VALUE(2059, "Invalid time specified"),
  MAX_JOB_COUNT(2107, "Resource temporarily unavailable"),
  CONFIGURATION(2115, "The configuration was not changed"),
  ACCOUNTING_POLICY(
      2050,
      "Job violates accounting/QOS policy (job submit limit, user's size and/or time limits)"),
  /** The detail is what sacctmgr prints. */
  ACCOUNTING(2117, "Nothing was changed"),
  JOURNAL(2116, "The controller cannot write its state"),
  /** The detail names the controller that serves, where that is known. */
  IN_STANDBY_MODE(2027, "Slurm backup controller in standby mode"),

  /**
   * A command line that Slurm's client refuses by itself with exit code 255. The first line of the
   * detail is what it prints; further lines say what would be right.
   */
  COMMAND_LINE(255, "Invalid option"),
  /** As {@link #COMMAND_LINE}, with exit code 1. */
  COMMAND_VALUE(1, "Invalid option value"),
  /** As {@link #COMMAND_VALUE}; the client prints its own text in a second line. */
  COMMAND_GRES(2072, "Invalid generic resource (gres) specification"),
  /** Some tasks of an array were refused; the detail says which, and that the others were not. */
  COMMAND_TASKS(1, "Some tasks were refused"),
  /** As {@link #COMMAND_VALUE}; the client prints "fatal" in place of "error". */
  COMMAND_FATAL(1, "Invalid options"),
  /** Yardmaster's own. */
  NO_SUCH_MOMENT(2118, "No such moment"),
  UNSPECIFIED(-1, "Unspecified error");

  private final int number;
  private final String text;

  SlurmError(int number, String text) {
    this.number = number;
    this.text = text;
  }

  public int number() {
    return number;
  }

  /**
   * Whether a submission that is refused for this has already become a record, so that its id is
   * used up: Slurm checks dependencies, reservations and nodes last.
   */
  public boolean usesJobId() {
    return switch (this) {
      case REQUESTED_NODE_CONFIG_UNAVAILABLE,
          REQUESTED_PART_CONFIG_UNAVAILABLE,
          REQUESTED_TOPO_CONFIG_UNAVAILABLE,
          DEPENDENCY_PROBLEM,
          INVALID_RESERVATION,
          RESERVATION_ACCESS ->
          true;
      default -> false;
    };
  }

  /** As Slurm's commands print it. */
  public String text() {
    return text;
  }
}
