package dev.yardmaster.console.theme;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AccountPaletteTest {
  private static final double CLEARLY_DIFFERENT = 0.06;

  @ParameterizedTest
  @EnumSource(Theme.class)
  void coloursDifferForEveryCommonKindOfColourVision(Theme theme) {
    for (ColourVision vision : ColourVision.values()) {
      for (int i = 0; i < AccountPalette.SIZE; i++) {
        for (int j = 0; j < i; j++) {
          assertThat(vision.distance(AccountPalette.hex(theme, i), AccountPalette.hex(theme, j)))
              .as("%s: colours %d and %d of %s", vision, i, j, theme)
              .isGreaterThan(CLEARLY_DIFFERENT);
        }
      }
    }
  }

  @Property
  void anAccountKeepsItsColourWhateverComesAfter(@ForAll String account, @ForAll Set<String> more) {
    AccountPalette palette = new AccountPalette();
    int index = palette.indexOf(account);
    more.forEach(palette::indexOf);

    assertThat(palette.indexOf(account)).isEqualTo(index);
    assertThat(new AccountPalette().indexOf(account)).isEqualTo(index);
  }

  @Property
  void asManyAccountsAsColoursGetOneEach(@ForAll Set<String> accounts) {
    AccountPalette palette = new AccountPalette();
    Set<Integer> used = new HashSet<>();
    for (String account : accounts) {
      used.add(palette.indexOf(account));
    }

    assertThat(used).hasSize(Math.min(accounts.size(), AccountPalette.SIZE));
  }

  @Property
  void anAccountKeepsItsColourOverAStartWhoeverElseIsThere(
      @ForAll Set<String> before, @ForAll Set<String> after) {
    AccountPalette first = new AccountPalette();
    first.know(before);
    AccountPalette second = new AccountPalette(first.given());
    second.know(after);

    for (String account : before) {
      assertThat(second.indexOf(account)).isEqualTo(first.indexOf(account));
    }
  }

  @Test
  void aKeptColourThatThereIsNotIsGivenAnew() {
    AccountPalette palette = new AccountPalette(Map.of("bio", 99, "nlp", -1));

    assertThat(palette.given()).isEmpty();
    assertThat(palette.indexOf("bio")).isBetween(0, AccountPalette.SIZE - 1);
  }

  @Test
  void whichAccountIsDrawnFirstDoesNotMatter() {
    AccountPalette one = new AccountPalette();
    AccountPalette other = new AccountPalette();
    one.know(List.of("bio", "nlp", "teaching", "vision"));
    other.know(List.of("vision", "teaching", "nlp", "bio"));

    for (String account : List.of("vision", "bio", "teaching", "nlp")) {
      assertThat(other.indexOf(account)).isEqualTo(one.indexOf(account));
    }
  }
}
