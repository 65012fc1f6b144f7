package dev.yardmaster.console.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import com.techsenger.jeditermfx.core.TextStyle;
import com.techsenger.jeditermfx.ui.settings.SettingsProvider;
import dev.yardmaster.console.theme.Theme;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TerminalLookTest {
  @ParameterizedTest
  @EnumSource(Theme.class)
  @SuppressWarnings("deprecation") // The widget asks in this way.
  void plainTextHasTheColoursOfTheTheme(Theme theme) {
    SettingsProvider look = new TerminalLook(theme, 13);
    TextStyle plain = look.getDefaultStyle();
    assertThat(plain.getForeground()).isEqualTo(look.getDefaultForeground());
    assertThat(plain.getBackground()).isEqualTo(look.getDefaultBackground());
  }
}
