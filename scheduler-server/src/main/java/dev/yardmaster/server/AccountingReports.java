package dev.yardmaster.server;

import dev.yardmaster.engine.share.Shares;
import dev.yardmaster.engine.share.UsagePeriod;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.model.Accounting;
import dev.yardmaster.model.AccountingReport;
import dev.yardmaster.model.Association;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import java.time.Duration;
import java.time.Instant;
import java.util.SortedMap;
import java.util.TreeMap;

/** The accounting of a state as it is shown. */
final class AccountingReports {
  private AccountingReports() {}

  static AccountingReport of(ClusterState state, Instant now) {
    Accounting accounting = state.accounting();
    Shares shares = new Shares(accounting);
    TreeMap<Integer, Double> norm = new TreeMap<>();
    boolean classic = UsagePeriod.isClassic(state.config().priority());
    for (Association a : accounting.associations().values()) {
      norm.put(a.id(), classic ? shares.normOfAll(a) : shares.norm(a));
    }
    return new AccountingReport(
        state.config().clusterName(),
        accounting,
        state.usage().associations(),
        state.usage().qos(),
        norm,
        runMinutes(state, now));
  }

  private static SortedMap<Integer, SortedMap<String, Long>> runMinutes(
      ClusterState state, Instant now) {
    Accounting accounting = state.accounting();
    TreeMap<Integer, TreeMap<String, Long>> seconds = new TreeMap<>();
    for (Job job : state.jobs().values()) {
      Instant end = job.ended();
      if (job.state() != JobState.RUNNING || end == null || job.allocation() == null) {
        continue;
      }
      Association own = accounting.find(job.owner().user(), job.owner().account(), job.partition());
      long left = Math.max(0, Duration.between(now, end).toSeconds());
      if (own != null) {
        for (Association a : accounting.upwards(own)) {
          TreeMap<String, Long> sum = seconds.computeIfAbsent(a.id(), id -> new TreeMap<>());
          job.allocation()
              .tres()
              .amounts()
              .forEach((name, amount) -> sum.merge(name, amount * left, Long::sum));
        }
      }
    }
    TreeMap<Integer, SortedMap<String, Long>> minutes = new TreeMap<>();
    seconds.forEach(
        (id, sum) -> {
          sum.replaceAll((name, amount) -> amount / 60);
          minutes.put(id, sum);
        });
    return minutes;
  }
}
