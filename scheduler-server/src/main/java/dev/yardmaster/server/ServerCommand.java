package dev.yardmaster.server;

import dev.yardmaster.cli.CaughtSignals;
import dev.yardmaster.cli.Io;
import dev.yardmaster.client.ClientException;
import dev.yardmaster.client.ControllerFinder;
import dev.yardmaster.config.ConfigReader;
import dev.yardmaster.journal.FileProblem;
import dev.yardmaster.model.ClusterConfig;
import dev.yardmaster.security.Proofs;
import dev.yardmaster.security.ServerTls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code yardmaster server}: the controller, until it is told to stop. */
@Command(
    name = "server",
    sortOptions = false,
    description = "The controller, with accounting in the same process.")
final class ServerCommand implements Callable<Integer> {
  @Option(
      names = "--config",
      required = true,
      paramLabel = "DIR",
      description = "Folder of slurm.conf.")
  private @Nullable Path config;

  @Option(
      names = "--state",
      required = true,
      paramLabel = "DIR",
      description = "Folder of the journal.")
  private @Nullable Path state;

  @Option(names = "--simulate-nodes", description = "Play all nodes inside the server.")
  private boolean simulateNodes;

  @Option(
      names = "--workload",
      paramLabel = "FILE",
      description = "Jobs to play before it goes live.")
  private @Nullable Path workload;

  @Option(
      names = "--accounting",
      paramLabel = "FILE",
      description = "Commands of sacctmgr that a new state begins with, before the workload.")
  private @Nullable Path accounting;

  @Option(names = "--port", paramLabel = "N", description = "Port, instead of SlurmctldPort.")
  private int port = -1;

  @Option(
      names = "--private",
      description = "Serve only who can read the token in the state folder.")
  private boolean privateToken;

  @Option(
      names = "--host",
      paramLabel = "NAME",
      description = "Which SlurmctldHost this is, where there are several; else by the machine.")
  private @Nullable String host;

  @Option(
      names = "--trusted-network",
      description =
          "Serve other machines without TLS and believing them: nobody else may have access.")
  private boolean trustedNetwork;

  private final Io io;

  private ServerCommand(Io io) {
    this.io = io;
  }

  /**
   * Runs it.
   *
   * @return 0 after a clean stop, 1 when it could not start
   */
  static int run(List<String> arguments, Io io) {
    return Options.execute("server", new ServerCommand(io), arguments, io);
  }

  @Override
  public Integer call() throws InterruptedException {
    ServerLog.start();
    if (config == null || state == null) {
      throw new IllegalStateException("picocli requires both");
    }
    ServerSetup setup =
        new ServerSetup(
            config, state, simulateNodes, accounting, workload, port, privateToken, trustedNetwork);
    if (isOneOfSeveral(config)) {
      return serveInGroup(setup);
    }
    try (RunningServer server = RunningServer.start(setup, io.clock())) {
      server.notices().forEach(line -> io.err().println("server: " + line));
      io.out()
          .println(
              "server: cluster "
                  + server.controller().state().config().clusterName()
                  + " on "
                  + server.address()
                  + ":"
                  + server.port());
      io.out().flush();
      CaughtSignals.hand("HUP", name -> server.reconfigure());
      Stops.on(server);
      server.awaitStop();
      return CommandLine.ExitCode.OK;
    } catch (StartFailure e) {
      e.lines().forEach(line -> io.err().println("server: fatal: " + line));
      return CommandLine.ExitCode.SOFTWARE;
    }
  }

  /** Only looks, so that a single controller starts as quickly as if there never were several. */
  private static boolean isOneOfSeveral(Path directory) {
    try {
      return ControllerFinder.find(directory.resolve("slurm.conf")).size() > 1;
    } catch (ClientException e) {
      // Whoever reads the whole file says what is wrong with it.
      return false;
    }
  }

  private int serveInGroup(ServerSetup setup) throws InterruptedException {
    try {
      Peers peers = Peers.read(setup.configDirectory(), host, port);
      Proofs proofs = proofs(setup, peers);
      Control control = control(setup, peers, proofs.tls());
      new ControllerGroup(setup, peers, control, proofs, trustedNetwork, io).run();
      return CommandLine.ExitCode.OK;
    } catch (StartFailure e) {
      e.lines().forEach(line -> io.err().println("server: fatal: " + line));
      return CommandLine.ExitCode.SOFTWARE;
    }
  }

  private Proofs proofs(ServerSetup setup, Peers peers) throws StartFailure {
    ClusterConfig config = ConfigReader.read(setup.configDirectory()).config();
    if (config == null) {
      // Who starts to serve says what is wrong with it.
      return Proofs.NONE;
    }
    try {
      boolean isProtected =
          trustedNetwork
              || Place.isEncrypted(config, setup.configDirectory(), peers.own().name(), false);
      RpcServer.check(peers.address(isProtected), peers.port(), isProtected);
      Files.createDirectories(setup.stateDirectory());
      return Proofs.of(
          config::setting,
          RunningServer.tls(setup, config, peers.own().name(), trustedNetwork, io.clock()),
          setup.stateDirectory());
    } catch (IOException e) {
      throw new StartFailure(FileProblem.of(e));
    }
  }

  /**
   * Two share a state directory; most of two cannot be told from one that is alone. From three on
   * each has its own.
   */
  private Control control(ServerSetup setup, Peers peers, @Nullable ServerTls tls)
      throws StartFailure {
    Path file = setup.configDirectory().resolve("slurm.conf");
    return peers.all().size() == 2
        ? new SharedControl(peers, file, setup.stateDirectory())
        : new ReplicatedControl(
            peers,
            file,
            setup.stateDirectory(),
            peers.address(trustedNetwork || tls != null).getHostAddress(),
            tls);
  }
}
