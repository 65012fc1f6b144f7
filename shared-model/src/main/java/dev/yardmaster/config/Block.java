package dev.yardmaster.config;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A line that describes one thing, such as {@code NodeName=n1 CPUs=4}.
 *
 * @param head the first pair, which names the thing
 * @param settings the other pairs by canonical key
 */
record Block(Section section, Setting head, Map<String, Setting> settings) {
  boolean isDefault() {
    return head.value().toUpperCase(Locale.ROOT).equals("DEFAULT");
  }

  Optional<Setting> get(String key) {
    return Optional.ofNullable(settings.get(key));
  }

  /** The setting, or the line's head to point at when it is not given. */
  Setting orHead(String key) {
    return settings.getOrDefault(key, head);
  }

  /** This line with what it leaves open taken from a DEFAULT line. */
  Block over(Block defaults) {
    Map<String, Setting> merged = new LinkedHashMap<>(defaults.settings);
    merged.putAll(settings);
    return new Block(section, head, merged);
  }
}
