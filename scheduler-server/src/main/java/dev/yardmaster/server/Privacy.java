package dev.yardmaster.server;

import dev.yardmaster.engine.gate.Admittance;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.explain.Explanation;
import dev.yardmaster.model.Account;
import dev.yardmaster.model.AccountUser;
import dev.yardmaster.model.Accounting;
import dev.yardmaster.model.AccountingReport;
import dev.yardmaster.model.Association;
import dev.yardmaster.model.Identity;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobOwner;
import dev.yardmaster.model.Reservation;
import dev.yardmaster.model.UsageReport;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.pcollections.TreePMap;

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
   * Whether a kind of things is hidden from the caller.
   *
   * @param what as PrivateData names it (slurm.conf(5)): nodes, partitions
   */
  boolean hides(String what) {
    return isPrivate(what) && !seesAll();
  }

  /** Whether the caller may see a reservation: those that are not to see all see what they use. */
  boolean shows(Reservation reservation) {
    return !hides("reservations")
        || Stream.concat(
                Stream.of(""),
                state.accounting().associations().values().stream()
                    .filter(a -> a.user().equals(caller.user()))
                    .map(Association::account))
            .anyMatch(account -> Admittance.admits(state, reservation, owner(account)));
  }

  private JobOwner owner(String account) {
    return new JobOwner(caller.user(), caller.uid(), caller.group(), caller.gid(), account, "", "");
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

  /** The report without what others have used, and without users and accounts that are hidden. */
  AccountingReport of(AccountingReport report) {
    return withoutOthers(withoutUsage(report));
  }

  /**
   * With PrivateData=users a user sees no other user, and the associations of other users in the
   * accounts he coordinates; with PrivateData=accounts the accounts he is in or coordinates, and
   * those above them.
   */
  private AccountingReport withoutOthers(AccountingReport report) {
    boolean users = hides("users");
    boolean accounts = hides("accounts");
    if (!users && !accounts) {
      return report;
    }
    Accounting all = report.accounting();
    Set<Integer> kept = new TreeSet<>();
    Set<String> names = new TreeSet<>();
    for (Association a : all.associations().values()) {
      boolean own = a.user().equals(caller.user()) || coordinates(a.account());
      if (a.isUser() ? own || !users && !accounts : own || !accounts) {
        // It is the first of these itself.
        for (Association above : all.upwards(a)) {
          kept.add(above.id());
          names.add(above.account());
        }
      }
    }
    Accounting shown =
        new Accounting(
            accounts ? without(all.accounts(), names) : all.accounts(),
            users ? without(all.users(), Set.of(caller.user())) : all.users(),
            all.qos(),
            without(all.associations(), kept),
            all.ids()
                .minusAll(
                    all.ids().entrySet().stream()
                        .filter(id -> !kept.contains(id.getValue()))
                        .map(Map.Entry::getKey)
                        .toList()));
    return new AccountingReport(
        report.cluster(),
        shown,
        only(report.usage(), kept),
        report.qosUsage(),
        only(report.normShares(), kept),
        only(report.runMinutes(), kept));
  }

  private static <K extends Comparable<K>, T> TreePMap<K, T> without(
      TreePMap<K, T> all, Set<K> kept) {
    return all.minusAll(all.keySet().stream().filter(key -> !kept.contains(key)).toList());
  }

  private static <T> SortedMap<Integer, T> only(SortedMap<Integer, T> all, Set<Integer> kept) {
    TreeMap<Integer, T> some = new TreeMap<>(all);
    some.keySet().retainAll(kept);
    return some;
  }

  private AccountingReport withoutUsage(AccountingReport report) {
    return !hides("usage")
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
    return !hides("usage")
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
