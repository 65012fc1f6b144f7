package dev.yardmaster.controller.accounts;

import dev.yardmaster.controller.accounts.Terms.Term;
import dev.yardmaster.model.LimitKind;
import dev.yardmaster.model.Limits;
import dev.yardmaster.model.text.TimeLimits;
import dev.yardmaster.model.text.TresList;
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

  private static final Pattern OLD =
      Pattern.compile(
          "(grp|max|min)(cpu|node|mem)(?:s|ory)?"
              + "((?:run)?(?:mins)?(?:peruser|peraccount|peracct|perjob|pernode)?)");

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
    return set(limits, kind.get(), term);
  }

  private Limits set(Limits limits, LimitKind kind, Term term) {
    return switch (kind.unit()) {
      case TRES, TRES_MINUTES -> limits.with(kind, tres(limits, kind, term));
      case MINUTES -> limits.with(kind, minutes(kind, term));
      case JOBS, NUMBER -> limits.with(kind, term.clears() ? null : (Long) number(term));
    };
  }

  private SortedMap<String, Long> tres(Limits limits, LimitKind kind, Term term) {
    TreeMap<String, Long> amounts = new TreeMap<>();
    if (term.clears()) {
      limits.tres(kind).keySet().forEach(name -> amounts.put(name, TresList.UNLIMITED));
      return amounts;
    }
    TresList list;
    try {
      list = TresList.parse(term.value());
    } catch (IllegalArgumentException e) {
      throw new EditFailure(
          " Bad " + kind.option() + " value: " + term.text(), " " + e.getMessage());
    }
    for (String name : list.amounts().keySet()) {
      if (!knownTres.test(name)) {
        throw new EditFailure(
            " Bad " + kind.option() + " value: " + term.text(),
            " No TRES is called " + name + "; AccountingStorageTRES names those that are tracked");
      }
    }
    amounts.putAll(list.amounts());
    return amounts;
  }

  private static @Nullable Long minutes(LimitKind kind, Term term) {
    if (term.clears()) {
      return null;
    }
    try {
      long minutes = TimeLimits.parseMinutes(term.value());
      return minutes < 0 ? null : (Long) minutes;
    } catch (IllegalArgumentException e) {
      throw new EditFailure(" Bad " + kind.column() + " time format: " + term.text());
    }
  }

  static long number(Term term) {
    long number = term.value().matches("[0-9]{1,12}") ? Long.parseLong(term.value()) : MOST + 1;
    if (number > MOST) {
      throw new EditFailure(" Bad " + term.name() + " value: " + term.value());
    }
    return number;
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
    return kind.map(k -> set(limits, k, new Term(term.name(), "=", resource))).orElse(null);
  }
}
