package dev.yardmaster.client;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/**
 * Where a controller listens.
 *
 * @param tls how the connection is encrypted; null for not at all
 * @param munge proves who calls; null where something else does
 */
public record Endpoint(String host, int port, @Nullable Tls tls, @Nullable Munge munge) {
  /** SlurmctldPort when the configuration gives none. */
  public static final int DEFAULT_PORT = 6817;

  /** An endpoint without encryption. */
  public Endpoint(String host, int port) {
    this(host, port, null, null);
  }

  /** An endpoint without munge. */
  public Endpoint(String host, int port, @Nullable Tls tls) {
    this(host, port, tls, null);
  }

  /**
   * Reads {@code host}, {@code host:port} or {@code [v6-address]:port}.
   *
   * @throws IllegalArgumentException naming the text and what would be right
   */
  public static Endpoint parse(String text) {
    String host = text.strip();
    int port = DEFAULT_PORT;
    int colon = host.lastIndexOf(':');
    if (colon >= 0 && (host.indexOf(':') == colon || host.charAt(colon - 1) == ']')) {
      try {
        port = Integer.parseInt(host.substring(colon + 1));
      } catch (NumberFormatException e) {
        port = -1;
      }
      host = host.substring(0, colon);
    }
    if (host.startsWith("[") && host.endsWith("]")) {
      host = host.substring(1, host.length() - 1);
    }
    if (host.isEmpty() || port < 1 || port > 65_535 || host.contains(" ")) {
      throw new IllegalArgumentException(
          "\"" + text + "\" is not HOST:PORT; write for example localhost:6817");
    }
    return new Endpoint(host, port);
  }

  /** Whether the host is this machine's loopback. Asks the resolver for names. */
  public boolean isLoopback() {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false;
    }
  }

  @Override
  public String toString() {
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }
}
