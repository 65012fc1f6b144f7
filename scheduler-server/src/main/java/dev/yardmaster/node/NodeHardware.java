package dev.yardmaster.node;

import dev.yardmaster.config.GresRules;
import dev.yardmaster.model.ClusterConfig;
import dev.yardmaster.model.NodeSpec;
import dev.yardmaster.node.gpu.GpuDetection;
import dev.yardmaster.node.gpu.GpuNames;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * What a node's daemon finds out about its machine before it starts.
 *
 * @param spec the node as its daemon knows it, with the GPUs that were found
 * @param gpus what programs call them
 * @param told what an operator is to know, one line each
 */
public record NodeHardware(NodeSpec spec, GpuNames gpus, List<String> told) {
  private static final Path ROOT = Path.of("/");
  private static final Path TMP = Path.of("/tmp");

  public NodeHardware {
    told = List.copyOf(told);
  }

  /**
   * Looks at this machine.
   *
   * @param directory of slurm.conf
   */
  public static NodeHardware of(NodeSpec spec, ClusterConfig cluster, Path directory) {
    GpuDetection.Result found =
        new GpuDetection()
            .detect(
                spec,
                GresRules.of(directory, cluster.clusterName(), spec.name()),
                CpuMap.of(ROOT)::coresOf);
    List<String> told = new ArrayList<>(found.told());
    if (!cluster.setting("SlurmdParameters").orElse("").contains("config_overrides")) {
      String difference = Hardware.machine(ROOT, TMP).difference(spec);
      if (!difference.isEmpty()) {
        told.addFirst(difference);
      }
    }
    return new NodeHardware(found.spec(), found.names(), told);
  }

  /** This machine as {@code slurmd -C} prints it, line by line. */
  public static List<String> ofMachine() {
    Hardware machine = Hardware.machine(ROOT, TMP);
    List<GpuDetection.Seen> gpus = new GpuDetection().seen();
    List<String> lines = new ArrayList<>();
    lines.add(machine.line(hostName(), gpus.isEmpty() ? "" : gpus.getFirst().gres()));
    for (GpuDetection.Seen seen : gpus) {
      lines.add(
          "Found "
              + seen.gres()
              + " with Autodetect="
              + seen.source()
              + " (Substring of gpu name may be used instead)");
    }
    lines.add(machine.upTime(Instant.now()));
    return lines;
  }

  private static String hostName() {
    try {
      return InetAddress.getLocalHost().getHostName().replaceFirst("\\..*", "");
    } catch (UnknownHostException e) {
      return "localhost";
    }
  }
}
