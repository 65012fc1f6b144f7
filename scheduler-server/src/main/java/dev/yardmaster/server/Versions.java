package dev.yardmaster.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** What this product is and which Slurm it follows. */
public final class Versions {
  /** The Slurm whose behaviour, options and texts this version follows. */
  public static final String SLURM = "26.11.0-0rc1";

  private Versions() {}

  /** The version of Yardmaster. */
  public static String product() {
    Properties properties = new Properties();
    try (InputStream in = Versions.class.getResourceAsStream("version.properties")) {
      if (in == null) {
        throw new IllegalStateException("version.properties is missing from the build");
      }
      properties.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return properties.getProperty("version", "unknown");
  }
}
