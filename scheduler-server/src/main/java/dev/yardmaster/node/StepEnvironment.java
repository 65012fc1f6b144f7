package dev.yardmaster.node;

import dev.yardmaster.client.StepSetup;
import dev.yardmaster.controller.Effect;
import dev.yardmaster.model.Allocation;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobScript;
import dev.yardmaster.model.JobStep;
import dev.yardmaster.model.NodeShare;
import dev.yardmaster.model.NodeSpec;
import dev.yardmaster.node.gpu.GpuNames;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The environment of a step's tasks: what srun gave, and Slurm's variables (srun(1)). */
final class StepEnvironment {
  private StepEnvironment() {}

  /**
   * @param setup what the step is among others of a heterogeneous one
   * @param local the place of the task among those of its node, from 0
   * @param gpus what programs call the GPUs of the node
   */
  static SortedMap<String, String> of(
      Effect.LaunchStep launch,
      int local,
      NodeSpec node,
      String cluster,
      StepSetup setup,
      GpuNames gpus) {
    JobStep step = launch.step();
    JobScript script = new JobScript("", List.of(), launch.program().environment());
    TreeMap<String, String> out =
        new TreeMap<>(JobEnvironment.of(launch.job(), script, node, cluster, gpus));
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
    NodeShare own = share(launch.job(), node);
    new GpuEnvironment(launch.job(), node, own, gpus, out).ofTask(launch, local);
    out.putAll(setup.variables());
    return out;
  }

  private static @Nullable NodeShare share(Job job, NodeSpec node) {
    Allocation allocation = job.allocation();
    return allocation == null
        ? null
        : allocation.shares().stream()
            .filter(s -> s.node().equals(node.name()))
            .findFirst()
            .orElse(null);
  }
}
