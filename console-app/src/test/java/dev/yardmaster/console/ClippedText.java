package dev.yardmaster.console;

import java.util.ArrayList;
import java.util.List;
import javafx.scene.Node;
import javafx.scene.Parent;
import javafx.scene.control.Labeled;
import javafx.scene.text.Text;

/** Finds labels and buttons whose text is cut off on the screen. */
public final class ClippedText {
  private ClippedText() {}

  /** The full texts of everything visible below {@code node} that does not fit. */
  public static List<String> in(Node node) {
    List<String> clipped = new ArrayList<>();
    collect(node, clipped);
    return clipped;
  }

  private static void collect(Node node, List<String> clipped) {
    if (!node.isVisible()) {
      return;
    }
    if (node instanceof Labeled labeled && labeled.getText() != null && isClipped(labeled)) {
      clipped.add(labeled.getText());
    }
    if (node instanceof Parent parent) {
      parent.getChildrenUnmodifiable().forEach(child -> collect(child, clipped));
    }
  }

  private static boolean isClipped(Labeled labeled) {
    for (Node child : labeled.getChildrenUnmodifiable()) {
      if (child instanceof Text text
          && text.getText().contains(labeled.getEllipsisString())
          && !labeled.getText().contains(labeled.getEllipsisString())) {
        return true;
      }
    }
    return false;
  }
}
