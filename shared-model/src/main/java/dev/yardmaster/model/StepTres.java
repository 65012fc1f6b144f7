package dev.yardmaster.model;

import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What a step holds, as accounting and {@code scontrol show step} count it. */
public final class StepTres {
  private static final String GPU = "gres/gpu";

  private StepTres() {}

  /**
   * @param held what its job holds on the nodes of the step; only what is among it is counted
   * @return the same with the step's CPUs, GPUs and memory in the place of the job's
   */
  public static Tres of(Job job, JobStep step, Tres held) {
    TreeMap<String, Long> tres = new TreeMap<>(held.amounts());
    long cpus = tres.getOrDefault(Tres.CPU, 0L);
    long memory = step.layout().stream().mapToLong(JobStep.OnNode::memoryMib).sum();
    if (tres.containsKey(Tres.MEM)) {
      long all = tres.get(Tres.MEM);
      tres.put(Tres.MEM, memory > 0 ? memory : cpus > 0 ? all * step.cpus() / cpus : all);
    }
    tres.put(Tres.CPU, (long) step.cpus());
    tres.put(Tres.NODE, (long) step.layout().size());
    for (String name : held.amounts().keySet()) {
      if (name.equals(GPU) || name.startsWith(GPU + ":")) {
        long gpus = gpus(job, step, name.equals(GPU) ? null : name.substring(GPU.length() + 1));
        if (gpus == 0) {
          tres.remove(name);
        } else {
          tres.put(name, gpus);
        }
      }
    }
    return new Tres(tres);
  }

  private static long gpus(Job job, JobStep step, @Nullable String type) {
    Allocation allocation = job.allocation();
    if (allocation == null) {
      return 0;
    }
    long count = 0;
    for (JobStep.OnNode on : step.layout()) {
      for (NodeShare share : allocation.shares()) {
        if (share.node().equals(on.node())) {
          count +=
              share.gres().stream()
                  .filter(g -> g.name().equals("gpu"))
                  .filter(g -> type == null || Objects.equals(type, g.type()))
                  .flatMap(g -> g.devices().stream().boxed())
                  .filter(on.gpus()::contains)
                  .count();
        }
      }
    }
    return count;
  }
}
