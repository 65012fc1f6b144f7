package dev.yardmaster.model.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class InstantsTest {
  private static final ZoneId MADRID = ZoneId.of("Europe/Madrid");
  private static final ZoneId NEW_YORK = ZoneId.of("America/New_York");

  /** A Sunday, 2026-11-29 14:30:15 in Madrid. */
  private static final Instant NOW = Instant.parse("2026-11-29T13:30:15Z");

  @ParameterizedTest
  @CsvSource({
    "now, 2026-11-29T14:30:15",
    "now+1hour, 2026-11-29T15:30:15",
    "now+30, 2026-11-29T14:30:45",
    "now + 2 days, 2026-12-01T14:30:15",
    "now+1WEEK, 2026-12-06T14:30:15",
    "now+90minutes, 2026-11-29T16:00:15",
    "now-1hour, 2026-11-29T13:30:15",
    "midnight, 2026-11-30T00:00:00",
    "noon, 2026-11-30T12:00:00",
    "elevenses, 2026-11-30T11:00:00",
    "fika, 2026-11-29T15:00:00",
    "teatime, 2026-11-29T16:00:00",
    "today, 2026-11-29T00:00:00",
    "tomorrow, 2026-11-30T00:00:00",
    "tomorrow 8:15, 2026-11-30T08:15:00",
    "noon tomorrow, 2026-11-30T12:00:00",
    "tomorrowTteatime, ",
    "16:00, 2026-11-29T16:00:00",
    "16:00:30, 2026-11-29T16:00:30",
    "14:30, 2026-11-30T14:30:00",
    "14:31, 2026-11-29T14:31:00",
    "4:00 PM, 2026-11-29T16:00:00",
    "4:00pm, 2026-11-29T16:00:00",
    "12:00 AM, 2026-11-30T00:00:00",
    "12:30 PM, 2026-11-30T12:30:00",
    "120126, 2026-12-01T00:00:00",
    "1201, 2026-12-01T00:00:00",
    "1101, 2027-11-01T00:00:00",
    "12/01, 2026-12-01T00:00:00",
    "11/29 14:30, 2027-11-29T14:30:00",
    "11/29 14:31, 2026-11-29T14:31:00",
    "2/29, 2028-02-29T00:00:00",
    "12/01/26, 2026-12-01T00:00:00",
    "12.01.26, 2026-12-01T00:00:00",
    "12/01/26-14:00, 2026-12-01T14:00:00",
    "2026-12-01, 2026-12-01T00:00:00",
    "2026-12-1, 2026-12-01T00:00:00",
    "2026-12-01T13:00, 2026-12-01T13:00:00",
    "2026-12-01T13:00:05, 2026-12-01T13:00:05",
    "2026-12-01 13:00:05, 2026-12-01T13:00:05",
    "2020-01-01, 2020-01-01T00:00:00",
    "2026-12-01 Teatime, 2026-12-01T16:00:00",
    "uts1796000000, 2026-11-30T01:53:20",
  })
  void readsEveryDocumentedForm(String text, String local) {
    if (local == null) {
      assertThatThrownBy(() -> Instants.parse(text, NOW, MADRID))
          .isInstanceOf(NotationException.class);
    } else {
      assertThat(Instants.format(Instants.parse(text, NOW, MADRID), MADRID)).isEqualTo(local);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "16:00, 2026-11-29T16:00:00",
    "8:00, 2026-11-29T08:00:00",
    "12/01, 2025-12-01T00:00:00",
    "11/01, 2026-11-01T00:00:00",
    "2/29, 2024-02-29T00:00:00",
    "now-1day, 2026-11-28T14:30:15",
  })
  void looksBackWhereThePastIsMeant(String text, String local) {
    assertThat(Instants.format(Instants.parsePast(text, NOW, MADRID), MADRID)).isEqualTo(local);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "yesterday|unexpected \"y\" at column 1",
        "16:61|minutes 61 out of range at column 4; use 00-59",
        "24:00|hour 24 at column 1; use 0-23",
        "13:00 PM|hour 13 with AM or PM at column 1; use 1-12",
        "2026-02-30|no such day at column 1",
        "2026-13-01|a month 13 is too large at column 6; use at most 12",
        "2/30|no such day at column 1",
        "now+|expected a number, found the end at column 5",
        "now+5parsecs|unknown unit at column 6; use seconds, minutes, hours, days or weeks",
        "now+99999999999weeks|too large",
        "now+9999999999weeks|too far away",
        "nowhere|unexpected text after now, found \"h\" at column 4",
        "16:00 17:00|a second time of day at column 7",
        "2026-12-01 12/02/26|a second date at column 12",
        "12345|not a date or time of day at column 1",
        "1850-01-01|year 1850 at column 1; use 1970 or later",
      })
  void refusesWithTheColumn(String text, String part) {
    assertThatThrownBy(() -> Instants.parse(text, NOW, MADRID))
        .isInstanceOf(NotationException.class)
        .hasMessageStartingWith("time \"" + text + "\": ")
        .hasMessageContaining(part);
  }

  @Test
  void aTimeInTheGapMovesLaterByTheGap() {
    Instant before = Instant.parse("2026-03-28T12:00:00Z");
    Instant gap = Instants.parse("2026-03-29T02:30:00", before, MADRID);
    assertThat(Instants.format(gap, MADRID)).isEqualTo("2026-03-29T03:30:00");
  }

  @ParameterizedTest
  @CsvSource({
    // Clocks are set forward at 2:00 on 8 March 2026, and back at 2:00 on 1 November, in New York.
    "America/New_York, 2026-03-08T04:30:00Z, tomorrow, 2026-03-09T00:00:00",
    "America/New_York, 2026-03-08T04:30:00Z, 22:00, 2026-03-09T22:00:00",
    "America/New_York, 2026-03-08T05:30:00Z, tomorrow, 2026-03-09T00:00:00",
    "America/New_York, 2026-03-08T05:30:00Z, 02:30, 2026-03-08T03:30:00",
    "America/New_York, 2026-03-08T05:30:00Z, teatime, 2026-03-08T16:00:00",
    "America/New_York, 2026-03-08T05:30:00Z, now+1day, 2026-03-09T01:30:00",
    "America/New_York, 2026-11-01T04:15:00Z, tomorrow, 2026-11-01T00:00:00",
    "America/New_York, 2026-11-01T04:15:00Z, 00:10, 2026-11-01T00:10:00",
    "America/New_York, 2026-11-01T04:15:00Z, 01:30, 2026-11-01T01:30:00",
    "America/New_York, 2026-11-01T04:15:00Z, now+1day, 2026-11-01T23:15:00",
    "America/New_York, 2026-11-01T12:00:00Z, teatime, 2026-11-01T16:00:00",
    "Europe/Madrid, 2026-03-28T22:30:00Z, tomorrow, 2026-03-30T00:00:00",
    "Europe/Madrid, 2026-03-29T00:15:00Z, 02:30, 2026-03-29T03:30:00",
    "Europe/Madrid, 2026-10-24T22:15:00Z, tomorrow, 2026-10-25T00:00:00",
    "Europe/Madrid, 2026-10-24T22:15:00Z, noon, 2026-10-25T12:00:00"
  })
  void aDayLaterIsTwentyFourHoursLaterAlsoWhereClocksChange(
      String zone, String now, String text, String then) {
    ZoneId there = ZoneId.of(zone);
    Instant read = Instants.parse(text, Instant.parse(now), there);
    assertThat(Instants.format(read, there)).isEqualTo(then);
  }

  @Test
  void aTimeOfTodayThatLiesBehindIsReadOnADayOfClockChanges() {
    Instant evening = Instant.parse("2026-03-29T18:00:00Z");
    assertThat(Instants.parsePast("02:30", evening, MADRID))
        .isEqualTo(Instant.parse("2026-03-29T01:30:00Z"));
    assertThat(Instants.parsePast("01:30", evening, MADRID))
        .isEqualTo(Instant.parse("2026-03-29T00:30:00Z"));
    Instant autumn = Instant.parse("2026-10-25T18:00:00Z");
    assertThat(Instants.parsePast("02:30", autumn, MADRID))
        .isEqualTo(Instant.parse("2026-10-25T01:30:00Z"));
  }

  @ParameterizedTest
  @CsvSource({
    // what sbatch and scontrol of Slurm 26.11 read and print
    "Europe/Madrid, 2027-03-28T02:00, 1806195600, 2027-03-28T03:00:00",
    "Europe/Madrid, 2027-03-28T02:30, 1806197400, 2027-03-28T03:30:00",
    "Europe/Madrid, 2027-03-28T03:00, 1806195600, 2027-03-28T03:00:00",
    "Europe/Madrid, 2027-10-31T01:30, 1824939000, 2027-10-31T01:30:00",
    "Europe/Madrid, 2027-10-31T02:00, 1824944400, 2027-10-31T02:00:00",
    "Europe/Madrid, 2027-10-31T02:30, 1824946200, 2027-10-31T02:30:00",
    "Europe/Madrid, 10/31/27-02:30, 1824946200, 2027-10-31T02:30:00",
    "Europe/Madrid, 2027-10-31T03:00, 1824948000, 2027-10-31T03:00:00",
    "Europe/Madrid, uts1824942600, 1824942600, 2027-10-31T02:30:00",
    "America/New_York, 2027-03-14T02:30, 1805009400, 2027-03-14T03:30:00",
    "America/New_York, 2027-03-14T03:00, 1805007600, 2027-03-14T03:00:00",
    "America/New_York, 2027-11-07T00:30, 1825561800, 2027-11-07T00:30:00",
    "America/New_York, 2027-11-07T01:00, 1825563600, 2027-11-07T01:00:00",
    "America/New_York, 2027-11-07T01:30, 1825565400, 2027-11-07T01:30:00",
    "America/New_York, uts1825569000, 1825569000, 2027-11-07T01:30:00",
    "America/New_York, 2027-11-07T02:00, 1825570800, 2027-11-07T02:00:00"
  })
  void aClockThatChangesIsReadAndPrintedAsSlurmDoes(
      String zone, String text, long seconds, String printed) {
    ZoneId there = ZoneId.of(zone);
    Instant read = Instants.parse(text, NOW, there);
    assertThat(read).isEqualTo(Instant.ofEpochSecond(seconds));
    assertThat(Instants.format(read, there)).isEqualTo(printed);
  }

  @ParameterizedTest
  @CsvSource({
    "Europe/Madrid, 2027-10-31T01:00, 2027-10-31T02:30, 1824942600",
    "Europe/Madrid, 2027-10-31T02:30, 2027-10-31T03:30, 1824949800",
    "Europe/Madrid, 2027-03-28T01:00, 2027-03-28T02:30, 1806197400",
    "America/New_York, 2027-11-07T01:15, 2027-11-07T01:45, 1825566300",
    "America/New_York, 2027-01-01, 2027-11-07T01:00, 1825567200",
    "America/New_York, 2027-01-01, 2027-11-07T01:30, 1825569000",
    "America/New_York, 2027-01-01, 2027-11-07T02:00, 1825570800"
  })
  void theSecondTimeOfACommandIsReadWithTheOffsetOfTheFirst(
      String zone, String first, String text, long seconds) {
    ZoneId there = ZoneId.of(zone);
    Instant before = Instants.parse(first, NOW, there);
    assertThat(Instants.parseAfter(text, before, NOW, there))
        .isEqualTo(Instant.ofEpochSecond(seconds));
  }

  @Test
  void theHourThatRepeatsMeansItsFirstPassUnlessThatIsTooEarly() {
    Instant first = Instant.parse("2025-11-02T05:30:00Z");
    Instant second = first.plusSeconds(3600);
    assertThat(Instants.format(first, NEW_YORK))
        .isEqualTo(Instants.format(second, NEW_YORK))
        .isEqualTo("2025-11-02T01:30:00");
    assertThat(Instants.parse("2025-11-02T01:30:00", NOW, NEW_YORK)).isEqualTo(first);
    assertThat(Instants.parseReported("2025-11-02T01:30:00", NEW_YORK)).contains(first);
    assertThat(Instants.parseReported("2025-11-02T01:30:00", NEW_YORK, first)).contains(first);
    assertThat(Instants.parseReported("2025-11-02T01:30:00", NEW_YORK, first.plusSeconds(1)))
        .contains(second);
    assertThat(Instants.parseReported("2025-11-02T01:30:00", NEW_YORK, second.plusSeconds(1)))
        .contains(first);
  }

  @ParameterizedTest
  @ValueSource(strings = {"2026-03-29T00:59:00Z", "2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z"})
  void aDurationFromNowIsConstantAcrossTheChangeOfClocks(String now) {
    Instant at = Instant.parse(now);
    Instant start = Instants.parse("now+30", at, MADRID);
    Instant end = Instants.parse("now+3600", at, MADRID);
    assertThat(Duration.between(start, end)).isEqualTo(Duration.ofSeconds(3570));
    assertThat(Instants.parse("now+1day", at, MADRID)).isEqualTo(at.plusSeconds(86400));
  }

  @ParameterizedTest
  @ValueSource(strings = {"Unknown", "N/A", "None", "(null)", "", "0"})
  void whatACommandDidNotKnowIsEmpty(String text) {
    assertThat(Instants.parseReported(text, MADRID)).isEmpty();
  }

  @Test
  void refusesAPrintedTimeThatIsNone() {
    assertThatThrownBy(() -> Instants.parseReported("2026-12-01X13:00", MADRID))
        .hasMessage(
            "time \"2026-12-01X13:00\": not a printed time at column 11; expected"
                + " 2026-12-01T13:00:00");
  }

  @Property(tries = 500)
  void aPrintedTimeReadsBack(
      @ForAll @LongRange(min = 172_800, max = 4_102_444_800L) long seconds,
      @ForAll("zones") ZoneId zone) {
    Instant instant = Instant.ofEpochSecond(seconds);
    String text = Instants.format(instant, zone);
    assertThat(Instants.parseReported(text, zone, instant)).contains(instant);
    Instant parsed = Instants.parse(text, NOW, zone);
    assertThat(Instants.format(parsed, zone)).isEqualTo(text);
    boolean repeats =
        zone.getRules().getValidOffsets(LocalDateTime.ofInstant(instant, zone)).size() > 1;
    if (!repeats) {
      assertThat(parsed).isEqualTo(instant);
    }
  }

  @Property(tries = 300)
  void aTimeOfDayIsTheNextOneWithinADay(
      @ForAll @LongRange(min = 172_800, max = 4_102_444_800L) long seconds,
      @ForAll("clocks") String clock) {
    Instant now = Instant.ofEpochSecond(seconds);
    Instant next = Instants.parse(clock, now, MADRID);
    assertThat(next).isAfter(now.minusSeconds(60)).isBefore(now.plus(Duration.ofHours(26)));
  }

  @Provide
  Arbitrary<ZoneId> zones() {
    return Arbitraries.of(
        MADRID,
        NEW_YORK,
        ZoneId.of("UTC"),
        ZoneId.of("Australia/Lord_Howe"),
        ZoneId.of("Asia/Kolkata"));
  }

  @Provide
  Arbitrary<String> clocks() {
    return Arbitraries.of(
        "0:00", "2:30", "03:00", "12:00", "16:45:30", "23:59", "noon", "11:30 PM");
  }
}
