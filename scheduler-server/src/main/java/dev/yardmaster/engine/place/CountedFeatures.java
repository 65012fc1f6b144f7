package dev.yardmaster.engine.place;

import dev.yardmaster.model.GresRequest.Scope;
import dev.yardmaster.model.JobRequest;
import dev.yardmaster.model.text.FeatureExpression;
import dev.yardmaster.model.text.FeatureExpression.Count;
import dev.yardmaster.model.text.HostList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Chooses nodes for counted features ({@code [a*2&b*1]}): count by count as many nodes as it says,
 * each as for a job that wants no more than these, none of them twice; then, with all these, what
 * the job needs beside. Of nodes and tasks a range is not used up.
 *
 * <p>As in Slurm the nodes of a count hold one CPU each at this time, and all tasks that the job
 * was given are to fit on them; where they do not, the job is planned and never starts ({@link
 * Choice#startable}), though the nodes that it would get in the end have room enough.
 */
final class CountedFeatures {
  /** Chooses nodes for a shape among some, with those that must be part of it. */
  interface Way {
    @Nullable Choice choose(Shape shape, long[] allowed, Rooms rooms, long[] chosen);
  }

  private final Hardware hardware;
  private final Shape shape;
  private final Rooms rooms;
  private final Way way;

  CountedFeatures(Hardware hardware, Shape shape, Rooms rooms, Way way) {
    this.hardware = hardware;
    this.shape = shape;
    this.rooms = rooms;
    this.way = way;
  }

  @Nullable Choice choose(long[] candidates, List<Count> counts) {
    long[] chosen = shape.required.clone();
    boolean startable = true;
    for (int i = 0; i < counts.size(); i++) {
      Count count = counts.get(i);
      long[] matching = matching(candidates, count);
      if (i > 0) {
        Bits.removeAll(matching, chosen);
      }
      Shape part = ofNodes(count.nodes(), true);
      Choice choice =
          Bits.count(matching) < count.nodes()
              ? null
              : way.choose(part, matching, rooms, Bits.of(hardware.size));
      if (choice == null) {
        return null;
      }
      startable &= holdsTasks(choice, count.nodes());
      Bits.addAll(chosen, choice.nodes());
    }
    int nodes = Math.max(shape.minNodes, Bits.count(chosen));
    if (nodes > shape.mostNodes) {
      return null;
    }
    Choice choice = way.choose(ofNodes(nodes, false), candidates, rooms, chosen);
    return choice == null || startable ? choice : choice.plannedOnly();
  }

  /**
   * The shape for so many nodes, and no more where fewer would do.
   *
   * @param alone whether it asks for what one task on each node, or as many as each is to have,
   *     needs, without what is counted over the job, and names no nodes
   */
  private Shape ofNodes(int nodes, boolean alone) {
    int most = Math.max(nodes, shape.maxNodes);
    JobRequest part =
        shape.request.with(r -> r.minNodes(nodes).maxNodes(most).nodesGiven(false).spread(false));
    if (alone) {
      var gres = shape.request.gres().stream().filter(g -> g.scope() != Scope.JOB).toList();
      part =
          part.with(r -> r.tasks(nodes).tasksGiven(false).requiredNodes(HostList.EMPTY).gres(gres));
    }
    return new Shape(hardware, shape.policy, part, shape.partition);
  }

  private long[] matching(long[] candidates, Count count) {
    long[] matching = candidates.clone();
    for (int n = Bits.next(matching, 0); n >= 0; n = Bits.next(matching, n + 1)) {
      if (!FeatureExpression.matches(count.term(), hardware.features(n))) {
        Bits.remove(matching, n);
      }
    }
    return matching;
  }

  /** Whether all tasks that were given fit on the CPUs that a count takes of its nodes. */
  private boolean holdsTasks(Choice choice, int nodes) {
    if (!shape.request.tasksGiven() || shape.request.tasksPerNode() > 0) {
      return true;
    }
    int room = 0;
    long ceiling = nodes;
    int missing = nodes;
    for (int node : choice.order()) {
      int used = shape.use(hardware, node, rooms.cpus[node], ceiling, missing--);
      ceiling -= used;
      room += used / shape.cpusPerTask;
    }
    return room >= shape.tasks;
  }
}
