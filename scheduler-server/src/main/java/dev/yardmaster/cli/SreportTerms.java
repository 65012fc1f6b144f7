package dev.yardmaster.cli;

import dev.yardmaster.model.text.AccountingNames;
import dev.yardmaster.model.text.Instants;
import dev.yardmaster.model.text.NotationException;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What follows the name of a report of sreport(1).
 *
 * @param end the first second that is not meant
 * @param format empty when not given
 * @param top how many users; 0 for all
 * @param group whether the accounts of a user are added up
 * @param tree whether accounts are indented as their tree
 * @param grouping where groups of sizes of jobs begin; empty for the usual ones
 * @param jobCount whether jobs are counted rather than their time
 */
record SreportTerms(
    Instant start,
    Instant end,
    List<String> accounts,
    List<String> users,
    String format,
    int top,
    boolean group,
    boolean tree,
    List<String> grouping,
    boolean jobCount) {
  private static final int DEFAULT_TOP = 10;

  static SreportTerms read(List<String> words, boolean ofTop, Io io) throws CommandFailure {
    Instant now = io.clock().instant().truncatedTo(ChronoUnit.SECONDS);
    Instant start = null;
    Instant end = null;
    List<String> accounts = new ArrayList<>();
    List<String> users = new ArrayList<>();
    String format = "";
    int top = DEFAULT_TOP;
    boolean group = false;
    boolean tree = false;
    boolean jobCount = false;
    List<String> grouping = new ArrayList<>();
    for (String word : words) {
      int equals = word.indexOf('=');
      String name = (equals < 0 ? word : word.substring(0, equals)).toLowerCase(Locale.ROOT);
      String value = equals < 0 ? "" : word.substring(equals + 1);
      if (equals < 0 && ofTop && Scontrol.is(name, "group", 1)) {
        group = true;
      } else if (equals < 0 && Scontrol.is(name, "tree", 4)) {
        tree = true;
      } else if (equals < 0 && Scontrol.is(name, "printjobcount", 2)) {
        jobCount = true;
      } else if (equals < 0 && Scontrol.is(name, "all_clusters", 1)) {
        // There is one cluster.
        continue;
      } else if (Scontrol.is(name, "grouping", 2)) {
        grouping.addAll(Formats.list(value));
      } else if (equals < 0 || Scontrol.is(name, "users", 1)) {
        users.addAll(AccountingNames.fold(Formats.list(equals < 0 ? word : value)));
      } else if (Scontrol.is(name, "accounts", 2) || name.equals("acct")) {
        accounts.addAll(AccountingNames.fold(Formats.list(value)));
      } else if (Scontrol.is(name, "start", 1)) {
        start = time(value, now, io);
      } else if (Scontrol.is(name, "end", 1)) {
        end = time(value, now, io);
        end = end.isAfter(now) ? now : end;
      } else if (Scontrol.is(name, "format", 1)) {
        format = format.isEmpty() ? value : format + "," + value;
      } else if (ofTop && Scontrol.is(name, "topcount", 1)) {
        top = value.matches("[0-9]{1,9}") ? Integer.parseInt(value) : 0;
      } else if (!Scontrol.is(name, "clusters", 1)) {
        throw new CommandFailure(
            1, " Unknown condition: " + word, "Use keyword set to modify value");
      }
    }
    Instant from = start(start, now, io);
    Instant until = end(end, now, io);
    boolean isShort = until.isBefore(from.plus(1, ChronoUnit.HOURS));
    return new SreportTerms(
        from,
        isShort ? from.plus(1, ChronoUnit.HOURS) : until,
        accounts,
        users,
        format,
        top,
        group,
        tree,
        grouping,
        jobCount);
  }

  private static Instant time(String text, Instant now, Io io) throws CommandFailure {
    try {
      return Instants.parsePast(text, now, io.zone());
    } catch (NotationException e) {
      throw new CommandFailure(1, TimeFault.message(text));
    }
  }

  /** The begin of its hour; without one, of the day before. */
  private static Instant start(@Nullable Instant given, Instant now, Io io) {
    ZonedDateTime time = (given == null ? now : given).atZone(io.zone());
    ZonedDateTime hour = time.truncatedTo(ChronoUnit.HOURS);
    return (given == null ? hour.withHour(0).minusDays(1) : hour).toInstant();
  }

  /** The end of its hour; without one that of the first hour of today, which Slurm begins too. */
  private static Instant end(@Nullable Instant given, Instant now, Io io) {
    ZonedDateTime time = (given == null ? now : given).atZone(io.zone());
    ZonedDateTime whole = given == null ? time.withHour(0) : time;
    ZonedDateTime hour = whole.truncatedTo(ChronoUnit.HOURS);
    return (hour.equals(whole) ? hour : hour.plusHours(1)).toInstant();
  }
}
