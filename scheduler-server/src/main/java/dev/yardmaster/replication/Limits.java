package dev.yardmaster.replication;

/**
 * How large the log of entries may become.
 *
 * @param entryBytes an entry is at most so large; what a round of the controller comes to is far
 *     less. The log keeps at least one file of about this size.
 * @param cutEvery so many entries lie between two moments at which what all controllers have is cut
 *     off
 */
public record Limits(int entryBytes, int cutEvery) {
  public static final Limits DEFAULT = new Limits(48 << 20, 2_000);
}
