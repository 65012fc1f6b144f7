package dev.yardmaster.console.terminal;

import com.techsenger.jeditermfx.core.TerminalColor;
import com.techsenger.jeditermfx.core.TextStyle;
import com.techsenger.jeditermfx.ui.settings.DefaultSettingsProvider;
import dev.yardmaster.console.theme.Theme;
import dev.yardmaster.console.theme.Token;
import javafx.scene.paint.Color;
import javafx.scene.text.Font;

/** The terminal in the colours and the code font of the console. */
final class TerminalLook extends DefaultSettingsProvider {
  private final Theme theme;
  private final double fontSize;

  TerminalLook(Theme theme, double fontSize) {
    this.theme = theme;
    this.fontSize = fontSize;
  }

  @Override
  public Font getTerminalFont() {
    return Font.font("JetBrains Mono", fontSize);
  }

  @Override
  public float getTerminalFontSize() {
    return (float) fontSize;
  }

  @Override
  public TerminalColor getDefaultForeground() {
    return colour(Token.TEXT);
  }

  @Override
  public TerminalColor getDefaultBackground() {
    return colour(Token.PANEL);
  }

  /** What is written without a colour of its own: the widget still asks for it in this way. */
  @Override
  @SuppressWarnings("deprecation") // Without it text is black on white, in every theme.
  public TextStyle getDefaultStyle() {
    return new TextStyle(getDefaultForeground(), getDefaultBackground());
  }

  @Override
  public TextStyle getSelectionColor() {
    return new TextStyle(colour(Token.TEXT), colour(Token.SELECTED));
  }

  @Override
  public TextStyle getHyperlinkColor() {
    return new TextStyle(colour(Token.ACCENT), colour(Token.PANEL));
  }

  @Override
  public boolean useInverseSelectionColor() {
    return false;
  }

  @Override
  public boolean audibleBell() {
    return false;
  }

  private TerminalColor colour(Token token) {
    Color colour = Color.web(token.hex(theme));
    return new TerminalColor(
        (int) Math.round(colour.getRed() * 255),
        (int) Math.round(colour.getGreen() * 255),
        (int) Math.round(colour.getBlue() * 255));
  }
}
