package dev.yardmaster.node.gpu;

import dev.yardmaster.config.GresRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What programs are to call the GPUs of a node, and in which variables they look (gres.conf(5),
 * Flags=).
 *
 * @param visible by index on the node, what goes into those variables; null where only the
 *     configuration knows the device
 * @param numbers likewise for Slurm's own variables, which hold numbers alone
 * @param variables the names of the variables
 */
public record GpuNames(
    List<@Nullable String> visible, List<@Nullable String> numbers, Set<String> variables) {
  private static final Map<String, String> OF_FLAGS =
      new TreeMap<>(
          Map.of(
              "nvidia_gpu_env", "CUDA_VISIBLE_DEVICES",
              "amd_gpu_env", "ROCR_VISIBLE_DEVICES",
              "intel_gpu_env", "ZE_AFFINITY_MASK",
              "opencl_env", "GPU_DEVICE_ORDINAL"));

  /** All variables that say which GPUs a program sees. */
  public static final Set<String> ALL = Set.copyOf(OF_FLAGS.values());

  /** Nothing is known of the devices but their files, and all variables are set. */
  public static final GpuNames PLAIN = new GpuNames(List.of(), List.of(), ALL);

  public GpuNames {
    // They hold nulls.
    visible = new ArrayList<>(visible);
    numbers = new ArrayList<>(numbers);
    variables = Set.copyOf(variables);
  }

  /**
   * What follows from gres.conf and from what was found.
   *
   * @param source how the GPUs were found, as AutoDetect calls it; empty when nobody looked
   */
  static GpuNames of(GresRules rules, List<GpuMerge.@Nullable Name> names, String source) {
    List<@Nullable String> visible = new ArrayList<>();
    List<@Nullable String> numbers = new ArrayList<>();
    for (GpuMerge.@Nullable Name name : names) {
      String number =
          name == null ? null : Integer.toString(name.byUuid() ? numbers.size() : name.number());
      numbers.add(number);
      visible.add(name != null && name.byUuid() ? name.uuid() : number);
    }
    return new GpuNames(visible, numbers, variables(rules.gpuFlags(), source));
  }

  private static Set<String> variables(Set<String> flags, String source) {
    if (flags.contains("no_gpu_env")) {
      return Set.of();
    }
    Set<String> said = new TreeSet<>();
    OF_FLAGS.forEach(
        (flag, variable) -> {
          if (flags.contains(flag)) {
            said.add(variable);
          }
        });
    if (!said.isEmpty()) {
      return said;
    }
    return switch (source.toLowerCase(Locale.ROOT)) {
      case "nvml", "nvidia" -> Set.of("CUDA_VISIBLE_DEVICES");
      case "rsmi" -> Set.of("ROCR_VISIBLE_DEVICES");
      default -> ALL;
    };
  }

  /** What goes into the variables for a device; null when its file has to say. */
  public @Nullable String visible(int index) {
    return index < visible.size() ? visible.get(index) : null;
  }

  /** The number of a device in Slurm's variables; null when its file has to say. */
  public @Nullable String number(int index) {
    return index < numbers.size() ? numbers.get(index) : null;
  }
}
