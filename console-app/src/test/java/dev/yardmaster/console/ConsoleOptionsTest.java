package dev.yardmaster.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.yardmaster.console.theme.Theme;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConsoleOptionsTest {
  @Test
  void optionsAreRead() {
    ConsoleOptions options =
        ConsoleOptions.parse(
            "--connect", "ctl01:6817", "--lang=es", "--theme", "light", "--font-size", "15");

    assertThat(options.connect()).contains("ctl01:6817");
    assertThat(options.locale()).contains(Locale.of("es"));
    assertThat(options.theme()).contains(Theme.LIGHT);
    assertThat(options.fontSize()).contains(15.0);
  }

  @Test
  void whatIsNotGivenIsLeftToTheSettings() {
    ConsoleOptions options = ConsoleOptions.parse();

    assertThat(options.connect()).isEmpty();
    assertThat(options.theme()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "--theme=purple, purple",
    "--lang=fr, fr",
    "--font-size=40, 40",
    "--font-size=big, big",
    "--connect=ctl01, ctl01",
    "--connect=ctl01:99999, ctl01:99999",
    "--conect=ctl01:6817, --conect"
  })
  void aWrongOptionIsNamedWithItsValue(String argument, String named) {
    assertThatThrownBy(() -> ConsoleOptions.parse(argument)).hasMessageContaining(named);
  }
}
