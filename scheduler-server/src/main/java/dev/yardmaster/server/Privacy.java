package dev.yardmaster.server;

import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.explain.Explanation;
import dev.yardmaster.model.Account;
import dev.yardmaster.model.AccountUser;
import dev.yardmaster.model.AccountingReport;
import dev.yardmaster.model.Association;
import dev.yardmaster.model.Identity;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.UsageReport;
import java.util.Arrays;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What PrivateData of slurm.conf(5) hides from a caller: one rule for every way to read. Root, the
 * SlurmUser, operators and administrators see all; coordinators see the jobs of their accounts.
 */
final class Privacy {
  private final ClusterState state;
  private final Identity caller;

  Privacy(ClusterState state, Identity caller) {
    this.state = state;
    this.caller = caller;
  }

  /** Whether the caller may see a job. */
  boolean shows(Job job) {
    return shows(job.owner().uid(), job.owner().account());
  }

  /** Whether the caller may see the jobs of a user in an account. */
  boolean shows(int uid, String account) {
    return !isPrivate("jobs") || caller.uid() == uid || seesAll() || coordinates(account);
  }

  /**
   * The explanation without what is told of jobs that the caller may not see.
   *
   * @param explained the state that it is about, which may be of the past
   */
  Explanation of(Explanation explanation, ClusterState explained) {
    return !isPrivate("jobs") || seesAll()
        ? explanation
        : new MaskedExplanation(explained, job -> !shows(job)).of(explanation);
  }

  /** The report without what others have used. */
  AccountingReport of(AccountingReport report) {
    return !isPrivate("usage") || seesAll()
        ? report
        : new AccountingReport(
            report.cluster(),
            report.accounting(),
            own(report.usage()),
            report.qosUsage(),
            report.normShares(),
            own(report.runMinutes()));
  }

  /** The report without what others have used. */
  UsageReport of(UsageReport report) {
    return !isPrivate("usage") || seesAll()
        ? report
        : new UsageReport(
            report.start(),
            report.end(),
            report.used().stream()
                .filter(u -> u.user().equals(caller.user()) || coordinates(u.account()))
                .toList(),
            report.cluster());
  }

  private <T> SortedMap<Integer, T> own(SortedMap<Integer, T> byAssociation) {
    TreeMap<Integer, T> own = new TreeMap<>(byAssociation);
    own.keySet()
        .removeIf(
            id -> {
              Association a = state.accounting().associations().get(id);
              return a != null
                  && a.isUser()
                  && !a.user().equals(caller.user())
                  && !coordinates(a.account());
            });
    return own;
  }

  private boolean isPrivate(String what) {
    return state
        .config()
        .setting("PrivateData")
        .map(
            value ->
                Arrays.stream(value.toLowerCase(Locale.ROOT).split(","))
                    .map(String::strip)
                    .anyMatch(word -> word.equals(what) || word.equals("all")))
        .orElse(false);
  }

  /** Whether the caller is an operator or more. */
  boolean seesAll() {
    AccountUser user = state.accounting().users().get(caller.user());
    return caller.isRoot()
        || caller.user().equals(state.config().setting("SlurmUser").orElse("root"))
        || user != null && user.adminLevel() != AccountUser.AdminLevel.NONE;
  }

  private boolean coordinates(String account) {
    Account known = state.accounting().accounts().get(account);
    return known != null && known.coordinators().contains(caller.user());
  }
}
