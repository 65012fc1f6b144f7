package dev.yardmaster.console.queue;

import dev.yardmaster.console.i18n.TextKey;
import dev.yardmaster.console.i18n.Texts;
import java.util.List;

/** A filter that cannot be understood; nothing of it is applied. */
public final class FilterException extends Exception {
  private static final long serialVersionUID = 1;

  private final transient TextKey key;
  private final transient List<String> arguments;

  FilterException(TextKey key, String... arguments) {
    super(key.name() + " " + String.join(", ", arguments), null, false, false);
    this.key = key;
    this.arguments = List.of(arguments);
  }

  /** What is wrong and what would be right, in the user's language. */
  public String text(Texts texts) {
    return texts.get(key, arguments.toArray());
  }
}
