package dev.yardmaster.controller.accounts;

import dev.yardmaster.controller.accounts.Terms.Term;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Changes of what a cluster of its own does not have: federations, resources of other servers,
 * other clusters. What is wrong with a command is said in Slurm's words, and none are made.
 */
final class AbsentEdits {
  private static final String VALUE = " Use keyword 'set' to modify value";
  private static final String PRINTED = " Use keyword 'set' to modify SLURM_PRINT_VALUE";

  /** The conditions that each knows, of which the first letters will do. */
  private static final Map<String, List<String>> CONDITIONS =
      Map.of(
          "federation", List.of("names", "federations", "clusters", "withdeleted", "tree"),
          "resource",
              List.of(
                  "names",
                  "clusters",
                  "descriptions",
                  "ids",
                  "allowed",
                  "percentallowed",
                  "server",
                  "servertype",
                  "withclusters",
                  "withdeleted"),
          "cluster",
              List.of("names", "clusters", "classification", "federation", "flags", "withdeleted"),
          "job", List.of("clusters", "jobids", "users"));

  /** What can be set of each. */
  private static final Map<String, List<String>> SETTINGS =
      Map.of(
          "federation", List.of("clusters", "flags"),
          "resource",
              List.of(
                  "clusters",
                  "count",
                  "descriptions",
                  "flags",
                  "server",
                  "servertype",
                  "allowed",
                  "percentallowed",
                  "lastconsumed",
                  "type"),
          "job",
              List.of(
                  "admincomment",
                  "comment",
                  "derivedexitcode",
                  "exitcode",
                  "extra",
                  "newwckey",
                  "systemcomment"));

  private final String kind;

  AbsentEdits(String kind) {
    this.kind = kind;
  }

  Edit add(Terms terms) {
    throw terms.names().isEmpty()
        ? new EditFailure(" Need name of " + kind + " to add.")
        : unavailable();
  }

  Edit modify(Terms terms) {
    if (kind.equals("job") && !terms.names().isEmpty()) {
      // Jobs have ids, not names.
      require(new Term("name", "=", String.join(",", terms.names())), CONDITIONS, terms.set());
    }
    for (Term term : terms.where()) {
      require(term, CONDITIONS, terms.set());
    }
    for (Term term : terms.set()) {
      if (!isOne(term, SETTINGS)) {
        throw AccountEdits.unknown(term);
      }
    }
    throw terms.set().isEmpty()
        ? new EditFailure(" You didn't give me anything to set")
        : unavailable();
  }

  Edit delete(Terms terms) {
    for (Term term : terms.where()) {
      require(term, CONDITIONS, List.of());
    }
    throw new EditFailure(
        terms.names().isEmpty() && terms.where().isEmpty()
            ? " No conditions given to remove, not executing."
            : " Nothing deleted");
  }

  /** Both sides of a command are looked at before it is refused. */
  private void require(Term term, Map<String, List<String>> known, List<Term> set) {
    if (isOne(term, known)) {
      return;
    }
    List<String> lines =
        new ArrayList<>(
            List.of(
                " Unknown condition: " + term.text(), kind.equals("resource") ? PRINTED : VALUE));
    if (kind.equals("resource") && set.isEmpty()) {
      lines.add(" No conditions given to remove, not executing.");
    }
    set.stream()
        .filter(other -> !isOne(other, SETTINGS))
        .forEach(other -> lines.addAll(AccountEdits.unknown(other).lines()));
    throw new EditFailure(lines);
  }

  private boolean isOne(Term term, Map<String, List<String>> known) {
    return known.getOrDefault(kind, List.of()).stream().anyMatch(name -> term.is(name, 1));
  }

  private EditFailure unavailable() {
    return new EditFailure(
        " sacctmgr: " + kind + "s are not available yet in this version of Yardmaster");
  }
}
