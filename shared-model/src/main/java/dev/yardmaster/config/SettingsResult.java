package dev.yardmaster.config;

import java.util.List;
import java.util.SortedMap;

/**
 * What reading a file of settings gave.
 *
 * @param settings values as written by canonical key
 */
public record SettingsResult(SortedMap<String, String> settings, List<ConfigFinding> findings) {
  public SettingsResult {
    findings = List.copyOf(findings);
  }
}
