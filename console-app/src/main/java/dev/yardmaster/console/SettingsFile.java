package dev.yardmaster.console;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.function.Function;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/** The file with the settings: JSON in the user's configuration folder. */
public final class SettingsFile {
  private static final Logger LOG = Logger.getLogger(SettingsFile.class.getName());

  private static final ObjectMapper JSON =
      new ObjectMapper()
          .enable(SerializationFeature.INDENT_OUTPUT)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES);

  private final Path file;

  public SettingsFile(Path file) {
    this.file = file;
  }

  /**
   * The usual place: {@code yardmaster/console.json} under {@code XDG_CONFIG_HOME}, or under {@code
   * .config} in the home folder.
   *
   * @param environment gives the value of an environment variable, or null
   */
  public static SettingsFile usual(Function<String, @Nullable String> environment) {
    String folder = environment.apply("XDG_CONFIG_HOME");
    Path base =
        folder == null || folder.isBlank()
            ? Path.of(System.getProperty("user.home"), ".config")
            : Path.of(folder);
    return new SettingsFile(base.resolve("yardmaster").resolve("console.json"));
  }

  /** The kept settings, or those of a first start if there are none or they cannot be read. */
  public Settings read() {
    if (!Files.exists(file)) {
      return Settings.FIRST;
    }
    try {
      if (JSON.readTree(file.toFile()) instanceof ObjectNode kept && !kept.isEmpty()) {
        // What an earlier version did not keep yet is as on a first start.
        ObjectNode all = JSON.valueToTree(Settings.FIRST);
        all.setAll(kept);
        return JSON.treeToValue(all, Settings.class);
      }
      LOG.log(Level.WARNING, () -> file + ": holds no settings, using defaults");
      return Settings.FIRST;
    } catch (JacksonException e) {
      LOG.log(
          Level.WARNING,
          () ->
              "%s: not settings of the console, using defaults: %s"
                  .formatted(file, e.getMessage()));
      return Settings.FIRST;
    } catch (IOException e) {
      LOG.log(Level.WARNING, e, () -> file + ": settings could not be read, using defaults");
      return Settings.FIRST;
    }
  }

  /**
   * Keeps settings. A reader sees the old ones or the new ones, never a part.
   *
   * @throws UncheckedIOException if the file cannot be written
   */
  public void write(Settings settings) {
    try {
      Path folder = file.toAbsolutePath().getParent();
      Files.createDirectories(folder);
      Path fresh = Files.createTempFile(folder, "console", ".json");
      JSON.writeValue(fresh.toFile(), settings);
      Files.move(fresh, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException(file + ": settings could not be written", e);
    }
  }
}
