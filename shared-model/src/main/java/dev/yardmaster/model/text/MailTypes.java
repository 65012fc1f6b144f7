package dev.yardmaster.model.text;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The events that a mail is asked for (sbatch(1), {@code --mail-type}). */
public final class MailTypes {
  private static final String NONE = "NONE";

  /** In the order in which Slurm tells of them. */
  private static final List<String> NAMES =
      List.of(
          "ARRAY_TASKS",
          "INVALID_DEPEND",
          "BEGIN",
          "END",
          "FAIL",
          "REQUEUE",
          "STAGE_OUT",
          "TIME_LIMIT_50",
          "TIME_LIMIT_80",
          "TIME_LIMIT_90",
          "TIME_LIMIT");

  private static final List<String> ALL =
      List.of("INVALID_DEPEND", "BEGIN", "END", "FAIL", "REQUEUE", "STAGE_OUT");

  private MailTypes() {}

  /**
   * Reads a list as Slurm does: words that it does not know count for nothing beside those that it
   * knows, and NONE takes all of them back.
   *
   * @return the events in Slurm's order, none of them for NONE; null where no word is known
   */
  public static @Nullable List<String> parse(String text) {
    Set<Integer> found = new TreeSet<>();
    for (String word : text.toUpperCase(Locale.ROOT).split(",")) {
      if (word.equals(NONE)) {
        return List.of();
      }
      for (String name : word.equals("ALL") ? ALL : List.of(word)) {
        if (NAMES.contains(name)) {
          found.add(NAMES.indexOf(name));
        }
      }
    }
    return found.isEmpty() ? null : found.stream().map(NAMES::get).toList();
  }
}
