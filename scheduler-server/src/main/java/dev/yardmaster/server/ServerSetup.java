package dev.yardmaster.server;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * How a server is to be started.
 *
 * @param configDirectory holds slurm.conf and its companions
 * @param stateDirectory holds the journal; made when it is not there
 * @param simulateNodes serve all nodes inside the server, without processes
 * @param accounting commands of sacctmgr(1) that a new state begins with, before the workload; null
 *     for none
 * @param workload played before the server goes live, on a new state only; null for none
 * @param port instead of SlurmctldPort; 0 for any that is free, negative to take the configured one
 * @param privateToken let only those in who can read the token in the state directory
 * @param trustsNetwork serve other machines without TLS, believing them
 */
record ServerSetup(
    Path configDirectory,
    Path stateDirectory,
    boolean simulateNodes,
    @Nullable Path accounting,
    @Nullable Path workload,
    int port,
    boolean privateToken,
    boolean trustsNetwork) {
  /** One that does not trust the network. */
  ServerSetup(
      Path configDirectory,
      Path stateDirectory,
      boolean simulateNodes,
      @Nullable Path accounting,
      @Nullable Path workload,
      int port,
      boolean privateToken) {
    this(
        configDirectory,
        stateDirectory,
        simulateNodes,
        accounting,
        workload,
        port,
        privateToken,
        false);
  }
}
