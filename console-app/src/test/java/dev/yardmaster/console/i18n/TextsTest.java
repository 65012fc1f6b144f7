package dev.yardmaster.console.i18n;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.console.shell.ShellText;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TextsTest {
  private final Locale before = Locale.getDefault();

  @AfterEach
  void restore() {
    Locale.setDefault(before);
  }

  @Test
  void englishStaysEnglishOnASpanishSystem() {
    Locale.setDefault(Locale.of("es"));

    assertThat(Texts.of(Locale.ENGLISH).get(ShellText.QUEUE)).isEqualTo("Queue");
  }

  @Test
  void aRegionalLocaleUsesItsLanguage() {
    assertThat(Texts.of(Locale.of("es", "MX")).get(ShellText.QUEUE)).isEqualTo("Cola");
  }

  @Test
  void anUnknownLanguageFallsBackToEnglish() {
    assertThat(Texts.of(Locale.JAPANESE).get(ShellText.QUEUE)).isEqualTo("Queue");
  }

  @Test
  void countsChooseTheirPluralAndGroupThousandsAsTheLanguageDoes() {
    Texts english = Texts.of(Locale.ENGLISH);
    Texts spanish = Texts.of(Locale.of("es"));

    assertThat(english.get(ShellText.STAGED, 1)).isEqualTo("1 staged change");
    assertThat(english.get(ShellText.STAGED, 0)).isEqualTo("0 staged changes");
    assertThat(english.get(ShellText.STAGED, 12_345)).isEqualTo("12,345 staged changes");
    assertThat(spanish.get(ShellText.STAGED, 12_345)).isEqualTo("12.345 cambios preparados");
  }
}
