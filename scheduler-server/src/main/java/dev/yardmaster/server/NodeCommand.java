package dev.yardmaster.server;

import dev.yardmaster.cli.CaughtSignals;
import dev.yardmaster.cli.Io;
import dev.yardmaster.client.ClientException;
import dev.yardmaster.client.ControllerChannel;
import dev.yardmaster.client.ControllerFinder;
import dev.yardmaster.client.Credential;
import dev.yardmaster.client.Endpoint;
import dev.yardmaster.client.StepTls;
import dev.yardmaster.config.ConfigFinding;
import dev.yardmaster.config.ConfigReader;
import dev.yardmaster.config.ConfigResult;
import dev.yardmaster.journal.FileProblem;
import dev.yardmaster.model.ClusterConfig;
import dev.yardmaster.model.NodeSpec;
import dev.yardmaster.model.text.HostList;
import dev.yardmaster.model.text.NotationException;
import dev.yardmaster.node.NodeDaemon;
import dev.yardmaster.node.NodeHardware;
import dev.yardmaster.node.NodeSettings;
import dev.yardmaster.security.LaunchTrust;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code yardmaster node}: the daemons of one or more nodes in one process. */
@Command(
    name = "node",
    sortOptions = false,
    description = "The node daemon for these NodeName entries of slurm.conf.")
final class NodeCommand implements Callable<Integer> {
  private static final Logger LOG = LoggerFactory.getLogger(NodeCommand.class);
  private static final Duration HEARTBEAT = Duration.ofSeconds(10);

  /** With several controllers it also shows which one still answers. */
  private static final Duration HEARTBEAT_OF_SEVERAL = Duration.ofSeconds(3);

  @Option(
      names = "--config",
      paramLabel = "DIR",
      description = "Folder of slurm.conf; otherwise found as Slurm's commands find it.")
  private @Nullable Path config;

  @Option(
      names = "-C",
      description = "Print the hardware of this machine as a line of slurm.conf, and exit.")
  private boolean print;

  @Parameters(paramLabel = "NAME", arity = "0..*", description = "Node names, or lists of them.")
  private List<String> names = List.of();

  private final Io io;

  private NodeCommand(Io io) {
    this.io = io;
  }

  /**
   * Runs it.
   *
   * @return 0 after a clean stop, 1 when it could not start
   */
  static int run(List<String> arguments, Io io) {
    return Options.execute("node", new NodeCommand(io), arguments, io);
  }

  @Override
  public Integer call() throws InterruptedException {
    if (print) {
      NodeHardware.ofMachine().forEach(io.out()::println);
      io.out().flush();
      return CommandLine.ExitCode.OK;
    }
    if (names.isEmpty()) {
      io.err().println("node: error: no node is named; write a NodeName= of slurm.conf, or -C");
      return CommandLine.ExitCode.USAGE;
    }
    ServerLog.start();
    try {
      serve();
      return CommandLine.ExitCode.OK;
    } catch (StartFailure e) {
      e.lines().forEach(line -> io.err().println("node: fatal: " + line));
      return CommandLine.ExitCode.SOFTWARE;
    }
  }

  private void serve() throws StartFailure, InterruptedException {
    Path file =
        config == null
            ? ControllerFinder.configFile(io.environment()::get)
            : config.resolve("slurm.conf");
    Path folder = Objects.requireNonNullElse(file.toAbsolutePath().getParent(), Path.of("."));
    ClusterConfig cluster = read(folder);
    List<NodeSpec> specs = specs(cluster);
    ScheduledExecutorService thread =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("node-connections").daemon().factory());
    List<ControllerChannel> channels = channels(file);
    NodeConfiguration configuration = new NodeConfiguration(folder, cluster);
    Duration heartbeat = channels.size() > 1 ? HEARTBEAT_OF_SEVERAL : HEARTBEAT;
    List<AutoCloseable> parts = new ArrayList<>();
    CountDownLatch stop = new CountDownLatch(1);
    CountDownLatch stopped = new CountDownLatch(1);
    try {
      NodeConfiguration.log(cluster, specs.getFirst());
      String unenforced = NodeSettings.of(cluster, folder).unenforcedMemory(cluster);
      if (unenforced != null) {
        LOG.warn("{}", unenforced);
      }
      for (NodeSpec spec : specs) {
        NodeDaemon daemon = daemon(configuration, spec);
        NodeConnection connection =
            new NodeConnection(
                spec.name(),
                daemon,
                check(file, cluster, spec),
                configuration::told,
                channels,
                thread,
                heartbeat);
        parts.add(connection);
        parts.add(daemon);
        connection.start();
      }
      io.out()
          .println("node: serving " + HostList.fold(specs.stream().map(NodeSpec::name).toList()));
      io.out().flush();
      CaughtSignals.hand("HUP", name -> configuration.reread());
      Stops.on(stop::countDown, stopped);
      stop.await();
    } finally {
      close(parts);
      thread.shutdown();
      channels.forEach(ControllerChannel::close);
      stopped.countDown();
    }
  }

  private static void close(List<AutoCloseable> parts) {
    for (AutoCloseable part : parts) {
      try {
        part.close();
      } catch (Exception e) {
        // Jobs go on without their daemon; the next one finds them.
        System.getLogger(NodeCommand.class.getName())
            .log(System.Logger.Level.WARNING, "while stopping", e);
      }
    }
  }

  private static ClusterConfig read(Path directory) throws StartFailure {
    ConfigResult result = ConfigReader.read(directory);
    ClusterConfig config = result.config();
    if (config == null) {
      throw new StartFailure(result.fatal().stream().map(ConfigFinding::toString).toList());
    }
    return config;
  }

  private List<NodeSpec> specs(ClusterConfig cluster) throws StartFailure {
    Map<String, NodeSpec> known = new LinkedHashMap<>();
    cluster.nodes().forEach(spec -> known.put(spec.name(), spec));
    List<NodeSpec> wanted = new ArrayList<>();
    for (String name : names) {
      try {
        for (String node : HostList.parse(name)) {
          NodeSpec spec = known.get(node);
          if (spec == null) {
            throw new StartFailure(
                node
                    + " is not a node of cluster "
                    + cluster.clusterName()
                    + "; slurm.conf has NodeName="
                    + HostList.fold(known.keySet()));
          }
          wanted.add(spec);
        }
      } catch (NotationException e) {
        throw new StartFailure(String.valueOf(e.getMessage()));
      }
    }
    return wanted;
  }

  private List<ControllerChannel> channels(Path file) throws StartFailure {
    try {
      Credential credential = Credential.ofProcess(io.environment()::get, file);
      List<ControllerFinder.Controller> found = ControllerFinder.find(file);
      StepTls.show(found.getFirst().endpoint().tls());
      return found.stream()
          .map(controller -> ControllerChannel.open(controller.endpoint(), credential))
          .toList();
    } catch (ClientException e) {
      throw new StartFailure(e.text());
    }
  }

  private static OrderCheck check(Path file, ClusterConfig cluster, NodeSpec spec)
      throws StartFailure {
    try {
      List<ControllerFinder.Controller> found = ControllerFinder.find(file);
      Endpoint first = found.getFirst().endpoint();
      boolean isKnown = first.tls() != null || first.isLoopback();
      return new OrderCheck(
          spec.name(),
          LaunchTrust.of(file, NodeConfiguration.spool(cluster, spec), isKnown ? 0 : found.size()),
          InstantSource.system());
    } catch (IOException e) {
      throw new StartFailure(FileProblem.of(e));
    } catch (ClientException e) {
      throw new StartFailure(e.text());
    }
  }

  private static NodeDaemon daemon(NodeConfiguration configuration, NodeSpec spec)
      throws StartFailure {
    try {
      return configuration.start(spec);
    } catch (IOException e) {
      throw new StartFailure(
          "spool of " + spec.name() + " cannot be used: " + e + "; SlurmdSpoolDir chooses another");
    }
  }
}
