package dev.yardmaster.console.overview;

import dev.yardmaster.console.kit.Labels;
import java.util.List;
import javafx.scene.AccessibleRole;
import javafx.scene.layout.FlowPane;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;

/** Parts of a whole side by side in given styles, with a legend. */
final class ShareBar extends VBox {
  /**
   * One part.
   *
   * @param style the style class that colours it
   */
  record Part(String label, String value, double amount, String style) {}

  ShareBar(List<Part> parts) {
    getStyleClass().add("stacked-bar");
    FlowPane legend = new FlowPane();
    legend.getStyleClass().add("legend");
    StringBuilder spoken = new StringBuilder();
    for (Part part : parts) {
      Region dot = new Region();
      dot.getStyleClass().addAll("legend-dot", part.style());
      HBox entry = new HBox(dot, Labels.of(part.label() + " " + part.value(), "legend-text"));
      entry.getStyleClass().add("legend-entry");
      legend.getChildren().add(entry);
      spoken.append(spoken.isEmpty() ? "" : ", ").append(part.label()).append(' ');
      spoken.append(part.value());
    }
    getChildren().addAll(new Strip(parts), legend);
    setAccessibleRole(AccessibleRole.TEXT);
    setAccessibleText(spoken.toString());
  }

  private static final class Strip extends Region {
    private final List<Part> parts;
    private final double total;

    Strip(List<Part> parts) {
      this.parts = List.copyOf(parts);
      total = parts.stream().mapToDouble(Part::amount).sum();
      getStyleClass().addAll("stacked-strip", "share-strip");
      for (Part part : parts) {
        Region fill = new Region();
        fill.getStyleClass().addAll("share-part", part.style());
        getChildren().add(fill);
      }
    }

    @Override
    protected void layoutChildren() {
      double x = 0;
      double before = 0;
      for (int i = 0; i < parts.size(); i++) {
        before += parts.get(i).amount();
        double end = total == 0 ? 0 : snapPositionX(getWidth() * before / total);
        getChildren().get(i).resizeRelocate(x, 0, Math.max(0, end - x - 1), getHeight());
        x = end;
      }
    }
  }
}
