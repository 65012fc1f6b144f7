package dev.yardmaster.console.kit;

import java.util.List;
import javafx.scene.Group;
import javafx.scene.Node;
import javafx.scene.layout.Region;
import javafx.scene.shape.SVGPath;
import javafx.scene.shape.StrokeLineCap;
import javafx.scene.shape.StrokeLineJoin;
import javafx.scene.transform.Scale;

/**
 * A drawing of ours on a grid of 16 units: filled and stroked paths in the colour of the place that
 * it is put in.
 *
 * @param shapes the paths, the lowest first
 */
public record Glyph(List<Shape> shapes) {
  /** Units of the grid to each side. */
  public static final double GRID = 16;

  public Glyph {
    shapes = List.copyOf(shapes);
  }

  /**
   * One path.
   *
   * @param path path data of SVG
   * @param filled whether its area is painted
   * @param strokeWidth width of its outline in grid units; 0 for none
   * @param opacity from 0 to 1
   */
  public record Shape(String path, boolean filled, double strokeWidth, double opacity) {}

  /** A new picture; the style class {@code glyph} sets its size. */
  public Region node() {
    return new Picture(shapes);
  }

  private static final class Picture extends Region {
    private final Group paths = new Group();
    private final Scale scale = new Scale();

    Picture(List<Shape> shapes) {
      getStyleClass().add("glyph");
      paths.setManaged(false);
      paths.getTransforms().add(scale);
      for (Shape shape : shapes) {
        paths.getChildren().add(path(shape));
      }
      getChildren().add(paths);
    }

    private static Node path(Shape shape) {
      SVGPath path = new SVGPath();
      path.setContent(shape.path());
      path.setOpacity(shape.opacity());
      path.getStyleClass().add(shape.filled() ? "glyph-fill" : "glyph-line");
      path.setStrokeWidth(shape.strokeWidth());
      path.setStrokeLineCap(StrokeLineCap.ROUND);
      path.setStrokeLineJoin(StrokeLineJoin.ROUND);
      return path;
    }

    @Override
    protected void layoutChildren() {
      scale.setX(getWidth() / GRID);
      scale.setY(getHeight() / GRID);
    }
  }
}
