package dev.yardmaster.console.shell;

import dev.yardmaster.console.kit.Dot;
import dev.yardmaster.console.kit.Labels;
import javafx.scene.control.Label;
import javafx.scene.control.OverrunStyle;
import javafx.scene.control.TreeCell;
import javafx.scene.layout.HBox;
import org.jspecify.annotations.Nullable;

/** A line of the explorer: mark, label, and the detail at the right edge. */
final class ExplorerCell extends TreeCell<ExplorerItem> {
  private final Label label = Labels.of("", "explorer-label");
  private final Label detail = Labels.of("", "explorer-detail");
  private final HBox line = new HBox(label, Labels.gap(), detail);

  ExplorerCell() {
    // Lines are shortened rather than scrolled sideways.
    setPrefWidth(0);
    label.setTextOverrun(OverrunStyle.CENTER_ELLIPSIS);
    detail.setMinWidth(USE_PREF_SIZE);
    line.getStyleClass().add("explorer-line");
  }

  @Override
  protected void updateItem(@Nullable ExplorerItem item, boolean empty) {
    super.updateItem(item, empty);
    if (item == null || empty) {
      setGraphic(null);
      setAccessibleText(null);
      return;
    }
    label.setText(item.label());
    label.setGraphic(item.mark() == null ? null : new Dot(item.mark()));
    detail.setText(item.detail());
    setGraphic(line);
    setAccessibleText(item.detail().isEmpty() ? item.label() : item.label() + ", " + item.detail());
  }

  @Override
  protected void layoutChildren() {
    super.layoutChildren();
    // The skin gives the graphic its own width; the detail belongs to the right edge of the cell.
    if (getGraphic() != null) {
      double width = Math.max(0, getWidth() - snappedRightInset() - line.getLayoutX());
      double height = line.prefHeight(width);
      line.resizeRelocate(
          line.getLayoutX(), snapPositionY((getHeight() - height) / 2), width, height);
    }
  }
}
