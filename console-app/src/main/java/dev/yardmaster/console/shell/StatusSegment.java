package dev.yardmaster.console.shell;

import dev.yardmaster.console.kit.Tone;
import org.jspecify.annotations.Nullable;

/**
 * One part of the status bar.
 *
 * @param text its text
 * @param mark the mark before it, or null for none
 * @param tooltip what it means, in full
 */
public record StatusSegment(String text, @Nullable Tone mark, String tooltip) {}
