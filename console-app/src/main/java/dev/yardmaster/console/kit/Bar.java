package dev.yardmaster.console.kit;

import javafx.geometry.HPos;
import javafx.geometry.VPos;
import javafx.scene.layout.Region;

/** A horizontal track of which a share is filled. The style sheet sets height and colours. */
public final class Bar extends Region {
  private final Region fill = new Region();
  private double share;

  /** A bar that is filled by {@code share}, from 0 to 1. */
  public Bar(double share, Tone tone) {
    getStyleClass().add("bar");
    fill.getStyleClass().addAll("bar-fill", tone.styleClass());
    getChildren().add(fill);
    setShare(share);
  }

  /** Fills the bar; values outside 0 to 1 are moved to the nearest end. */
  public void setShare(double value) {
    share = Double.isNaN(value) ? 0 : Math.clamp(value, 0, 1);
    requestLayout();
  }

  @Override
  protected void layoutChildren() {
    // A share of nothing still shows its edge, so that the colour can be seen.
    double width = Math.max(snapSizeX(getWidth() * share), 2);
    fill.resize(width, getHeight());
    positionInArea(fill, 0, 0, getWidth(), getHeight(), 0, HPos.LEFT, VPos.TOP);
  }
}
