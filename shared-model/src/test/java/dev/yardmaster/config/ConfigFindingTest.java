package dev.yardmaster.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ConfigFindingTest {
  private static ConfigFinding finding(int line, String key, String value, String suggestion) {
    return new ConfigFinding(
        Severity.ERROR, Path.of("slurm.conf"), line, key, value, "is wrong", suggestion);
  }

  @Test
  void printsOneLineWithWhatIsKnown() {
    assertThat(finding(7, "Weight", "x", "write 1"))
        .hasToString("slurm.conf:7: Weight=x: is wrong; write 1");
    assertThat(finding(7, "Weight", "", "")).hasToString("slurm.conf:7: Weight: is wrong");
    assertThat(finding(7, "", "some words", ""))
        .hasToString("slurm.conf:7: \"some words\": is wrong");
    assertThat(finding(0, "", "", "")).hasToString("slurm.conf: is wrong");
  }

  @Test
  void hostileValuesStayOnOneShortLine() {
    String text = finding(1, "A", "a\u001b[31m\r\n\u2028\ud800" + "b".repeat(5000), "").toString();
    assertThat(text)
        .hasSizeLessThan(250)
        .doesNotContain("\n", "\r", "\u001b", "\u2028")
        .endsWith("...: is wrong");
  }

  @Test
  void severitiesAreOrdered() {
    assertThat(Severity.FATAL.atLeast(Severity.ERROR)).isTrue();
    assertThat(Severity.ERROR.atLeast(Severity.ERROR)).isTrue();
    assertThat(Severity.WARNING.atLeast(Severity.ERROR)).isFalse();
  }
}
