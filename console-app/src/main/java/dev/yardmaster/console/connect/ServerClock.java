package dev.yardmaster.console.connect;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * The server's clock, told from the local one. Durations on screen are differences of instants of
 * the server, so neither a wrong local clock nor a time zone changes them.
 *
 * <p>Safe for use by several threads.
 */
public final class ServerClock implements InstantSource {
  /** A difference that the network can cause does not move the clock. */
  private static final Duration TOLERANCE = Duration.ofSeconds(2);

  private final InstantSource local;
  private volatile Duration offset = Duration.ZERO;
  private volatile boolean known;

  public ServerClock(InstantSource local) {
    this.local = local;
  }

  /**
   * The server said that it was {@code serverTime} at a moment of the local clock.
   *
   * @param heard when that was heard, by the local clock
   */
  public void observe(Instant serverTime, Instant heard) {
    Duration seen = Duration.between(heard, serverTime);
    if (!known || seen.minus(offset).abs().compareTo(TOLERANCE) > 0) {
      offset = seen;
      known = true;
    }
  }

  /** Something happened on the server at {@code serverTime}, so it is that late there at least. */
  public void atLeast(Instant serverTime) {
    if (serverTime.isAfter(instant().plus(TOLERANCE))) {
      observe(serverTime, local.instant());
    }
  }

  /** How far the server's clock is ahead of the local one; negative when it is behind. */
  public Duration offset() {
    return offset;
  }

  @Override
  public Instant instant() {
    return local.instant().plus(offset);
  }
}
