package dev.yardmaster.console.kit;

import java.util.List;
import javafx.scene.AccessibleRole;
import javafx.scene.layout.FlowPane;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;

/** Parts of a whole side by side, with a legend that names each part and its amount. */
public final class StackedBar extends VBox {
  /**
   * One part.
   *
   * @param label its name
   * @param value its amount, formatted
   * @param amount its amount, which sets its width
   * @param colour index of a series colour, from 0
   */
  public record Part(String label, String value, double amount, int colour) {}

  /** Number of series colours. */
  public static final int COLOURS = 8;

  /** A bar of the given parts, the first at the left. */
  public StackedBar(List<Part> parts) {
    getStyleClass().add("stacked-bar");
    FlowPane legend = new FlowPane();
    legend.getStyleClass().add("legend");
    StringBuilder spoken = new StringBuilder();
    for (Part part : parts) {
      Region dot = new Region();
      dot.getStyleClass().addAll("legend-dot", series(part));
      HBox entry = new HBox(dot, Labels.of(part.label() + " " + part.value(), "legend-text"));
      entry.getStyleClass().add("legend-entry");
      legend.getChildren().add(entry);
      spoken.append(spoken.isEmpty() ? "" : ", ");
      spoken.append(part.label()).append(' ').append(part.value());
    }
    getChildren().addAll(new Strip(parts), legend);
    setAccessibleRole(AccessibleRole.TEXT);
    setAccessibleText(spoken.toString());
  }

  private static String series(Part part) {
    return "series-" + part.colour() % COLOURS;
  }

  private static final class Strip extends Region {
    private final List<Part> parts;
    private final double total;

    Strip(List<Part> parts) {
      this.parts = List.copyOf(parts);
      total = parts.stream().mapToDouble(part -> Math.max(0, part.amount())).sum();
      getStyleClass().add("stacked-strip");
      for (int i = 0; i < parts.size(); i++) {
        Region fill = new Region();
        fill.getStyleClass().addAll("stacked-part", series(parts.get(i)));
        if (i == 0) {
          fill.getStyleClass().add("first");
        }
        if (i == parts.size() - 1) {
          fill.getStyleClass().add("last");
        }
        getChildren().add(fill);
      }
    }

    @Override
    protected void layoutChildren() {
      double x = 0;
      double before = 0;
      for (int i = 0; i < parts.size(); i++) {
        before += Math.max(0, parts.get(i).amount());
        double end = total == 0 ? 0 : snapPositionX(getWidth() * before / total);
        getChildren().get(i).resizeRelocate(x, 0, end - x, getHeight());
        x = end;
      }
    }
  }
}
