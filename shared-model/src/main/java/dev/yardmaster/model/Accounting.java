package dev.yardmaster.model;

import dev.yardmaster.model.text.AccountingNames;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.pcollections.TreePMap;

/**
 * Accounts, users, QOS and associations of a cluster. Immutable; changed by {@link #apply}.
 *
 * @param associations by id
 * @param ids the id of an association by account, user and partition, so that jobs find theirs fast
 */
public record Accounting(
    TreePMap<String, Account> accounts,
    TreePMap<String, AccountUser> users,
    TreePMap<String, Qos> qos,
    TreePMap<Integer, Association> associations,
    TreePMap<String, Integer> ids) {
  /** The id of the association of the root account. */
  public static final int ROOT_ID = 1;

  /** Nothing at all. */
  public static final Accounting EMPTY =
      new Accounting(
          TreePMap.empty(), TreePMap.empty(), TreePMap.empty(), TreePMap.empty(), TreePMap.empty());

  private static final Comparator<Association> SIBLINGS =
      Comparator.comparing(Association::isUser)
          .reversed()
          .thenComparing(a -> a.isUser() ? a.user() : a.account())
          .thenComparing(Association::partition)
          .thenComparingInt(Association::id);

  /** What every cluster begins with: the root account, its user, and the QOS normal. */
  public static Accounting initial() {
    Association root = Association.of(ROOT_ID, Account.ROOT, "", 0).withQos(List.of(Qos.NORMAL));
    return EMPTY.apply(
        AccountingChange.NONE
            .withAccounts(
                List.of(new Account(Account.ROOT, "default root account", Account.ROOT, List.of())))
            .withUsers(
                List.of(
                    AccountUser.of(Account.ROOT, Account.ROOT)
                        .withAdminLevel(AccountUser.AdminLevel.ADMINISTRATOR)))
            .withQos(List.of(Qos.of(1, Qos.NORMAL).withDescription("Normal QOS default")))
            .withAssociations(
                List.of(root, Association.of(2, Account.ROOT, Account.ROOT, ROOT_ID))));
  }

  /** With what a change saves and removes. */
  public Accounting apply(AccountingChange change) {
    TreePMap<String, Account> newAccounts = accounts;
    for (Account account : change.accounts()) {
      newAccounts = newAccounts.plus(account.name(), account);
    }
    TreePMap<String, AccountUser> newUsers = users;
    for (AccountUser user : change.users()) {
      newUsers = newUsers.plus(user.name(), user);
    }
    TreePMap<String, Qos> newQos = qos;
    for (Qos one : change.qos()) {
      newQos = newQos.plus(one.name(), one);
    }
    TreePMap<Integer, Association> newAssociations = associations;
    TreePMap<String, Integer> newIds = ids;
    for (int id : change.removedAssociations()) {
      Association removed = associations.get(id);
      newIds = removed == null ? newIds : newIds.minus(key(removed));
    }
    for (Association association : change.associations()) {
      newAssociations = newAssociations.plus(association.id(), association);
      newIds = newIds.plus(key(association), association.id());
    }
    return new Accounting(
        newAccounts.minusAll(change.removedAccounts()),
        newUsers.minusAll(change.removedUsers()),
        newQos.minusAll(change.removedQos()),
        newAssociations.minusAll(change.removedAssociations()),
        newIds);
  }

  private static String key(Association a) {
    return key(a.account(), a.user(), a.partition());
  }

  private static String key(String account, String user, String partition) {
    return account + "\0" + user + "\0" + partition;
  }

  private @Nullable Association ofKey(String account, String user, String partition) {
    Integer id = ids.get(key(account, user, partition));
    return id == null ? null : associations.get(id);
  }

  /** The QOS that a name, in any case, means; null when there is none. */
  public @Nullable Qos qosNamed(String name) {
    Qos exact = qos.get(name);
    return exact != null ? exact : qos.get(AccountingNames.fold(name));
  }

  /** The association of an account itself, or null. */
  public @Nullable Association ofAccount(String account) {
    return ofKey(account, "", "");
  }

  /**
   * The association a job of a user in an account and a partition belongs to: the one for that
   * partition before the one for all; null when there is none.
   */
  public @Nullable Association find(String user, String account, String partition) {
    if (user.isEmpty()) {
      return null;
    }
    Association own = partition.isEmpty() ? null : ofKey(account, user, partition);
    return own != null ? own : ofKey(account, user, "");
  }

  /** The association above, or null for the root. */
  public @Nullable Association parent(Association a) {
    return associations.get(a.parent());
  }

  /** An association and those above it, up to the root. */
  public List<Association> upwards(Association from) {
    List<Association> line = new ArrayList<>();
    Association a = from;
    while (a != null && line.size() < 100) {
      line.add(a);
      a = parent(a);
    }
    return line;
  }

  /** The QOS that jobs of an association may use, inherited ones included, in order of names. */
  public SequencedSet<String> qosOf(Association a) {
    List<String> own = a.qos();
    SequencedSet<String> names = new LinkedHashSet<>();
    if (own != null) {
      names.addAll(own);
    } else {
      Association above = parent(a);
      if (above != null) {
        names.addAll(qosOf(above));
      }
      for (String change : a.qosChanges()) {
        if (change.startsWith("-")) {
          names.remove(change.substring(1));
        } else {
          names.add(change.substring(1));
        }
      }
    }
    return names;
  }

  /** The QOS of a job that asks for none; empty when the association has no default. */
  public String defaultQosOf(Association from) {
    for (Association a : upwards(from)) {
      if (a.defaultQos() instanceof String name && !name.isEmpty()) {
        return name;
      }
    }
    SequencedSet<String> allowed = qosOf(from);
    return allowed.size() == 1
        ? allowed.getFirst()
        : allowed.contains(Qos.NORMAL) ? Qos.NORMAL : "";
  }

  /** All associations as a tree is listed: users of an account, then accounts below it. */
  public List<Association> inTreeOrder() {
    List<Association> ordered = new ArrayList<>(associations.size());
    collect(0, children(), ordered);
    return ordered;
  }

  /** Associations by that above them, users first, each kind by name. */
  public SortedMap<Integer, List<Association>> children() {
    TreeMap<Integer, List<Association>> children = new TreeMap<>();
    for (Association a : associations.values()) {
      children.computeIfAbsent(a.parent(), p -> new ArrayList<>()).add(a);
    }
    children.values().forEach(list -> list.sort(SIBLINGS));
    return children;
  }

  private static void collect(
      int parent, SortedMap<Integer, List<Association>> children, List<Association> into) {
    for (Association a : children.getOrDefault(parent, List.of())) {
      into.add(a);
      if (a.id() != parent) {
        collect(a.id(), children, into);
      }
    }
  }
}
