package dev.yardmaster.console.shell;

/**
 * What moment the window shows.
 *
 * @param kind how the shown data relates to now
 * @param detail for a moment: which; for stale data: how old; otherwise empty
 */
public record LiveState(Kind kind, String detail) {
  /** How the shown data relates to now. */
  public enum Kind {
    /** Follows the cluster. */
    LIVE,
    /** Follows the cluster, but the last data is older than it should be. */
    STALE,
    /** Shows a moment of the past. */
    MOMENT,
    /** Not connected. */
    DISCONNECTED
  }

  /** Not connected. */
  public static final LiveState NONE = new LiveState(Kind.DISCONNECTED, "");

  /** Follows the cluster. */
  public static final LiveState NOW = new LiveState(Kind.LIVE, "");
}
