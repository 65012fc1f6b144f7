package dev.yardmaster.server;

import java.text.MessageFormat;
import java.util.Locale;
import java.util.ResourceBundle;

/** The words of {@code yardmaster up} in one language. */
final class UpTexts {
  private final ResourceBundle bundle;
  private final Locale locale;

  UpTexts(Locale locale) {
    this.locale = locale;
    this.bundle =
        ResourceBundle.getBundle(
            "dev.yardmaster.server.up",
            locale,
            ResourceBundle.Control.getNoFallbackControl(ResourceBundle.Control.FORMAT_PROPERTIES));
  }

  String get(String key, Object... arguments) {
    return new MessageFormat(bundle.getString(key), locale).format(arguments);
  }
}
