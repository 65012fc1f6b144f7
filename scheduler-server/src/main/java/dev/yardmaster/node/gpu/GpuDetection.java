package dev.yardmaster.node.gpu;

import dev.yardmaster.config.GresRules;
import dev.yardmaster.model.IndexSet;
import dev.yardmaster.model.NodeSpec;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Finds the GPUs of this machine in the way that gres.conf says (AutoDetect=). */
public final class GpuDetection {
  private final Map<String, List<GpuSource>> ways = new LinkedHashMap<>();

  /** Looks at this machine. */
  public GpuDetection() {
    this(Nvml::open, Tools.ofMachine(), Path.of("/"));
  }

  /**
   * @param root of the file systems of the kernel
   */
  GpuDetection(NvmlSource.Library nvml, Tools tools, Path root) {
    // The program asks the same library, which may be out of reach for a process of another kind.
    ways.put("nvml", List.of(new NvmlSource(nvml, root), new NvidiaSmi(tools, root)));
    ways.put("nvidia", List.of(new NvidiaProc(root)));
    ways.put("rsmi", List.of(new RocmSmi(tools, root)));
  }

  /**
   * The node with what was found.
   *
   * @param spec the node with its devices; of those that do not agree with the configuration fewer
   * @param names what programs call its GPUs
   * @param told what an operator is to know, one line each
   */
  public record Result(NodeSpec spec, GpuNames names, List<String> told) {
    public Result {
      told = List.copyOf(told);
    }
  }

  /**
   * GPUs that were found without a configuration.
   *
   * @param gres as Gres= takes it
   * @param source as AutoDetect calls it
   */
  public record Seen(String gres, String source) {}

  private record Look(List<Gpu> gpus, String source, List<String> told) {}

  /**
   * Looks for the GPUs of a node, if gres.conf wants that, and holds them against its
   * configuration.
   *
   * @param coresOf the indices of the cores that CPUs of the kernel are of
   */
  public Result detect(NodeSpec node, GresRules rules, UnaryOperator<IndexSet> coresOf) {
    if (rules.autoDetect().isEmpty()
        || rules.autoDetect().equals("off")
        || node.gresCount("gpu") == 0) {
      return new Result(node, GpuNames.of(rules, List.of(), ""), List.of());
    }
    Look look = look(rules.autoDetect());
    GpuMerge.Merged merged =
        GpuMerge.of(node, look.gpus, coresOf, rules.gpuFlags().contains("env_uuid"));
    List<String> told = new ArrayList<>(look.told);
    told.addAll(merged.complaints());
    return new Result(
        node.withGres(merged.gres()), GpuNames.of(rules, merged.names(), look.source), told);
  }

  private Look look(String autoDetect) {
    List<String> told = new ArrayList<>();
    if (!autoDetect.equals("full") && !ways.containsKey(autoDetect)) {
      told.add(
          "AutoDetect="
              + autoDetect
              + " in gres.conf is not supported here; write nvml, nvidia, rsmi or full, or name"
              + " the devices with File=");
    }
    for (Map.Entry<String, List<GpuSource>> way : ways.entrySet()) {
      if (!autoDetect.equals("full") && !autoDetect.equals(way.getKey())) {
        continue;
      }
      for (GpuSource source : way.getValue()) {
        try {
          List<Gpu> gpus = source.gpus();
          if (!gpus.isEmpty()) {
            return new Look(gpus, source.name(), List.of());
          }
        } catch (GpuException e) {
          told.add("AutoDetect=" + autoDetect + ": " + e.getMessage());
        }
      }
    }
    return new Look(List.of(), autoDetect, told);
  }

  /**
   * What each way finds on this machine, as {@code slurmd -C} looks; ways that fail say nothing.
   */
  public List<Seen> seen() {
    List<Seen> seen = new ArrayList<>();
    for (List<GpuSource> sources : ways.values()) {
      for (GpuSource source : sources) {
        // Of NVIDIA's two ways the first that finds something is enough.
        boolean again = source.name().equals("nvidia") && !seen.isEmpty();
        try {
          List<Gpu> gpus = again ? List.of() : source.gpus();
          if (!gpus.isEmpty()) {
            seen.add(new Seen(gres(gpus), source.name()));
            break;
          }
        } catch (GpuException e) {
          // Most machines have GPUs of one maker at most.
          continue;
        }
      }
    }
    return seen;
  }

  private static String gres(List<Gpu> gpus) {
    Map<String, Integer> counts = new LinkedHashMap<>();
    gpus.forEach(gpu -> counts.merge(gpu.type(), 1, Integer::sum));
    List<String> parts = new ArrayList<>();
    counts.forEach((type, count) -> parts.add("gpu:" + (type.isEmpty() ? "" : type + ":") + count));
    return String.join(",", parts);
  }
}
