package dev.yardmaster.node;

import dev.yardmaster.client.StepSetup;
import dev.yardmaster.controller.Effect;
import dev.yardmaster.model.JobScript;
import dev.yardmaster.model.JobStep;
import dev.yardmaster.model.NodeSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The environment of a step's tasks: what srun gave, and Slurm's variables (srun(1)). */
final class StepEnvironment {
  private static final List<String> DEVICES =
      List.of("CUDA_VISIBLE_DEVICES", "GPU_DEVICE_ORDINAL", "ROCR_VISIBLE_DEVICES");

  private StepEnvironment() {}

  /**
   * @param setup what the step is among others of a heterogeneous one
   * @param local the place of the task among those of its node, from 0
   */
  static SortedMap<String, String> of(
      Effect.LaunchStep launch, int local, NodeSpec node, String cluster, StepSetup setup) {
    JobStep step = launch.step();
    JobScript script = new JobScript("", List.of(), launch.program().environment());
    TreeMap<String, String> out =
        new TreeMap<>(JobEnvironment.of(launch.job(), script, node, cluster));
    List<JobStep.OnNode> layout = step.layout();
    int index = 0;
    while (!layout.get(index).node().equals(node.name())) {
      index++;
    }
    List<Integer> tasks = layout.get(index).tasks();
    String perNode =
        JobEnvironment.repeated(layout.stream().mapToInt(n -> n.tasks().size()).toArray());
    String id = Integer.toString(step.stepId());
    String count = Integer.toString(step.tasks());
    out.put("SLURM_STEP_ID", id);
    out.put("SLURM_STEPID", id);
    out.put("SLURM_STEP_NODELIST", step.nodes().toString());
    out.put("SLURM_STEP_NUM_NODES", Integer.toString(layout.size()));
    out.put("SLURM_STEP_NUM_TASKS", count);
    out.put("SLURM_STEP_TASKS_PER_NODE", perNode);
    out.put("SLURM_TASKS_PER_NODE", perNode);
    out.put("SLURM_NTASKS", count);
    out.put("SLURM_NPROCS", count);
    out.put("SLURM_PROCID", Integer.toString(setup.firstTask() + tasks.get(local)));
    out.put("SLURM_LOCALID", Integer.toString(local));
    out.put("SLURM_NODEID", Integer.toString(setup.firstNode() + index));
    out.put(
        "SLURM_GTIDS",
        String.join(
            ",", tasks.stream().map(t -> Integer.toString(setup.firstTask() + t)).toList()));
    String cpus = launch.options().get("cpus-per-task");
    if (cpus != null) {
      out.put("SLURM_CPUS_PER_TASK", cpus);
    }
    devices(launch, local, layout.size(), out);
    out.putAll(setup.variables());
    return out;
  }

  /** With --gpus-per-task each task sees its own; with --gpus or --gres the step sees so many. */
  private static void devices(
      Effect.LaunchStep launch, int local, int nodes, TreeMap<String, String> out) {
    String all = out.get("CUDA_VISIBLE_DEVICES");
    if (all == null || all.isEmpty()) {
      return;
    }
    List<String> devices = new ArrayList<>(Arrays.asList(all.split(",")));
    int perTask = count(launch.options().get("gpus-per-task"));
    int from = 0;
    int most = devices.size();
    if (perTask > 0) {
      from = local * perTask;
      most = perTask;
    } else if (launch.options().containsKey("gpus")) {
      most = (count(launch.options().get("gpus")) + nodes - 1) / nodes;
    } else if (launch.options().getOrDefault("gres", "").startsWith("gpu")) {
      most = count(launch.options().get("gres"));
    }
    int to = Math.min(devices.size(), from + most);
    String visible = from < to ? String.join(",", devices.subList(from, to)) : "";
    DEVICES.forEach(name -> out.put(name, visible));
  }

  private static int count(@Nullable String text) {
    if (text == null) {
      return 0;
    }
    String last = text.substring(text.lastIndexOf(':') + 1);
    return last.matches("[0-9]{1,6}") ? Integer.parseInt(last) : 1;
  }
}
