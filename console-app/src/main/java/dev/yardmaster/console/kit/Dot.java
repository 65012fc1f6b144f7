package dev.yardmaster.console.kit;

import javafx.scene.layout.Region;

/**
 * A small mark in the colour of a tone or of an account. Each tone has its own shape, so that the
 * mark can be read without seeing colours: good is round, attention a triangle, blocked a square.
 */
public final class Dot extends Region {
  /** The mark of a tone. */
  public Dot(Tone tone) {
    getStyleClass().addAll("dot", tone.styleClass());
  }

  private Dot(int account) {
    getStyleClass().addAll("dot", "account-" + account);
  }

  /** The mark of an account, by the index of its colour in the palette. */
  public static Dot ofAccount(int index) {
    return new Dot(index);
  }
}
