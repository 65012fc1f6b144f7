package dev.yardmaster.console.kit;

import javafx.scene.Node;
import org.jspecify.annotations.Nullable;
import org.kordamp.ikonli.javafx.FontIcon;

/** The symbols of the console: common ones from an icon font, domain ones from our own drawings. */
public enum Icon {
  OVERVIEW("mdi2h-home-outline"),
  QUEUE("mdi2f-format-list-bulleted"),
  WHY("mdi2h-help-circle-outline"),
  TOPOLOGY("mdi2s-sitemap-outline"),
  TIMELINE("mdi2c-chart-gantt"),
  RESERVATIONS("mdi2c-calendar-lock-outline"),
  POLICY("mdi2t-tune-variant"),
  ACCOUNTING("mdi2s-sigma"),
  TRAINING("mdi2s-school-outline"),
  SETTINGS("mdi2c-cog-outline"),
  MENU("mdi2m-menu"),
  SEARCH("mdi2m-magnify"),
  CLOSE("mdi2c-close"),
  MORE("mdi2d-dots-horizontal"),
  REFRESH("mdi2r-refresh"),
  CONNECT("mdi2l-lan-connect"),
  DISCONNECTED("mdi2l-lan-disconnect"),
  HISTORY("mdi2h-history"),
  CLOCK("mdi2c-clock-outline"),
  EMPTY("mdi2t-tray"),
  ERROR("mdi2a-alert-octagon-outline"),
  WARNING("mdi2a-alert-outline"),
  INFO("mdi2i-information-outline"),
  CHECK("mdi2c-check"),
  CHEVRON_RIGHT("mdi2c-chevron-right"),
  COMMAND("mdi2c-console-line"),
  TERMINAL("mdi2c-console"),
  SPLIT_RIGHT("mdi2v-view-split-vertical"),
  SPLIT_DOWN("mdi2v-view-split-horizontal"),
  FLOAT("mdi2o-open-in-new"),
  DARK("mdi2w-weather-night"),
  LIGHT("mdi2w-white-balance-sunny"),
  COPY("mdi2c-content-copy"),
  ACCOUNT("account", "mdi2a-account-group-outline"),
  USER("mdi2a-account-outline"),
  JOB("job", "mdi2c-cube-outline"),
  PARTITION("partition", "mdi2v-view-grid-outline"),
  QOS("qos", "mdi2s-speedometer"),
  LICENSE("mdi2k-key-outline"),
  NODE("node", "mdi2s-server"),
  GPU("gpu", "mdi2e-expansion-card-variant"),
  LINK("link", "mdi2l-link-variant"),
  BLOCK("block", "mdi2g-grid"),
  SWITCH("switch", "mdi2s-switch"),
  RESERVATION("reservation", "mdi2c-calendar-lock-outline"),
  BACKFILL("backfill", "mdi2a-arrow-collapse-left"),
  STRANDED("stranded", "mdi2b-border-none-variant");

  private final @Nullable String glyph;
  private final String fontCode;

  Icon(String fontCode) {
    this(null, fontCode);
  }

  Icon(@Nullable String glyph, String fontCode) {
    this.glyph = glyph;
    this.fontCode = fontCode;
  }

  /** The name of our own drawing, or null for a symbol of the icon font. */
  @Nullable String glyph() {
    return glyph;
  }

  /** A new picture of this symbol, in the colour of the place that it is put in. */
  public Node node() {
    if (glyph != null) {
      Glyph drawing = Glyphs.find(glyph);
      if (drawing != null) {
        return drawing.node();
      }
    }
    FontIcon icon = new FontIcon(fontCode);
    icon.getStyleClass().add("icon");
    return icon;
  }
}
