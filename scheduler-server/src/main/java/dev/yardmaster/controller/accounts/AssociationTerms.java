package dev.yardmaster.controller.accounts;

import dev.yardmaster.controller.accounts.Terms.Term;
import dev.yardmaster.model.Accounting;
import dev.yardmaster.model.Association;
import dev.yardmaster.model.Limits;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads what can be set on an association. */
final class AssociationTerms {
  private static final String HOW_TO_SEE = "Use 'list qos' to get complete list.";

  private final Accounting accounting;
  private final LimitTerms limits;

  AssociationTerms(Accounting accounting, LimitTerms limits) {
    this.accounting = accounting;
    this.limits = limits;
  }

  /** The association with one more term; null when the term is of something else. */
  @Nullable Association apply(Association a, Term term) {
    if (term.is("Fairshare", 4) || term.is("Shares", 3)) {
      return a.withShares(shares(term));
    }
    if (term.is("DefaultQOS", 8) || term.name().equalsIgnoreCase("DefQOS")) {
      boolean clears = term.value().equals("-1");
      if (!clears && !accounting.qos().containsKey(term.value())) {
        throw new EditFailure(" You gave a bad default qos '" + term.value() + "'.  " + HOW_TO_SEE);
      }
      return a.withDefaultQos(clears ? null : term.value());
    }
    if (term.is("QosLevel", 3)) {
      return qos(a, term);
    }
    if (term.is("Priority", 3)) {
      return a.withPriority(LimitTerms.number(term, "Priority", false));
    }
    if (term.is("Comment", 3)) {
      return a.withComment(term.value());
    }
    Limits changed = limits.apply(a.limits(), term, false);
    return changed == null ? null : a.withLimits(changed);
  }

  private static int shares(Term term) {
    if (term.value().equalsIgnoreCase("parent")) {
      return Association.PARENT;
    }
    if (term.clears()) {
      return 1;
    }
    Long shares = LimitTerms.number(term, "FairShare", false);
    if (shares != null && shares >= Association.PARENT) {
      throw new EditFailure(" Bad " + term.name() + " value: " + term.value());
    }
    return shares == null ? 1 : (int) (long) shares;
  }

  private Association qos(Association a, Term term) {
    if (term.operator().equals("=")) {
      if (term.value().isEmpty()) {
        return a.withQos(null).withQosChanges(List.of());
      }
      List<String> names = named(term);
      return a.withQos(names).withQosChanges(List.of());
    }
    boolean adds = term.operator().equals("+=");
    List<String> own = a.qos();
    List<String> changed = new ArrayList<>(own == null ? a.qosChanges() : own);
    for (String name : named(term)) {
      if (own == null) {
        changed.removeIf(c -> c.substring(1).equals(name));
        changed.add((adds ? "+" : "-") + name);
      } else {
        changed.remove(name);
        if (adds) {
          changed.add(name);
        }
      }
    }
    return own == null ? a.withQosChanges(changed) : a.withQos(changed);
  }

  private List<String> named(Term term) {
    List<String> names = term.list().stream().map(n -> n.replaceFirst("^[-+]", "")).toList();
    names.forEach(name -> requireQos(name, term));
    return names;
  }

  private void requireQos(String name, Term term) {
    if (!accounting.qos().containsKey(name)) {
      throw new EditFailure(
          "sacctmgr: error: You gave a bad qos '" + name + "'.  Valid QOS's are",
          " " + String.join(",", accounting.qos().keySet()),
          " You gave a bad qos '" + term.value() + "'.  " + HOW_TO_SEE);
    }
  }
}
