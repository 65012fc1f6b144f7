package dev.yardmaster.model;

import dev.yardmaster.model.text.TimeLimits;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What {@code Flags=} of {@code scontrol create|update reservation} says: {@code a,b} and {@code
 * +a} set flags, {@code -a} takes them away, and a sign holds for the words behind it as well
 * (scontrol(1)).
 *
 * @param purgeSeconds the time of PURGE_COMP; null when none is given
 */
public record ReservationFlagWords(
    Set<ReservationFlag> set, Set<ReservationFlag> unset, @Nullable Long purgeSeconds) {

  /** Flags that only a new reservation gets, where no sign stands before them. */
  private static final Set<ReservationFlag> NEW_ONLY =
      Set.of(ReservationFlag.TIME_FLOAT, ReservationFlag.FORCE_START);

  /** Flags that cannot be taken away. */
  private static final Set<ReservationFlag> STAY =
      Set.of(
          ReservationFlag.OVERLAP,
          ReservationFlag.REPLACE,
          ReservationFlag.REPLACE_DOWN,
          ReservationFlag.NO_HOLD_JOBS_AFTER_END);

  /**
   * Reads the words; {@code +=} or {@code -=} before them is a sign for each.
   *
   * @throws IllegalArgumentException when one is no flag, or cannot have its sign
   */
  public static ReservationFlagWords parse(String value) {
    Set<ReservationFlag> set = EnumSet.noneOf(ReservationFlag.class);
    Set<ReservationFlag> unset = EnumSet.noneOf(ReservationFlag.class);
    Long purge = null;
    char sign = ' ';
    for (String part : written(value).split(",")) {
      if (part.isEmpty()) {
        continue;
      }
      boolean signed = part.startsWith("+") || part.startsWith("-");
      sign = signed ? part.charAt(0) : sign;
      String[] word = (signed ? part.substring(1) : part).split("=", 2);
      char by = sign;
      ReservationFlag flag =
          ReservationFlag.ofWord(word[0])
              .filter(f -> by == ' ' || !NEW_ONLY.contains(f))
              .filter(f -> by != '-' || !STAY.contains(f))
              .orElseThrow(() -> new IllegalArgumentException(part));
      if (flag == ReservationFlag.PURGE_COMP && word.length > 1) {
        purge = TimeLimits.parseSeconds(word[1]);
      }
      (sign == '-' ? unset : set).add(flag);
    }
    return new ReservationFlagWords(set, unset, purge);
  }

  /** The words with the sign of the whole before each, as scontrol hands them on. */
  public static String written(String value) {
    boolean signed = value.startsWith("+=") || value.startsWith("-=");
    String sign = signed ? value.substring(0, 1) : "";
    String words = signed ? value.substring(2) : value;
    return signed ? sign + words.replace(",", "," + sign) : words;
  }
}
