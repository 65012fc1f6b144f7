package dev.yardmaster.console.i18n;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Finds words that would be shown to the user and do not come from a bundle. */
class LiteralTextTest {
  private static final String WORD = "\"[^\"]*\\p{L}{2,}[^\"]*\"";
  private static final Pattern SHOWN =
      Pattern.compile(
          "(?:new"
              + " (?:Label|Button|ToggleButton|MenuItem|CheckMenuItem|Menu|Tooltip|Hyperlink|CheckBox"
              + "|RadioButton|TableColumn<[^>]*>|Text|Card|Pill|SectionHeading|NextStep|EmptyState"
              + "|ErrorState|DisconnectedState|StaleBanner)"
              + "|\\.(?:setText|setPromptText|setAccessibleText|setAccessibleHelp|setTitle"
              + "|setHeaderText|setContentText|remark|words|answer|muted|wrapping))\\(\\s*"
              + WORD);

  @Test
  void shownTextComesFromBundles() throws IOException {
    List<String> literals = new ArrayList<>();
    try (var files = Files.walk(Path.of("src/main/java"))) {
      for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
        Matcher matcher = SHOWN.matcher(Files.readString(file));
        while (matcher.find()) {
          literals.add(file.getFileName() + ": " + matcher.group());
        }
      }
    }

    assertThat(literals).isEmpty();
  }

  @Test
  void theSearchFindsWhatItShould() {
    assertThat(SHOWN.matcher("new Button(\"Cancel\")").find()).isTrue();
    assertThat(SHOWN.matcher("label.setText(\n    \"No jobs\")").find()).isTrue();
    assertThat(SHOWN.matcher("new Button(\"\", icon)").find()).isFalse();
    assertThat(SHOWN.matcher("Labels.of(\"›\")").find()).isFalse();
  }
}
