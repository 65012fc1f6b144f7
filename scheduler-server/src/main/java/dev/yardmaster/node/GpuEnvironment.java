package dev.yardmaster.node;

import dev.yardmaster.controller.Effect;
import dev.yardmaster.model.GresDevices;
import dev.yardmaster.model.GresRequest;
import dev.yardmaster.model.GresShare;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobStep;
import dev.yardmaster.model.NodeShare;
import dev.yardmaster.model.NodeSpec;
import dev.yardmaster.node.gpu.GpuNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The variables by which programs find the GPUs that are theirs (sbatch(1), srun(1), gres.conf(5)).
 * Those that say which GPUs a program sees are always set where a node has GPUs, to nothing where
 * the program has none: left out they would mean all, and what the user has set would count.
 */
final class GpuEnvironment {
  private static final Set<String> PARTS = Set.of("shard", "mps");
  private static final String PERCENTAGE = "CUDA_MPS_ACTIVE_THREAD_PERCENTAGE";

  /** What a runtime of containers obeys; only where the user has set it. */
  private static final String OF_CONTAINERS = "NVIDIA_VISIBLE_DEVICES";

  private final Job job;
  private final NodeSpec node;
  private final @Nullable NodeShare own;
  private final GpuNames names;
  private final Map<String, String> out;

  /**
   * @param own what the job has on the node; null for nothing
   * @param out has the user's variables, gets these
   */
  GpuEnvironment(
      Job job, NodeSpec node, @Nullable NodeShare own, GpuNames names, Map<String, String> out) {
    this.job = job;
    this.node = node;
    this.own = own;
    this.names = names;
    this.out = out;
  }

  /** All that the job has on the node, for its batch script. */
  void ofJob() {
    asked();
    if (node.gresCount("gpu") == 0) {
      return;
    }
    List<Integer> devices = devices();
    out.remove("SLURM_STEP_GPUS");
    set("SLURM_JOB_GPUS", numbers(devices));
    visible(devices);
    set("SLURM_GPUS_ON_NODE", positive(devices.size()));
    set("SLURM_SHARDS_ON_NODE", positive(count("shard")));
    set(PERCENTAGE, percentage(devices));
  }

  /**
   * What a task of a step gets of it.
   *
   * @param local the place of the task among those of its node, from 0
   */
  void ofTask(Effect.LaunchStep launch, int local) {
    if (node.gresCount("gpu") == 0) {
      return;
    }
    List<Integer> step =
        launch.step().layout().stream()
            .filter(n -> n.node().equals(node.name()))
            .findFirst()
            .map(JobStep.OnNode::gpus)
            .orElse(List.of());
    GpuBinding binding = GpuBinding.of(launch.options(), job);
    List<Integer> bound = binding.ofTask(step, local, this::isNear);
    visible(bound);
    set("SLURM_GPUS_ON_NODE", positive(step.size()));
    set("SLURM_STEP_GPUS", numbers(bound));
  }

  /** What the job has asked for, as the variables that srun takes for options. */
  private void asked() {
    List<String> total = new ArrayList<>();
    List<String> perNode = new ArrayList<>();
    List<String> perSocket = new ArrayList<>();
    List<String> perTask = new ArrayList<>();
    for (GresRequest request : job.request().gres()) {
      boolean gpu = request.name().equals("gpu");
      String value = (request.type() == null ? "" : request.type() + ":") + request.count();
      switch (request.scope()) {
        case JOB -> addIf(gpu, total, value);
        case SOCKET -> addIf(gpu, perSocket, value);
        case TASK -> perTask.add(request.tresName() + "=" + request.count());
        case NODE ->
            addIf(gpu && job.batch().submitLine().contains("--gpus-per-node"), perNode, value);
      }
    }
    set("SLURM_GPUS", String.join(",", total));
    set("SLURM_GPUS_PER_NODE", String.join(",", perNode));
    set("SLURM_GPUS_PER_SOCKET", String.join(",", perSocket));
    set("SLURM_TRES_PER_TASK", String.join(",", perTask));
    set("SLURM_TRES_BIND", GpuBinding.ofJob(job));
    String frequency = job.batch().shown().getOrDefault("gpu-freq", "");
    set("SLURM_TRES_FREQ", frequency.isEmpty() ? "" : "gpu:" + frequency);
  }

  private static void addIf(boolean wanted, List<String> list, String value) {
    if (wanted) {
      list.add(value);
    }
  }

  /** The indices of the GPUs that the job has here, whole or in part, ascending. */
  private List<Integer> devices() {
    return own == null
        ? List.of()
        : own.gres().stream()
            .filter(g -> g.name().equals("gpu") || PARTS.contains(g.name()))
            .flatMap(g -> g.devices().stream().boxed())
            .distinct()
            .sorted()
            .toList();
  }

  /** How many of a kind the job has here. */
  private long count(String name) {
    return own == null
        ? 0
        : own.gres().stream().filter(g -> g.name().equals(name)).mapToLong(GresShare::count).sum();
  }

  private boolean isNear(int device) {
    for (GresDevices devices : node.gres()) {
      int offset = device - devices.firstIndex();
      if (devices.name().equals("gpu") && offset >= 0 && offset < devices.cores().size()) {
        return own == null || devices.cores().get(offset).intersects(own.cores());
      }
    }
    return true;
  }

  /** Lets a program see these and no others. */
  private void visible(List<Integer> devices) {
    String list = list(devices, names::visible);
    for (String name : GpuNames.ALL) {
      if (names.variables().contains(name)) {
        out.put(name, list);
      }
    }
    out.computeIfPresent(OF_CONTAINERS, (name, users) -> list.isEmpty() ? "void" : list);
  }

  private String numbers(List<Integer> devices) {
    return list(devices, names::number);
  }

  private String list(List<Integer> devices, Function<Integer, @Nullable String> name) {
    List<String> words = new ArrayList<>();
    for (int device : devices) {
      String said = name.apply(device);
      words.add(said == null ? ofFile(device) : said);
    }
    return String.join(",", words);
  }

  /** The number in the name of the device's file; its index where it has none. */
  private String ofFile(int device) {
    String digits = file(device).replaceFirst("^.*?([0-9]+)$", "$1");
    return digits.matches("[0-9]+") ? digits : Integer.toString(device);
  }

  private String file(int device) {
    for (GresDevices devices : node.gres()) {
      int offset = device - devices.firstIndex();
      if (devices.name().equals("gpu") && offset >= 0 && offset < devices.files().size()) {
        return devices.files().get(offset);
      }
    }
    return "";
  }

  /** How much of the threads of its GPU a job may use at once that has a part of it (mps). */
  private String percentage(List<Integer> devices) {
    long count = count("mps");
    if (count == 0 || devices.isEmpty()) {
      return "";
    }
    String file = file(devices.getFirst());
    List<GresDevices> mps = node.gres().stream().filter(d -> d.name().equals("mps")).toList();
    long ofGpu =
        mps.stream()
            .filter(d -> d.files().contains(file))
            .mapToLong(GresDevices::count)
            .findFirst()
            .orElse(node.gresCount("mps") / Math.max(1, node.gresCount("gpu")));
    return ofGpu == 0 ? "0" : Long.toString(Math.max(1, count * 100 / ofGpu));
  }

  private static String positive(long number) {
    return number > 0 ? Long.toString(number) : "";
  }

  private void set(String name, String value) {
    if (value.isEmpty()) {
      out.remove(name);
    } else {
      out.put(name, value);
    }
  }
}
