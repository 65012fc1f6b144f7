package dev.yardmaster.model;

/** Who sends a command, as the connection's credential says (never as the request says). */
public record Identity(String user, int uid, String group, int gid) {
  /** Root and the SlurmUser may do everything. */
  public boolean isRoot() {
    return uid == 0;
  }
}
