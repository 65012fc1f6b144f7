package dev.yardmaster.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The fields of {@code scontrol update job}, whose names may be cut short (scontrol(1)). */
final class JobFieldNames {
  /** In the order in which Slurm compares them: the least letters, and the name. */
  private static final List<String> NAMES =
      List.of(
          "6 AdminComment",
          "5 SiteFactor",
          "10 ArrayTaskThrottle",
          "3 Comment",
          "8 Clusters",
          "15 ClusterFeatures",
          "5 DelayBoot",
          "3 Extra",
          "5 TimeLimit",
          "5 TimeMin",
          "2 Priority",
          "2 Nice",
          "9 CPUsPerTask",
          "9 CpusPerTres",
          "6 NumCPUs",
          "8 NumTasks",
          "8 ReqProcs",
          "4 Requeue",
          "8 ReqNodes",
          "8 NumNodes",
          "4 ReqSockets",
          "4 ReqCores",
          "2 TasksPerNode",
          "4 ReqThreads",
          "4 MinCPUsNode",
          "10 MinMemoryNode",
          "10 MinMemoryCPU",
          "5 MinTmpDiskNode",
          "2 Partition",
          "2 QOS",
          "3 ReservationName",
          "2 Name",
          "4 JobName",
          "1 WCKey",
          "7 SegmentSize",
          "6 SpreadSegments",
          "11 ConsolidateSegments",
          "6 StdErr",
          "5 StdIn",
          "6 StdOut",
          "5 Switches",
          "5 wait-for-switch",
          "2 OverSubscribe",
          "2 Shared",
          "3 Contiguous",
          "4 CoreSpec",
          "5 MemPerTres",
          "4 ThreadSpec",
          "5 TresBind",
          "5 TresFreq",
          "8 TresPerJob",
          "8 TresPerNode",
          "8 TresPerSocket",
          "8 TresPerTask",
          "3 ExcNodeList",
          "8 NodeList",
          "8 ReqNodeList",
          "1 Features",
          "3 Prefer",
          "2 Gres",
          "1 Account",
          "1 BurstBuffer",
          "1 Dependency",
          "1 Licenses",
          "2 EligibleTime",
          "2 StartTime",
          "2 EndTime",
          "3 Reboot",
          "3 Deadline",
          "2 WorkDir",
          "5 MailType",
          "5 MailUser",
          "4 MCSLabel");

  /** Names of earlier releases for the same. */
  private static final Map<String, String> SAME =
      Map.of("reqprocs", "numtasks", "reqnodes", "numnodes");

  private JobFieldNames() {}

  /** The same fields with their whole names in lower case; what is no field stays as it is. */
  static Map<String, String> whole(Map<String, String> fields) {
    Map<String, String> whole = new LinkedHashMap<>();
    fields.forEach((name, value) -> whole.put(whole(name), value));
    return whole;
  }

  /** Whether a job has a field of this whole name in lower case. */
  static boolean isKnown(String name) {
    return NAMES.stream()
        .anyMatch(line -> line.substring(line.indexOf(' ') + 1).equalsIgnoreCase(name));
  }

  private static String whole(String name) {
    List<String> same = new ArrayList<>();
    for (String line : NAMES) {
      int space = line.indexOf(' ');
      String candidate = line.substring(space + 1).toLowerCase(Locale.ROOT);
      if (candidate.equals(name)) {
        return SAME.getOrDefault(name, name);
      }
      if (name.length() >= Integer.parseInt(line.substring(0, space))
          && candidate.startsWith(name)) {
        same.add(candidate);
      }
    }
    return same.isEmpty() ? name : SAME.getOrDefault(same.getFirst(), same.getFirst());
  }
}
