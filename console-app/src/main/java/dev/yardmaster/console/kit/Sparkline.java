package dev.yardmaster.console.kit;

import java.util.Arrays;
import javafx.scene.AccessibleRole;
import javafx.scene.layout.Region;
import javafx.scene.shape.Line;
import javafx.scene.shape.Polygon;
import javafx.scene.shape.Polyline;
import org.jspecify.annotations.Nullable;

/** A small line of a value over time, with an optional range around it and a level to compare. */
public final class Sparkline extends Region {
  private static final double EDGE = 2;

  private final double[] values;
  private double @Nullable [] low;
  private double @Nullable [] high;
  private double level = Double.NaN;
  private final Polygon band = new Polygon();
  private final Polyline line = new Polyline();
  private final Line levelLine = new Line();

  /**
   * A line through values at equal distances of time.
   *
   * @param spoken what the line shows, in words
   */
  public Sparkline(double[] values, Tone tone, String spoken) {
    this.values = values.clone();
    getStyleClass().add("sparkline");
    line.getStyleClass().addAll("spark-line", tone.styleClass());
    band.getStyleClass().addAll("spark-band", tone.styleClass());
    levelLine.getStyleClass().add("spark-level");
    line.setManaged(false);
    band.setManaged(false);
    levelLine.setManaged(false);
    getChildren().addAll(band, levelLine, line);
    setAccessibleRole(AccessibleRole.IMAGE_VIEW);
    setAccessibleText(spoken);
  }

  /** Adds the range in which the value lies; both arrays have as many entries as the values. */
  public Sparkline range(double[] lowest, double[] highest) {
    if (lowest.length != values.length || highest.length != values.length) {
      throw new IllegalArgumentException(
          "a range of %d to %d points does not fit %d values"
              .formatted(lowest.length, highest.length, values.length));
    }
    low = lowest.clone();
    high = highest.clone();
    requestLayout();
    return this;
  }

  /** Adds a dashed line at a level. */
  public Sparkline level(double value) {
    level = value;
    requestLayout();
    return this;
  }

  @Override
  protected void layoutChildren() {
    double[] lowest = low == null ? values : low;
    double[] highest = high == null ? values : high;
    double bottom = Math.min(Arrays.stream(lowest).min().orElse(0), least(level));
    double top = Math.max(Arrays.stream(highest).max().orElse(1), most(level));
    Frame frame =
        new Frame(getWidth(), getHeight() - 2 * EDGE, bottom, top > bottom ? top : bottom + 1);
    line.getPoints().setAll(frame.points(values, values.length));
    band.getPoints().clear();
    if (low != null && high != null) {
      band.getPoints().addAll(frame.points(high, high.length));
      band.getPoints().addAll(frame.backwards(low));
    }
    levelLine.setVisible(!Double.isNaN(level));
    levelLine.setStartY(frame.y(level));
    levelLine.setEndY(frame.y(level));
    levelLine.setEndX(getWidth());
  }

  private static double least(double value) {
    return Double.isNaN(value) ? Double.POSITIVE_INFINITY : value;
  }

  private static double most(double value) {
    return Double.isNaN(value) ? Double.NEGATIVE_INFINITY : value;
  }

  private record Frame(double width, double height, double bottom, double top) {
    double y(double value) {
      return Double.isNaN(value) ? 0 : EDGE + height * (1 - (value - bottom) / (top - bottom));
    }

    Double[] points(double[] series, int count) {
      Double[] points = new Double[2 * count];
      for (int i = 0; i < count; i++) {
        points[2 * i] = count == 1 ? 0 : width * i / (count - 1);
        points[2 * i + 1] = y(series[i]);
      }
      return points;
    }

    Double[] backwards(double[] series) {
      Double[] forward = points(series, series.length);
      Double[] points = new Double[forward.length];
      for (int i = 0; i < series.length; i++) {
        points[2 * i] = forward[2 * (series.length - 1 - i)];
        points[2 * i + 1] = forward[2 * (series.length - 1 - i) + 1];
      }
      return points;
    }
  }
}
