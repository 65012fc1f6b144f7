package dev.yardmaster.cli;

import dev.yardmaster.client.ClientException;
import dev.yardmaster.client.SchedulerClient;
import dev.yardmaster.explain.JobHistory;
import dev.yardmaster.explain.JobHistory.Stage;
import dev.yardmaster.model.text.Instants;
import dev.yardmaster.model.text.NotationException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A moment as {@code yardmaster why --at} takes it: a time in Slurm's notations, a time with the
 * number of an event, or one of the words {@code submit}, {@code start} and {@code end}.
 *
 * @param at null where a word stands for it
 * @param number of the event after which it is; 0 for the last one up to then
 * @param word empty for none
 */
record WhyMoment(@Nullable Instant at, long number, String word) {
  private static final Pattern NUMBERED = Pattern.compile("(.*)#([0-9]{1,18})");
  private static final Pattern TIME_OF_DAY = Pattern.compile("\\s*[0-9]{1,2}:.*");

  /**
   * @throws NotationException for a text that is no moment
   */
  static WhyMoment parse(String text, Instant now, ZoneId zone) {
    if (text.equals("submit") || text.equals("start") || text.equals("end")) {
      return new WhyMoment(null, 0, text);
    }
    Matcher numbered = NUMBERED.matcher(text);
    boolean exact = numbered.matches();
    String time = exact ? numbered.group(1) : text;
    if (exact && time.isBlank()) {
      throw new NotationException(
          "moment", text, 1, "the time is missing", "2026-11-30T01:00:00" + text.strip());
    }
    Instant at = Instants.parsePast(time, now, zone);
    if (at.isAfter(now) && TIME_OF_DAY.matcher(time).matches()) {
      // A time of day that is still to come was yesterday's.
      at = Instants.parsePast(time, now.minus(Duration.ofDays(1)), zone);
    }
    return new WhyMoment(at, exact ? Long.parseLong(numbered.group(2)) : 0, "");
  }

  /** The name of a moment, from which it can be told again. */
  static String name(Instant at, long number, ZoneId zone) {
    return Instants.format(at, zone) + (number == 0 ? "" : "#" + number);
  }

  /**
   * What a word stands for in the life of a job.
   *
   * @throws CommandFailure when the job has not come so far
   */
  WhyMoment of(SchedulerClient client, String job) throws ClientException, CommandFailure {
    if (at != null) {
      return this;
    }
    JobHistory history = client.history(job);
    Stage stage =
        switch (word) {
          case "start" -> history.lastStart().orElse(null);
          case "end" -> history.end().orElse(null);
          default -> history.stages().isEmpty() ? null : history.stages().getFirst();
        };
    if (stage == null) {
      throw new CommandFailure(
          1, "yardmaster why: " + job + ": it has not come to its " + word + " yet");
    }
    // What led to the start is what was known just before it.
    long moment = word.equals("start") ? stage.moment() - 1 : stage.moment();
    return new WhyMoment(stage.from(), moment, "");
  }
}
