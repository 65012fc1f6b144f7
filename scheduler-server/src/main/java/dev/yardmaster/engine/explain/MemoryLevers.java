package dev.yardmaster.engine.explain;

import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.explain.Remedy.Lever;
import dev.yardmaster.model.Allocation;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.MemoryRequest;
import dev.yardmaster.model.Node;
import dev.yardmaster.model.NodeSpec;
import dev.yardmaster.model.text.Memory;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;

/** Less memory for a job. */
final class MemoryLevers {
  private final ClusterState state;
  private final Job job;
  private final Fork fork;

  MemoryLevers(ClusterState state, Job job, Fork fork) {
    this.state = state;
    this.job = job;
    this.fork = fork;
  }

  /** What is free on some node now, and fractions of what is asked for. */
  List<Candidate> all() {
    List<Candidate> found = new ArrayList<>();
    MemoryRequest memory = job.request().memory();
    if (memory.mib() <= 1 || memory instanceof MemoryRequest.PerGpu) {
      return found;
    }
    boolean perNode = memory instanceof MemoryRequest.PerNode;
    TreeSet<Long> amounts = new TreeSet<>();
    if (perNode) {
      freeMemory().forEach(mib -> amounts.add(rounded(mib)));
    }
    for (long percent : new long[] {75, 50, 25, 10}) {
      amounts.add(rounded(memory.mib() * percent / 100));
    }
    amounts.removeIf(mib -> mib < 1 || mib >= memory.mib());
    for (long mib : amounts.descendingSet()) {
      MemoryRequest less = perNode ? new MemoryRequest.PerNode(mib) : new MemoryRequest.PerCpu(mib);
      found.add(
          fork.request(
              Lever.LESS_MEMORY,
              Memory.format(memory.mib()),
              Memory.format(mib),
              perNode ? "minmemorynode" : "minmemorycpu",
              r -> r.withMemory(less)));
    }
    return found;
  }

  /** A whole number of GiB where there is one. */
  private static long rounded(long mib) {
    return mib >= 1024 ? mib - mib % 1024 : mib;
  }

  private TreeSet<Long> freeMemory() {
    TreeMap<String, Long> free = new TreeMap<>();
    for (Node known : state.nodes().values()) {
      NodeSpec node = known.spec();
      free.put(node.name(), node.realMemoryMib() - node.memSpecLimitMib());
    }
    for (Job other : state.jobs().values()) {
      Allocation allocation = other.allocation();
      if (other.holdsResources() && allocation != null) {
        allocation.shares().forEach(s -> free.merge(s.node(), -s.memoryMib(), Long::sum));
      }
    }
    return new TreeSet<>(free.values());
  }
}
