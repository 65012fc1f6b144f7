package dev.yardmaster.model;

/**
 * How much memory a job asks for, always in MiB: per node ({@code --mem}), per allocated CPU
 * ({@code --mem-per-cpu}) or per allocated GPU ({@code --mem-per-gpu}). {@link PerNode} with 0 asks
 * for all memory of each node, as Slurm.
 */
public sealed interface MemoryRequest {
  /** MiB in the unit of the form. */
  long mib();

  record PerNode(long mib) implements MemoryRequest {}

  record PerCpu(long mib) implements MemoryRequest {}

  record PerGpu(long mib) implements MemoryRequest {}

  /**
   * No memory is counted at all: SelectTypeParameters has no _Memory, or nothing was asked and no
   * default exists.
   */
  MemoryRequest NONE = new PerCpu(0);

  /** All memory of each node ({@code --mem=0}). */
  MemoryRequest ALL = new PerNode(0);
}
