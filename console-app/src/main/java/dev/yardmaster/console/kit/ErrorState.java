package dev.yardmaster.console.kit;

import javafx.scene.control.Label;

/** Something went wrong: what it was in words, the thing and its value, and what may help. */
public final class ErrorState extends StatePane {
  /**
   * An error state.
   *
   * @param detail the message that names the thing, its value and the place; not a stack trace
   */
  public ErrorState(String title, String text, String detail, NextStep first, NextStep... more) {
    super(Icon.ERROR, Tone.BLOCKED, title, text);
    Label message = Labels.wrapping(detail, "state-detail");
    add(message);
    addSteps(first, more);
  }
}
