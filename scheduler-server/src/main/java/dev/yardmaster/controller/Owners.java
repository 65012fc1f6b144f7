package dev.yardmaster.controller;

import dev.yardmaster.engine.limit.Enforcement;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.model.AccountUser;
import dev.yardmaster.model.Accounting;
import dev.yardmaster.model.Association;
import dev.yardmaster.model.JobOwner;
import dev.yardmaster.model.Qos;
import dev.yardmaster.model.SlurmError;
import dev.yardmaster.model.text.AccountingNames;

/**
 * Finds what a job is charged to: the account and the QOS it asks for, else those of its user's
 * association. What AccountingStorageEnforce asks for must exist.
 */
final class Owners {
  private Owners() {}

  /**
   * The owner with account and QOS filled in.
   *
   * @param privileged whether the sender may use any QOS
   * @throws Refusal when there is no such association or QOS and the cluster insists on one
   */
  static JobOwner resolve(
      ClusterState state, JobOwner asked, String partition, boolean privileged) {
    Enforcement enforcement = Enforcement.of(state.config());
    String account = AccountingNames.fold(asked.account());
    if (!enforcement.tracked()) {
      return charged(asked, account, asked.qos());
    }
    Accounting accounting = state.accounting();
    AccountUser user = accounting.users().get(asked.user());
    if (account.isEmpty() && user != null) {
      account = user.defaultAccount();
    }
    Association association = accounting.find(asked.user(), account, partition);
    if (association == null && enforcement.associations()) {
      throw new Refusal(
          SlurmError.INVALID_ACCOUNT,
          "\nuser %s has no association with account %s and partition %s"
              .formatted(asked.user(), account.isEmpty() ? "(none)" : account, partition));
    }
    return charged(asked, account, qos(accounting, enforcement, asked, association, privileged));
  }

  private static JobOwner charged(JobOwner o, String account, String qos) {
    return new JobOwner(o.user(), o.uid(), o.group(), o.gid(), account, qos, o.wckey());
  }

  private static String qos(
      Accounting accounting,
      Enforcement enforcement,
      JobOwner asked,
      @org.jspecify.annotations.Nullable Association association,
      boolean privileged) {
    String name = asked.qos();
    if (name.isEmpty()) {
      name = association == null ? "" : accounting.defaultQosOf(association);
      if (name.isEmpty() && enforcement.qos()) {
        throw new Refusal(
            SlurmError.INVALID_QOS, "\nuser " + asked.user() + " has no default QOS; give --qos");
      }
      return name;
    }
    Qos meant = accounting.qosNamed(name);
    boolean known = meant != null;
    name = meant == null ? name : meant.name();
    boolean allowed =
        association == null
            || privileged
            || !enforcement.qos()
            || accounting.qosOf(association).contains(name);
    if (!known && (enforcement.qos() || association != null) || !allowed) {
      throw new Refusal(
          SlurmError.INVALID_QOS,
          "\nuser %s in account %s may use %s"
              .formatted(
                  asked.user(),
                  association == null ? asked.account() : association.account(),
                  association == null ? accounting.qos().keySet() : accounting.qosOf(association)));
    }
    return name;
  }
}
