package dev.yardmaster.console.shell;

/**
 * The address of something that can be selected; the one selection of the window is of this type.
 *
 * @param kind what it is
 * @param name its name in the cluster, for example {@code 4711} or {@code node049}
 */
public record Item(Kind kind, String name) {
  /** What can be selected. */
  public enum Kind {
    CLUSTER,
    PARTITION,
    BLOCK,
    NODE,
    GPU,
    JOB,
    ACCOUNT,
    USER,
    QOS,
    RESERVATION,
    LICENSE
  }
}
