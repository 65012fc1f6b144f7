package dev.yardmaster.cli;

import java.util.List;

/**
 * What {@code --helpformat} and {@code --helpFormat} list: the columns of squeue(1) and sinfo(1) in
 * their order, each by its name, after its letter where it has one.
 */
final class ColumnHelp {
  private static final int LETTERS = 8;
  private static final int NAMES = 4;

  static final List<String> JOBS =
      List.of(
          "a Account",
          "AccrueTime",
          "admin_comment",
          "AllocNodes",
          "AllocSID",
          "F ArrayJobId",
          "K ArrayTaskId",
          "AssocId",
          "BatchFlag",
          "B BatchHost",
          "BoardsPerNode",
          "BurstBuffer",
          "BurstBufferState",
          "Cluster",
          "ClusterFeature",
          "o Command",
          "k Comment",
          "Container",
          "ContainerId",
          "O Contiguous",
          "I Cores",
          "X CoreSpec",
          "CPUsPerTask",
          "cpus-per-task",
          "cpus-per-tres",
          "CronJob",
          "Deadline",
          "DelayBoot",
          "E Dependency",
          "DerivedEC",
          "EligibleTime",
          "e EndTime",
          "x ExcNodes",
          "Exclusive",
          "exit_code",
          "f Feature",
          "G GroupId",
          "g GroupName",
          "HetJobId",
          "HetJobIdSet",
          "HetJobOffset",
          "i JobArrayId",
          "A JobId",
          "LastSchedEval",
          "W Licenses",
          "LicensesAlloc",
          "MaxCPUs",
          "MaxNodes",
          "mem-per-tres",
          "MCSLabel",
          "c MinCPUs",
          "m MinMemory",
          "MinTime",
          "d MinTmpDisk",
          "j Name",
          "Network",
          "y Nice",
          "N NodeList",
          "NTPerCore",
          "NTPerNode",
          "NTPerSocket",
          "NTPerBoard",
          "C NumCPUs",
          "D NumNodes",
          "NumTasks",
          "Origin",
          "OriginRaw",
          "h OverSubscribe",
          "P Partition",
          "PendingTime",
          "PreemptTime",
          "Prefer",
          "p Priority",
          "Q PriorityLong",
          "Profile",
          "q QOS",
          "r Reason",
          "R ReasonList",
          "Reboot",
          "n ReqNodes",
          "ReqSwitch",
          "Requeue",
          "v Reservation",
          "ResizeTime",
          "RestartCnt",
          "Runtime",
          "Y SchedNodes",
          "z SCT",
          "SegmentSize",
          "SiblingsActive",
          "SiblingsActiveRaw",
          "SiblingsViable",
          "SiblingsViableRaw",
          "s SLUID",
          "H Sockets",
          "SPerBoard",
          "S StartTime",
          "T State",
          "t StateCompact",
          "StdErr",
          "StdIn",
          "StdOut",
          "V SubmitTime",
          "system_comment",
          "J Threads",
          "L TimeLeft",
          "l TimeLimit",
          "M TimeUsed",
          "tres-alloc",
          "tres-bind",
          "tres-freq",
          "tres-per-job",
          "tres-per-socket",
          "tres-per-task",
          "U UserId",
          "u UserName",
          "Wait4Switch",
          "w WCKey",
          "Z WorkDir");

  static final List<String> STEPS =
      List.of(
          "ArrayJobId",
          "ArrayTaskId",
          "Cluster",
          "Container",
          "ContainerId",
          "CPUFreq",
          "cpus-per-tres",
          "JobId",
          "mem-per-tres",
          "Network",
          "N Nodes",
          "NumCPUs",
          "A NumTasks",
          "P Partition",
          "ResvPorts",
          "Runtime",
          "S StartTime",
          "StdErr",
          "StdIn",
          "StdOut",
          "i StepId",
          "j StepName",
          "StepState",
          "l TimeLimit",
          "M TimeUsed",
          "tres-bind",
          "tres-freq",
          "tres-per-job",
          "tres-per-socket",
          "tres-per-step",
          "tres-per-task",
          "U UserId",
          "u UserName");

  static final List<String> NODES =
      List.of(
          "AllocMem",
          "S AllocNodes",
          "a Available",
          "V Cluster",
          "Comment",
          "Y Cores",
          "c CPUs",
          "O CPUsLoad",
          "C CPUsState",
          "L DefaultTime",
          "d Disk",
          "Extra",
          "f Features",
          "b features_act",
          "e FreeMem",
          "G Gres",
          "G GresUsed",
          "g Groups",
          "B MaxCPUsPerNode",
          "m Memory",
          "o NodeAddr",
          "A NodeAI",
          "F NodeAIOT",
          "n NodeHost",
          "N NodeList",
          "D Nodes",
          "h OverSubscribe",
          "P Partition",
          "R PartitionName",
          "Port",
          "M PreemptMode",
          "I PriorityJobFactor",
          "p PriorityTier",
          "E Reason",
          "i Reservation",
          "r Root",
          "s Size",
          "X Sockets",
          "z SocketCoreThread",
          "t StateCompact",
          "StateComplete",
          "T StateLong",
          "Z Threads",
          "l Time",
          "H TimeStamp",
          "u User",
          "U UserLong",
          "v Version",
          "w Weight");

  private ColumnHelp() {}

  /** The letters for {@code -o}, eight to a line. */
  static String letters(List<String> columns) {
    return lines(
        columns.stream()
            .filter(ColumnHelp::hasLetter)
            .map(column -> "%%%-5c".formatted(column.charAt(0)))
            .toList(),
        LETTERS);
  }

  /** The names for {@code -O}, four to a line. */
  static String names(List<String> columns) {
    return lines(
        columns.stream()
            .map(column -> "%-20s".formatted(hasLetter(column) ? column.substring(2) : column))
            .toList(),
        NAMES);
  }

  private static boolean hasLetter(String column) {
    return column.indexOf(' ') == 1;
  }

  private static String lines(List<String> cells, int each) {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < cells.size(); i++) {
      out.append(i > 0 && i % each == 0 ? "\n" : "").append(cells.get(i));
    }
    return out.toString();
  }
}
