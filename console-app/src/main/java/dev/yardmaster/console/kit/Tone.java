package dev.yardmaster.console.kit;

import java.util.Locale;

/**
 * What a colour says. A tone is never the only sign: the component repeats it as text or as a
 * shape.
 */
public enum Tone {
  /** Nothing in particular. */
  NEUTRAL,
  /** An amount, a link, the active place. */
  ACCENT,
  /** Can start, free, better. */
  GOOD,
  /** Needs attention, or changed. */
  ATTENTION,
  /** Blocked, down, worse. */
  BLOCKED,
  /** Part of a reservation. */
  RESERVATION,
  /** Planned but not yet happened. */
  PLANNED;

  /** The style class that gives a component this tone. */
  public String styleClass() {
    return "tone-" + name().toLowerCase(Locale.ROOT);
  }
}
