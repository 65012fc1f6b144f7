package dev.yardmaster.controller.accounts;

import dev.yardmaster.controller.accounts.Terms.Term;
import dev.yardmaster.model.Accounting;
import dev.yardmaster.model.Association;
import dev.yardmaster.model.Limits;
import dev.yardmaster.model.Qos;
import dev.yardmaster.model.text.TimeLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;

/** {@code sacctmgr add|modify|delete qos}. */
final class QosEdits {
  private static final List<String> FLAGS =
      List.of(
          "DenyOnLimit",
          "EnforceUsageThreshold",
          "NoDecay",
          "NoReserve",
          "OverPartQOS",
          "PartitionMaxNodes",
          "PartitionMinNodes",
          "PartitionTimeLimit",
          "Relative",
          "RequiresReservation",
          "UsageFactorSafe");

  /** In Slurm's order. */
  private static final String SHOWN_FLAGS =
      "DenyOnLimit,EnforceUsageThreshold,PartitionMinNodes,PartitionMaxNodes,PartitionTimeLimit,"
          + "RequiresReservation,OverPartQOS,NoReserve,NoDecay,Relative,UsageFactorSafe";

  private static final List<String> MODES =
      List.of("off", "cluster", "cancel", "gang", "requeue", "suspend", "within");

  private final AccountingEditor editor;

  QosEdits(AccountingEditor editor) {
    this.editor = editor;
  }

  Edit add(Terms terms) {
    if (terms.names().isEmpty()) {
      throw new EditFailure(" Need name of qos to add.");
    }
    editor.requireAdministrator("add QOS");
    Draft draft = editor.draft();
    List<String> lines = new ArrayList<>(List.of(" Adding QOS(s)"));
    String description = "";
    for (String name : new TreeSet<>(terms.names())) {
      if (draft.now().qos().containsKey(name)) {
        continue;
      }
      Qos qos = Qos.of(draft.nextQos(), name);
      for (Term term : terms.set()) {
        qos = changed(draft.now(), qos, term);
      }
      draft.save(qos);
      description = qos.description();
      lines.add("  " + name);
    }
    if (lines.size() == 1) {
      throw new EditFailure(" Nothing new added.");
    }
    lines.add(" Settings");
    lines.add("  Description    = " + description);
    return draft.done(lines);
  }

  Edit modify(Terms terms) {
    if (terms.set().isEmpty()) {
      throw new EditFailure(" You didn't give me anything to set");
    }
    Qos probe = Qos.of(-1, "");
    terms.set().stream()
        .filter(t -> !t.is("RawUsage", 4))
        .forEach(t -> changed(editor.accounting(), probe, t));
    Draft draft = editor.draft();
    List<Qos> chosen = editor.isAdministrator() ? chosen(terms) : List.of();
    if (terms.set().stream().anyMatch(t -> t.is("RawUsage", 4))) {
      UserEdits.requireZero(terms);
      chosen.forEach(draft::reset);
      return draft.done(List.of());
    }
    List<Term> changes = terms.set().stream().filter(QosEdits::changes).toList();
    if (changes.isEmpty()) {
      throw new EditFailure(" Error with request: Data has not changed since time specified");
    }
    List<String> lines = new ArrayList<>(List.of(" Modified qos..."));
    for (Qos qos : chosen) {
      Qos changed = qos;
      for (Term term : changes) {
        changed = changed(draft.now(), changed, term);
      }
      draft.save(changed);
      lines.add("  " + qos.name());
    }
    if (lines.size() == 1) {
      throw new EditFailure("  Nothing modified");
    }
    return draft.done(lines);
  }

  /** Whether a term changes anything; a factor without a value is left as it was. */
  private static boolean changes(Term term) {
    boolean left = term.is("LimitFactor", 6) && term.value().isEmpty();
    return !left && LimitTerms.changes(term, true);
  }

  private List<Qos> chosen(Terms terms) {
    List<String> names = new ArrayList<>(terms.names());
    for (Term term : terms.where()) {
      if (term.is("QosLevel", 1)) {
        names.addAll(term.list());
      } else {
        throw new EditFailure(
            " Unknown condition: " + term.text(), " Use keyword 'set' to modify SLURM_PRINT_VALUE");
      }
    }
    return editor.accounting().qos().values().stream()
        .filter(q -> names.isEmpty() || names.contains(q.name()))
        .toList();
  }

  private Qos changed(Accounting accounting, Qos qos, Term term) {
    if (term.is("Description", 1)) {
      return qos.withDescription(term.value());
    }
    if (term.is("Flags", 2)) {
      return qos.withFlags(flags(qos, term));
    }
    if (term.is("GraceTime", 3)) {
      Long grace = LimitTerms.number(term, "GraceTime", true);
      return qos.withGraceSeconds(grace == null ? 0 : grace);
    }
    if (term.is("PreemptMode", 8)) {
      return qos.withPreemptMode(mode(term));
    }
    if (term.is("PreemptExemptTime", 8)) {
      boolean clears = term.value().matches("-[0-9]+");
      return qos.withPreemptExemptSeconds(clears ? null : (Long) seconds(term));
    }
    if (term.is("Preempt", 3)) {
      return qos.withPreempt(preempt(accounting, qos, term));
    }
    if (term.is("Priority", 3)) {
      Long priority = LimitTerms.number(term, "Priority", true);
      return qos.withPriority(priority == null ? 0 : priority);
    }
    if (term.is("UsageFactor", 6)) {
      return qos.withUsageFactor(clears(term) ? 1 : factor("UsageFactor", term));
    }
    if (term.is("UsageThreshold", 6)) {
      return qos.withUsageThreshold(clears(term) ? null : (Double) factor("UsageThreshold", term));
    }
    if (term.is("LimitFactor", 6)) {
      return qos.withLimitFactor(clears(term) ? null : (Double) factor("LimitFactor", term));
    }
    Limits limits = editor.limits().apply(qos.limits(), term, true);
    if (limits == null) {
      throw AccountEdits.unknown(term);
    }
    return qos.withLimits(limits);
  }

  private static TreeSet<String> flags(Qos qos, Term term) {
    TreeSet<String> flags = new TreeSet<>();
    if (!term.operator().equals("=")) {
      flags.addAll(qos.flags());
    }
    boolean none = term.value().isEmpty();
    for (String given : none ? List.of("") : term.clears() ? List.<String>of() : term.list()) {
      String known =
          FLAGS.stream()
              .filter(f -> f.equalsIgnoreCase(given))
              .findFirst()
              .orElseThrow(
                  () ->
                      new EditFailure(
                          " Unknown QOS flag used in:",
                          "  '" + term.value() + "'",
                          " Valid QOS flags are",
                          "  '" + SHOWN_FLAGS + "'"));
      if (term.operator().equals("-=")) {
        flags.remove(known);
      } else {
        flags.add(known);
      }
    }
    return flags;
  }

  private static List<String> preempt(Accounting accounting, Qos qos, Term term) {
    if (term.operator().equals("=") && term.value().isEmpty()) {
      return List.of();
    }
    TreeSet<String> names = new TreeSet<>();
    if (!term.operator().equals("=")) {
      names.addAll(qos.preempt());
    }
    for (String written : term.list()) {
      String name = written.replaceFirst("^[-+]", "");
      if (!accounting.qos().containsKey(name)) {
        throw new EditFailure(
            "sacctmgr: error: You gave a bad qos '" + name + "'.  Valid QOS's are",
            " " + String.join(",", accounting.qos().keySet()));
      }
      if (term.operator().equals("-=")) {
        names.remove(name);
      } else {
        names.add(name);
      }
    }
    return List.copyOf(names);
  }

  private static String mode(Term term) {
    if (term.value().isEmpty()) {
      return "cluster";
    }
    List<String> modes = term.list().stream().map(m -> m.toLowerCase(Locale.ROOT)).toList();
    if (!MODES.containsAll(modes)) {
      throw new EditFailure(" Bad Preempt Mode given: " + term.text());
    }
    return String.join(",", modes);
  }

  private static long seconds(Term term) {
    if (term.value().matches("[0-9]{1,9}")) {
      return Long.parseLong(term.value());
    }
    try {
      return TimeLimits.requestSeconds(term.value());
    } catch (IllegalArgumentException e) {
      throw new EditFailure(" Bad PreemptExemptTime format: " + term.text());
    }
  }

  private static boolean clears(Term term) {
    return term.clears() || term.value().matches("-[0-9.]+");
  }

  private static double factor(String what, Term term) {
    try {
      double value = Double.parseDouble(term.value());
      if (value >= 0 && Double.isFinite(value)) {
        return value;
      }
    } catch (NumberFormatException e) {
      // Said below, as for numbers that are out of range.
    }
    throw LimitTerms.refused(
        "sacctmgr: error: " + what + " value (" + term.value() + ") is not a valid number",
        term,
        true);
  }

  Edit delete(Terms terms) {
    try {
      chosen(terms);
    } catch (EditFailure e) {
      throw e.lines().getFirst().startsWith(" Unknown condition") && terms.names().isEmpty()
          ? e.and(" No conditions given to remove, not executing.")
          : e;
    }
    if (terms.names().isEmpty() && terms.where().isEmpty()) {
      throw new EditFailure(" No conditions given to remove, not executing.");
    }
    editor.requireAdministrator("remove QOS");
    List<Qos> chosen = chosen(terms);
    if (chosen.isEmpty()) {
      throw new EditFailure(" Nothing deleted");
    }
    List<String> names = chosen.stream().map(Qos::name).toList();
    editor.refuseWhileActive(job -> names.contains(job.owner().qos()), " ");
    Draft draft = editor.draft();
    names.forEach(draft::removeQos);
    for (Association a : draft.now().associations().values()) {
      List<String> own = a.qos();
      String byDefault = a.defaultQos();
      Association changed =
          a.withQosChanges(
              a.qosChanges().stream().filter(c -> !names.contains(c.substring(1))).toList());
      if (own != null) {
        changed = changed.withQos(own.stream().filter(q -> !names.contains(q)).toList());
      }
      if (byDefault != null && names.contains(byDefault)) {
        changed = changed.withDefaultQos(null);
      }
      if (!changed.equals(a)) {
        draft.save(changed);
      }
    }
    for (Qos qos : draft.now().qos().values()) {
      if (qos.preempt().stream().anyMatch(names::contains)) {
        draft.save(
            qos.withPreempt(qos.preempt().stream().filter(p -> !names.contains(p)).toList()));
      }
    }
    List<String> lines = new ArrayList<>(List.of(" Deleting QOS(s)..."));
    names.forEach(name -> lines.add("  " + name));
    return draft.done(lines);
  }
}
