package dev.yardmaster.console.theme;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import javafx.scene.text.Font;
import javafx.scene.text.FontWeight;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FontsTest {
  @Test
  void theFamiliesThatTheSheetsNameAreThere() {
    Fonts.load();

    assertThat(Font.font(Fonts.TEXT, 13).getName()).isEqualTo("Inter Regular");
    assertThat(Font.font(Fonts.TEXT, FontWeight.BOLD, 13).getName()).isEqualTo("Inter Bold");
    assertThat(Font.font("Inter Semi Bold", 13).getFamily()).isEqualTo("Inter Semi Bold");
    assertThat(Font.font("Inter Medium", 13).getFamily()).isEqualTo("Inter Medium");
    assertThat(Font.font(Fonts.MONO, 13).getName()).isEqualTo("JetBrains Mono Regular");
  }

  @ParameterizedTest
  @ValueSource(strings = {"Inter-OFL.txt", "JetBrainsMono-OFL.txt"})
  void theirLicencesAreShipped(String file) throws Exception {
    try (var in = Fonts.class.getResourceAsStream("fonts/" + file)) {
      assertThat(in).isNotNull();
      assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8))
          .contains("SIL OPEN FONT LICENSE");
    }
  }
}
