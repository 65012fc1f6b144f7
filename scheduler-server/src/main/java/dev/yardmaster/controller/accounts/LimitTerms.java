package dev.yardmaster.controller.accounts;

import dev.yardmaster.controller.accounts.Terms.Term;
import dev.yardmaster.model.LimitKind;
import dev.yardmaster.model.Limits;
import dev.yardmaster.model.text.TimeLimits;
import dev.yardmaster.model.text.TresList;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads limits as sacctmgr(1) writes them. */
final class LimitTerms {
  /** What 32 bits hold without the values that stand for none and for no limit. */
  private static final long MOST = 0xFFFF_FFFDL;

  private static final String NOTHING_TO_SET = " You didn't give me anything to set";

  private static final Pattern OLD =
      Pattern.compile(
          "(grp|max|min)(cpu|node|mem)(?:s|ory)?"
              + "((?:run)?(?:mins)?(?:peruser|peraccount|peracct|perjob|pernode)?)");

  /** An amount that begins with no digit is none, as Slurm reads it. */
  private static final Pattern NO_AMOUNT = Pattern.compile("=(?![-0-9=])[^,=]+");

  private final Predicate<String> knownTres;

  LimitTerms(Predicate<String> knownTres) {
    this.knownTres = knownTres;
  }

  /**
   * The limits with one more term.
   *
   * @return null when the term is no limit
   * @throws EditFailure when it is one, and its value is none
   */
  @Nullable Limits apply(Limits limits, Term term, boolean qos) {
    Optional<LimitKind> kind = LimitKind.ofOption(term.name(), qos);
    if (kind.isEmpty()) {
      return old(limits, term, qos);
    }
    return set(limits, kind.get(), term, qos);
  }

  /**
   * Whether a term changes anything. A time below zero, or so long that 31 bits do not hold its
   * minutes, is one that Slurm takes and then leaves as it was; {@code -1} takes the limit away.
   */
  static boolean changes(Term term, boolean qos) {
    boolean minutes =
        LimitKind.ofOption(term.name(), qos)
            .filter(kind -> kind.unit() == LimitKind.Unit.MINUTES)
            .isPresent();
    if (!minutes || term.value().isEmpty()) {
      return true;
    }
    try {
      return TimeLimits.requestMinutes(term.value()) <= Integer.MAX_VALUE;
    } catch (IllegalArgumentException e) {
      // What is wrong with it is said where it is read.
      return true;
    }
  }

  private Limits set(Limits limits, LimitKind kind, Term term, boolean qos) {
    return switch (kind.unit()) {
      case TRES, TRES_MINUTES -> limits.with(kind, tres(term, qos));
      case MINUTES -> limits.with(kind, minutes(kind, term, qos));
      case JOBS, NUMBER ->
          limits.with(kind, number(term, qos ? kind.column() : kind.option(), qos));
    };
  }

  private SortedMap<String, Long> tres(Term term, boolean qos) {
    TresList list;
    try {
      list = TresList.parse(NO_AMOUNT.matcher(term.value()).replaceAll("=0"));
    } catch (IllegalArgumentException e) {
      boolean id = term.value().matches("[0-9]{1,18}");
      String why =
          id && Long.parseLong(term.value()) > 0
              ? "no TRES known by id " + (Long.parseLong(term.value()) & 0xFFFF_FFFFL)
              : "no TRES id found for " + term.value();
      throw noTres(why, term, qos);
    }
    if (list.amounts().isEmpty()) {
      throw qos ? new EditFailure(NOTHING_TO_SET) : AccountEdits.unknown(term);
    }
    for (String name : list.amounts().keySet()) {
      if (!knownTres.test(name)) {
        throw noTres("no TRES known by type " + name, term, qos);
      }
    }
    return new TreeMap<>(list.amounts());
  }

  private static EditFailure noTres(String why, Term term, boolean qos) {
    String line = "sacctmgr: error: slurmdb_format_tres_str: " + why;
    return qos ? new EditFailure(line) : refused(line, term, false);
  }

  private static @Nullable Long minutes(LimitKind kind, Term term, boolean qos) {
    try {
      long minutes = TimeLimits.requestMinutes(term.value());
      return minutes < 0 ? null : (Long) minutes;
    } catch (IllegalArgumentException e) {
      String line = " Bad " + kind.column() + " time format: " + term.text();
      throw qos ? new EditFailure(line) : refused(line, term, false);
    }
  }

  /**
   * A number of 32 bits; null when the term takes it away, as any negative one does.
   *
   * @param what as Slurm calls it
   */
  static @Nullable Long number(Term term, String what, boolean qos) {
    if (term.clears() || term.value().matches("-[0-9]+")) {
      return null;
    }
    boolean digits = term.value().matches("[0-9]{1,18}");
    // What is too large for 32 bits loses its upper ones, as in Slurm.
    long number = digits ? Long.parseLong(term.value()) & 0xFFFF_FFFFL : MOST + 1;
    if (number > MOST) {
      throw refused(
          "sacctmgr: error: Invalid value for " + what + " (" + term.value() + ")", term, qos);
    }
    return number;
  }

  /** What is wrong with a value, and that nothing is left to be done. */
  static EditFailure refused(String line, Term term, boolean qos) {
    List<String> lines = new ArrayList<>(List.of(line));
    lines.addAll(qos ? List.of(NOTHING_TO_SET) : AccountEdits.unknown(term).lines());
    return new EditFailure(lines);
  }

  /** Names from before there were TRES, as GrpCPUs and MaxNodesPerUser. */
  private @Nullable Limits old(Limits limits, Term term, boolean qos) {
    Matcher old = OLD.matcher(term.name().toLowerCase(Locale.ROOT));
    if (!old.matches()) {
      return null;
    }
    String scope = old.group(1);
    String rest = old.group(3);
    String modern = scope + "tres" + rest;
    boolean perJob = !scope.equals("grp") && !rest.contains("per");
    Optional<LimitKind> kind = LimitKind.ofOption(perJob ? modern + "perjob" : modern, qos);
    String resource = old.group(2) + "=" + term.value();
    return kind.map(k -> set(limits, k, new Term(term.name(), "=", resource), qos)).orElse(null);
  }
}
