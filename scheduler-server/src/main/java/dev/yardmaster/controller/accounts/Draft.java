package dev.yardmaster.controller.accounts;

import dev.yardmaster.model.Account;
import dev.yardmaster.model.AccountUser;
import dev.yardmaster.model.Accounting;
import dev.yardmaster.model.AccountingChange;
import dev.yardmaster.model.Association;
import dev.yardmaster.model.Qos;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;

/** A change in the making, and the accounting as it would be. */
final class Draft {
  private final TreeMap<String, Account> accounts = new TreeMap<>();
  private final TreeMap<String, AccountUser> users = new TreeMap<>();
  private final TreeMap<String, Qos> qos = new TreeMap<>();
  private final TreeMap<Integer, Association> associations = new TreeMap<>();
  private final TreeSet<String> goneAccounts = new TreeSet<>();
  private final TreeSet<String> goneUsers = new TreeSet<>();
  private final TreeSet<String> goneQos = new TreeSet<>();
  private final TreeSet<Integer> goneAssociations = new TreeSet<>();
  private final List<Integer> resetAssociations = new ArrayList<>();
  private final List<String> resetQos = new ArrayList<>();
  private Accounting now;

  Draft(Accounting accounting) {
    now = accounting;
  }

  /** The accounting with the change so far. */
  Accounting now() {
    return now;
  }

  int nextAssociation() {
    return now.associations().isEmpty() ? 1 : now.associations().lastKey() + 1;
  }

  int nextQos() {
    return 1 + now.qos().values().stream().mapToInt(Qos::id).max().orElse(0);
  }

  void save(Account account) {
    accounts.put(account.name(), account);
    now = now.apply(AccountingChange.NONE.withAccounts(List.of(account)));
  }

  void save(AccountUser user) {
    users.put(user.name(), user);
    now = now.apply(AccountingChange.NONE.withUsers(List.of(user)));
  }

  void save(Qos one) {
    qos.put(one.name(), one);
    now = now.apply(AccountingChange.NONE.withQos(List.of(one)));
  }

  void save(Association association) {
    associations.put(association.id(), association);
    now = now.apply(AccountingChange.NONE.withAssociations(List.of(association)));
  }

  void removeAccount(String name) {
    accounts.remove(name);
    goneAccounts.add(name);
    now = now.apply(AccountingChange.NONE.withRemovedAccounts(List.of(name)));
  }

  void removeUser(String name) {
    users.remove(name);
    goneUsers.add(name);
    now = now.apply(AccountingChange.NONE.withRemovedUsers(List.of(name)));
  }

  void removeQos(String name) {
    qos.remove(name);
    goneQos.add(name);
    now = now.apply(AccountingChange.NONE.withRemovedQos(List.of(name)));
  }

  void removeAssociation(int id) {
    associations.remove(id);
    goneAssociations.add(id);
    now = now.apply(AccountingChange.NONE.withRemovedAssociations(List.of(id)));
  }

  void reset(Association association) {
    resetAssociations.add(association.id());
  }

  void reset(Qos one) {
    resetQos.add(one.name());
  }

  Edit done(List<String> lines) {
    return new Edit(
        new AccountingChange(
            List.copyOf(accounts.values()),
            List.copyOf(users.values()),
            List.copyOf(qos.values()),
            List.copyOf(associations.values()),
            List.copyOf(goneAccounts),
            List.copyOf(goneUsers),
            List.copyOf(goneQos),
            List.copyOf(goneAssociations)),
        resetAssociations,
        resetQos,
        lines);
  }
}
