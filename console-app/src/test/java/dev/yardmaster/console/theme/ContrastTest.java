package dev.yardmaster.console.theme;

import static dev.yardmaster.console.theme.Token.*;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ContrastTest {
  private static final Set<Token> TEXTS =
      EnumSet.of(
          TEXT, TEXT_SECONDARY, TEXT_MUTED, ACCENT, GOOD, ATTENTION, BLOCKED, RESERVATION, PLANNED);
  private static final Set<Token> SURFACES =
      EnumSet.of(EDITOR, PANEL, RAISED, INSET, SELECTED, STATUS_BAR);
  private static final Set<Token> FILLS =
      EnumSet.of(
          ACCENT_FILL_SOFT,
          GOOD_FILL,
          ATTENTION_FILL,
          BLOCKED_FILL,
          RESERVATION_FILL,
          PLANNED_FILL);

  @Test
  void ratioIsThatOfWcag() {
    assertThat(Contrast.ratio("#ffffff", "#000000")).isCloseTo(21, within(0.001));
    assertThat(Contrast.ratio("#777777", "#ffffff")).isCloseTo(4.48, within(0.01));
    assertThat(Contrast.ratio("#123456", "#123456")).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource(Theme.class)
  void everyTextIsLegibleOnEverySurface(Theme theme) {
    List<String> tooLow = new ArrayList<>();
    for (Token text : TEXTS) {
      for (Token surface : SURFACES) {
        check(theme, text, surface, Contrast.TEXT, tooLow);
      }
    }
    check(theme, ON_ACCENT, ACCENT_FILL, Contrast.TEXT, tooLow);
    assertThat(tooLow).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(Theme.class)
  void everyFillStandsOutFromWhatLiesBehindIt(Theme theme) {
    List<String> tooLow = new ArrayList<>();
    for (Token fill : FILLS) {
      for (Token behind : List.of(TRACK, PANEL, EDITOR)) {
        check(theme, fill, behind, Contrast.GRAPHIC, tooLow);
      }
    }
    assertThat(tooLow).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(Theme.class)
  void everyAccountColourStandsOut(Theme theme) {
    for (int i = 0; i < AccountPalette.SIZE; i++) {
      String colour = AccountPalette.hex(theme, i);
      for (Token behind : List.of(PANEL, EDITOR)) {
        assertThat(Contrast.ratio(colour, behind.hex(theme)))
            .as("account %d on %s", i, behind)
            .isGreaterThanOrEqualTo(Contrast.GRAPHIC);
      }
    }
  }

  private static void check(
      Theme theme, Token front, Token behind, double least, List<String> tooLow) {
    double ratio = Contrast.ratio(front.hex(theme), behind.hex(theme));
    if (ratio < least) {
      tooLow.add("%s on %s: %.2f".formatted(front, behind, ratio));
    }
  }
}
