package dev.yardmaster.console.kit;

/**
 * What the user can do about a state.
 *
 * @param label the button's text, an imperative
 * @param run what it does
 */
public record NextStep(String label, Runnable run) {}
