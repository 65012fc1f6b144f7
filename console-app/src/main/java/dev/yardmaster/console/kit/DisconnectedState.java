package dev.yardmaster.console.kit;

/** There is no connection, and nothing known from before to show. */
public final class DisconnectedState extends StatePane {
  /** A disconnected state with at least one way out. */
  public DisconnectedState(String title, String text, NextStep first, NextStep... more) {
    super(Icon.DISCONNECTED, Tone.ATTENTION, title, text);
    addSteps(first, more);
  }
}
