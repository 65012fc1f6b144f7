package dev.yardmaster.console.events;

import dev.yardmaster.console.kit.Tone;
import dev.yardmaster.console.shell.Item;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened. Id and time together name it: the same thing may happen again later.
 *
 * @param id what happened to what, for example {@code job/4711/ended}
 * @param time when, by the server's clock
 * @param text what is said of it
 * @param target what it happened to; null for the connection
 * @param urgent whether it is worth a notice
 */
public record ClusterEvent(
    String id, Instant time, Tone tone, String text, @Nullable Item target, boolean urgent) {
  /** Identifies it among all events. */
  public String key() {
    return id + "@" + time.toEpochMilli();
  }
}
