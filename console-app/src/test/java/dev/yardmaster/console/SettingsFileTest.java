package dev.yardmaster.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.yardmaster.console.dock.DockLayout;
import dev.yardmaster.console.theme.Theme;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsFileTest {
  @TempDir Path folder;

  private SettingsFile file() {
    return SettingsFile.usual(name -> name.equals("XDG_CONFIG_HOME") ? folder.toString() : null);
  }

  @Test
  void withoutAFileThereAreFirstSettings() {
    assertThat(file().read()).isEqualTo(Settings.FIRST);
  }

  @Test
  void whatIsKeptComesBack() {
    Settings settings =
        new Settings(
            Theme.LIGHT,
            15,
            "es",
            new Settings.Window(10, 20, 1200, 800, true),
            false,
            true,
            false,
            new DockLayout.Split(
                true,
                List.of(0.4),
                List.of(
                    new DockLayout.Tabs(List.of("queue", "why"), "why"),
                    new DockLayout.Tabs(List.of("topology"), "topology"))),
            List.of("id", "gpus"),
            Map.of("nlp", 3),
            List.of("user:user17 state:PD"),
            "account",
            true);
    file().write(settings);

    assertThat(file().read()).isEqualTo(settings);
  }

  @Test
  void aWindowWithoutAPlaceComesBackToo() {
    file().write(Settings.FIRST);

    assertThat(file().read()).isEqualTo(Settings.FIRST);
  }

  @Test
  void whatAnEarlierVersionDidNotKeepIsAsOnAFirstStart() throws Exception {
    file().write(Settings.FIRST);
    Path json = folder.resolve("yardmaster").resolve("console.json");
    String earlier =
        Files.readString(json)
            .replaceAll("(?s),\\s*\"accountColours\".*\"quiet\" : false", "")
            .replace("\"fontSize\" : " + Settings.FIRST.fontSize(), "\"fontSize\" : 17.0");
    assertThat(earlier).doesNotContain("quiet").contains("17.0");
    Files.writeString(json, earlier);

    assertThat(file().read().fontSize()).isEqualTo(17);
    assertThat(file().read().accountColours()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{", "[]", "{\"theme\": \"PURPLE\"}", "{\"theme\": null}", "null"})
  void aFileThatCannotBeUnderstoodGivesFirstSettings(String content) throws Exception {
    Path json = folder.resolve("yardmaster").resolve("console.json");
    Files.createDirectories(json.getParent());
    Files.writeString(json, content);

    assertThat(file().read()).isEqualTo(Settings.FIRST);
  }

  @Test
  void aPlaceThatCannotBeWrittenIsNamed() throws Exception {
    Files.writeString(folder.resolve("yardmaster"), "a file where the folder should be");

    assertThatThrownBy(() -> file().write(Settings.FIRST))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("console.json");
  }
}
