package dev.yardmaster.engine.gate;

import dev.yardmaster.engine.place.Bits;
import dev.yardmaster.engine.place.Choice;
import dev.yardmaster.engine.place.Shape;
import dev.yardmaster.explain.Evidence;
import dev.yardmaster.explain.Gate;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobRequest;
import dev.yardmaster.model.text.HostList;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Which nodes a job could start on at this moment: the funnel, then whether they go together. */
public final class NodeGates {
  private NodeGates() {}

  /**
   * Checks one job in one partition.
   *
   * @param minutes the time limit it would run under
   * @param planned nodes planned for jobs ahead within its duration; null for none
   * @return the nodes it would get, or null when a gate failed
   */
  public static @Nullable Choice check(
      Board board, Job job, Shape shape, long minutes, long @Nullable [] planned, Collector c) {
    return check(board, job, shape, minutes, planned, node -> List.of(), c);
  }

  /**
   * Checks one job, as {@link #check(Board, Job, Shape, long, long[], Collector)}.
   *
   * @param plannedFor the jobs for which a node is planned, by its index; asked for evidence alone
   */
  public static @Nullable Choice check(
      Board board,
      Job job,
      Shape shape,
      long minutes,
      long @Nullable [] planned,
      IntFunction<List<Integer>> plannedFor,
      Collector c) {
    Funnel funnel = new Funnel(board, job, shape, minutes, planned, plannedFor);
    if (!board.possible(shape)) {
      never(board, shape, funnel, c);
      return null;
    }
    long[] left = funnel.run(c, new NodeReasons(board));
    if (left == null && !c.all()) {
      return null;
    }
    long[] candidates = left == null ? funnel.remaining() : left;
    int found = Bits.count(candidates);
    Bits.addAll(candidates, funnel.bridges());
    Choice chosen = Places.chooseNow(board, job, shape, candidates, board.seenBy(job, minutes));
    String rule = rule(shape);
    if ((chosen == null || !chosen.startable()) && left != null) {
      c.fail(
          Gate.TOPOLOGY,
          chosen == null ? NodeReasons.apart(board, shape) : NodeReasons.BUSY,
          true,
          () -> new Evidence.NotTogether(rule, shape.minNodes(), found));
    } else if (chosen != null) {
      c.pass(Gate.TOPOLOGY, () -> placed(board, shape, chosen, found));
    }
    return left == null || chosen == null || !chosen.startable() ? null : chosen;
  }

  /** No set of empty nodes would do: a stage about hardware says so, or the nodes' number does. */
  private static void never(Board board, Shape shape, Funnel funnel, Collector c) {
    long[] serving = board.serving(shape);
    int found = Bits.count(serving);
    boolean enough = found >= shape.minNodes() && Bits.contains(serving, shape.required());
    Shape largest = enough ? largestShare(board, shape) : null;
    if (largest != null && Bits.isEmpty(board.serving(largest))) {
      funnel.of(largest).hardware(c);
      return;
    }
    if (enough) {
      c.fail(
          Gate.TOPOLOGY,
          NodeReasons.impossible(board, shape),
          false,
          () -> new Evidence.NotTogether(rule(shape), shape.minNodes(), found));
    }
    if (!enough || c.all()) {
      funnel.hardware(c);
    }
  }

  /**
   * What one node at least must host of a job that asks for tasks on a limited number of nodes;
   * null when each task may have a node.
   */
  private static @Nullable Shape largestShare(Board board, Shape shape) {
    int each = Math.ceilDiv(shape.tasks(), shape.maxNodes());
    JobRequest request = shape.request();
    return each <= 1 || !request.tasksGiven()
        ? null
        : board.shape(
            request.with(
                r ->
                    r.minNodes(1)
                        .maxNodes(1)
                        .requiredNodes(HostList.EMPTY)
                        .tasks(each)
                        .tasksGiven(false)
                        .tasksPerNode(each)),
            shape.partition());
  }

  private static Evidence placed(Board board, Shape shape, Choice chosen, int candidates) {
    int count = chosen.order().length;
    boolean noChoice = count == candidates || Bits.count(shape.required()) == count;
    return new Evidence.Placed(
        noChoice ? Evidence.Placed.Rule.ONLY : chosen.rule(),
        HostList.of(board.hardware().names(chosen.nodes())));
  }

  private static String rule(Shape shape) {
    if (shape.request().contiguous()) {
      return "contiguous";
    }
    if (shape.request().segment() > 0) {
      return "segment";
    }
    return shape.request().switches() > 0 ? "switches" : "count";
  }
}
