package dev.yardmaster.console.kit;

import javafx.scene.control.Label;
import javafx.scene.layout.HBox;

/** A heading in small capitals, with an optional remark at the right. */
public final class SectionHeading extends HBox {
  private final Label title;
  private final Label remark = new Label();

  /** A heading; give the text in capitals (see {@code Texts.capitals}). */
  public SectionHeading(String text) {
    getStyleClass().add("section-heading");
    title = Labels.of(text, "heading-text");
    remark.getStyleClass().add("heading-text");
    getChildren().addAll(title, Labels.gap(), remark);
  }

  /** Changes the heading. */
  public void setText(String text) {
    title.setText(text);
  }

  /** Sets the text at the right. */
  public SectionHeading remark(String text) {
    remark.setText(text);
    return this;
  }
}
