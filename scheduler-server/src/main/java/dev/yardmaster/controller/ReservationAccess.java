package dev.yardmaster.controller;

import dev.yardmaster.engine.gate.Admittance;
import dev.yardmaster.engine.limit.Enforcement;
import dev.yardmaster.model.Accounting;
import dev.yardmaster.model.Identity;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobOwner;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Reservation;
import dev.yardmaster.model.ReservationFlag;
import dev.yardmaster.model.SlurmError;
import dev.yardmaster.model.text.AccountingNames;
import java.util.List;

/** Who may use a reservation, and whether there are such users, accounts, QOS and partitions. */
final class ReservationAccess {
  private ReservationAccess() {}

  /**
   * Checks the QOS and partitions of a reservation, and where jobs need an association
   * (AccountingStorageEnforce) that its users and accounts have some: of users and accounts that
   * are both let in, each user one with each account.
   *
   * @param nobody whether its groups count as without members
   * @throws Refusal when something does not exist
   */
  static void check(Turn turn, Reservation r, boolean nobody) {
    Enforcement enforcement = Enforcement.of(turn.state().config());
    Accounting accounting = turn.state().accounting();
    for (String qos : r.qos()) {
      if (enforcement.qos() && accounting.qosNamed(plain(qos)) == null) {
        throw new Refusal(SlurmError.INVALID_QOS, "\nno QOS is called " + plain(qos));
      }
    }
    for (String partition : r.allowedPartitions()) {
      if (!turn.state().partitions().containsKey(plain(partition))) {
        throw new Refusal(
            SlurmError.INVALID_PARTITION_NAME, "\nno partition is called " + plain(partition));
      }
    }
    if (!enforcement.associations()) {
      return;
    }
    for (String account : r.accounts()) {
      if (accounting.ofAccount(AccountingNames.fold(plain(account))) == null) {
        throw new Refusal(SlurmError.INVALID_ACCOUNT, "\nno account is called " + plain(account));
      }
    }
    boolean pairs =
        !r.users().isEmpty()
            && !r.accounts().isEmpty()
            && !isNot(r.users())
            && !isNot(r.accounts());
    for (String user : r.users()) {
      for (String account : pairs ? r.accounts() : List.of("")) {
        if (!hasAssociation(accounting, plain(user), account)) {
          throw new Refusal(
              SlurmError.INVALID_ACCOUNT,
              "\nuser " + plain(user) + " has no association with an account " + account);
        }
      }
    }
    if (nobody && r.accounts().isEmpty() && r.qos().isEmpty() && r.allowedPartitions().isEmpty()) {
      throw new Refusal(SlurmError.UNSPECIFIED, "\nUsers= takes the members of its groups away");
    }
  }

  private static boolean hasAssociation(Accounting accounting, String user, String account) {
    String folded = AccountingNames.fold(account);
    return accounting.associations().values().stream()
        .filter(a -> a.user().equals(AccountingNames.fold(user)))
        .anyMatch(a -> account.isEmpty() || a.account().equals(folded));
  }

  private static boolean isNot(List<String> names) {
    return names.getFirst().startsWith("-");
  }

  private static String plain(String name) {
    return name.startsWith("-") ? name.substring(1) : name;
  }

  /**
   * Checks that no job that runs in a reservation or waits for it loses its access by an update.
   *
   * @throws Refusal when one does
   */
  static void checkJobs(Turn turn, Reservation r) {
    for (Job job : turn.state().jobs().values()) {
      boolean uses = job.state() == JobState.RUNNING || job.state() == JobState.PENDING;
      if (uses
          && r.name().equals(job.reservation())
          && !Admittance.admits(turn.state(), r, job.owner())) {
        throw ReservationFields.error(
            SlurmError.RESERVATION_BUSY,
            "Reservation update rejected because of JobId=" + job.displayId());
      }
    }
  }

  /** Whether somebody who is no administrator may delete or skip it (USER_DELETE). */
  static boolean mayDelete(Turn turn, Reservation r, Identity by) {
    if (!r.has(ReservationFlag.USER_DELETE) && !turn.settings().userResvDelete()) {
      return false;
    }
    if (r.accounts().isEmpty()) {
      return Admittance.admits(turn.state(), r, owner(by, ""));
    }
    return turn.state().accounting().associations().values().stream()
        .filter(a -> a.user().equals(by.user()))
        .anyMatch(a -> Admittance.admits(turn.state(), r, owner(by, a.account())));
  }

  private static JobOwner owner(Identity by, String account) {
    return new JobOwner(by.user(), by.uid(), by.group(), by.gid(), account, "", "");
  }
}
