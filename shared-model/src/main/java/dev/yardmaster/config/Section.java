package dev.yardmaster.config;

/** Where a key may stand: a file, or a kind of line in it. */
public enum Section {
  SLURM("slurm.conf"),
  NODE("NodeName"),
  PARTITION("PartitionName"),
  NODE_SET("NodeSet"),
  DOWN_NODES("DownNodes"),
  POWER_ACTION("PowerAction"),
  /** The names within SchedulerParameters=. */
  SCHEDULER_PARAMETERS("SchedulerParameters"),
  GRES("gres.conf"),
  TOPOLOGY("topology.conf"),
  SWITCH("SwitchName"),
  BLOCK("BlockName"),
  RING("RingName"),
  CGROUP("cgroup.conf"),
  SLURMDBD("slurmdbd.conf");

  private final String title;

  Section(String title) {
    this.title = title;
  }

  /** The file's name, or the key that begins the line. */
  public String title() {
    return title;
  }
}
