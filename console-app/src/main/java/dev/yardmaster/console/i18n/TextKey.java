package dev.yardmaster.console.i18n;

import java.util.Locale;

/**
 * The name of one text. Each package with texts has one enum of keys and, beside it in the
 * resources, a bundle with the enum's name: {@code QueueText.java}, {@code QueueText.properties}
 * (English) and {@code QueueText_es.properties}.
 *
 * <p>A constant {@code MENU_FILE} is the entry {@code menu.file}. Entries are {@link
 * java.text.MessageFormat} patterns; for the plural use a choice, for example {@code {0,choice,0#no
 * jobs|1#1 job|1<{0} jobs}}, and write apostrophes as ’.
 */
public interface TextKey {
  /** The name of the enum constant. */
  String name();

  /** The entry in the bundle. */
  default String key() {
    return name().toLowerCase(Locale.ROOT).replace('_', '.');
  }

  /** The base name of the bundle. */
  default String bundle() {
    return getClass().getName();
  }
}
