package dev.yardmaster.config;

import dev.yardmaster.model.ClusterConfig;
import dev.yardmaster.model.Topology;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Reads Slurm's configuration files. Nothing here throws on what a file says or lacks: everything
 * is a finding, and a configuration with a fatal finding is not handed out to start with.
 */
public final class ConfigReader {
  private static final Topology FLAT = new Topology.Flat("default");

  private ConfigReader() {}

  /**
   * Reads the configuration of a cluster: slurm.conf of the folder with what it includes, and
   * gres.conf, topology.yaml or topology.conf, cgroup.conf and slurmdbd.conf where they are.
   */
  public static ConfigResult read(Path directory) {
    var findings = new Findings();
    var slurm = new SlurmConf(directory.resolve("slurm.conf"), findings);
    if (!slurm.read()) {
      return new ConfigResult(null, findings.sorted(), null, Map.of());
    }
    String cluster = slurm.statements().clusterName();
    Path gresConf = directory.resolve("gres.conf");
    slurm.devices(Files.exists(gresConf) ? gresLines(gresConf, cluster, findings) : List.of());
    ClusterConfig draft = slurm.build(topologies(directory, slurm, findings));
    SortedMap<String, SortedMap<String, String>> companions = new TreeMap<>();
    for (Section section : List.of(Section.CGROUP, Section.SLURMDBD)) {
      Path file = directory.resolve(section.title());
      if (Files.exists(file)) {
        var own = new Findings();
        companions.put(section.title(), Companions.read(file, section, cluster, own));
        findings.addAll(own.sorted(), Severity.ERROR);
      }
    }
    return result(draft, findings, companions);
  }

  /** Reads one file as a slurm.conf, whatever its name, without the files that belong to it. */
  public static ConfigResult readSlurmConf(Path file) {
    var findings = new Findings();
    var slurm = new SlurmConf(file, findings);
    if (!slurm.read()) {
      return new ConfigResult(null, findings.sorted(), null, Map.of());
    }
    slurm.devices(List.of());
    return result(slurm.build(List.of(FLAT)), findings, Map.of());
  }

  /** Checks one file as a gres.conf, as far as that goes without the nodes. */
  public static List<ConfigFinding> checkGresConf(Path file) {
    var findings = new Findings();
    gresLines(file, "", findings);
    return findings.sorted();
  }

  /**
   * Reads one file as a topology.yaml when it is named so, else as a topology.conf.
   *
   * @param nodes the nodes of the cluster
   */
  public static TopologyResult readTopology(Path file, Set<String> nodes) {
    var findings = new Findings();
    List<Topology> topologies =
        file.toString().endsWith(".yaml")
            ? TopologyYaml.read(file, nodes, findings)
            : List.of(TopologyConf.read(file, "", "", nodes, findings));
    return new TopologyResult(topologies, findings.sorted());
  }

  /** Reads one file as a cgroup.conf. */
  public static SettingsResult readCgroupConf(Path file) {
    return settings(file, Section.CGROUP);
  }

  /** Reads one file as a slurmdbd.conf. */
  public static SettingsResult readSlurmdbdConf(Path file) {
    return settings(file, Section.SLURMDBD);
  }

  private static SettingsResult settings(Path file, Section section) {
    var findings = new Findings();
    SortedMap<String, String> settings = Companions.read(file, section, "", findings);
    return new SettingsResult(settings, findings.sorted());
  }

  private static ConfigResult result(
      ClusterConfig draft, Findings findings, Map<String, SortedMap<String, String>> companions) {
    return new ConfigResult(
        findings.anyFatal() ? null : draft, findings.sorted(), draft, companions);
  }

  /** The controller starts with a bad gres.conf: its findings are errors at most. */
  private static List<GresLine> gresLines(Path file, String cluster, Findings findings) {
    var own = new Findings();
    List<GresLine> lines = GresConf.read(file, cluster, own);
    findings.addAll(own.sorted(), Severity.ERROR);
    return lines;
  }

  private static List<Topology> topologies(Path directory, SlurmConf slurm, Findings findings) {
    Set<String> nodes = slurm.nodes().keySet();
    Path yaml = directory.resolve("topology.yaml");
    Path conf = directory.resolve("topology.conf");
    String plugin = slurm.statements().text("TopologyPlugin").toLowerCase(Locale.ROOT);
    if (Files.exists(yaml)) {
      slurm
          .statements()
          .last("TopologyPlugin")
          .ifPresent(s -> findings.info(s, "has no effect beside topology.yaml", ""));
      List<Topology> topologies = TopologyYaml.read(yaml, nodes, findings);
      return topologies.isEmpty() ? List.of(FLAT) : topologies;
    }
    boolean shaped = plugin.endsWith("tree") || plugin.endsWith("block") || plugin.endsWith("ring");
    if (shaped) {
      return List.of(
          TopologyConf.read(conf, plugin, slurm.statements().clusterName(), nodes, findings));
    }
    if (Files.exists(conf)) {
      findings.add(
          Severity.INFO,
          conf,
          0,
          "has no effect with TopologyPlugin=" + plugin,
          "write TopologyPlugin=topology/tree or topology/block");
    }
    return List.of(FLAT);
  }
}
