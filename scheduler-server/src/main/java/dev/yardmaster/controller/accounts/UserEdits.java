package dev.yardmaster.controller.accounts;

import dev.yardmaster.controller.accounts.Terms.Term;
import dev.yardmaster.model.AccountUser;
import dev.yardmaster.model.AccountUser.AdminLevel;
import dev.yardmaster.model.Accounting;
import dev.yardmaster.model.Association;
import dev.yardmaster.model.text.AccountingNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;

/** {@code sacctmgr add|modify|delete user}. */
final class UserEdits {
  private static final List<String> NOTHING =
      List.of(
          "Nothing added.",
          "Make sure the accounts requested here have been added to the system/cluster. (sacctmgr"
              + " add account...)");
  private final AccountingEditor editor;

  UserEdits(AccountingEditor editor) {
    this.editor = editor;
  }

  Edit add(Terms terms) {
    if (terms.names().isEmpty()) {
      throw new EditFailure(" Need name of user to add.");
    }
    List<String> accounts = new ArrayList<>();
    List<String> partitions = new ArrayList<>();
    String given = "";
    for (Term term : terms.set()) {
      if (term.is("Accounts", 2)) {
        accounts.addAll(term.list());
      } else if (term.is("DefaultAccount", 8)) {
        given = term.value();
      } else if (term.is("Partitions", 4)) {
        partitions.addAll(term.list());
      }
    }
    if (!given.isEmpty() && !accounts.contains(given)) {
      accounts.addFirst(given);
    }
    if (accounts.isEmpty() && WckeyEdits.named(terms.set()).isEmpty()) {
      throw new EditFailure(" Need name of account or wckey to add.");
    }
    List<String> missing = new ArrayList<>();
    for (String account : accounts) {
      if (!editor.coordinates(account)) {
        throw new EditFailure(" error: Only admins/operators/coordinators can add users");
      }
      if (editor.accounting().ofAccount(account) == null) {
        missing.add("No account %s on cluster %s, skipping.".formatted(account, editor.cluster()));
      }
    }
    if (!accounts.isEmpty() && missing.size() == accounts.size()) {
      missing.addAll(NOTHING);
      throw new EditFailure(missing);
    }
    Draft draft = editor.draft();
    List<String> associations = new ArrayList<>();
    List<String> fresh = new ArrayList<>();
    for (String name : new TreeSet<>(terms.names())) {
      if (draft.now().users().get(name) == null) {
        fresh.add("  " + name);
      }
      saveUser(draft, terms, name, given, accounts);
      for (String account : accounts) {
        for (String partition : partitions.isEmpty() ? List.of("") : partitions) {
          saveAssociation(draft, terms, name, account, partition, associations);
        }
      }
    }
    if (!accounts.isEmpty() && associations.isEmpty()) {
      throw nothingNew();
    }
    List<String> keys = new WckeyEdits(editor).add(draft, terms);
    if (fresh.isEmpty() && associations.isEmpty() && keys.isEmpty()) {
      throw nothingNew();
    }
    List<String> lines = new ArrayList<>(missing);
    if (!fresh.isEmpty()) {
      lines.add(" Adding User(s)");
      lines.addAll(fresh);
      lines.add(" Settings");
    }
    if (!associations.isEmpty()) {
      lines.add(" Associations =");
      lines.addAll(associations);
    }
    lines.addAll(keys);
    if (!associations.isEmpty() && terms.set().stream().anyMatch(UserEdits::ofAssociation)) {
      lines.add(" Non Default Settings");
    }
    return draft.done(lines);
  }

  private static EditFailure nothingNew() {
    List<String> lines = new ArrayList<>(NOTHING);
    lines.addFirst("Request didn't affect anything");
    return new EditFailure(lines);
  }

  private void saveUser(
      Draft draft, Terms terms, String name, String given, List<String> accounts) {
    AccountUser user = draft.now().users().get(name);
    if (user == null) {
      String first =
          accounts.stream().filter(a -> draft.now().ofAccount(a) != null).findFirst().orElse("");
      user = AccountUser.of(name, given.isEmpty() ? first : given);
    } else if (!given.isEmpty()) {
      user = user.withDefaultAccount(given);
    }
    for (Term term : terms.set()) {
      if (term.is("AdminLevel", 2)) {
        user = user.withAdminLevel(level(term));
      }
    }
    draft.save(user);
  }

  private AdminLevel level(Term term) {
    editor.requireAdministrator("give an admin level");
    String value = term.value().toLowerCase(Locale.ROOT);
    AdminLevel level = null;
    for (AdminLevel known : AdminLevel.values()) {
      if (!value.isEmpty() && known.text().toLowerCase(Locale.ROOT).startsWith(value)) {
        level = known;
      }
    }
    if (level == null) {
      throw new EditFailure(
          " Bad AdminLevel: " + term.value(), " Levels are None, Operator and Administrator");
    }
    AccountUser giver = editor.accounting().users().get(editor.by().user());
    boolean operator = giver != null && giver.adminLevel() == AdminLevel.OPERATOR;
    if (operator && level == AdminLevel.ADMINISTRATOR && !editor.by().isRoot()) {
      throw new EditFailure(" error: Nobody can give a level above the own");
    }
    return level;
  }

  private void saveAssociation(
      Draft draft, Terms terms, String name, String account, String partition, List<String> lines) {
    Association above = draft.now().ofAccount(account);
    if (above == null) {
      return;
    }
    boolean known =
        draft.now().associations().values().stream()
            .anyMatch(
                a ->
                    a.user().equals(name)
                        && a.account().equals(account)
                        && a.partition().equalsIgnoreCase(partition));
    if (known) {
      return;
    }
    Association association =
        Association.of(draft.nextAssociation(), account, name, above.id()).withPartition(partition);
    AssociationTerms settings = new AssociationTerms(draft.now(), editor.limits());
    for (Term term : terms.set()) {
      if (ofAssociation(term)) {
        Association changed = settings.apply(association, term);
        if (changed == null) {
          throw AccountEdits.unknown(term);
        }
        association = changed;
      }
    }
    draft.save(association);
    lines.add(
        "  C = %-10.10s A = %-20.20s U = %-9s%s"
            .formatted(
                editor.cluster(), account, name, partition.isEmpty() ? "" : " P = " + partition));
  }

  /** Whether a term of a new user is a setting of its associations. */
  private static boolean ofAssociation(Term term) {
    return !ofUser(term)
        && !WckeyEdits.isKeys(term)
        && !term.is("Accounts", 2)
        && !term.is("Partitions", 4);
  }

  /** Whether a term is about the user, not about associations. */
  private static boolean ofUser(Term term) {
    return term.is("AdminLevel", 2)
        || term.is("DefaultAccount", 8)
        || WckeyEdits.isDefault(term)
        || term.is("Clusters", 1);
  }

  static void requireZero(Terms terms) {
    for (Term term : terms.set()) {
      if (term.is("RawUsage", 4) && !term.value().equals("0")) {
        throw new EditFailure("sacctmgr: error: Raw usage can only be set to 0 (zero)");
      }
    }
  }

  Edit modify(Terms terms) {
    if (terms.set().isEmpty()) {
      throw new EditFailure(" You didn't give me anything to set");
    }
    checkOptions(terms);
    Draft draft = editor.draft();
    List<Association> chosen = chosen(terms);
    if (terms.set().stream().anyMatch(t -> t.is("RawUsage", 4))) {
      return reset(draft, terms, chosen);
    }
    boolean ofUser = terms.set().stream().anyMatch(UserEdits::ofUser);
    boolean ofAssociation = terms.set().stream().anyMatch(t -> !ofUser(t));
    List<String> users = new ArrayList<>();
    List<String> associations = new ArrayList<>();
    if (ofUser) {
      modifyUsers(draft, terms, users);
    }
    AssociationTerms settings = new AssociationTerms(draft.now(), editor.limits());
    boolean changes =
        terms.set().stream().anyMatch(t -> !ofUser(t) && LimitTerms.changes(t, false));
    for (Association a : changes ? chosen : List.<Association>of()) {
      if (!editor.coordinates(a.account())) {
        continue;
      }
      Association changed = a;
      for (Term term : terms.set()) {
        boolean left = ofUser(term) || !LimitTerms.changes(term, false);
        Association next = left ? changed : settings.apply(changed, term);
        changed = next == null ? changed : next;
      }
      draft.save(changed);
      associations.add(line(changed));
    }
    List<String> lines = new ArrayList<>();
    AccountEdits.section(lines, " Modified users...", users, ofUser);
    AccountEdits.section(lines, " Modified user associations...", associations, ofAssociation);
    if (users.isEmpty() && associations.isEmpty()) {
      throw new EditFailure(lines);
    }
    return draft.done(lines);
  }

  private void checkOptions(Terms terms) {
    AssociationTerms settings = new AssociationTerms(editor.accounting(), editor.limits());
    Association probe = Association.of(-1, "", "", 0);
    for (Term term : terms.set()) {
      if (!ofUser(term) && !term.is("RawUsage", 4) && settings.apply(probe, term) == null) {
        throw AccountEdits.unknown(term);
      }
    }
  }

  private void modifyUsers(Draft draft, Terms terms, List<String> lines) {
    for (AccountUser user : draft.now().users().values()) {
      if (!terms.names().contains(user.name())) {
        continue;
      }
      AccountUser changed = user;
      for (Term term : terms.set()) {
        if (term.is("AdminLevel", 2)) {
          changed = changed.withAdminLevel(level(term));
        } else if (term.is("DefaultAccount", 8)) {
          requireMember(draft.now(), user.name(), term.value());
          changed = changed.withDefaultAccount(term.value());
        } else if (WckeyEdits.isDefault(term)) {
          changed = new WckeyEdits(editor).withDefault(changed, term);
        }
      }
      boolean own = user.name().equals(editor.by().user());
      if (editor.isAdministrator() || own || editor.coordinates(changed.defaultAccount())) {
        draft.save(changed);
        lines.add("  " + user.name());
      }
    }
  }

  private void requireMember(Accounting accounting, String user, String account) {
    boolean member =
        accounting.associations().values().stream()
            .anyMatch(a -> a.user().equals(user) && a.account().equals(account));
    if (!member) {
      throw new EditFailure(
          " Can't modify because these users aren't associated with new default account '"
              + account
              + "'...",
          "  U = %-10s C = %-10s".formatted(user, editor.cluster()));
    }
  }

  private Edit reset(Draft draft, Terms terms, List<Association> chosen) {
    requireZero(terms);
    editor.requireAdministrator("reset usage");
    if (terms.where().stream().noneMatch(t -> t.is("Accounts", 2))) {
      throw new EditFailure("sacctmgr: error: An account must be specified");
    }
    chosen.forEach(draft::reset);
    boolean cluster = terms.where().stream().anyMatch(t -> t.is("Clusters", 1));
    return draft.done(
        cluster
            ? List.of()
            : List.of("No cluster specified, resetting on local cluster " + editor.cluster()));
  }

  private String line(Association a) {
    return "  C = %-10s A = %-20s U = %-9s%s"
        .formatted(
            editor.cluster(),
            a.account(),
            a.user(),
            a.partition().isEmpty() ? "" : " P = " + a.partition());
  }

  private List<Association> chosen(Terms terms) {
    List<String> names = new ArrayList<>(terms.names());
    for (Term term : terms.where()) {
      if (term.is("Users", 1)) {
        names.addAll(term.list());
      } else if (!term.is("Accounts", 2)
          && !term.is("Clusters", 1)
          && !term.is("Partitions", 4)
          && !term.is("DefaultAccount", 8)) {
        throw new EditFailure(
            " Unknown condition: " + term.text(), " Use keyword 'set' to modify value");
      }
    }
    List<Association> chosen = new ArrayList<>();
    for (Association a : editor.accounting().inTreeOrder()) {
      if (a.isUser() && (names.isEmpty() || names.contains(a.user())) && matches(a, terms)) {
        chosen.add(a);
      }
    }
    return chosen;
  }

  private boolean matches(Association a, Terms terms) {
    for (Term term : terms.where()) {
      AccountUser user = editor.accounting().users().get(a.user());
      if (term.is("Accounts", 2) && !term.list().contains(a.account())
          || term.is("Clusters", 1) && !term.list().contains(editor.cluster())
          || term.is("Partitions", 4) && !AccountingNames.has(term.list(), a.partition())
          || term.is("DefaultAccount", 8)
              && (user == null || !term.list().contains(user.defaultAccount()))) {
        return false;
      }
    }
    return true;
  }

  Edit delete(Terms terms) {
    if (terms.names().isEmpty() && terms.where().isEmpty()) {
      throw new EditFailure(" No conditions given to remove, not executing.");
    }
    if (terms.where().stream().anyMatch(WckeyEdits::isKeys)) {
      return new WckeyEdits(editor).delete(terms);
    }
    try {
      chosen(terms);
    } catch (EditFailure e) {
      throw e.lines().getFirst().startsWith(" Unknown condition") && terms.names().isEmpty()
          ? e.and(" No conditions given to remove, not executing.")
          : e;
    }
    List<Association> chosen = chosen(terms);
    if (chosen.isEmpty()) {
      return deleteWithoutAssociations(terms);
    }
    for (Association a : chosen) {
      if (!editor.coordinates(a.account())) {
        throw new EditFailure(" Error with request: Access/permission denied");
      }
    }
    Accounting before = editor.accounting();
    editor.refuseWhileActive(
        job -> {
          Association own = before.find(job.owner().user(), job.owner().account(), job.partition());
          return own != null && chosen.stream().anyMatch(a -> a.id() == own.id());
        },
        "  ");
    Draft draft = editor.draft();
    chosen.forEach(a -> draft.removeAssociation(a.id()));
    boolean inPart = terms.where().stream().anyMatch(t -> t.is("Accounts", 2));
    List<String> lines = new ArrayList<>();
    lines.add(inPart ? " Deleting user associations..." : " Deleting users...");
    TreeSet<String> names = new TreeSet<>();
    chosen.forEach(a -> names.add(a.user()));
    for (String name : names) {
      leave(draft, name);
    }
    if (inPart) {
      chosen.forEach(a -> lines.add(line(a)));
    } else {
      names.forEach(name -> lines.add("  " + name));
    }
    return draft.done(lines);
  }

  private Edit deleteWithoutAssociations(Terms terms) {
    List<String> known =
        terms.names().stream().filter(editor.accounting().users()::containsKey).toList();
    if (known.isEmpty() || !terms.where().isEmpty()) {
      throw new EditFailure(" Nothing deleted");
    }
    editor.requireAdministrator("remove users");
    Draft draft = editor.draft();
    List<String> lines = new ArrayList<>(List.of(" Deleting users (No Associations)..."));
    for (String name : known) {
      draft.removeUser(name);
      lines.add("  " + name);
    }
    return draft.done(lines);
  }

  private static void leave(Draft draft, String name) {
    List<Association> left =
        draft.now().associations().values().stream().filter(a -> a.user().equals(name)).toList();
    AccountUser user = draft.now().users().get(name);
    if (left.isEmpty()) {
      draft.removeUser(name);
    } else if (user != null
        && left.stream().noneMatch(a -> a.account().equals(user.defaultAccount()))) {
      throw new EditFailure(
          " Error with request: " + user.defaultAccount() + " is the default account of " + name,
          " You must change the default account of these users or remove the users completely "
              + "from the affected clusters to allow these changes.",
          " Changes Discarded");
    }
  }
}
