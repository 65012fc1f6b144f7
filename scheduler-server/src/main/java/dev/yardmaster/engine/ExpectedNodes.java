package dev.yardmaster.engine;

import dev.yardmaster.engine.gate.Board;
import dev.yardmaster.engine.gate.Reservations;
import dev.yardmaster.engine.place.Bits;
import dev.yardmaster.engine.place.Choice;
import dev.yardmaster.engine.place.Shape;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobRequest;
import dev.yardmaster.model.Node;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.ReqTres;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How many nodes a job that waits is shown with (NODES of squeue(1), NumNodes of scontrol(1)): what
 * it would get if nothing ran, as {@link Admission} finds when it is submitted, or where nothing
 * can host it, and after a change of its size, an estimate by its tasks alone. Each time that a
 * pass tries it on nodes it is shown with what that gave: where it would start but for a limit, the
 * nodes it would have, else those that it would get if nothing ran on the nodes that are there.
 */
public final class ExpectedNodes {
  private ExpectedNodes() {}

  /**
   * The estimate by tasks, processors of the largest node of its first partition, and the least
   * number of nodes asked for.
   */
  public static int byTasks(ClusterState state, Job job) {
    JobRequest request = job.request();
    int tasks = Math.max(1, request.tasks());
    int cpus = 1;
    int cores = 1;
    Partition partition = state.partitions().get(job.partitions().getFirst());
    for (String name : partition == null ? List.<String>of() : partition.nodes()) {
      Node node = state.nodes().get(name);
      if (node != null) {
        cpus = Math.max(cpus, node.spec().cpus());
        cores = Math.max(cores, node.spec().cores());
      }
    }
    int nodes;
    if (request.tasksPerNode() > 0) {
      nodes = tasks / request.tasksPerNode();
    } else if (request.cpusPerTask() > 1) {
      nodes = tasks / Math.max(1, cpus / request.cpusPerTask());
    } else if (request.tasksPerCore() > 0) {
      nodes = Math.ceilDiv(Math.ceilDiv(tasks, request.tasksPerCore()), cores);
    } else {
      nodes = Math.ceilDiv(tasks, cpus);
    }
    return Math.max(nodes, Math.max(1, request.minNodes()));
  }

  /**
   * How many nodes a job would get that a pass tried on nodes.
   *
   * @param chosen those on which it could start now; null for none
   * @param kept nodes that jobs ahead keep; null for none
   * @return 0 where the nodes can never host it
   */
  public static int tried(
      Board board, Job job, Shape shape, @Nullable Choice chosen, long @Nullable [] kept) {
    if (chosen != null) {
      return chosen.order().length;
    }
    long[] serving = board.serving(shape);
    long[] there = Bits.common(serving, board.up());
    if (kept != null) {
      Bits.removeAll(there, kept);
    }
    if (!board.reservations().isEmpty()) {
      long from = board.now().getEpochSecond();
      long until = Reservations.endOf(from, job.timeLimitMinutes());
      Bits.removeAll(there, board.reservations().closedTo(job, from, until));
    }
    if (Arrays.equals(there, serving) || Bits.count(there) < shape.minNodes()) {
      return board.nodesWhenEmpty(shape);
    }
    Choice left = board.placer().choose(shape, there, board.empty(), true, 0);
    return left == null ? board.nodesWhenEmpty(shape) : left.order().length;
  }

  /** The job as changed; where its size has changed, with a new estimate. */
  public static Job changed(ClusterState state, Job before, Job changed) {
    boolean same = ReqTres.of(before.request()).equals(ReqTres.of(changed.request()));
    return same ? changed : changed.withExpectedNodes(byTasks(state, changed));
  }
}
