package dev.yardmaster.engine.share;

import dev.yardmaster.model.Accounting;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.PriorityPolicy;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.TemporalAdjusters;

/**
 * What happens every PriorityCalcPeriod: usage decays, running jobs are charged, and everybody's
 * standing is calculated anew.
 */
public final class UsagePeriod {
  private UsagePeriod() {}

  /** The book after a period that ends now. */
  public static UsageBook end(
      Accounting accounting,
      PriorityPolicy policy,
      UsageBook book,
      Iterable<Job> jobs,
      Instant now) {
    UsageBook charged = book;
    if (resets(policy.usageResetPeriod(), book.counted(), now)) {
      charged = charged.cleared();
    }
    UsageBook decayed = charged.decayTo(accounting, policy, now);
    UsageBook sum = new UsageBook(decayed.associations(), decayed.qos(), book.counted());
    for (Job job : jobs) {
      if (job.state() == JobState.RUNNING) {
        sum = sum.charge(accounting, policy, job, now);
      }
    }
    UsageBook counted = new UsageBook(sum.associations(), sum.qos(), now);
    return policy.flags().contains("NO_FAIR_TREE") || policy.flags().contains("DEPTH_OBLIVIOUS")
        ? ClassicShare.calculate(accounting, policy, counted)
        : FairTree.calculate(accounting, counted);
  }

  /** Whether usage begins anew between two moments (PriorityUsageResetPeriod). */
  static boolean resets(
      String period, @org.jspecify.annotations.Nullable Instant last, Instant now) {
    if (last == null) {
      return false;
    }
    ZonedDateTime from = last.atZone(ZoneOffset.UTC);
    ZonedDateTime day = from.toLocalDate().atStartOfDay(ZoneOffset.UTC);
    ZonedDateTime next =
        switch (period) {
          case "DAILY" -> day.plusDays(1);
          case "WEEKLY" -> day.with(TemporalAdjusters.next(DayOfWeek.SUNDAY));
          case "MONTHLY" -> day.with(TemporalAdjusters.firstDayOfNextMonth());
          case "QUARTERLY" -> day.withDayOfMonth(1).plusMonths(3 - (day.getMonthValue() - 1) % 3);
          case "YEARLY" -> day.with(TemporalAdjusters.firstDayOfNextYear());
          default -> null;
        };
    return next != null && !next.toInstant().isAfter(now);
  }
}
