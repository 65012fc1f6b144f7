package dev.yardmaster.controller.accounts;

import dev.yardmaster.controller.accounts.Terms.Term;
import dev.yardmaster.model.AccountUser;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The workload characterization keys of users (sacctmgr(1), WCKeys= and DefaultWCKey=). They are in
 * lower case. The first that a user gets is the default, unless another is named.
 */
final class WckeyEdits {
  private final AccountingEditor editor;

  WckeyEdits(AccountingEditor editor) {
    this.editor = editor;
  }

  static boolean isDefault(Term term) {
    return term.is("DefaultWCKey", 8);
  }

  static boolean isKeys(Term term) {
    return term.is("WCKeys", 1);
  }

  /** Every key that is named, that of DefaultWCKey= too; one that is named again comes last. */
  static List<String> named(List<Term> terms) {
    List<String> keys = new ArrayList<>();
    for (Term term : terms) {
      if (isKeys(term) || isDefault(term)) {
        for (String word : term.list()) {
          String key = word.toLowerCase(Locale.ROOT);
          keys.remove(key);
          keys.add(key);
        }
      }
    }
    return keys;
  }

  private static String givenDefault(Terms terms) {
    return terms.set().stream()
        .filter(WckeyEdits::isDefault)
        .map(t -> t.value().toLowerCase(Locale.ROOT))
        .findFirst()
        .orElse("");
  }

  /**
   * Gives users keys.
   *
   * @return what sacctmgr prints, nothing when the users had them all
   */
  List<String> add(Draft draft, Terms terms) {
    List<String> keys = named(terms.set());
    if (keys.isEmpty()) {
      return List.of();
    }
    editor.requireAdministrator("give wckeys");
    String given = givenDefault(terms);
    List<String> lines = new ArrayList<>();
    for (String name : terms.names().stream().distinct().toList()) {
      AccountUser user = draft.now().users().get(name);
      if (user == null) {
        continue;
      }
      List<String> fresh = keys.stream().filter(key -> !user.wckeys().contains(key)).toList();
      if (fresh.isEmpty()) {
        continue;
      }
      List<String> all = new ArrayList<>(user.wckeys());
      all.addAll(fresh);
      String first = user.defaultWckey().isEmpty() ? keys.getFirst() : user.defaultWckey();
      draft.save(user.withWckeys(all).withDefaultWckey(given.isEmpty() ? first : given));
      fresh.forEach(
          key ->
              lines.add(
                  "  C = %-10.10s W = %-10.10s U = %-9.9s".formatted(editor.cluster(), key, name)));
    }
    if (!lines.isEmpty()) {
      lines.addFirst(" Wckey(s)");
    }
    return lines;
  }

  /**
   * The user with another default.
   *
   * @throws EditFailure when it is no key of the user's
   */
  AccountUser withDefault(AccountUser user, Term term) {
    String key = term.value().toLowerCase(Locale.ROOT);
    if (!user.wckeys().contains(key)) {
      throw new EditFailure(
          " Modified users...",
          " Can't modify because these users aren't associated with new default wckey '"
              + key
              + "'...",
          "  U = %s C = %s".formatted(user.name(), editor.cluster()));
    }
    return user.withDefaultWckey(key);
  }

  /** {@code sacctmgr delete user … where wckey=}: takes keys away, and no user. */
  Edit delete(Terms terms) {
    editor.requireAdministrator("take wckeys");
    List<String> names = new ArrayList<>(terms.names());
    for (Term term : terms.where()) {
      if (term.is("Accounts", 2)) {
        throw new EditFailure(" Mixing Account and WCKeys is not allowed");
      }
      if (term.is("Users", 1)) {
        names.addAll(term.list());
      } else if (!isKeys(term) && !term.is("Clusters", 1)) {
        throw new EditFailure(
            " Unknown condition: " + term.text(), " Use keyword 'set' to modify value");
      }
    }
    List<String> keys = named(terms.where().stream().filter(WckeyEdits::isKeys).toList());
    Draft draft = editor.draft();
    List<String> lines = new ArrayList<>();
    for (AccountUser user : draft.now().users().values()) {
      List<String> taken =
          user.wckeys().stream()
              .filter(key -> keys.contains(key))
              .filter(key -> names.isEmpty() || names.contains(user.name()))
              .toList();
      if (taken.isEmpty()) {
        continue;
      }
      List<String> left = new ArrayList<>(user.wckeys());
      left.removeAll(taken);
      String standard = left.contains(user.defaultWckey()) ? user.defaultWckey() : "";
      draft.save(user.withWckeys(left).withDefaultWckey(standard));
      taken.forEach(
          key ->
              lines.add(
                  "  C = %-10s W = %-20s U = %-9s".formatted(editor.cluster(), key, user.name())));
    }
    if (lines.isEmpty()) {
      throw new EditFailure(" Nothing deleted");
    }
    lines.addFirst(" Deleting user WCKeys...");
    return draft.done(lines);
  }
}
