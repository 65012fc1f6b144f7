package dev.yardmaster.engine.gate;

import dev.yardmaster.engine.place.Bits;
import dev.yardmaster.engine.place.CpuLimit;
import dev.yardmaster.engine.place.Hardware;
import dev.yardmaster.engine.place.Manner;
import dev.yardmaster.engine.place.Shape;
import dev.yardmaster.engine.place.Sharer;
import dev.yardmaster.engine.place.Usage;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.engine.state.Identities;
import dev.yardmaster.model.Exclusivity;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobRequest;
import dev.yardmaster.model.Node;
import dev.yardmaster.model.NodeBaseState;
import dev.yardmaster.model.NodeFlag;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.SchedulingPolicy;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.pcollections.TreePMap;

/**
 * What does not change from pass to pass: the hardware of a configuration, and requests compiled
 * against it. All boards of the configuration share it, whichever thread they work in.
 */
final class Compiled {
  /** With more different requests than this in one partition, the first are forgotten. */
  private static final int MOST_SHAPES = 50_000;

  /** Partitions as they are, were, and would be in previews; with more the first are forgotten. */
  private static final int MOST_PARTS = 1000;

  /**
   * Which nodes may get new work, which do not answer, and which may be planned on: those that are
   * up, and those that will be back in service when their reboot is over.
   */
  record Available(
      TreePMap<String, Node> nodes, long[] up, long[] notResponding, long[] plannable) {}

  /** A partition as it is at present. */
  static final class Part {
    private static final Manner PLAIN = new Manner(false, null, null);

    final Partition partition;
    final long[] nodes;
    private final Hardware hardware;
    private final SchedulingPolicy policy;
    private final @Nullable String limited;
    private final boolean sharesCores;
    private final Map<JobRequest, Shape> shapes = new LinkedHashMap<>();

    private Part(Partition partition, Hardware hardware, SchedulingPolicy policy) {
      this.partition = partition;
      this.hardware = hardware;
      this.policy = policy;
      nodes = hardware.setOf(partition.nodes());
      limited = CpuLimit.of(partition) == null ? null : partition.name();
      String sharing = partition.overSubscribe();
      sharesCores = sharing.startsWith("FORCE") || sharing.startsWith("YES");
    }

    /** A request in this partition; equal requests give the same object. */
    synchronized Shape shape(JobRequest request) {
      Shape shape = shapes.get(request);
      if (shape == null) {
        if (shapes.size() >= MOST_SHAPES) {
          shapes.clear();
        }
        shape = new Shape(hardware, policy, request, partition);
        shapes.put(request, shape);
      }
      return shape;
    }

    /** How a job holds nodes in this partition. */
    Manner manner(Job job) {
      boolean userAlone =
          partition.exclusiveUser() || job.request().exclusivity() == Exclusivity.USER;
      if (!userAlone && !sharesCores && limited == null) {
        return PLAIN;
      }
      Sharer sharer = sharesCores ? Sharer.of(job.request(), partition) : null;
      return new Manner(userAlone, sharer == null ? null : sharer.partition(), limited);
    }
  }

  final Hardware hardware;

  /** Nodes on which nothing runs; never changed. */
  final Usage empty;

  private final SchedulingPolicy policy;
  private final Identities<Partition, Part> parts = new Identities<>();
  private @Nullable Available available;

  private Compiled(ClusterState state) {
    hardware = Hardware.of(state);
    empty = Usage.none(hardware);
    policy = state.config().scheduling();
  }

  /** That of a state's configuration. */
  static Compiled of(ClusterState state) {
    return state.commons().compiled(Compiled.class, () -> new Compiled(state));
  }

  /** A partition of the state. */
  synchronized Part part(Partition partition) {
    Part part = parts.get(partition);
    if (part == null) {
      if (parts.size() >= MOST_PARTS) {
        parts.clear();
      }
      part = new Part(partition, hardware, policy);
      parts.put(partition, part);
    }
    return part;
  }

  /** Which of a state's nodes may get new work. */
  synchronized Available available(ClusterState state) {
    Available found = available;
    if (found == null || found.nodes != state.nodes()) {
      found = look(state.nodes());
      available = found;
    }
    return found;
  }

  private Available look(TreePMap<String, Node> nodes) {
    long[] up = Bits.of(hardware.size());
    long[] notResponding = Bits.of(hardware.size());
    long[] plannable = Bits.of(hardware.size());
    for (Node node : nodes.values()) {
      int index = hardware.indexOf(node.name());
      if (index < 0) {
        continue;
      }
      if (node.status().isAvailable()) {
        Bits.add(up, index);
      }
      if (node.status().isAvailable() || node.status().returnsFromReboot()) {
        Bits.add(plannable, index);
      }
      boolean answers =
          node.status().base() == NodeBaseState.IDLE && !node.status().has(NodeFlag.NOT_RESPONDING);
      if (!answers) {
        Bits.add(notResponding, index);
      }
    }
    boolean same = Arrays.equals(up, plannable);
    return new Available(nodes, up, notResponding, same ? up : plannable);
  }
}
