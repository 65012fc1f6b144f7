package dev.yardmaster.engine.gate;

import dev.yardmaster.engine.limit.Enforcement;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.model.Accounting;
import dev.yardmaster.model.Association;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobOwner;
import dev.yardmaster.model.Reservation;
import dev.yardmaster.model.ReservationFlag;
import java.util.ArrayList;
import java.util.List;

/**
 * Who may use a reservation. Where jobs need an association (AccountingStorageEnforce), an account
 * lets in, or keeps out, all below it.
 */
public final class Admittance {
  private Admittance() {}

  /** Whether an owner's jobs may name a reservation; nobody's may name one that floats. */
  public static boolean admits(ClusterState state, Reservation r, JobOwner owner) {
    return !r.has(ReservationFlag.TIME_FLOAT)
        && (owner.uid() == 0 || r.admits(owner, accounts(state, owner)));
  }

  /** Whether a job runs in a reservation with its QOS, if it does so in a partition. */
  public static boolean takes(Reservation r, Job job, String partition) {
    return job.owner().uid() == 0 || r.takes(job.owner().qos(), partition);
  }

  private static List<String> accounts(ClusterState state, JobOwner owner) {
    List<String> accounts = new ArrayList<>(List.of(owner.account()));
    if (Enforcement.of(state.config()).associations()) {
      Accounting accounting = state.accounting();
      Association association = accounting.ofAccount(owner.account());
      if (association != null) {
        accounting.upwards(association).stream()
            .map(Association::account)
            .filter(account -> !accounts.contains(account))
            .forEach(accounts::add);
      }
    }
    return accounts;
  }
}
