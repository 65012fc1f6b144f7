package dev.yardmaster.controller;

import dev.yardmaster.model.SlurmError;
import java.util.ArrayList;
import java.util.List;

/**
 * The lists of those who may use a reservation: as a new one is given them, and as an update
 * changes them (scontrol(1)). A name with a minus is kept out; either all names have one or none.
 */
final class ReservationNames {
  private ReservationNames() {}

  /**
   * The names of a new reservation.
   *
   * @param otherwise the error when only some of them have a minus
   */
  static List<String> given(String field, String value, SlurmError otherwise) {
    List<String> names = words(value);
    long without = names.stream().filter(name -> !name.startsWith("-")).count();
    boolean plus = names.stream().anyMatch(name -> name.startsWith("+"));
    if (plus || without > 0 && without < names.size()) {
      throw mixed(field, value, otherwise);
    }
    return names;
  }

  /**
   * A list after an update: {@code a,b} sets it, {@code +a} and {@code -a} (or {@code +=} and
   * {@code -=} before all) add and remove. Of a list of those kept out, and of an empty one, a
   * minus keeps another one out and a plus lets one in again.
   *
   * @param otherwise the error when a name cannot be removed, or some have a sign and others not
   */
  static List<String> changed(
      List<String> before, String field, String value, SlurmError otherwise) {
    List<String> words = words(value);
    boolean plus = words.stream().anyMatch(word -> word.startsWith("+"));
    boolean minus = words.stream().anyMatch(word -> word.startsWith("-"));
    if (!plus && !minus) {
      return words;
    }
    boolean signed = false;
    for (String word : words) {
      boolean sign = word.startsWith("+") || word.startsWith("-");
      if (signed && !sign) {
        throw mixed(field, value, otherwise);
      }
      signed |= sign;
    }
    boolean keepsOut = before.isEmpty() ? minus && !plus : before.getFirst().startsWith("-");
    String mark = keepsOut ? "-" : "";
    List<String> names = new ArrayList<>(before);
    remove(names, words, keepsOut ? '+' : '-', mark, field, otherwise);
    for (String word : words) {
      if (word.charAt(0) == (keepsOut ? '-' : '+') && !names.contains(mark + word.substring(1))) {
        names.add(mark + word.substring(1));
      }
    }
    return names;
  }

  private static void remove(
      List<String> names,
      List<String> words,
      char sign,
      String mark,
      String field,
      SlurmError otherwise) {
    for (String word : words) {
      if (word.charAt(0) == sign && !names.remove(mark + word.substring(1))) {
        throw new Refusal(
            otherwise, "\n" + field + ": " + word.substring(1) + " is none of " + names);
      }
    }
  }

  /**
   * A list of groups after an update. Groups are let in only; one that is not there is not missed.
   */
  static List<String> groups(List<String> before, String value) {
    List<String> words = words(value);
    boolean signed = words.stream().anyMatch(word -> word.startsWith("+") || word.startsWith("-"));
    if (!signed) {
      return words;
    }
    List<String> names = new ArrayList<>(before);
    boolean seen = false;
    for (String word : words) {
      String name = word.substring(1);
      if (word.startsWith("-")) {
        names.remove(name);
      } else if (word.startsWith("+")) {
        if (!names.contains(name)) {
          names.add(name);
        }
      } else if (seen) {
        throw mixed("groups", value, SlurmError.INVALID_GROUP_ID);
      } else {
        return words;
      }
      seen = true;
    }
    return names;
  }

  private static Refusal mixed(String field, String value, SlurmError error) {
    return new Refusal(
        error,
        "\n%s=%s: either all names have a sign or none; a minus keeps a name out"
            .formatted(field, value));
  }

  /** The words of a list; a sign before the whole list is one before each of them. */
  private static List<String> words(String value) {
    boolean signed = value.startsWith("+=") || value.startsWith("-=");
    List<String> words = new ArrayList<>();
    for (String word : (signed ? value.substring(2) : value).split(",", -1)) {
      if (!word.isBlank()) {
        words.add((signed ? value.substring(0, 1) : "") + word.strip());
      }
    }
    return words;
  }
}
