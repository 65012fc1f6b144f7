package dev.yardmaster.console.theme;

import atlantafx.base.theme.PrimerDark;
import atlantafx.base.theme.PrimerLight;
import java.util.Locale;
import java.util.Optional;

/** The two looks of the console. */
public enum Theme {
  DARK,
  LIGHT;

  /** The style sheet of controls that this theme builds on. */
  String userAgentStylesheet() {
    return switch (this) {
      case DARK -> new PrimerDark().getUserAgentStylesheet();
      case LIGHT -> new PrimerLight().getUserAgentStylesheet();
    };
  }

  /** The other theme. */
  public Theme other() {
    return this == DARK ? LIGHT : DARK;
  }

  /** The name used on the command line and in settings: {@code dark} or {@code light}. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The theme with this {@link #id()}, if there is one. */
  public static Optional<Theme> byId(String id) {
    for (Theme theme : values()) {
      if (theme.id().equals(id)) {
        return Optional.of(theme);
      }
    }
    return Optional.empty();
  }
}
