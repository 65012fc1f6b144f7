package dev.yardmaster.model.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimeLimitsTest {
  private static final String FORMS =
      "; write minutes, minutes:seconds, hours:minutes:seconds, days-hours, days-hours:minutes or"
          + " days-hours:minutes:seconds";

  @ParameterizedTest
  @CsvSource({
    "30, 1800",
    "30:00, 1800",
    "01:30, 90",
    "1:30:00, 5400",
    "2-12, 216000",
    "2-12:30, 217800",
    "2-12:30:10, 217810",
    "7-00:00:00, 604800",
    "7-00, 604800",
    "168:00:00, 604800",
    "0, 0",
    "90:90, 5490",
    "000:01, 1",
    "0-0:0:1, 1",
    "UNLIMITED, -1",
    "infinite, -1",
    "-1, -1",
    "4294967280, 257698036800",
  })
  void readsEveryDocumentedForm(String text, long seconds) {
    assertThat(TimeLimits.parseSeconds(text)).isEqualTo(seconds);
  }

  @ParameterizedTest
  @CsvSource({
    "01:30, 2",
    "1:00, 1",
    "0:01, 1",
    "0, 0",
    "7-00, 10080",
    "INFINITE, -1",
    "2:00:01, 121"
  })
  void roundsSecondsUpToMinutes(String text, long minutes) {
    assertThat(TimeLimits.parseMinutes(text)).isEqualTo(minutes);
  }

  @ParameterizedTest
  @CsvSource({
    "30, 30",
    "1:30, 2",
    "1-, 1440",
    "1-2:30, 1590",
    "-1, -1",
    "-5, 4294960097",
    "99999999999, 4293812088",
    "UNLIMITED, -1"
  })
  void keeps32BitsOfWhatARequestSays(String text, long minutes) {
    assertThat(TimeLimits.requestMinutes(text)).isEqualTo(minutes);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "1:", ":5", "1-2-3", "1:2:3:4", "1-2:", "5s", "-"})
  void aRequestOfNoTimeIsRefused(String text) {
    assertThatThrownBy(() -> TimeLimits.requestMinutes(text)).isInstanceOf(NotationException.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "junk|expected a number, found \"j\" at column 1; write a whole number",
        "1:2:3:4|unexpected \":\" at column 6" + FORMS,
        "1-2-3|unexpected \"-\" at column 4" + FORMS,
        "1-|expected hours after the days, found the end at column 3; write a whole number",
        "1:|expected seconds, found the end at column 3; write a whole number",
        "2d|unexpected \"d\" at column 2" + FORMS,
        "-5|expected a number, found \"-\" at column 1; write a whole number",
        "1.5|unexpected \".\" at column 2" + FORMS,
        "4294967281|longer than Slurm can hold; write UNLIMITED for no limit",
        "99999999-00|longer than Slurm can hold; write UNLIMITED for no limit",
        "99999999999999999999|a number 99999999999999999999 is too large at column 1; use at most"
            + " 257698036800",
      })
  void refusesWhatIsNoDuration(String text, String message) {
    assertThatThrownBy(() -> TimeLimits.parseSeconds(text))
        .isInstanceOf(NotationException.class)
        .hasMessage("time \"" + text + "\": " + message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "30 ", "٣٠", "1:٣"})
  void refusesBlanksAndForeignDigits(String text) {
    assertThatThrownBy(() -> TimeLimits.parseSeconds(text)).isInstanceOf(NotationException.class);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 00:00:00, 0:00",
    "5, 00:00:05, 0:05",
    "300, 00:05:00, 5:00",
    "3600, 01:00:00, 1:00:00",
    "86399, 23:59:59, 23:59:59",
    "86400, 1-00:00:00, 1-00:00:00",
    "1209600, 14-00:00:00, 14-00:00:00",
    "-1, UNLIMITED, UNLIMITED",
    "-2, NOT_SET, NOT_SET",
    "-3, INVALID, INVALID",
  })
  void printsAsScontrolAndAsSqueue(long seconds, String scontrol, String squeue) {
    assertThat(TimeLimits.formatSinfo(seconds)).isEqualTo(seconds == -1 ? "infinite" : squeue);
    assertThat(TimeLimits.format(seconds)).isEqualTo(scontrol);
    assertThat(TimeLimits.formatSqueue(seconds)).isEqualTo(squeue);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"Partition_Limit", "NOT_SET", "INVALID", "N/A", "NONE", "(null)", "Unknown", ""})
  void whatACommandDidNotKnowIsEmpty(String text) {
    assertThat(TimeLimits.parseReported(text)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "UNLIMITED, -1",
    "infinite, -1",
    "1-02:03:04, 93784",
    "00:00.123, 0",
    "01:05.500, 65",
    "1:00:00.999, 3600",
    "' 5:00 ', 300",
  })
  void readsWhatACommandPrinted(String text, long seconds) {
    assertThat(TimeLimits.parseReported(text)).hasValue(seconds);
  }

  @Property(tries = 500)
  void bothPrintedFormsReadBack(@ForAll @LongRange(min = -1, max = TimeLimits.MAX_SECONDS) long s) {
    assertThat(TimeLimits.parseSeconds(TimeLimits.format(s))).isEqualTo(s);
    assertThat(TimeLimits.parseSeconds(TimeLimits.formatSqueue(s))).isEqualTo(s);
    assertThat(TimeLimits.parseReported(TimeLimits.format(s))).hasValue(s);
  }
}
