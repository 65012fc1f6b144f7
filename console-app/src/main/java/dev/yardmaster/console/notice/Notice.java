package dev.yardmaster.console.notice;

import dev.yardmaster.console.kit.Tone;
import dev.yardmaster.console.shell.Item;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Something that is told at once. Id and time together name the event, and it is told once.
 *
 * @param target what opens when it is chosen; null for nothing
 */
public record Notice(String id, Instant time, Tone tone, String text, @Nullable Item target) {
  /** Names the event. */
  Key key() {
    return new Key(id, time);
  }

  record Key(String id, Instant time) {}
}
