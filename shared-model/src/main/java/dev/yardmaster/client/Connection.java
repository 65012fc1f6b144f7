package dev.yardmaster.client;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** How a feed stands with its controller. */
public sealed interface Connection {
  /** Not connected yet; nothing was ever received. */
  record Connecting() implements Connection {}

  /** What is shown is what the controller has. */
  record Live() implements Connection {}

  /**
   * What is shown is old.
   *
   * @param since when the controller was last heard of, by the clock of this machine; null when
   *     never
   * @param cause why, in one line
   * @param nextAttempt when the feed tries again
   */
  record Lost(@Nullable Instant since, String cause, Instant nextAttempt) implements Connection {}

  /** The feed was closed. */
  record Closed() implements Connection {}
}
