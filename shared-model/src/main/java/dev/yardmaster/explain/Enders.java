package dev.yardmaster.explain;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The running jobs in the way with whose end a start comes. */
final class Enders {
  /**
   * A start that comes later than this after the last of these ends has another cause, such as a
   * job that gets their nodes first.
   */
  private static final Duration SOON = Duration.ofMinutes(10);

  private Enders() {}

  /** Those that end before a start; none when it comes long after the last of them. */
  static List<Blocker> of(List<Blocker> blockers, Instant start) {
    List<Blocker> enders = new ArrayList<>();
    @Nullable Instant last = null;
    for (Blocker b : blockers) {
      Instant until = b.kind() == Blocker.Kind.JOB_RUNNING ? b.until() : null;
      if (until != null && !until.isAfter(start)) {
        enders.add(b);
        last = last == null || until.isAfter(last) ? until : last;
      }
    }
    return last == null || last.plus(SOON).isBefore(start) ? List.of() : enders;
  }
}
