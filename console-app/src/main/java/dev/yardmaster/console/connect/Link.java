package dev.yardmaster.console.connect;

import dev.yardmaster.client.Connection;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How the connection to a cluster stands.
 *
 * @param endpoint where the server is, as the user named it
 * @param received when the server was last heard of, by the local clock; null before the first time
 * @param problem what went wrong, in one line; empty when nothing did
 */
public record Link(Phase phase, String endpoint, @Nullable Instant received, String problem) {
  /** The states that a connection can be in. */
  public enum Phase {
    /** The first data have not come yet. */
    CONNECTING,
    /** Data are current. */
    LIVE,
    /** Connected, but nothing was heard for a while. */
    STALE,
    /** The connection is gone; it is tried again by itself. */
    DISCONNECTED,
    /** Trying again by itself will not help. */
    FAILED
  }

  /** Before the first answer. */
  static Link connecting(String endpoint) {
    return new Link(Phase.CONNECTING, endpoint, null, "");
  }

  /** What a feed says of its connection. */
  static Link of(String endpoint, Connection connection, @Nullable Instant asOf) {
    return switch (connection) {
      case Connection.Connecting c -> new Link(Phase.CONNECTING, endpoint, asOf, "");
      case Connection.Live l -> new Link(Phase.LIVE, endpoint, asOf, "");
      case Connection.Lost lost -> new Link(Phase.DISCONNECTED, endpoint, asOf, lost.cause());
      case Connection.Closed c -> new Link(Phase.DISCONNECTED, endpoint, asOf, "");
    };
  }

  /** The same link in another phase. */
  Link with(Phase newPhase, String newProblem) {
    return new Link(newPhase, endpoint, received, newProblem);
  }

  /** The same link after a sign of the server. */
  Link receivedAt(Instant instant) {
    return new Link(phase, endpoint, instant, problem);
  }

  /** Live or stale, whichever the age of the data says; other phases stay. */
  Link judged(Instant localNow, Duration staleAfter) {
    if (phase != Phase.LIVE && phase != Phase.STALE) {
      return this;
    }
    return with(age(localNow).compareTo(staleAfter) > 0 ? Phase.STALE : Phase.LIVE, problem);
  }

  /** How old the data are by the local clock; zero before the first. */
  public Duration age(Instant localNow) {
    if (received == null || localNow.isBefore(received)) {
      return Duration.ZERO;
    }
    return Duration.between(received, localNow);
  }

  /** Whether what is shown is the present. */
  public boolean isLive() {
    return phase == Phase.LIVE;
  }
}
