package dev.yardmaster.server;

import dev.yardmaster.config.ConfigReader;
import dev.yardmaster.config.ConfigResult;
import dev.yardmaster.controller.ConfigFingerprint;
import dev.yardmaster.controller.Effect;
import dev.yardmaster.journal.FileProblem;
import dev.yardmaster.model.ClusterConfig;
import dev.yardmaster.model.NodeSpec;
import dev.yardmaster.node.NodeDaemon;
import dev.yardmaster.node.NodeHardware;
import dev.yardmaster.node.NodeSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a process of node daemons knows of slurm.conf, and brings to its daemons when that is read
 * anew: after {@code scontrol reconfigure}, at SIGHUP, and when the controller, on a connection,
 * works with other settings. A file that is not right changes nothing.
 */
final class NodeConfiguration {
  private static final Logger LOG = LoggerFactory.getLogger(NodeConfiguration.class);

  private final Path folder;
  private final Map<String, Served> daemons = new LinkedHashMap<>();

  /** Nodes that were told of the latest reconfiguration. */
  private final Set<String> told = new HashSet<>();

  private ClusterConfig config;
  private String latest = "";

  /**
   * @param first what it was told at its start, of which cluster and spool stay
   */
  private record Served(NodeDaemon daemon, NodeDaemon.Setup first) {}

  /**
   * @param folder that of slurm.conf
   * @param config as it was read at the start
   */
  NodeConfiguration(Path folder, ClusterConfig config) {
    this.folder = folder;
    this.config = config;
  }

  ClusterConfig config() {
    return config;
  }

  /** Starts the daemon of a node, which follows from then on. */
  synchronized NodeDaemon start(NodeSpec spec) throws IOException {
    NodeDaemon.Setup setup = setup(config, spec, config.clusterName(), spool(config, spec));
    NodeDaemon daemon = new NodeDaemon(setup);
    daemons.put(spec.name(), new Served(daemon, setup));
    return daemon;
  }

  /** SlurmdSpoolDir with its %n and %h; the node's name is added where several would share it. */
  static Path spool(ClusterConfig config, NodeSpec spec) {
    String pattern = config.setting("SlurmdSpoolDir").orElse("/var/spool/slurmd");
    Path path = Path.of(pattern.replace("%n", spec.name()).replace("%h", spec.hostname()));
    return pattern.contains("%n") ? path : path.resolve(spec.name());
  }

  private NodeDaemon.Setup setup(ClusterConfig from, NodeSpec spec, String cluster, Path spool) {
    boolean overrides = from.setting("SlurmdParameters").orElse("").contains("config_overrides");
    NodeHardware hardware = NodeHardware.of(spec, from, folder);
    hardware.told().forEach(line -> LOG.error("{}: {}", spec.name(), line));
    NodeSettings settings = NodeSettings.of(from, folder).withGpus(hardware.gpus());
    return new NodeDaemon.Setup(
        hardware.spec(), cluster, spool, !overrides, Versions.SLURM, settings);
  }

  /** Logs as the configuration says; where that cannot be, the log stays where it is. */
  static void log(ClusterConfig config, NodeSpec first) {
    try {
      ServerLog.configure(config, first);
    } catch (IOException e) {
      LOG.error(
          "SlurmdLogFile cannot be written, the log stays where it is: {}", FileProblem.of(e));
    }
  }

  /** The controller has read its configuration anew, or a daemon has registered there. */
  synchronized void told(Effect.Reconfigure order) {
    if (order.number() == 0) {
      if (!order.config().equals(ConfigFingerprint.of(config))) {
        reread();
        warnOfDifference(order);
      }
      return;
    }
    String which = order.number() + " " + order.config();
    if (!which.equals(latest) || told.contains(order.node())) {
      told.clear();
      latest = which;
      reread();
      warnOfDifference(order);
    }
    told.add(order.node());
  }

  private void warnOfDifference(Effect.Reconfigure order) {
    if (!order.config().equals(ConfigFingerprint.of(config))) {
      LOG.warn(
          "{} has other settings than the controller's slurm.conf; the two files should be equal",
          folder.resolve("slurm.conf"));
    }
  }

  /** Reads slurm.conf and brings it to the daemons, unless it is not right. */
  synchronized void reread() {
    ConfigResult result = ConfigReader.read(folder);
    ClusterConfig next = result.config();
    if (next == null) {
      result.fatal().forEach(finding -> LOG.error("reconfigure: {}; nothing is changed", finding));
      return;
    }
    Map<String, NodeSpec> specs = new LinkedHashMap<>();
    next.nodes().forEach(spec -> specs.put(spec.name(), spec));
    Optional<String> without =
        daemons.keySet().stream().filter(n -> !specs.containsKey(n)).findFirst();
    if (without.isPresent()) {
      LOG.error(
          "reconfigure: slurm.conf has no NodeName={} any more; nothing is changed here",
          without.get());
      return;
    }
    result.findings().forEach(finding -> LOG.warn("reconfigure: {}", finding));
    config = next;
    // Cluster and spool stay: jobs are in them.
    daemons.forEach(
        (name, served) ->
            served.daemon.reconfigure(
                setup(
                    next,
                    Objects.requireNonNull(specs.get(name)),
                    served.first.clusterName(),
                    served.first.spool())));
    daemons.keySet().stream().findFirst().map(specs::get).ifPresent(spec -> log(next, spec));
    LOG.info("reconfigured from {}", folder.resolve("slurm.conf"));
  }
}
