package dev.yardmaster.console.theme;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Builds the style sheet of a theme and a font size.
 *
 * <p>The sheets of the project are written in pixels for the font size {@value #DESIGN_SIZE}; every
 * length above {@value #HAIRLINE} px is scaled with the font size, so that lines stay sharp and
 * everything else keeps its proportion.
 */
final class Stylesheets {
  static final double DESIGN_SIZE = 13;
  private static final double HAIRLINE = 2;
  private static final Pattern PIXELS = Pattern.compile("(-?\\d+(?:\\.\\d+)?)px");

  private Stylesheets() {}

  /** The whole sheet as a {@code data:} address that a scene accepts. */
  static String address(Theme theme, double fontSize, List<String> resources) {
    StringBuilder css = new StringBuilder(16_384);
    css.append(".root {\n");
    for (Token token : Token.values()) {
      css.append("  ").append(token.cssName()).append(": ").append(token.hex(theme)).append(";\n");
    }
    for (int i = 0; i < AccountPalette.SIZE; i++) {
      css.append("  -ym-account-").append(i).append(": ");
      css.append(AccountPalette.hex(theme, i)).append(";\n");
    }
    css.append("}\n");
    for (String resource : resources) {
      css.append(read(resource)).append('\n');
    }
    String scaled = scale(css.toString(), fontSize / DESIGN_SIZE);
    return "data:text/css;base64,"
        + Base64.getEncoder().encodeToString(scaled.getBytes(StandardCharsets.UTF_8));
  }

  static String scale(String css, double factor) {
    return PIXELS
        .matcher(css)
        .replaceAll(m -> Matcher.quoteReplacement(scaledLength(m.group(1), factor) + "px"));
  }

  private static String scaledLength(String length, double factor) {
    double px = Double.parseDouble(length);
    if (Math.abs(px) <= HAIRLINE) {
      return length;
    }
    return String.format(Locale.ROOT, "%.2f", px * factor);
  }

  private static String read(String resource) {
    try (InputStream in = Stylesheets.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalArgumentException("style sheet " + resource + " is not on the class path");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("style sheet " + resource + " could not be read", e);
    }
  }
}
