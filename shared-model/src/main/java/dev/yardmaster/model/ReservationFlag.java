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

  /** A word for a flag, which may be cut short to so many letters. */
  private record Word(String word, int letters, ReservationFlag flag) {
    boolean isMeantBy(String text) {
      return text.length() >= letters && word.startsWith(text);
    }
  }

  /** In the order in which scontrol tries them. */
  private static final List<Word> WORDS =
      List.of(
          new Word("MAINTENANCE", 3, MAINT),
          new Word("OVERLAP", 1, OVERLAP),
          new Word("FLEX", 1, FLEX),
          new Word("IGNORE_JOBS", 1, IGNORE_JOBS),
          new Word("HOURLY", 1, HOURLY),
          new Word("DAILY", 1, DAILY),
          new Word("WEEKDAY", 1, WEEKDAY),
          new Word("WEEKEND", 1, WEEKEND),
          new Word("WEEKLY", 1, WEEKLY),
          new Word("ANY_NODES", 1, ANY_NODES),
          new Word("LICENSE_ONLY", 1, ANY_NODES),
          new Word("STATIC_ALLOC", 1, STATIC),
          new Word("PART_NODES", 2, PART_NODES),
          new Word("MAGNETIC", 3, MAGNETIC),
          new Word("PROMISCUOUS", 2, MAGNETIC),
          new Word("PURGE_COMP", 2, PURGE_COMP),
          new Word("TIME_FLOAT", 1, TIME_FLOAT),
          new Word("REPLACE", 1, REPLACE),
          new Word("REPLACE_DOWN", 8, REPLACE_DOWN),
          new Word("NO_HOLD_JOBS_AFTER_END", 1, NO_HOLD_JOBS_AFTER_END),
          new Word("USER_DELETE", 1, USER_DELETE),
          new Word("FORCE_START", 1, FORCE_START));

  /**
   * The flag that scontrol understands by a word: its name, one of its other names, or as much of
   * it as tells it from those before it.
   */
  public static Optional<ReservationFlag> ofWord(String word) {
    String name = word.toUpperCase(Locale.ROOT);
    return WORDS.stream().filter(w -> w.isMeantBy(name)).map(Word::flag).findFirst();
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
