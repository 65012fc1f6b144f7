package dev.yardmaster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimeFaultTest {
  @ParameterizedTest
  @CsvSource({
    "10, 2",
    "16:99, 3",
    "25:00, 0",
    "12/40, 3",
    "12/, 3",
    "13/01, 0",
    "now+, 3",
    "now+5x, 4",
    "2026-13-01, 5",
    "2026-12-41, 8",
    "tomorow, 0",
    "12:0, 4",
    "teatimex, 7",
    "9:30zz, 4",
    "2026-12-01T25:00, 11",
    "1201x, 4",
    "yesterday, 0"
  })
  void theFaultLiesWhereSlurmSaysSo(String text, int place) {
    assertThat(TimeFault.in(text)).isEqualTo(place);
  }
}
