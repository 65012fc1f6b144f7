package dev.yardmaster.node;

import dev.yardmaster.model.Identity;

/** Who runs the tests, for tests of other packages that let jobs run. */
public final class NodeUsers {
  private NodeUsers() {}

  /** Whose jobs a daemon of this process can start. */
  public static Identity own() {
    return DaemonLab.ME;
  }
}
