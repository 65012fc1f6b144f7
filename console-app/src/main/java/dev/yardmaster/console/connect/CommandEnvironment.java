package dev.yardmaster.console.connect;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The variables that lead Slurm's commands to the cluster that the console shows. */
public final class CommandEnvironment {
  private static final Pattern ADDRESS = Pattern.compile("\\[?([^\\[\\]/]+)\\]?:(\\d{1,5})");

  private CommandEnvironment() {}

  /**
   * For a server that was named as {@code HOST:PORT} a slurm.conf with no more than that, which
   * goes when the console ends; else the file that the endpoint is.
   *
   * @throws UncheckedIOException if the file cannot be written
   */
  public static Map<String, String> of(String endpoint) {
    Matcher address = ADDRESS.matcher(endpoint);
    if (!address.matches()) {
      return Map.of("SLURM_CONF", endpoint);
    }
    try {
      Path file = Files.createTempFile("yardmaster", ".conf");
      file.toFile().deleteOnExit();
      Files.writeString(
          file,
          "SlurmctldHost=%s\nSlurmctldPort=%s\n".formatted(address.group(1), address.group(2)));
      return Map.of("SLURM_CONF", file.toString());
    } catch (IOException e) {
      throw new UncheckedIOException("no folder for temporary files: " + e.getMessage(), e);
    }
  }
}
