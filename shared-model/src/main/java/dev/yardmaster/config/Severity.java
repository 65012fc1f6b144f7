package dev.yardmaster.config;

/** How much a {@link ConfigFinding} weighs, the heaviest first. */
public enum Severity {
  /** The controller would not start with this file. */
  FATAL,
  /** Something that was written has no effect, or another effect than written. */
  ERROR,
  /** It works now, but is old, doubtful or probably not meant. */
  WARNING,
  /** Worth knowing. */
  INFO;

  /** True when this weighs as much as {@code other} or more. */
  public boolean atLeast(Severity other) {
    return compareTo(other) <= 0;
  }
}
