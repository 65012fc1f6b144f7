package dev.yardmaster.model.text;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Points in time as Slurm writes them (sbatch(1), {@code --begin}), to whole seconds, in the zone
 * of the cluster.
 *
 * <p>Where clocks jump forward, a time inside the gap is moved later by the length of the gap.
 * Where they are set back, a text in the hour that repeats means what it means to Slurm on Linux:
 * the pass whose offset is that of the time read before it in the same command; without one, the
 * first pass west of Greenwich and the second east of it. Of what a command printed it means the
 * first, unless a time is known before which it cannot lie. {@code now+1day} is always 86400
 * seconds, so that a duration does not change with the clocks.
 */
public final class Instants {
  private static final String NOTATION = "time";
  private static final DateTimeFormatter PRINTED =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss", Locale.ROOT);
  private static final Set<String> UNKNOWN =
      Set.of("", "UNKNOWN", "N/A", "NONE", "(NULL)", "NULL", "INVALID", "0");

  private Instants() {}

  /**
   * Parses a time that lies ahead: {@code now}, {@code now+30}, {@code now+2hours}, {@code 16:00},
   * {@code 4:00 PM}, {@code midnight}, {@code noon}, {@code elevenses}, {@code fika}, {@code
   * teatime}, {@code today}, {@code tomorrow}, {@code 120126}, {@code 12/01}, {@code
   * 12/01/26-14:00}, {@code 2026-12-01}, {@code 2026-12-01T13:00:00}. A time of day alone is the
   * next one; a date alone is its midnight; a month and day without year are the next ones.
   *
   * @param now the present, which "now" and missing parts are taken from
   */
  public static Instant parse(String text, Instant now, ZoneId zone) {
    return new InstantParser(text, now, zone, false).parse(ZoneOffset.UTC);
  }

  /**
   * As {@link #parse}, for the second time of a command.
   *
   * @param before the time that was read before it
   */
  public static Instant parseAfter(String text, Instant before, Instant now, ZoneId zone) {
    ZoneOffset offset = zone.getRules().getOffset(before);
    return new InstantParser(text, now, zone, false).parse(offset);
  }

  /**
   * As {@link #parse}, for a time that lies behind (sacct(1), {@code --starttime}): a time of day
   * alone is today's.
   */
  public static Instant parsePast(String text, Instant now, ZoneId zone) {
    return new InstantParser(text, now, zone, true).parse(ZoneOffset.UTC);
  }

  /**
   * Parses a time that a command printed; empty for {@code Unknown}, {@code N/A}, {@code None} and
   * {@code (null)}.
   */
  public static Optional<Instant> parseReported(String text, ZoneId zone) {
    return parseReported(text, zone, Instant.MIN);
  }

  /**
   * Parses a time that a command printed.
   *
   * @param notBefore the earliest possible, as the start of a job for its end: in an hour that
   *     repeats, the first pass is taken unless it lies before this
   */
  public static Optional<Instant> parseReported(String text, ZoneId zone, Instant notBefore) {
    String plain = text.strip();
    if (UNKNOWN.contains(plain.toUpperCase(Locale.ROOT))) {
      return Optional.empty();
    }
    LocalDateTime local;
    try {
      local = LocalDateTime.parse(plain, DateTimeFormatter.ISO_LOCAL_DATE_TIME);
    } catch (DateTimeParseException e) {
      throw new NotationException(
          NOTATION,
          text,
          e.getErrorIndex() + 1,
          "not a printed time",
          "expected 2026-12-01T13:00:00");
    }
    return Optional.of(resolve(local, zone, notBefore));
  }

  /** Prints {@code 2026-12-01T13:00:00}. */
  public static String format(Instant instant, ZoneId zone) {
    return PRINTED.format(instant.truncatedTo(ChronoUnit.SECONDS).atZone(zone));
  }

  /**
   * What a time of the clock on the wall means.
   *
   * @param tried the offset from UTC that is tried first; what that comes to tells the offset
   */
  public static Instant resolve(LocalDateTime local, ZoneId zone, ZoneOffset tried) {
    ZoneOffset offset = zone.getRules().getOffset(local.toInstant(tried));
    return zone.getRules().isValidOffset(local, offset)
        ? local.toInstant(offset)
        : resolve(local, zone, Instant.MIN);
  }

  static Instant resolve(LocalDateTime local, ZoneId zone, Instant notBefore) {
    List<ZoneOffset> offsets = zone.getRules().getValidOffsets(local);
    for (ZoneOffset offset : offsets) {
      Instant instant = local.toInstant(offset);
      if (!instant.isBefore(notBefore)) {
        return instant;
      }
    }
    if (offsets.isEmpty()) {
      Duration gap = zone.getRules().getTransition(local).getDuration();
      return local.plus(gap).atZone(zone).toInstant();
    }
    return local.toInstant(offsets.getFirst());
  }
}
