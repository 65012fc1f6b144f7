package dev.yardmaster.console.shell;

import dev.yardmaster.console.kit.Dot;
import dev.yardmaster.console.kit.Labels;
import javafx.scene.Node;
import javafx.scene.control.Label;
import javafx.scene.control.OverrunStyle;
import javafx.scene.control.TreeCell;
import javafx.scene.layout.HBox;
import org.jspecify.annotations.Nullable;

/** A line of the explorer: mark, label, and the detail at the right edge. */
final class ExplorerCell extends TreeCell<ExplorerItem> {
  @Override
  protected void updateItem(@Nullable ExplorerItem item, boolean empty) {
    super.updateItem(item, empty);
    setText(null);
    if (item == null || empty) {
      setGraphic(null);
      setAccessibleText(null);
      return;
    }
    Label label = Labels.of(item.label(), "explorer-label");
    label.setTextOverrun(OverrunStyle.CENTER_ELLIPSIS);
    Label detail = Labels.of(item.detail(), "explorer-detail");
    detail.setMinWidth(USE_PREF_SIZE);
    HBox line = new HBox();
    line.getStyleClass().add("explorer-line");
    if (item.mark() != null) {
      line.getChildren().add(new Dot(item.mark()));
    }
    line.getChildren().addAll(label, Labels.gap(), detail);
    setGraphic(line);
    setAccessibleText(item.detail().isEmpty() ? item.label() : item.label() + ", " + item.detail());
  }

  @Override
  protected void layoutChildren() {
    super.layoutChildren();
    // The skin gives the graphic its own width; the detail belongs to the right edge of the cell.
    Node line = getGraphic();
    if (line != null) {
      double width = getWidth() - snappedRightInset() - line.getLayoutX();
      line.resize(Math.max(width, 0), line.getLayoutBounds().getHeight());
    }
  }
}
