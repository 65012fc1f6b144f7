package dev.yardmaster.server;

import dev.yardmaster.journal.Journal;
import dev.yardmaster.journal.SqliteJournal;
import dev.yardmaster.model.ClusterConfig;
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

  /** The only controller of a cluster, which serves its own machine. */
  static Place alone(ClusterConfig config) {
    String host = config.controllers().isEmpty() ? "localhost" : config.controllers().getFirst();
    return new Place(
        InetAddress.getLoopbackAddress(),
        host.contains("(") ? host.substring(0, host.indexOf('(')) : host,
        "primary",
        false,
        SqliteJournal::open);
  }
}
