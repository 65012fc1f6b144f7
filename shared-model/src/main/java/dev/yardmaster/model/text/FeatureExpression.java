package dev.yardmaster.model.text;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Features that nodes must have (sbatch(1), {@code --constraint}). {@code &} and {@code ,} are AND,
 * {@code |} is OR; without parentheses they are read strictly from left to right. {@code [a|b]}
 * wants all nodes from one branch, {@code [a*2&b*1]} wants numbers of nodes, and {@code a*4} or
 * {@code (a&b)*4} alone wants at least four such nodes. What stands beside counts in brackets is
 * not looked at, and neither is an AND at the end, as in Slurm. Printed with {@code &} and with
 * parentheses where AND and OR meet.
 */
public record FeatureExpression(Term root) {
  private static final int MAX_COUNT = 1_000_000;

  /** A part of an expression. */
  public sealed interface Term permits Feature, And, Or, Count, Choice, Counts {}

  /** One feature, by name. */
  public record Feature(String name) implements Term {
    public Feature {
      FeatureParser.checkName(name);
    }

    @Override
    public String toString() {
      return name;
    }
  }

  /** All of these on one node. */
  public record And(List<Term> terms) implements Term {
    public And {
      terms =
          terms.stream()
              .flatMap(t -> t instanceof And and ? and.terms.stream() : Stream.of(t))
              .toList();
      require(terms.size() > 1, "AND of fewer than two terms");
    }

    @Override
    public String toString() {
      return join("&", terms);
    }
  }

  /** At least one of these on each node. */
  public record Or(List<Term> terms) implements Term {
    public Or {
      terms =
          terms.stream()
              .flatMap(t -> t instanceof Or or ? or.terms.stream() : Stream.of(t))
              .toList();
      require(terms.size() > 1, "OR of fewer than two terms");
    }

    @Override
    public String toString() {
      return join("|", terms);
    }
  }

  /** A number of nodes that match. */
  public record Count(Term term, int nodes) implements Term {
    public Count {
      require(nodes > 0 && nodes <= MAX_COUNT, "count outside 1-" + MAX_COUNT);
      require(
          term instanceof Feature || term instanceof And || term instanceof Or,
          "a count of a count");
    }

    @Override
    public String toString() {
      return group(term) + "*" + nodes;
    }
  }

  /** {@code [a|b]}: all nodes of the job match the same branch. */
  public record Choice(List<Term> branches) implements Term {
    public Choice {
      branches = List.copyOf(branches);
      require(!branches.isEmpty(), "empty brackets");
    }

    @Override
    public String toString() {
      return "[" + join("|", branches) + "]";
    }
  }

  /** {@code [a*2&b*1]}: two nodes that match the one, one node that matches the other. */
  public record Counts(List<Count> counts) implements Term {
    public Counts {
      counts = List.copyOf(counts);
      require(!counts.isEmpty(), "empty brackets");
    }

    @Override
    public String toString() {
      return "[" + join("&", counts) + "]";
    }
  }

  /** Parses an expression. */
  public static FeatureExpression parse(String text) {
    return new FeatureParser(text).parse();
  }

  /**
   * Whether a node with these features may serve the job at all. Branches and counts, which are
   * about the job as a whole, are looked at by {@link #alternatives} and {@link #counts}: beside
   * the nodes of a single count any will do, beside those of several only such as have one of the
   * features that are counted, as in Slurm.
   */
  public boolean matches(Set<String> features) {
    return matches(root, features);
  }

  /** Whether a node with these features matches a part of an expression. */
  public static boolean matches(Term term, Set<String> features) {
    return switch (term) {
      case Feature feature -> features.contains(feature.name);
      case And and -> counted(and.terms).stream().allMatch(t -> matches(t, features));
      case Or or -> or.terms.stream().anyMatch(t -> matches(t, features));
      case Choice choice -> choice.branches.stream().anyMatch(t -> matches(t, features));
      case Counts counts ->
          counts.counts.size() == 1
              || counts.counts.stream().anyMatch(c -> matches(c.term, features));
      case Count count -> true;
    };
  }

  /** What is looked at of terms joined by AND: beside counts in brackets, these alone. */
  private static List<Term> counted(List<Term> terms) {
    List<Term> counts = terms.stream().filter(t -> t instanceof Counts).toList();
    return counts.isEmpty() ? terms : counts;
  }

  /**
   * The expressions of which all nodes of the job must match one and the same: several only where
   * there is a choice.
   */
  public List<FeatureExpression> alternatives() {
    return switch (root) {
      case Choice choice -> choice.branches.stream().map(FeatureExpression::new).toList();
      case And and -> split(and);
      case Feature f -> List.of(this);
      case Or or -> List.of(this);
      case Count c -> List.of(this);
      case Counts c -> List.of(this);
    };
  }

  /** The numbers of nodes that the job as a whole needs; empty when no count was given. */
  public List<Count> counts() {
    var out = new ArrayList<Count>();
    collect(root, out);
    return out;
  }

  /** All feature names, in the order of their first mention. */
  public Set<String> names() {
    var out = new LinkedHashSet<String>();
    names(root, out);
    return out;
  }

  @Override
  public String toString() {
    return root.toString();
  }

  private static List<FeatureExpression> split(And and) {
    for (int i = 0; i < and.terms.size(); i++) {
      if (and.terms.get(i) instanceof Choice choice) {
        var out = new ArrayList<FeatureExpression>();
        for (Term branch : choice.branches) {
          var terms = new ArrayList<>(and.terms);
          terms.set(i, branch);
          out.add(new FeatureExpression(new And(terms)));
        }
        return out;
      }
    }
    return List.of(new FeatureExpression(and));
  }

  private static void collect(Term term, List<Count> out) {
    switch (term) {
      case Count count -> out.add(count);
      case Counts counts -> out.addAll(counts.counts);
      case And and -> and.terms.forEach(t -> collect(t, out));
      case Or or -> {}
      case Feature feature -> {}
      case Choice choice -> {}
    }
  }

  private static void names(Term term, Set<String> out) {
    switch (term) {
      case Feature feature -> out.add(feature.name);
      case And and -> and.terms.forEach(t -> names(t, out));
      case Or or -> or.terms.forEach(t -> names(t, out));
      case Count count -> names(count.term, out);
      case Choice choice -> choice.branches.forEach(t -> names(t, out));
      case Counts counts -> counts.counts.forEach(t -> names(t, out));
    }
  }

  private static String join(String operator, List<? extends Term> terms) {
    return terms.stream().map(FeatureExpression::group).collect(Collectors.joining(operator));
  }

  private static String group(Term term) {
    return term instanceof And || term instanceof Or ? "(" + term + ")" : term.toString();
  }

  private static void require(boolean holds, String wrong) {
    if (!holds) {
      throw new NotationException(FeatureParser.NOTATION, "", 0, wrong, FeatureParser.HELP);
    }
  }
}
