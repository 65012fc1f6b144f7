package dev.yardmaster.model.text;

import dev.yardmaster.model.text.FeatureExpression.And;
import dev.yardmaster.model.text.FeatureExpression.Choice;
import dev.yardmaster.model.text.FeatureExpression.Count;
import dev.yardmaster.model.text.FeatureExpression.Counts;
import dev.yardmaster.model.text.FeatureExpression.Feature;
import dev.yardmaster.model.text.FeatureExpression.Or;
import dev.yardmaster.model.text.FeatureExpression.Term;
import java.util.ArrayList;
import java.util.List;

/** Reads one feature expression. */
final class FeatureParser {
  static final String NOTATION = "constraint";
  static final String HELP = "write a&b, a|b, (a|b)&c, [a|b] or [a*2&b*1]";
  private static final int MAX_DEPTH = 32;

  /** Operators that alternate nest, so this bounds the depth of the tree. */
  private static final int MAX_TURNS = 100;

  private static final int MAX_LENGTH = 4096;

  private static final String OPERATORS = "&,|()[]*";

  private final Scan scan;
  private int brackets;
  private int depth;
  private int turns;

  FeatureParser(String text) {
    this.scan = new Scan(NOTATION, text);
  }

  FeatureExpression parse() {
    if (scan.text.isEmpty()) {
      throw scan.whole("empty", "name a feature");
    }
    if (scan.text.length() > MAX_LENGTH) {
      throw scan.whole(scan.text.length() + " characters", "use at most " + MAX_LENGTH);
    }
    Term root = expression();
    if (!scan.end()) {
      throw scan.error(scan.at, scan.unexpected(), HELP);
    }
    checkCounts(root, true);
    return new FeatureExpression(root);
  }

  static void checkName(String name) {
    if (name.isEmpty()) {
      throw new NotationException(NOTATION, name, 0, "empty feature name", HELP);
    }
    for (int i = 0; i < name.length(); i++) {
      if (!isNameChar(name.charAt(i))) {
        throw new NotationException(
            NOTATION, name, i + 1, "not a character of a feature name", HELP);
      }
    }
  }

  private Term expression() {
    Term left = term();
    char before = 0;
    while (!scan.end()) {
      char op = scan.peek() == ',' ? '&' : scan.peek();
      if (op != '|' && op != '&') {
        break;
      }
      if (before != 0 && op != before && ++turns > MAX_TURNS) {
        throw scan.error(
            scan.at,
            "\"&\" and \"|\" alternate more than " + MAX_TURNS + " times",
            "use parentheses");
      }
      before = op;
      scan.at++;
      if (op == '&' && scan.end()) {
        break; // Slurm takes "a&" for "a"
      }
      List<Term> both = List.of(left, term());
      left = op == '|' ? new Or(both) : new And(both);
    }
    return left;
  }

  private Term term() {
    if (scan.peek() == '[') {
      return bracket();
    }
    return counted(simple());
  }

  private Term simple() {
    int from = scan.at;
    if (scan.accept('(')) {
      if (++depth > MAX_DEPTH) {
        throw scan.error(from, "parentheses nested deeper than " + MAX_DEPTH, "use fewer");
      }
      Term inner = expression();
      if (!scan.accept(')')) {
        throw scan.error(from, "unmatched \"(\"", "close it with \")\"");
      }
      depth--;
      return inner;
    }
    while (!scan.end() && isNameChar(scan.peek())) {
      scan.at++;
    }
    if (scan.at == from) {
      throw scan.error(from, "expected a feature" + scan.found(), HELP);
    }
    return new Feature(scan.text.substring(from, scan.at));
  }

  private Term counted(Term term) {
    int from = scan.at;
    if (!scan.accept('*')) {
      return term;
    }
    int nodes = (int) scan.number("a number of nodes", 1_000_000);
    if (nodes == 0) {
      throw scan.error(from, "a count of 0 nodes", "use 1 or more");
    }
    if (!(term instanceof Feature || term instanceof And || term instanceof Or)) {
      throw scan.error(from, "a count of a count", "use one count");
    }
    return new Count(term, nodes);
  }

  private Term bracket() {
    int from = scan.at++;
    if (++brackets > 1 || depth > 0) {
      throw scan.error(
          from,
          brackets > 1 ? "a second pair of brackets" : "brackets inside parentheses",
          "use one [...] at the top");
    }
    var terms = new ArrayList<Term>();
    char joint = 0;
    while (true) {
      terms.add(counted(simple()));
      if (scan.accept(']')) {
        return bracketOf(from, terms, joint);
      }
      char op = scan.peek() == ',' ? '&' : scan.peek();
      if (scan.end() || (op != '|' && op != '&')) {
        throw scan.error(from, "unmatched \"[\"", "close it with \"]\"");
      }
      if (joint != 0 && op != joint) {
        throw scan.error(scan.at, "both \"|\" and \"&\" in brackets", "group with parentheses");
      }
      joint = op;
      scan.at++;
    }
  }

  private Term bracketOf(int from, List<Term> terms, char joint) {
    var counts = new ArrayList<Count>();
    for (Term term : terms) {
      if (term instanceof Count count) {
        counts.add(count);
      }
    }
    if (counts.size() == terms.size() && joint != '|') {
      return new Counts(counts);
    }
    if (joint == '&') {
      throw scan.error(from, "\"&\" in brackets without a count for each part", "write [a*2&b*1]");
    }
    if (!counts.isEmpty()) {
      throw scan.error(from, "a count in a choice", "write [a|b] or [a*2&b*1]");
    }
    return new Choice(terms);
  }

  /** Outside brackets a count may only stand alone, and a bracket only beside AND. */
  private void checkCounts(Term term, boolean top) {
    switch (term) {
      case Feature feature -> {}
      case Count count -> {
        if (!top) {
          throw scan.whole("counts of several features outside brackets", "write [a*2&b*1]");
        }
        checkCounts(count.term(), false);
      }
      case And and -> and.terms().forEach(t -> checkCounts(t, false));
      case Or or -> {
        if (or.terms().stream().anyMatch(t -> t instanceof Choice || t instanceof Counts)) {
          throw scan.whole("brackets beside \"|\"", "join brackets with \"&\"");
        }
        or.terms().forEach(t -> checkCounts(t, false));
      }
      case Choice choice -> choice.branches().forEach(t -> checkCounts(t, false));
      case Counts counts -> counts.counts().forEach(c -> checkCounts(c.term(), false));
    }
  }

  private static boolean isNameChar(char c) {
    return OPERATORS.indexOf(c) < 0
        && c > ' '
        && c != '!'
        && !Character.isWhitespace(c)
        && !Character.isISOControl(c);
  }
}
