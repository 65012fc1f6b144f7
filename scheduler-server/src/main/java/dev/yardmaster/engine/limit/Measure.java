package dev.yardmaster.engine.limit;

import dev.yardmaster.explain.Evidence;
import dev.yardmaster.model.LimitKind;
import dev.yardmaster.model.Reason;
import dev.yardmaster.model.Tres;

/**
 * One limit, and how a job stands to it.
 *
 * @param tres the TRES it limits; empty for a limit that is one number
 * @param used what others take of it; {@code asked} what the job would take
 * @param broken whether the job may not start
 */
record Measure(
    Level level, LimitKind kind, String tres, long allowed, long used, long asked, boolean broken) {
  /** What the unit of a limit on TRES times minutes ends in. */
  static final String MINUTES = "-minutes";

  Reason reason() {
    return LimitReasons.of(kind, level.isQos(), tres);
  }

  /** Whether it is about an amount of a TRES, rather than a number of jobs or a time. */
  boolean ofAmount() {
    return !tres.isEmpty();
  }

  /** Whether it counts distinct nodes, so that it depends on where the job is placed. */
  boolean dependsOnNodes() {
    return tres.equals(Tres.NODE)
        && switch (kind) {
          case GRP_TRES, MAX_TRES_PER_USER, MAX_TRES_PER_ACCOUNT -> true;
          default -> false;
        };
  }

  /** Whether others must only let go of something. */
  boolean waitingHelps() {
    boolean ofJob =
        switch (kind) {
          case MAX_TRES, MAX_TRES_PER_NODE, MAX_TRES_MINS, MAX_WALL, MIN_TRES -> true;
          default -> false;
        };
    return !ofJob && asked <= allowed;
  }

  Evidence.Limit evidence() {
    String unit =
        switch (kind.unit()) {
          case JOBS -> "jobs";
          case MINUTES -> "minutes";
          case NUMBER -> "number";
          case TRES -> tres;
          case TRES_MINUTES -> tres + MINUTES;
        };
    return new Evidence.Limit(
        level.kind(), level.name(), kind.option(), unit, allowed, used, asked);
  }
}
