package dev.yardmaster.console.i18n;

import java.text.MessageFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.MissingResourceException;
import java.util.ResourceBundle;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The texts of the console in one language. Immutable; may be used by any thread. */
public final class Texts {
  /** The languages that have bundles, the default first. */
  public static final List<Locale> LANGUAGES = List.of(Locale.ENGLISH, Locale.of("es"));

  private static final ResourceBundle.Control NO_FALLBACK =
      ResourceBundle.Control.getNoFallbackControl(ResourceBundle.Control.FORMAT_PROPERTIES);

  private final Locale locale;
  private final Map<TextKey, String> patterns = new ConcurrentHashMap<>();

  private Texts(Locale locale) {
    this.locale = locale;
  }

  /** The texts in the language of {@code locale}, or in English when there is no such bundle. */
  public static Texts of(Locale locale) {
    for (Locale language : LANGUAGES) {
      if (language.getLanguage().equals(locale.getLanguage())) {
        return new Texts(language);
      }
    }
    return new Texts(LANGUAGES.getFirst());
  }

  /** The language of these texts; numbers and dates follow it too. */
  public Locale locale() {
    return locale;
  }

  /**
   * The text of a key with its arguments filled in.
   *
   * @throws MissingResourceException if the bundle lacks the key, which a test rules out
   */
  public String get(TextKey key, @Nullable Object... arguments) {
    String pattern = patterns.computeIfAbsent(key, this::pattern);
    return new MessageFormat(pattern, locale).format(arguments);
  }

  /** A text in capitals, as headings of sections are written. */
  public String capitals(TextKey key, @Nullable Object... arguments) {
    return get(key, arguments).toUpperCase(locale);
  }

  private String pattern(TextKey key) {
    return ResourceBundle.getBundle(
            key.bundle(), locale, key.getClass().getClassLoader(), NO_FALLBACK)
        .getString(key.key());
  }
}
