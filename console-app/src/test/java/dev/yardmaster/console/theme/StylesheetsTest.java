package dev.yardmaster.console.theme;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class StylesheetsTest {
  private static final Path RESOURCES = Path.of("src/main/resources");

  @Test
  void lengthsFollowTheFontSizeAndLinesStay() {
    assertThat(Stylesheets.scale("a { x: 13px 1px -4px 2px; y: 0; }", 2))
        .isEqualTo("a { x: 26.00px 1px -8.00px 2px; y: 0; }");
  }

  @Test
  void theSheetDefinesEveryTokenInTheThemesColour() {
    String css = decoded(Stylesheets.address(Theme.LIGHT, 13, List.of()));

    for (Token token : Token.values()) {
      assertThat(css).contains(token.cssName() + ": " + token.hex(Theme.LIGHT) + ";");
    }
  }

  @Test
  void aSheetThatIsNotThereIsNamed() {
    assertThatThrownBy(() -> Stylesheets.address(Theme.DARK, 13, List.of("/no/such.css")))
        .hasMessageContaining("/no/such.css");
  }

  @Test
  void sheetsUseDefinedTokensAndNoColoursOfTheirOwn() throws IOException {
    Set<String> defined = new TreeSet<>(Set.of("-ym-icon"));
    for (Token token : Token.values()) {
      defined.add(token.cssName());
    }
    for (int i = 0; i < AccountPalette.SIZE; i++) {
      defined.add("-ym-account-" + i);
    }
    try (var files = Files.walk(RESOURCES)) {
      files
          .filter(file -> file.toString().endsWith(".css"))
          .forEach(
              file -> {
                String css = read(file);
                assertThat(found("-ym-[a-z0-9-]+", css)).as("%s", file).isSubsetOf(defined);
                assertThat(found("#[0-9a-fA-F]{3,8}\\b", css)).as("%s", file).isEmpty();
              });
    }
  }

  private static Set<String> found(String pattern, String css) {
    Set<String> found = new TreeSet<>();
    Matcher matcher = Pattern.compile(pattern).matcher(css);
    while (matcher.find()) {
      found.add(matcher.group());
    }
    return found;
  }

  private static String decoded(String address) {
    byte[] css = Base64.getDecoder().decode(address.substring(address.indexOf(',') + 1));
    return new String(css, StandardCharsets.UTF_8);
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
