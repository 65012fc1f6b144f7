package dev.yardmaster.engine.place;

import dev.yardmaster.explain.Evidence.Placed.Rule;
import dev.yardmaster.model.text.Distribution;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Spreads the tasks of a job over its nodes: one for each node, then so many at a time as share a
 * core, round the nodes that have CPUs left.
 */
final class Tasks {
  private final Hardware hardware;
  private final Shape shape;
  private final Rooms rooms;

  Tasks(Hardware hardware, Shape shape, Rooms rooms) {
    this.hardware = hardware;
    this.shape = shape;
    this.rooms = rooms;
  }

  /**
   * Spreads the tasks.
   *
   * @return the tasks of each node, in the order in which they were taken
   */
  int[] spread(Choice choice) {
    int[] order = choice.order();
    Distribution wish = shape.request.distribution();
    if (wish != null && wish.nodes() == Distribution.Nodes.ARBITRARY) {
      return named(order);
    }
    boolean inSegments = choice.rule() == Rule.BLOCKS && BlockSearch.inSegments(shape);
    int[] room = room(order, inSegments ? Selection.NO_CEILING : shape.minCpus);
    int[] tasks = new int[order.length];
    int rest = count(order.length);
    if (wish != null && inPlanes()) {
      inPlanes(order, room, tasks, rest, wish.planeSize());
      return tasks;
    }
    for (int i = 0; i < order.length; i++) {
      tasks[i] = 1;
      rest--;
    }
    List<Integer> places = byIndex(order);
    for (int before = -1; rest > 0 && rest != before; ) {
      before = rest;
      for (int i : places) {
        int together = Math.max(1, hardware.cpusPerCore[order[i]] / shape.cpusPerTask);
        int more = Math.max(0, Math.min(Math.min(together, room[i] - tasks[i]), rest));
        tasks[i] += more;
        rest -= more;
      }
    }
    return tasks;
  }

  private boolean inPlanes() {
    Distribution wish = shape.request.distribution();
    return wish != null && wish.nodes() == Distribution.Nodes.PLANE;
  }

  /** The list of nodes names the node of each task. */
  private int[] named(int[] order) {
    int[] tasks = new int[order.length];
    for (String name : shape.request.requiredNodes()) {
      for (int i = 0; i < order.length; i++) {
        tasks[i] += hardware.indexOf(name) == order[i] ? 1 : 0;
      }
    }
    return tasks;
  }

  /** So many tasks at a time to each node in turn, as far as there is room. */
  private void inPlanes(int[] order, int[] room, int[] tasks, int number, int size) {
    int rest = number;
    List<Integer> places = byIndex(order);
    for (int before = -1; rest > 0 && rest != before; ) {
      before = rest;
      for (int i : places) {
        int more = Math.max(0, Math.min(Math.min(size, room[i] - tasks[i]), rest));
        tasks[i] += more;
        rest -= more;
      }
    }
  }

  /** Places in an order of nodes, the first node first. */
  static List<Integer> byIndex(int[] order) {
    List<Integer> places = new ArrayList<>();
    for (int i = 0; i < order.length; i++) {
      places.add(i);
    }
    places.sort(Comparator.comparingInt(i -> order[i]));
    return places;
  }

  private int count(int nodes) {
    return shape.exactTasksPerNode > 0
        ? shape.exactTasksPerNode * nodes
        : Math.max(shape.tasks, nodes);
  }

  /**
   * Tasks that each node has room for, given what is kept for those that follow.
   *
   * @param most CPUs that all of them give
   */
  private int[] room(int[] order, long most) {
    int[] room = new int[order.length];
    long ceiling = most;
    for (int i = 0; i < order.length; i++) {
      int offered = rooms.cpus[order[i]];
      int used = shape.use(hardware, order[i], offered, ceiling, shape.minNodes - i);
      ceiling -= used;
      room[i] = shape.spread ? rooms.tasks[order[i]] : used / shape.cpusPerTask;
    }
    return room;
  }
}
