package dev.yardmaster.console.kit;

import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The drawings that the product ships as SVG files under {@code /icons}, read once each. */
public final class Glyphs {
  private static final Map<String, Optional<Glyph>> LOADED = new ConcurrentHashMap<>();

  private Glyphs() {}

  /** The drawing of that name, or null when it is not shipped. */
  public static @Nullable Glyph find(String name) {
    return LOADED.computeIfAbsent(name, Glyphs::load).orElse(null);
  }

  private static Optional<Glyph> load(String name) {
    String resource = "/icons/" + name + ".svg";
    try (InputStream in = Glyphs.class.getResourceAsStream(resource)) {
      return in == null ? Optional.empty() : Optional.of(SvgReader.read(in, resource));
    } catch (IOException e) {
      throw new IllegalStateException(resource + " could not be read", e);
    }
  }
}
