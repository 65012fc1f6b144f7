package dev.yardmaster.model;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;

/** What of the accounting is saved and what is removed, as one change. */
@RecordBuilder
public record AccountingChange(
    List<Account> accounts,
    List<AccountUser> users,
    List<Qos> qos,
    List<Association> associations,
    List<String> removedAccounts,
    List<String> removedUsers,
    List<String> removedQos,
    List<Integer> removedAssociations)
    implements AccountingChangeBuilder.With {
  /** No change. */
  public static final AccountingChange NONE =
      new AccountingChange(
          List.of(), List.of(), List.of(), List.of(), List.of(), List.of(), List.of(), List.of());

  public AccountingChange {
    accounts = List.copyOf(accounts);
    users = List.copyOf(users);
    qos = List.copyOf(qos);
    associations = List.copyOf(associations);
    removedAccounts = List.copyOf(removedAccounts);
    removedUsers = List.copyOf(removedUsers);
    removedQos = List.copyOf(removedQos);
    removedAssociations = List.copyOf(removedAssociations);
  }
}
