package dev.yardmaster.console.theme;

import java.util.Locale;

/**
 * One named colour of the design, with its value in each theme. Style sheets and painters take
 * colours from here and from {@link AccountPalette} only.
 *
 * <p>The name in CSS is the constant in lower case with a prefix: {@code TEXT_MUTED} is {@code
 * -ym-text-muted}.
 */
public enum Token {
  /** Behind the tabs of the centre. */
  EDITOR("#14161b", "#eff1f5"),
  /** Side panels, bars and cards. */
  PANEL("#1a1d24", "#ffffff"),
  /** Buttons and hovered rows. */
  RAISED("#22262f", "#eceff4"),
  /** Fields for input and blocks of code. */
  INSET("#111318", "#f6f7fa"),
  /** The empty part of a bar. */
  TRACK("#2a2f3a", "#dde2ea"),
  /** The selected row. */
  SELECTED("#26344d", "#d6e4fd"),
  /** The bar at the lower edge of the window. */
  STATUS_BAR("#1d2a44", "#dbe6fb"),
  /** Lines between areas. */
  BORDER("#2a2f3a", "#d9dee6"),
  /** Outlines of pills, fields and buttons. */
  BORDER_STRONG("#3a4150", "#bcc4d0"),
  /** Main text. */
  TEXT("#e6e9ef", "#1b2029"),
  /** Second rank of text. */
  TEXT_SECONDARY("#b4bac8", "#434b5a"),
  /** Labels, headings in small capitals, units, notes. */
  TEXT_MUTED("#959db0", "#596172"),
  /** Links, the active place, focus. */
  ACCENT("#5b9dff", "#1d5bd0"),
  /** The fill of the main button of a view. */
  ACCENT_FILL("#2f66c9", "#1d5bd0"),
  /** Text upon {@link #ACCENT_FILL}. */
  ON_ACCENT("#ffffff", "#ffffff"),
  /** Can start, free, better. */
  GOOD("#4cc38a", "#11683f"),
  /** Needs attention, or changed. */
  ATTENTION("#f0b429", "#845200"),
  /** Blocked, down, worse. */
  BLOCKED("#f47c7a", "#b8252d"),
  /** Reservations. */
  RESERVATION("#e58fd2", "#9a2380"),
  /** Planned but not yet happened. */
  PLANNED("#a78bfa", "#6440c0"),
  /** Bars that say can start or free. */
  GOOD_FILL("#4cc38a", "#27895a"),
  /** Bars that ask for attention. */
  ATTENTION_FILL("#f0b429", "#b07200"),
  /** Bars that say blocked. */
  BLOCKED_FILL("#ee6b69", "#d4474c"),
  /** Areas of reservations. */
  RESERVATION_FILL("#e58fd2", "#bf4fa6"),
  /** Outlines and bars of what is planned. */
  PLANNED_FILL("#a78bfa", "#8464d8"),
  /** Bars that only show an amount. */
  ACCENT_FILL_SOFT("#5b9dff", "#3c7de0");

  private final String dark;
  private final String light;

  Token(String dark, String light) {
    this.dark = dark;
    this.light = light;
  }

  /** The colour as {@code #rrggbb}. */
  public String hex(Theme theme) {
    return theme == Theme.DARK ? dark : light;
  }

  /** The look-up name in style sheets. */
  public String cssName() {
    return "-ym-" + name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
