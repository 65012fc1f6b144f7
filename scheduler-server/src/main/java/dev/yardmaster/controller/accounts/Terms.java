package dev.yardmaster.controller.accounts;

import dev.yardmaster.model.text.AccountingNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The words of a command, parted in those that choose and those that set (sacctmgr(1), "where" and
 * "set").
 *
 * @param names words without an operator: what is meant
 */
record Terms(List<String> names, List<Term> where, List<Term> set) {
  /** Options whose values are names or texts, which are kept in lower case. */
  private static final List<String> NAMES =
      List.of(
          "accounts",
          "clusters",
          "coordinators",
          "defaultaccount",
          "defaultqos",
          "defaultwckey",
          "description",
          "organization",
          "parent",
          "preempt",
          "qos",
          "qoslevel",
          "users",
          "wckeys");

  /** One word such as {@code qos+=high}; the operator is "=", "+=" or "-=". */
  record Term(String name, String operator, String value) {
    /** Whether this is an option, perhaps cut short to no less than {@code least} letters. */
    boolean is(String option, int least) {
      return name.length() >= least
          && option.length() >= name.length()
          && option.substring(0, name.length()).equalsIgnoreCase(name);
    }

    /** The value as a list; empty items are left out. */
    List<String> list() {
      return split(value);
    }

    /** As it was written. */
    String text() {
      return name + operator + value;
    }

    /** Whether the value takes a setting away. */
    boolean clears() {
      return value.equals("-1") || value.isEmpty();
    }
  }

  /**
   * Reads words.
   *
   * @param setsFirst whether words belong to what is set before "where" or "set" is said
   */
  static Terms read(List<String> words, boolean setsFirst) {
    List<String> names = new ArrayList<>();
    List<Term> where = new ArrayList<>();
    List<Term> set = new ArrayList<>();
    boolean sets = setsFirst;
    for (String word : words) {
      String lower = word.toLowerCase(Locale.ROOT);
      if (lower.equals("where")) {
        sets = false;
      } else if (lower.equals("set")) {
        sets = true;
      } else {
        Term term = term(word);
        if (term == null || term.is("names", 1)) {
          names.addAll(AccountingNames.fold(split(term == null ? word : term.value())));
        } else {
          (sets ? set : where).add(term);
        }
      }
    }
    return new Terms(List.copyOf(names), List.copyOf(where), List.copyOf(set));
  }

  private static @org.jspecify.annotations.Nullable Term term(String word) {
    int equals = word.indexOf('=');
    if (equals < 1) {
      return null;
    }
    char before = word.charAt(equals - 1);
    boolean changes = before == '+' || before == '-';
    String value = word.substring(equals + 1);
    if (value.length() >= 2 && value.startsWith("\"") && value.endsWith("\"")) {
      value = value.substring(1, value.length() - 1);
    }
    String name = word.substring(0, changes ? equals - 1 : equals);
    boolean folds = NAMES.stream().anyMatch(known -> known.startsWith(AccountingNames.fold(name)));
    return new Term(
        name, changes ? before + "=" : "=", folds ? AccountingNames.fold(value) : value);
  }

  static List<String> split(String text) {
    List<String> items = new ArrayList<>();
    for (String item : text.split(",", -1)) {
      if (!item.isBlank()) {
        items.add(item.strip());
      }
    }
    return items;
  }
}
