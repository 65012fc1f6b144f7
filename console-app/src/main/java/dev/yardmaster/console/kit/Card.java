package dev.yardmaster.console.kit;

import javafx.scene.Node;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.VBox;
import javafx.scene.text.Text;
import javafx.scene.text.TextFlow;

/** A framed area with a title, an optional remark beside it, and content. */
public final class Card extends VBox {
  private final HBox header = new HBox();
  private final Text remark = new Text();

  /** A card with the given title. */
  public Card(String title, Node... content) {
    getStyleClass().add("card");
    header.getStyleClass().add("card-header");
    Text name = new Text(title);
    name.getStyleClass().add("card-title");
    remark.getStyleClass().add("card-remark");
    TextFlow words = new TextFlow(name, remark);
    HBox.setHgrow(words, Priority.ALWAYS);
    header.getChildren().add(words);
    getChildren().add(header);
    getChildren().addAll(content);
  }

  /** Sets the remark that follows the title in a second rank of text. */
  public Card remark(String text) {
    remark.setText(text.isEmpty() ? "" : "  " + text);
    return this;
  }

  /** Adds controls at the right of the title. */
  public Card tools(Node... tools) {
    header.getChildren().addAll(tools);
    return this;
  }

  /** Lets the last content take the height that is left. */
  public Card fill() {
    VBox.setVgrow(getChildren().getLast(), Priority.ALWAYS);
    return this;
  }
}
