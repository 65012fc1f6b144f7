package dev.yardmaster.config;

import java.nio.file.Path;

/**
 * One {@code key=value} as it stands in a file.
 *
 * @param key in the manual's spelling
 * @param value without quotes and escapes
 */
record Setting(Path file, int line, String key, String value) {
  Setting withValue(String newValue) {
    return new Setting(file, line, key, newValue);
  }
}
