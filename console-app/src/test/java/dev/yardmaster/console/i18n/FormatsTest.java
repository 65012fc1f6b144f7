package dev.yardmaster.console.i18n;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FormatsTest {
  private static final ZoneId MADRID = ZoneId.of("Europe/Madrid");
  private final Formats english = new Formats(Locale.ENGLISH, MADRID);
  private final Formats spanish = new Formats(Locale.of("es"), MADRID);

  @ParameterizedTest
  @CsvSource({
    "PT0S, 0 s",
    "PT59S, 59 s",
    "PT1M, 1 min",
    "PT59M59S, 59 min",
    "PT1H, 1 h 00",
    "PT3H10M, 3 h 10",
    "PT23H59M59S, 23 h 59",
    "P1D, 1 d",
    "P2DT5H, 2 d 5 h",
    "P1234D, '1,234 d'",
    "PT-3H-10M, −3 h 10",
    "PT-0.4S, 0 s"
  })
  void durationsAreWrittenToTwoUnits(Duration duration, String text) {
    assertThat(english.duration(duration)).isEqualTo(text.replace(' ', '\u00a0'));
  }

  @Test
  void changesAlwaysHaveTheirSign() {
    assertThat(english.change(Duration.ofMinutes(5))).isEqualTo("+5\u00a0min");
    assertThat(english.change(Duration.ofMinutes(-5))).isEqualTo("−5\u00a0min");
    assertThat(english.change(Duration.ZERO)).isEqualTo("0");
  }

  @Test
  void instantsNameTheDayInTheZoneOfTheUser() {
    Instant night = Instant.parse("2026-12-01T02:20:00Z");

    assertThat(english.instant(night)).isEqualTo("Tue 03:20");
    assertThat(spanish.instant(night)).isEqualTo("mar 03:20");
    assertThat(spanish.full(night)).startsWith("martes");
    assertThat(english.full(night)).contains("2026").contains("3:20:00").contains("Europe/Madrid");
  }

  @Test
  void aWeekdayThatCouldMeanTwoDaysIsADate() {
    Instant now = Instant.parse("2026-11-29T16:50:00Z");

    assertThat(english.instant(now.plus(Duration.ofDays(5)), now)).isEqualTo("Fri 17:50");
    assertThat(english.instant(now.plus(Duration.ofDays(7)), now)).isEqualTo("6 Dec 17:50");
    assertThat(english.instant(now.minus(Duration.ofDays(9)), now)).isEqualTo("20 Nov 17:50");
  }

  @Test
  void numbersAreGroupedAsTheLanguageDoes() {
    assertThat(english.count(1_284)).isEqualTo("1,284");
    assertThat(spanish.count(12_840)).isEqualTo("12.840");
    assertThat(english.percent(0.9314, 1)).isEqualTo("93.1\u00a0%");
    assertThat(spanish.percent(0.9314, 1)).isEqualTo("93,1\u00a0%");
  }
}
