package dev.yardmaster.model;

import dev.yardmaster.model.text.CronSpec;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Where a job of a crontab comes from, kept with what is shown of it.
 *
 * @param spec when it runs
 * @param lines its lines in the crontab, from 1: {@code FIRST-LAST}
 * @param recurs whether it waits for its next time when it has run (Slurm's flag CRON_JOB); not any
 *     more when it was cancelled or its crontab replaced
 */
public record CronEntry(CronSpec spec, String lines, boolean recurs) {
  /**
   * The option by which scrontab says which lines a submission is of, and when it runs. It is no
   * option of sbatch(1).
   */
  public static final String OPTION = "crontab-entry";

  /** The option of the submission that carries the crontab itself before those of its lines. */
  public static final String CRONTAB = "crontab";

  private static final String RECURS = "crontab-recurs";

  /** What {@link #option} wrote. */
  public static CronEntry parse(String option) {
    int space = option.indexOf(' ');
    return new CronEntry(
        CronSpec.parse(option.substring(space + 1)), option.substring(0, Math.max(0, space)), true);
  }

  /** The entry of a job; null for one that is of no crontab. */
  public static @Nullable CronEntry of(Job job) {
    String option = job.batch().shown().get(OPTION);
    if (option == null) {
      return null;
    }
    CronEntry entry = parse(option);
    return job.batch().shown().containsKey(RECURS)
        ? entry
        : new CronEntry(entry.spec, entry.lines, false);
  }

  /** The entry of a job that recurs; null for any other. */
  public static @Nullable CronEntry recurring(Job job) {
    return job.batch().shown().containsKey(RECURS) ? of(job) : null;
  }

  /** The value of {@link #OPTION}. */
  public String option() {
    return lines + " " + spec;
  }

  /** A job that is of this entry. */
  public Job on(Job job) {
    TreeMap<String, String> shown = new TreeMap<>(job.batch().shown());
    shown.put(OPTION, option());
    if (recurs) {
      shown.put(RECURS, "");
    } else {
      shown.remove(RECURS);
    }
    return job.withBatch(job.batch().withShown(Immutable.sortedMap(shown)));
  }

  /** A job that runs no more than once again. */
  public static Job last(Job job) {
    CronEntry entry = recurring(job);
    return entry == null ? job : new CronEntry(entry.spec, entry.lines, false).on(job);
  }
}
