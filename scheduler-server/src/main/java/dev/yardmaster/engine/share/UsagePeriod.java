package dev.yardmaster.engine.share;

import dev.yardmaster.model.Accounting;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.PriorityPolicy;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.temporal.TemporalAdjusters;
import org.jspecify.annotations.Nullable;

/**
 * What happens every PriorityCalcPeriod: usage decays, running jobs are charged, and everybody's
 * standing is calculated anew.
 */
public final class UsagePeriod {
  private UsagePeriod() {}

  /**
   * The book after a period that ends now.
   *
   * @param anew whether usage begins anew (PriorityUsageResetPeriod)
   */
  public static UsageBook end(
      Accounting accounting,
      PriorityPolicy policy,
      UsageBook book,
      Iterable<Job> jobs,
      Instant now,
      boolean anew) {
    UsageBook charged = anew ? book.cleared(accounting) : book;
    UsageBook decayed = charged.decayTo(accounting, policy, now);
    UsageBook sum = new UsageBook(decayed.associations(), decayed.qos(), book.counted());
    for (Job job : jobs) {
      if (job.state() == JobState.RUNNING) {
        sum = sum.charge(accounting, policy, job, now);
      }
    }
    UsageBook counted = new UsageBook(sum.associations(), sum.qos(), now);
    return isClassic(policy)
        ? ClassicShare.calculate(accounting, policy, charged, counted)
        : FairTree.calculate(accounting, counted);
  }

  /** Whether classic fair share is asked for (PriorityFlags NO_FAIR_TREE or DEPTH_OBLIVIOUS). */
  public static boolean isClassic(PriorityPolicy policy) {
    return policy.has("NO_FAIR_TREE") || policy.has("DEPTH_OBLIVIOUS");
  }

  /**
   * Whether usage begins anew between two moments, with a day, week, month, quarter or year of the
   * calendar (PriorityUsageResetPeriod). A week begins on Sunday; NOW and NONE are no spans of
   * time.
   *
   * @param last when the last period ended; null before the first
   * @param zone where it is midnight
   */
  public static boolean resets(String period, @Nullable Instant last, Instant now, ZoneId zone) {
    if (last == null) {
      return false;
    }
    LocalDate day = LocalDate.ofInstant(last, zone);
    LocalDate next =
        switch (period) {
          case "DAILY" -> day.plusDays(1);
          case "WEEKLY" -> day.with(TemporalAdjusters.next(DayOfWeek.SUNDAY));
          case "MONTHLY" -> day.with(TemporalAdjusters.firstDayOfNextMonth());
          case "QUARTERLY" -> day.withDayOfMonth(1).plusMonths(3 - (day.getMonthValue() - 1) % 3);
          case "YEARLY" -> day.with(TemporalAdjusters.firstDayOfNextYear());
          default -> null;
        };
    return next != null && !next.atStartOfDay(zone).toInstant().isAfter(now);
  }
}
