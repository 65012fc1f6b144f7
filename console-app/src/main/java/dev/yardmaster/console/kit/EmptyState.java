package dev.yardmaster.console.kit;

/** There is nothing to show, and that is no fault. */
public final class EmptyState extends StatePane {
  /** An empty state with at least one thing to do. */
  public EmptyState(Icon icon, String title, String text, NextStep first, NextStep... more) {
    super(icon, Tone.NEUTRAL, title, text);
    addSteps(first, more);
  }
}
