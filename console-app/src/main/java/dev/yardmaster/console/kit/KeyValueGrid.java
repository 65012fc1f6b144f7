package dev.yardmaster.console.kit;

import javafx.geometry.VPos;
import javafx.scene.Node;
import javafx.scene.control.Label;
import javafx.scene.layout.ColumnConstraints;
import javafx.scene.layout.GridPane;
import javafx.scene.layout.Priority;

/** Names at the left, values at the right, one pair a row. */
public final class KeyValueGrid extends GridPane {
  private static final double NAME_SHARE = 40;

  private int rows;

  public KeyValueGrid() {
    getStyleClass().add("key-values");
    ColumnConstraints names = new ColumnConstraints();
    names.setPercentWidth(NAME_SHARE);
    ColumnConstraints values = new ColumnConstraints();
    values.setHgrow(Priority.ALWAYS);
    getColumnConstraints().addAll(names, values);
  }

  /** Adds a pair whose value is running text. */
  public KeyValueGrid row(String name, String value) {
    return row(name, Labels.wrapping(value));
  }

  /** Adds a pair whose value is text with a tone. */
  public KeyValueGrid row(String name, String value, Tone tone) {
    return row(name, Labels.wrapping(value, "toned", tone.styleClass()));
  }

  /** Adds a pair whose value is code or an identifier. */
  public KeyValueGrid monoRow(String name, String value) {
    return row(name, Labels.wrapping(value, "mono"));
  }

  /** Adds a pair with any node as its value. */
  public KeyValueGrid row(String name, Node value) {
    Label label = Labels.wrapping(name, "muted");
    label.setLabelFor(value);
    setValignment(label, VPos.TOP);
    setValignment(value, VPos.TOP);
    addRow(rows++, label, value);
    return this;
  }
}
