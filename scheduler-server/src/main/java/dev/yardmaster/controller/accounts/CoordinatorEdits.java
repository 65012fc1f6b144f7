package dev.yardmaster.controller.accounts;

import dev.yardmaster.controller.accounts.Terms.Term;
import dev.yardmaster.model.Account;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** {@code sacctmgr add|delete coordinator}. */
final class CoordinatorEdits {
  private final AccountingEditor editor;

  CoordinatorEdits(AccountingEditor editor) {
    this.editor = editor;
  }

  Edit add(Terms terms) {
    Chosen chosen = chosen(terms, terms.set());
    if (chosen.users().isEmpty() && !chosen.accounts().isEmpty()) {
      throw new EditFailure(" You need to specify a user list here.");
    }
    if (chosen.users().isEmpty() || chosen.accounts().isEmpty()) {
      throw new EditFailure(" You need to specify conditions to to add the coordinator.");
    }
    Draft draft = editor.draft();
    for (String name : chosen.users()) {
      if (!draft.now().users().containsKey(name)) {
        throw new EditFailure(" You specified a non-existent user '" + name + "'.");
      }
    }
    for (Account account : accounts(chosen)) {
      TreeSet<String> names = new TreeSet<>(account.coordinators());
      names.addAll(chosen.users());
      draft.save(account.withCoordinators(List.copyOf(names)));
    }
    List<String> lines = new ArrayList<>(List.of(" Adding Coordinator User(s)"));
    chosen.users().forEach(name -> lines.add("  " + name));
    lines.add(" To Account(s) and all sub-accounts");
    chosen.accounts().forEach(name -> lines.add("  " + name));
    return draft.done(lines);
  }

  Edit delete(Terms terms) {
    for (Term term : terms.where()) {
      if (!term.is("Accounts", 1) && !term.is("Users", 1) && !term.is("Clusters", 1)) {
        throw new EditFailure(
            " Unknown condition: " + term.text(), " Use keyword 'set' to modify value");
      }
    }
    Chosen chosen = chosen(terms, terms.where());
    for (String user : chosen.users()) {
      if (!editor.accounting().users().containsKey(user)) {
        throw new EditFailure(" You specified a non-existent user '" + user + "'.");
      }
    }
    if (chosen.users().isEmpty() && chosen.accounts().isEmpty()) {
      throw new EditFailure(" You need to specify a user list or account list here.");
    }
    Draft draft = editor.draft();
    List<String> lines =
        new ArrayList<>(List.of(" Removed Coordinators (sub accounts not listed)..."));
    for (Account account : accounts(chosen)) {
      List<String> kept =
          account.coordinators().stream()
              .filter(n -> !chosen.users().isEmpty() && !chosen.users().contains(n))
              .toList();
      if (kept.size() < account.coordinators().size()) {
        draft.save(account.withCoordinators(kept));
        lines.add("  A = %-10s".formatted(account.name()));
      }
    }
    if (lines.size() == 1) {
      throw new EditFailure("  Nothing removed");
    }
    return draft.done(lines);
  }

  private record Chosen(List<String> users, List<String> accounts) {}

  private static Chosen chosen(Terms terms, List<Term> said) {
    List<String> users = new ArrayList<>();
    List<String> accounts = new ArrayList<>();
    for (Term term : said) {
      if (term.is("Accounts", 1)) {
        accounts.addAll(term.list());
      } else if (term.is("Users", 1)) {
        users.addAll(term.list());
      } else if (!term.is("Clusters", 1)) {
        throw AccountEdits.unknown(term);
      }
    }
    users.addAll(terms.names());
    return new Chosen(users, accounts);
  }

  private List<Account> accounts(Chosen chosen) {
    List<Account> accounts = new ArrayList<>();
    for (String name : chosen.accounts()) {
      Account account = editor.accounting().accounts().get(name);
      if (account == null) {
        throw new EditFailure(" You specified a non-existent account '" + name + "'.");
      }
      accounts.add(account);
    }
    List<Account> found =
        chosen.accounts().isEmpty()
            ? List.copyOf(editor.accounting().accounts().values())
            : accounts;
    for (Account account : found) {
      if (!editor.coordinates(account.name())) {
        throw new EditFailure(" Error with request: Access/permission denied");
      }
    }
    return found;
  }
}
