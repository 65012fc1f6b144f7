package dev.yardmaster.api;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where a controller listens for the commands of its own machine: a Unix socket, at which the
 * kernel says who calls and which a command reaches in a tenth of the time that a connection of the
 * network takes it. It stands for the port of the same network namespace, so that controllers in
 * two of them do not meet. The port serves who does not find it.
 */
public final class LocalSocket {
  /** A directory of the system where root runs the controller, else one that all can write. */
  private static final List<Path> DIRECTORIES = List.of(Path.of("/run"), Path.of("/tmp"));

  private static final Path NETWORK = Path.of("/proc/self/ns/net");

  private LocalSocket() {}

  /**
   * Where the socket of a port may be, in the order of preference.
   *
   * @param host the address that the controller listens on: two of them may share a port on one
   *     machine
   */
  public static List<Path> candidates(String host, int port) {
    String address = usual(host) ? "" : host.replace(':', '_').replace('/', '_') + "-";
    String name = "yardmaster-" + address + port + "-" + network() + ".sock";
    return DIRECTORIES.stream().map(directory -> directory.resolve(name)).toList();
  }

  /** The number that the kernel gives the network namespace; 0 where there are none. */
  private static String network() {
    try {
      return Files.readSymbolicLink(NETWORK).toString().replaceAll("\\D", "");
    } catch (IOException | UnsupportedOperationException e) {
      return "0";
    }
  }

  /**
   * A connection to the controller at a port of this machine.
   *
   * @param owners user numbers whose socket is trusted to be the controller's; another user could
   *     have put one there to listen in
   * @return null when there is none that listens, as when the host is another machine
   */
  public static @Nullable SocketChannel connect(String host, int port, Set<Integer> owners) {
    for (Path path : candidates(host, port)) {
      if (!owners.contains(owner(path))) {
        continue;
      }
      try {
        return SocketChannel.open(UnixDomainSocketAddress.of(path));
      } catch (IOException e) {
        // What a controller left that was killed; the port answers whether there is one.
        continue;
      }
    }
    return null;
  }

  private static boolean usual(String host) {
    return host.equals("127.0.0.1") || host.equals("localhost") || host.equals("::1");
  }

  /** The number of the user to whom a file belongs; -1 when there is none. */
  public static int owner(Path path) {
    try {
      return Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS) instanceof Integer uid
          ? uid
          : -1;
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      return -1;
    }
  }
}
