package dev.yardmaster.journal;

/**
 * The place of an entry in a log that is replicated by votes: the term of its leader, its index.
 */
public record Position(long term, long index) {
  /** Before the first entry. */
  public static final Position NONE = new Position(-1, -1);
}
