package dev.yardmaster.server;

import dev.yardmaster.client.Tls;
import dev.yardmaster.journal.Journal;
import dev.yardmaster.journal.SqliteJournal;
import dev.yardmaster.model.ClusterConfig;
import dev.yardmaster.security.ServerTls;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.function.Function;

/**
 * Where a server stands: alone, or as one of the controllers of its cluster.
 *
 * @param address what it listens on
 * @param host its name
 * @param role primary or backup
 * @param trustsNetwork whether callers on other machines are let in
 * @param journal opens what it keeps its state in; throws {@link
 *     dev.yardmaster.journal.JournalException} when that cannot be used
 */
record Place(
    InetAddress address,
    String host,
    String role,
    boolean trustsNetwork,
    Function<Path, Journal> journal) {

  /** Whether a controller's port is encrypted, as far as the configuration says. */
  static boolean isEncrypted(
      ClusterConfig config, Path directory, String host, boolean trustsNetwork) {
    return ServerTls.isWanted(config::setting, directory, entry(config, host), trustsNetwork);
  }

  /** The entry of SlurmctldHost with a name. */
  static String entry(ClusterConfig config, String host) {
    return config.controllers().stream()
        .filter(each -> each.equals(host) || each.startsWith(host + "("))
        .findFirst()
        .orElse(host);
  }

  /**
   * The only controller of a cluster, which serves its own machine, or with TLS all.
   *
   * @param directory of the configuration
   * @param trustsNetwork whether it serves all without TLS
   */
  static Place alone(ClusterConfig config, Path directory, boolean trustsNetwork)
      throws IOException {
    String host = config.controllers().isEmpty() ? "localhost" : config.controllers().getFirst();
    int open = host.indexOf('(');
    String given = Tls.address(host);
    return new Place(
        trustsNetwork || ServerTls.isWanted(config::setting, directory, host, false)
            ? InetAddress.getByName(given.isEmpty() ? "0.0.0.0" : given)
            : InetAddress.getLoopbackAddress(),
        open > 0 ? host.substring(0, open) : host,
        "primary",
        trustsNetwork,
        SqliteJournal::open);
  }
}
