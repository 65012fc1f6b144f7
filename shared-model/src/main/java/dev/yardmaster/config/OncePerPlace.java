package dev.yardmaster.config;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Says one thing of a setting once, however many nodes it concerns. */
final class OncePerPlace {
  private final Findings findings;
  private final Set<List<Object>> told = new HashSet<>();

  OncePerPlace(Findings findings) {
    this.findings = findings;
  }

  /**
   * Adds the finding unless this was said before.
   *
   * @param about what makes it the same thing
   */
  void tell(Setting at, String about, Severity severity, String message, String suggestion) {
    if (told.add(List.of(at, about))) {
      findings.add(severity, at, message, suggestion);
    }
  }
}
