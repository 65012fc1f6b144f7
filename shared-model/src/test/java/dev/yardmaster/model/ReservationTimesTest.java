package dev.yardmaster.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReservationTimesTest {
  private static final ZoneId ZONE = ZoneId.of("Europe/Madrid");

  private static Reservation at(String localTime, String flag) {
    Instant start = java.time.LocalDateTime.parse(localTime).atZone(ZONE).toInstant();
    return new Reservation(
            "r", start, start.plusSeconds(5400), List.of(), Set.of(flag), List.of(), List.of())
        .withZone("Europe/Madrid");
  }

  /** Start and end of the next occurrences, by the clock on the wall. */
  private static String next(Reservation r, int times) {
    Reservation next = r;
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < times; i++) {
      next = ReservationTimes.next(next, next.end());
      out.append(next.start().atZone(ZONE).toLocalDateTime())
          .append('-')
          .append(next.end().atZone(ZONE).toLocalTime())
          .append(' ');
    }
    return out.toString().strip();
  }

  @ParameterizedTest
  @CsvSource({
    "2026-10-24T09:00, DAILY, 2026-10-25T09:00-10:30 2026-10-26T09:00-10:30",
    "2026-03-28T09:00, DAILY, 2026-03-29T09:00-10:30 2026-03-30T09:00-10:30",
    "2026-03-28T02:30, DAILY, 2026-03-29T03:30-04:00 2026-03-30T03:30-04:00",
    "2026-10-24T02:30, DAILY, 2026-10-25T02:30-04:00 2026-10-26T02:30-04:00",
    "2026-03-27T09:00, WEEKDAY, 2026-03-30T09:00-10:30 2026-03-31T09:00-10:30",
    "2026-10-23T09:00, WEEKDAY, 2026-10-26T09:00-10:30 2026-10-27T09:00-10:30",
    "2026-03-27T09:00, WEEKEND, 2026-03-28T09:00-10:30 2026-03-29T09:00-10:30",
    "2026-10-24T09:00, WEEKEND, 2026-10-25T09:00-10:30 2026-10-31T09:00-10:30",
    "2026-03-24T09:00, WEEKLY, 2026-03-31T09:00-10:30 2026-04-07T09:00-10:30",
    "2026-10-20T09:00, WEEKLY, 2026-10-27T09:00-10:30 2026-11-03T09:00-10:30",
    "2026-03-29T01:30, HOURLY, 2026-03-29T03:30-05:00 2026-03-29T04:30-06:00",
    "2026-10-25T01:30, HOURLY, 2026-10-25T02:30-03:00 2026-10-25T03:30-04:00",
    // as Slurm 26.11 moved them on
    "2027-03-27T02:30, DAILY, 2027-03-28T03:30-04:00 2027-03-29T03:30-04:00",
    "2027-03-27T01:30, DAILY, 2027-03-28T01:30-03:00 2027-03-29T01:30-03:00",
    "2027-10-30T02:30, DAILY, 2027-10-31T02:30-04:00 2027-11-01T02:30-04:00",
    "2027-10-30T01:30, DAILY, 2027-10-31T01:30-03:00 2027-11-01T01:30-03:00",
    "2027-03-21T02:30, WEEKLY, 2027-03-28T03:30-04:00 2027-04-04T03:30-04:00",
    "2027-10-24T02:30, WEEKLY, 2027-10-31T02:30-04:00 2027-11-07T02:30-04:00",
    "2027-03-28T00:30, HOURLY, 2027-03-28T01:30-04:00 2027-03-28T03:30-05:00",
    "2027-10-31T00:30, HOURLY, 2027-10-31T01:30-03:00 2027-10-31T02:30-04:00",
    "2027-10-31T01:30, WEEKLY, 2027-11-07T01:30-02:00 2027-11-14T01:30-02:00"
  })
  void itComesAtTheSameTimeOfDayThoughClocksChange(String start, String flag, String expected) {
    assertThat(next(at(start, flag), 2)).isEqualTo(expected);
  }

  /** Seconds of the starts of the next occurrences, as Slurm 26.11 had them. */
  @ParameterizedTest
  @CsvSource({
    "2027-10-30T02:30, DAILY, 1824942600 1825032600",
    "2027-10-24T02:30, WEEKLY, 1824942600 1825551000",
    "2027-10-31T00:30, HOURLY, 1824939000 1824946200 1824949800",
    "2027-03-28T00:30, HOURLY, 1806193800 1806197400 1806201000"
  })
  void ofAnHourThatComesTwiceThatIsMeantInWhichItStood(String start, String flag, String expected) {
    Reservation next = at(start, flag);
    StringBuilder out = new StringBuilder();
    while (out.length() < expected.length()) {
      next = ReservationTimes.next(next, next.end());
      out.append(out.isEmpty() ? "" : " ").append(next.start().getEpochSecond());
    }
    assertThat(out).hasToString(expected);
  }

  @Test
  void oneInForceWhileClocksChangeIsAnHourShorterOrLonger() {
    Reservation spring = ReservationTimes.next(at("2026-03-28T01:45", "DAILY"), Instant.EPOCH);
    assertThat(spring.length()).isEqualTo(Duration.ofMinutes(30));
    Reservation autumn = ReservationTimes.next(at("2026-10-24T01:45", "DAILY"), Instant.EPOCH);
    assertThat(autumn.length()).isEqualTo(Duration.ofMinutes(150));
    assertThat(ReservationTimes.next(autumn, Instant.EPOCH).length())
        .isEqualTo(Duration.ofMinutes(90));
  }

  @Test
  void theSecondPassOfAnHourIsLeftOut() {
    Reservation second = ReservationTimes.next(at("2026-10-25T01:10", "HOURLY"), Instant.EPOCH);
    assertThat(second.start()).isEqualTo(Instant.parse("2026-10-25T00:10:00Z"));
    assertThat(ReservationTimes.next(second, Instant.EPOCH).start())
        .isEqualTo(Instant.parse("2026-10-25T02:10:00Z"));
  }

  @Test
  void workingDaysAndWeekendsDependOnTheDayOnWhichItIsMovedOn() {
    Reservation friday =
        at("2026-11-27T22:00", "WEEKDAY").with(r -> r.end(r.start().plusSeconds(14_400)));
    // Its night ends on a Saturday, from which it is two days to Monday.
    assertThat(ReservationTimes.next(friday, friday.end()).start())
        .isEqualTo(friday.start().plus(Duration.ofDays(2)));
    Reservation weekend = at("2026-11-30T22:00", "WEEKEND");
    assertThat(ReservationTimes.next(weekend, Instant.parse("2026-11-29T12:00:00Z")).start())
        .isEqualTo(weekend.start().plus(Duration.ofDays(6)));
  }

  @Test
  void occurrencesAreListedUpToAMomentAndOneThatDoesNotRepeatOnce() {
    Reservation daily = at("2026-03-01T09:00", "DAILY");
    Instant until = daily.start().plus(Duration.ofDays(3));
    assertThat(ReservationTimes.until(daily, until)).hasSize(3);
    assertThat(ReservationTimes.until(daily.withFlags(Set.of("MAINT")), until)).hasSize(1);
    assertThat(ReservationTimes.until(daily, daily.start())).isEmpty();
  }

  @Test
  void everyListThatIsNotEmptyMustLetAJobIn() {
    Reservation r = at("2026-03-01T09:00", "MAINT");
    JobOwner owner = new JobOwner("alice", 1, "grp", 1, "train", "normal", "");
    assertThat(admitted(r, owner)).isFalse();
    assertThat(admitted(r.withUsers(List.of("alice")), owner)).isTrue();
    assertThat(admitted(r.withUsers(List.of("-alice")), owner)).isFalse();
    assertThat(admitted(r.withUsers(List.of("-bob")), owner)).isTrue();
    assertThat(admitted(r.withAccounts(List.of("root")), owner)).isTrue();
    assertThat(admitted(r.withAccounts(List.of("-root")), owner)).isFalse();
    assertThat(admitted(r.withGroups(List.of("grp")), owner)).isTrue();
    assertThat(admitted(r.withUsers(List.of("alice")).withAccounts(List.of("ml")), owner))
        .isFalse();
    assertThat(admitted(r.withQos(List.of("high")), owner)).isTrue();
    assertThat(r.withQos(List.of("high")).takes("normal", "main")).isFalse();
    assertThat(r.withQos(List.of("-high")).takes("normal", "main")).isTrue();
    assertThat(r.withAllowedPartitions(List.of("other")).takes("normal", "main")).isFalse();
  }

  private static boolean admitted(Reservation r, JobOwner owner) {
    return r.admits(owner, List.of("train", "root"));
  }

  @Test
  void flagsAreUnderstoodByTheirNamesAndPrintedInSlurmsOrder() {
    assertThat(
            List.of("static_alloc", "LICENSE_ONLY", "no_hold_jobs_after", "Daily").stream()
                .map(w -> ReservationFlag.ofWord(w).orElseThrow().name())
                .collect(Collectors.joining(",")))
        .isEqualTo("STATIC,ANY_NODES,NO_HOLD_JOBS_AFTER_END,DAILY");
    assertThat(ReservationFlag.ofWord("SPEC_NODES")).isEmpty();
    assertThat(ReservationFlag.ofWord("")).isEmpty();
    assertThat(ReservationFlag.ordered(Set.of("SPEC_NODES", "DAILY", "MAINT", "odd")))
        .containsExactly("MAINT", "DAILY", "SPEC_NODES", "odd");
  }
}
