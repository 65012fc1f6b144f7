package dev.yardmaster.controller.accounts;

import dev.yardmaster.controller.accounts.Terms.Term;
import dev.yardmaster.model.Account;
import dev.yardmaster.model.AccountUser;
import dev.yardmaster.model.Accounting;
import dev.yardmaster.model.Association;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** {@code sacctmgr add|modify|delete account}. */
final class AccountEdits {
  private final AccountingEditor editor;

  AccountEdits(AccountingEditor editor) {
    this.editor = editor;
  }

  Edit add(Terms terms) {
    if (terms.names().isEmpty()) {
      throw new EditFailure(" Need name of account to add.");
    }
    Draft draft = editor.draft();
    String parent = Account.ROOT;
    for (Term term : terms.set()) {
      parent = term.is("Parent", 1) ? term.value() : parent;
    }
    if (!editor.coordinates(parent)) {
      throw new EditFailure(" error: Only admins/operators/coordinators can add accounts");
    }
    Association above = draft.now().ofAccount(parent);
    if (above == null) {
      throw new EditFailure(
          " error: No parent account '" + parent + "' on cluster '" + editor.cluster() + "'");
    }
    List<String> added = new ArrayList<>();
    for (String name : new TreeSet<>(terms.names())) {
      if (draft.now().ofAccount(name) == null) {
        added.add(name);
        save(draft, terms, name, above);
      }
    }
    if (added.isEmpty()) {
      throw new EditFailure(
          " Already existing account %s on cluster %s"
              .formatted(String.join(",", terms.names()), editor.cluster()));
    }
    List<String> lines = new ArrayList<>(List.of(" Adding Account(s)"));
    added.forEach(name -> lines.add("  " + name));
    lines.add(" Settings");
    lines.add("  Description     = " + said(terms, "Description", "Account Name"));
    lines.add("  Organization    = " + said(terms, "Organization", "Parent/Account Name"));
    lines.add(" Associations =");
    added.forEach(n -> lines.add("  C = %-10.10s A = %-20.20s".formatted(editor.cluster(), n)));
    if (!terms.set().isEmpty()) {
      lines.add(" Settings");
      terms.set().stream()
          .filter(t -> !t.is("Description", 1) && !t.is("Organization", 1) && !t.is("Cluster", 1))
          .forEach(
              t ->
                  lines.add(
                      "  %-13s = %s"
                          .formatted(t.is("Parent", 1) ? "Parent" : t.name(), t.value())));
    }
    return draft.done(lines);
  }

  /** What a command gives for an option, or what Slurm calls that which is taken in its place. */
  private static String said(Terms terms, String option, String otherwise) {
    String said = otherwise;
    for (Term term : terms.set()) {
      said = term.is(option, 1) ? term.value() : said;
    }
    return said;
  }

  private void save(Draft draft, Terms terms, String name, Association above) {
    Account known = draft.now().accounts().get(name);
    Account account = known != null ? known : new Account(name, name, above.account(), List.of());
    Association association = Association.of(draft.nextAssociation(), name, "", above.id());
    AssociationTerms settings = new AssociationTerms(draft.now(), editor.limits());
    for (Term term : terms.set()) {
      if (term.is("Description", 1)) {
        account = account.withDescription(term.value());
      } else if (term.is("Organization", 1)) {
        account = account.withOrganization(term.value());
      } else if (!term.is("Parent", 1) && !term.is("Cluster", 1)) {
        Association changed = settings.apply(association, term);
        if (changed == null) {
          throw unknown(term);
        }
        association = changed;
      }
    }
    draft.save(account);
    draft.save(association);
  }

  static EditFailure unknown(Term term) {
    return new EditFailure(
        " Unknown option: " + term.text(), " Use keyword 'where' to modify condition");
  }

  /** {@code modify cluster}: limits and shares of all are those of the root account. */
  Edit modifyCluster(Terms terms) {
    return modify(new Terms(List.of(Account.ROOT), List.of(), terms.set()));
  }

  Edit modify(Terms terms) {
    if (terms.set().isEmpty()) {
      throw new EditFailure(" You didn't give me anything to set");
    }
    Draft draft = editor.draft();
    List<String> records = new ArrayList<>();
    List<String> associations = new ArrayList<>();
    List<Association> chosen = chosen(terms);
    if (terms.set().stream().anyMatch(t -> t.is("RawUsage", 4))) {
      return reset(draft, terms, chosen);
    }
    boolean ofRecord = false;
    boolean ofAssociation = false;
    for (Term term : terms.set()) {
      boolean record = term.is("Description", 1) || term.is("Organization", 1);
      ofRecord |= record;
      ofAssociation |= !record;
      checkOption(draft.now(), term);
    }
    for (Association a : chosen) {
      if (!editor.coordinates(a.account())) {
        continue;
      }
      String parent = missingParent(draft.now(), terms);
      if (parent != null) {
        associations.add(
            "  Parent account %s doesn't exist on cluster %s".formatted(parent, editor.cluster()));
        continue;
      }
      Association changed = a;
      boolean changes = false;
      Account account = Objects.requireNonNull(draft.now().accounts().get(a.account()));
      for (Term term : terms.set()) {
        if (term.is("Description", 1)) {
          account = account.withDescription(term.value());
        } else if (term.is("Organization", 1)) {
          account = account.withOrganization(term.value());
        } else {
          changes |= LimitTerms.changes(term, false);
          changed = LimitTerms.changes(term, false) ? changed(draft.now(), changed, term) : changed;
        }
      }
      if (ofRecord) {
        draft.save(account);
        records.add("  " + account.name());
      }
      if (changes) {
        draft.save(changed);
        associations.add(line(draft.now(), changed));
      }
    }
    List<String> lines = new ArrayList<>();
    section(lines, " Modified accounts...", records, ofRecord);
    section(lines, " Modified account associations...", associations, ofAssociation);
    if (records.isEmpty() && associations.isEmpty()) {
      throw new EditFailure(lines);
    }
    return draft.done(lines);
  }

  /** A parent that is to be and is not there; as in Slurm that is told, and no failure. */
  private static @Nullable String missingParent(Accounting accounting, Terms terms) {
    for (Term term : terms.set()) {
      if (term.is("Parent", 1) && accounting.ofAccount(term.value()) == null) {
        return term.value();
      }
    }
    return null;
  }

  static void section(List<String> lines, String title, List<String> items, boolean meant) {
    if (meant) {
      lines.add(title);
      lines.addAll(items.isEmpty() ? List.of("  Nothing modified") : items);
    }
  }

  /** An option that is not known is named even if nothing is chosen. */
  private void checkOption(Accounting accounting, Term term) {
    boolean plain = term.is("Description", 1) || term.is("Organization", 1) || term.is("Parent", 1);
    Association probe = Association.of(-1, "", "", 0);
    if (!plain && new AssociationTerms(accounting, editor.limits()).apply(probe, term) == null) {
      throw unknown(term);
    }
  }

  private Association changed(Accounting accounting, Association a, Term term) {
    if (term.is("Parent", 1)) {
      Association above = Objects.requireNonNull(accounting.ofAccount(term.value()));
      if (accounting.upwards(above).stream().anyMatch(x -> x.id() == a.id())) {
        throw new EditFailure(
            " error: account " + term.value() + " is below account " + a.account());
      }
      return a.withParent(above.id());
    }
    Association changed = new AssociationTerms(accounting, editor.limits()).apply(a, term);
    if (changed == null) {
      throw unknown(term);
    }
    return changed;
  }

  private Edit reset(Draft draft, Terms terms, List<Association> chosen) {
    UserEdits.requireZero(terms);
    editor.requireAdministrator("reset usage");
    chosen.forEach(draft::reset);
    boolean cluster = terms.where().stream().anyMatch(t -> t.is("Cluster", 1));
    return draft.done(
        cluster
            ? List.of()
            : List.of("No cluster specified, resetting on local cluster " + editor.cluster()));
  }

  private String line(Accounting accounting, Association a) {
    Association above = accounting.parent(a);
    return "  C = %-10s A = %s%s"
        .formatted(editor.cluster(), a.account(), above == null ? "" : " of " + above.account());
  }

  private List<Association> chosen(Terms terms) {
    List<String> names = new ArrayList<>(terms.names());
    Accounting accounting = editor.accounting();
    List<Association> chosen = new ArrayList<>();
    for (Term term : terms.where()) {
      if (term.is("Accounts", 1)) {
        names.addAll(term.list());
      } else if (!term.is("Clusters", 1)
          && !term.is("Parent", 1)
          && !term.is("Organization", 1)
          && !term.is("Description", 1)) {
        throw new EditFailure(
            " Unknown condition: " + term.text(), " Use keyword 'set' to modify value");
      }
    }
    for (Association a : accounting.inTreeOrder()) {
      if (!a.isUser() && (names.isEmpty() || names.contains(a.account())) && matches(a, terms)) {
        chosen.add(a);
      }
    }
    return chosen;
  }

  private boolean matches(Association a, Terms terms) {
    Accounting accounting = editor.accounting();
    Account account = accounting.accounts().get(a.account());
    for (Term term : terms.where()) {
      Association above = accounting.parent(a);
      if (term.is("Clusters", 1) && !term.list().contains(editor.cluster())
          || term.is("Parent", 1) && (above == null || !term.list().contains(above.account()))
          || term.is("Organization", 1)
              && (account == null || !term.list().contains(account.organization()))
          || term.is("Description", 1)
              && (account == null || !term.list().contains(account.description()))) {
        return false;
      }
    }
    return true;
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
    editor.requireAdministrator("remove accounts");
    if (terms.names().contains(Account.ROOT)) {
      throw new EditFailure(
          " You are not allowed to remove the root account.", " Use remove cluster instead.");
    }
    List<Association> chosen = chosen(terms);
    if (chosen.isEmpty()) {
      throw new EditFailure(" Nothing deleted");
    }
    Draft draft = editor.draft();
    Accounting before = draft.now();
    TreeSet<Integer> gone = new TreeSet<>();
    for (Association a : before.inTreeOrder()) {
      boolean below =
          before.upwards(a).stream().anyMatch(x -> chosen.stream().anyMatch(c -> c.id() == x.id()));
      if (below) {
        gone.add(a.id());
      }
    }
    editor.refuseWhileActive(
        job -> {
          Association own = before.find(job.owner().user(), job.owner().account(), job.partition());
          return own != null && gone.contains(own.id());
        },
        "  ");
    for (int id : gone.descendingSet()) {
      Association a = Objects.requireNonNull(before.associations().get(id));
      draft.removeAssociation(id);
      if (!a.isUser()) {
        draft.removeAccount(a.account());
      }
    }
    List<String> stranded = forgetUsers(draft);
    if (!stranded.isEmpty()) {
      List<String> lines =
          new ArrayList<>(
              List.of(" Error with request: These users have it as their default account"));
      lines.addAll(stranded);
      lines.add(" Please either remove the accounts listed above from list and resubmit,");
      lines.add(" or change these users' default accounts to remove the account(s).");
      lines.add(" Changes Discarded");
      throw new EditFailure(lines);
    }
    List<String> lines = new ArrayList<>(List.of(" Deleting accounts..."));
    chosen.forEach(a -> lines.add("  " + a.account()));
    return draft.done(lines);
  }

  /** Users stay without any account; those are named whose default account alone is gone. */
  private static List<String> forgetUsers(Draft draft) {
    List<String> stranded = new ArrayList<>();
    for (AccountUser user : draft.now().users().values()) {
      List<Association> left =
          draft.now().associations().values().stream()
              .filter(a -> a.user().equals(user.name()))
              .toList();
      if (left.isEmpty()) {
        draft.save(user.withDefaultAccount(""));
      } else if (left.stream().noneMatch(a -> a.account().equals(user.defaultAccount()))) {
        stranded.add("  A = %-10s U = %-9s".formatted(user.defaultAccount(), user.name()));
      }
    }
    return stranded;
  }
}
