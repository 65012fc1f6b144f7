package dev.yardmaster.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * What a reservation is besides its time and place (scontrol(1), "Flags"). The names are Slurm's,
 * and the order of declaration is the order in which it prints them.
 */
public enum ReservationFlag {
  MAINT,
  FLEX,
  OVERLAP,
  IGNORE_JOBS,
  HOURLY,
  DAILY,
  WEEKDAY,
  WEEKEND,
  WEEKLY,
  /** The nodes were named; set by the controller alone. */
  SPEC_NODES,
  /** The nodes are all there are; set by the controller alone. */
  ALL_NODES,
  ANY_NODES,
  STATIC,
  PART_NODES,
  TIME_FLOAT,
  REPLACE,
  REPLACE_DOWN,
  PURGE_COMP,
  NO_HOLD_JOBS_AFTER_END,
  MAGNETIC,
  USER_DELETE,
  FORCE_START;

  /** The flags that make a reservation come again; at most one of them may be set. */
  public static final Set<ReservationFlag> REPEATS =
      Set.of(HOURLY, DAILY, WEEKDAY, WEEKEND, WEEKLY);

  /**
   * The flag that scontrol understands by a word: its name, one of its other names, or as much of
   * it as tells it from the others.
   */
  public static Optional<ReservationFlag> ofWord(String word) {
    String name = word.toUpperCase(Locale.ROOT);
    if (name.isEmpty()) {
      return Optional.empty();
    }
    if ("LICENSE_ONLY".startsWith(name) && name.length() > 3) {
      return Optional.of(ANY_NODES);
    }
    if (name.equals("STATIC_ALLOC")) {
      return Optional.of(STATIC);
    }
    for (ReservationFlag flag : values()) {
      if (flag.name().equals(name)) {
        return flag == SPEC_NODES || flag == ALL_NODES ? Optional.empty() : Optional.of(flag);
      }
    }
    return name.equals("NO_HOLD_JOBS_AFTER") || name.equals("NO_HOLD_JOBS")
        ? Optional.of(NO_HOLD_JOBS_AFTER_END)
        : Optional.empty();
  }

  /** The names of a reservation's flags in Slurm's order; words that are no flag come last. */
  public static List<String> ordered(Set<String> names) {
    List<String> ordered = new ArrayList<>();
    for (ReservationFlag flag : values()) {
      if (names.contains(flag.name())) {
        ordered.add(flag.name());
      }
    }
    names.stream().filter(name -> !ordered.contains(name)).forEach(ordered::add);
    return ordered;
  }
}
