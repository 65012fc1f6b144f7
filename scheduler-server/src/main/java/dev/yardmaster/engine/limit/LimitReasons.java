package dev.yardmaster.engine.limit;

import dev.yardmaster.model.LimitKind;
import dev.yardmaster.model.Reason;

/**
 * The reason that Slurm shows for a job that a limit holds back (squeue(1), "JOB REASON CODES"), by
 * the limit, the TRES and whether an association or a QOS sets it.
 */
final class LimitReasons {
  private LimitReasons() {}

  /**
   * The reason of a limit.
   *
   * @param tres the TRES it limits; empty for a limit that is one number
   */
  static Reason of(LimitKind kind, boolean qos, String tres) {
    String text = text(kind, qos, family(tres));
    return Reason.ofText(text)
        .orElseThrow(() -> new IllegalStateException("no reason is called " + text));
  }

  /** What Slurm calls the kind of a TRES in its reasons. */
  private static String family(String tres) {
    int slash = tres.indexOf('/');
    return switch (slash < 0 ? tres : tres.substring(0, slash)) {
      case "cpu" -> "Cpu";
      case "mem" -> "Mem";
      case "node" -> "Node";
      case "gres" -> "GRES";
      case "license" -> "License";
      case "billing" -> "Billing";
      case "energy" -> "Energy";
      case "bb" -> "BB";
      default -> "Unknown";
    };
  }

  private static String text(LimitKind kind, boolean qos, String family) {
    String level = qos ? "QOS" : "Assoc";
    boolean cpu = family.equals("Cpu");
    boolean limit = cpu || family.equals("Node");
    String noun = qos && family.equals("Mem") ? "Memory" : family;
    String upper = cpu ? "CPU" : noun;
    String ofUser = family.equals("Mem") ? "Memory" : family;
    return switch (kind) {
      case GRP_TRES -> level + "Grp" + family + (limit || family.equals("Mem") ? "Limit" : "");
      case GRP_TRES_MINS -> level + "Grp" + upper + "Minutes" + (cpu ? "Limit" : "");
      case GRP_TRES_RUN_MINS -> level + "Grp" + upper + "RunMinutes" + (cpu ? "Limit" : "");
      case GRP_JOBS, GRP_JOBS_ACCRUE -> level + "GrpJobsLimit";
      case GRP_SUBMIT -> level + "GrpSubmitJobsLimit";
      case GRP_WALL -> level + "GrpWallLimit";
      case MAX_TRES -> level + "Max" + noun + "PerJob" + (limit ? "Limit" : "");
      case MAX_TRES_PER_NODE -> level + "Max" + noun + "PerNode";
      case MAX_TRES_MINS -> level + "Max" + noun + "MinutesPerJob" + (cpu ? "Limit" : "");
      case MAX_WALL -> level + "MaxWallDurationPerJobLimit";
      case MAX_JOBS, MAX_JOBS_ACCRUE -> "AssocMaxJobsLimit";
      case MAX_SUBMIT -> "AssocMaxSubmitJobLimit";
      case MAX_TRES_PER_USER -> "QOSMax" + noun + "PerUser" + (limit ? "Limit" : "");
      case MAX_JOBS_PER_USER, MAX_JOBS_ACCRUE_PER_USER -> "QOSMaxJobsPerUserLimit";
      case MAX_SUBMIT_PER_USER -> "QOSMaxSubmitJobPerUserLimit";
      case MAX_TRES_RUN_MINS_PER_USER -> "Max" + ofUser + "RunMinsPerUser";
      case MAX_TRES_PER_ACCOUNT -> "Max" + ofUser + "PerAccount";
      case MAX_JOBS_PER_ACCOUNT, MAX_JOBS_ACCRUE_PER_ACCOUNT -> "MaxJobsPerAccount";
      case MAX_SUBMIT_PER_ACCOUNT -> "MaxSubmitJobsPerAccount";
      case MAX_TRES_RUN_MINS_PER_ACCOUNT -> "Max" + ofUser + "RunMinsPerAccount";
      case MIN_TRES -> "QOSMin" + (cpu ? "CpuNotSatisfied" : noun);
      case MIN_PRIO_THRESHOLD -> "Priority";
    };
  }
}
