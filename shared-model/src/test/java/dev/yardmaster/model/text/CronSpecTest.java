package dev.yardmaster.model.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CronSpecTest {
  private static final ZoneId MADRID = ZoneId.of("Europe/Madrid");

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "@hourly x; 0 0-23 * * *",
        "@midnight x; 0 0 * * *",
        "@Annually x; 0 0 1 1 *",
        "@monthly x; 0 0 1 * *",
        "@weekly x; 0 0 * * 0",
        "@teatime x; 0 16 * * *",
        "* * * * * x; * * * * *",
        "*/20 */8 */10 */6 */2 x; 0,20,40 0,8,16 1,11,21,31 1,7 0-1,3,5",
        "1-5,30 8-17/2 * * wed x; 1-5,30 8,10,12,14,16 * * 3",
        "60 24 31 jul sun x; 0 0 31 7 0",
        "0 0 1-2-4 * 7 x; 0 0 2-4 * 0"
      })
  void aLineIsReadAndShownAsSlurmDoes(String line, String shown) {
    CronSpec.Line read = CronSpec.line(line);
    assertThat(read.spec()).hasToString(shown).isEqualTo(CronSpec.parse(shown));
    assertThat(read.command()).isEqualTo("x");
    assertThat(line).startsWith(read.typed() + " ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "@nonsense x; invalid @ line",
        "5; ''",
        "5 ; cronspec_to_bitstring: unexpected end of line",
        "61 * * * * x; ''",
        "*/1 * * * * x; bad step value",
        "*/61 * * * * x; bad step value",
        "* * * foo * x; bad month specification",
        "* * * * foo x; bad day specification",
        "* * 0 * * x; ''",
        "* * 31 2,4 * x; ''",
        "* * 5-3 * * x; ''",
        "* * * * *; ''",
        "x y z; ''"
      })
  void whatIsWrongIsSaidInSlurmsWords(String line, String fault) {
    String typed = line.equals("5") ? line : line.replace("5 ", "5 ");
    assertThatThrownBy(() -> CronSpec.line(line.startsWith("5") && !fault.isEmpty() ? "5 " : typed))
        .isInstanceOfSatisfying(
            NotationException.class, e -> assertThat(e.wrong()).isEqualTo(fault));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "* * * * *; 2026-03-01T10:00:30; 2026-03-01T10:01",
        "0 5 * * *; 2026-03-01T05:00; 2026-03-02T05:00",
        "30 6 29 2 *; 2026-03-01T00:00; 2028-02-29T06:30",
        "0 0 31 * *; 2026-03-31T00:00; 2026-05-31T00:00",
        "0 0 13 * fri; 2026-03-07T00:00; 2026-03-13T00:00",
        "0 0 13 * fri; 2026-03-13T00:00; 2026-03-20T00:00",
        "59 23 31 12 *; 2026-12-31T23:59; 2027-12-31T23:59",
        "* 8 * * *; 2026-03-01T08:59; 2026-03-01T09:00",
        "* * * * sun; 2026-03-01T23:59; 2026-03-02T00:00",
        "* 8 * * *; 2026-03-01T09:00; 2026-03-02T08:00"
      })
  void theNextTimeIsTheFirstThatEveryFieldNames(String spec, String now, String next) {
    assertThat(CronSpec.parse(spec).next(utc(now), null, ZoneOffset.UTC)).isEqualTo(utc(next));
  }

  @Test
  void aRunThatMayNotStartBeforeSkipsTheTimesUntilThen() {
    CronSpec spec = CronSpec.parse("* * * * *");
    Instant now = utc("2026-03-01T10:00:30");
    assertThat(spec.next(now, now.plusSeconds(60), ZoneOffset.UTC))
        .isEqualTo(utc("2026-03-01T10:01"));
    assertThat(spec.next(now, now.plusSeconds(121), ZoneOffset.UTC))
        .isEqualTo(utc("2026-03-01T10:02"));
  }

  @Test
  void anHourThatIsLeftOutComesLaterAndOneThatComesTwiceCountsOnce() {
    CronSpec spec = CronSpec.parse("30 2 * * *");
    Instant spring = spec.next(Instant.parse("2027-03-27T12:00:00Z"), null, MADRID);
    assertThat(spring).isEqualTo("2027-03-28T01:30:00Z");
    assertThat(spec.next(spring, null, MADRID)).isEqualTo("2027-03-29T00:30:00Z");
    Instant autumn = spec.next(Instant.parse("2027-10-30T12:00:00Z"), null, MADRID);
    assertThat(autumn).isEqualTo("2027-10-31T00:30:00Z");
    assertThat(spec.next(autumn, null, MADRID)).isEqualTo("2027-11-01T01:30:00Z");
    // In the second of the two hours the next minute is to come, not long over.
    assertThat(
            CronSpec.parse("* * * * *").next(Instant.parse("2027-10-31T01:15:00Z"), null, MADRID))
        .isEqualTo("2027-10-31T01:16:00Z");
  }

  private static Instant utc(String text) {
    return LocalDateTime.parse(text).toInstant(ZoneOffset.UTC);
  }
}
