package dev.yardmaster.model;

import java.util.Optional;

/**
 * The limits that an association or a QOS can set (sacctmgr(1)), by Slurm's name. A limit of one
 * kind is either one number, or an amount for each of several TRES.
 */
public enum LimitKind {
  GRP_TRES("GrpTRES", Unit.TRES, Place.BOTH, "GrpTRES"),
  GRP_TRES_MINS("GrpTRESMins", Unit.TRES_MINUTES, Place.BOTH, "GrpTRESMins"),
  GRP_TRES_RUN_MINS("GrpTRESRunMins", Unit.TRES_MINUTES, Place.BOTH, "GrpTRESRunMins"),
  GRP_JOBS("GrpJobs", Unit.JOBS, Place.BOTH, "GrpJobs"),
  GRP_JOBS_ACCRUE("GrpJobsAccrue", Unit.JOBS, Place.BOTH, "GrpJobsAccrue"),
  GRP_SUBMIT("GrpSubmit", Unit.JOBS, Place.BOTH, "GrpSubmitJobs"),
  GRP_WALL("GrpWall", Unit.MINUTES, Place.BOTH, "GrpWall"),
  MAX_TRES("MaxTRES", Unit.TRES, Place.BOTH, "MaxTRESPerJob", "MaxTRESPJ"),
  MAX_TRES_PER_NODE("MaxTRESPerNode", Unit.TRES, Place.BOTH, "MaxTRESPerNode", "MaxTRESPN"),
  MAX_TRES_MINS("MaxTRESMins", Unit.TRES_MINUTES, Place.BOTH, "MaxTRESMinsPerJob", "MaxTRESMinsPJ"),
  MAX_WALL("MaxWall", Unit.MINUTES, Place.BOTH, "MaxWallDurationPerJob", "MaxWallPJ"),
  MIN_PRIO_THRESHOLD("MinPrioThres", Unit.NUMBER, Place.BOTH, "MinPrioThreshold"),
  MAX_JOBS("MaxJobs", Unit.JOBS, Place.ASSOCIATION, "MaxJobs"),
  MAX_JOBS_ACCRUE("MaxJobsAccrue", Unit.JOBS, Place.ASSOCIATION, "MaxJobsAccrue"),
  MAX_SUBMIT("MaxSubmit", Unit.JOBS, Place.ASSOCIATION, "MaxSubmitJobs"),
  MAX_TRES_PER_USER("MaxTRESPU", Unit.TRES, Place.QOS, "MaxTRESPerUser"),
  MAX_JOBS_PER_USER("MaxJobsPU", Unit.JOBS, Place.QOS, "MaxJobsPerUser"),
  MAX_JOBS_ACCRUE_PER_USER("MaxJobsAccruePU", Unit.JOBS, Place.QOS, "MaxJobsAccruePerUser"),
  MAX_SUBMIT_PER_USER("MaxSubmitPU", Unit.JOBS, Place.QOS, "MaxSubmitJobsPerUser"),
  MAX_TRES_RUN_MINS_PER_USER(
      "MaxTRESRunMinsPU", Unit.TRES_MINUTES, Place.QOS, "MaxTRESRunMinsPerUser"),
  MAX_TRES_PER_ACCOUNT("MaxTRESPA", Unit.TRES, Place.QOS, "MaxTRESPerAccount"),
  MAX_JOBS_PER_ACCOUNT("MaxJobsPA", Unit.JOBS, Place.QOS, "MaxJobsPerAccount"),
  MAX_JOBS_ACCRUE_PER_ACCOUNT("MaxJobsAccruePA", Unit.JOBS, Place.QOS, "MaxJobsAccruePerAccount"),
  MAX_SUBMIT_PER_ACCOUNT("MaxSubmitPA", Unit.JOBS, Place.QOS, "MaxSubmitJobsPerAccount"),
  MAX_TRES_RUN_MINS_PER_ACCOUNT(
      "MaxTRESRunMinsPA", Unit.TRES_MINUTES, Place.QOS, "MaxTRESRunMinsPerAccount"),
  MIN_TRES("MinTRES", Unit.TRES, Place.QOS, "MinTRESPerJob");

  /** What a limit counts. */
  public enum Unit {
    JOBS,
    MINUTES,
    NUMBER,
    /** Amounts by TRES. */
    TRES,
    /** Amount times minutes, by TRES. */
    TRES_MINUTES
  }

  /** Where a limit can be set. */
  public enum Place {
    ASSOCIATION,
    QOS,
    BOTH
  }

  private final String column;
  private final Unit unit;
  private final Place place;
  private final String option;

  /** A further name under which it can be set; empty when there is none. */
  private final String alias;

  LimitKind(String column, Unit unit, Place place, String option) {
    this(column, unit, place, option, "");
  }

  LimitKind(String column, Unit unit, Place place, String option, String alias) {
    this.column = column;
    this.unit = unit;
    this.place = place;
    this.option = option;
    this.alias = alias;
  }

  /** The head of its column in {@code sacctmgr show}. */
  public String column() {
    return column;
  }

  /** The name under which sacctmgr sets it, for example {@code MaxTRESPerUser}. */
  public String option() {
    return option;
  }

  public Unit unit() {
    return unit;
  }

  /** Whether it has an amount for each TRES. */
  public boolean byTres() {
    return unit == Unit.TRES || unit == Unit.TRES_MINUTES;
  }

  /** Whether an association can set it. */
  public boolean onAssociation() {
    return place != Place.QOS;
  }

  /** Whether a QOS can set it. */
  public boolean onQos() {
    return place != Place.ASSOCIATION;
  }

  /**
   * The limit that sacctmgr means by a name, which may be cut short or end in "PJ", "PU" and the
   * like. Of several that begin so, the first counts.
   *
   * @param qos whether it is to be set on a QOS, where MaxJobs means that of each user
   */
  public static Optional<LimitKind> ofOption(String name, boolean qos) {
    String given = spelledOut(name, qos);
    LimitKind first = null;
    for (LimitKind kind : values()) {
      if (qos ? !kind.onQos() : !kind.onAssociation()) {
        continue;
      }
      if (kind.is(given)) {
        return Optional.of(kind);
      }
      boolean begins = kind.option.regionMatches(true, 0, given, 0, given.length());
      if (first == null && begins && given.length() >= 4) {
        first = kind;
      }
    }
    return Optional.ofNullable(first);
  }

  private boolean is(String given) {
    return given.equalsIgnoreCase(option)
        || given.equalsIgnoreCase(column)
        || given.equalsIgnoreCase(alias);
  }

  private static String spelledOut(String name, boolean qos) {
    String lower = name.toLowerCase(java.util.Locale.ROOT);
    if (lower.endsWith("peracct")) {
      return name.substring(0, name.length() - 4) + "Account";
    }
    if (!qos) {
      return name;
    }
    return switch (lower) {
      case "maxjobs", "maxjobsu" -> "MaxJobsPerUser";
      case "maxsubmit", "maxsubmitjobs" -> "MaxSubmitJobsPerUser";
      case "maxjobsaccrue" -> "MaxJobsAccruePerUser";
      case "maxsubmitjobspu" -> "MaxSubmitJobsPerUser";
      case "maxsubmitjobspa" -> "MaxSubmitJobsPerAccount";
      case "mintrespj" -> "MinTRESPerJob";
      default -> name;
    };
  }
}
