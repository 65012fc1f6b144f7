package dev.yardmaster.engine.place;

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
   * @param order the nodes in the order in which they were taken
   * @return the tasks of each, in the same order
   */
  int[] spread(int[] order) {
    int[] room = room(order);
    int[] tasks = new int[order.length];
    int rest = count(order.length);
    for (int i = 0; i < order.length; i++) {
      tasks[i] = 1;
      rest--;
    }
    if (!shape.demands.isEmpty() && !shape.spread) {
      fill(room, tasks, rest);
      return tasks;
    }
    List<Integer> places = new ArrayList<>();
    for (int i = 0; i < order.length; i++) {
      places.add(i);
    }
    places.sort(Comparator.comparingInt(i -> order[i]));
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

  /** Jobs with devices: node by node as many as there is room for. */
  private static void fill(int[] room, int[] tasks, int number) {
    int rest = number;
    for (int i = 0; i < room.length; i++) {
      int more = Math.max(0, Math.min(room[i] - tasks[i], rest));
      tasks[i] += more;
      rest -= more;
    }
  }

  private int count(int nodes) {
    return shape.exactTasksPerNode > 0
        ? shape.exactTasksPerNode * nodes
        : Math.max(shape.tasks, nodes);
  }

  /** Tasks that each node has room for, given what is kept for those that follow. */
  private int[] room(int[] order) {
    int[] room = new int[order.length];
    long ceiling = shape.minCpus;
    for (int i = 0; i < order.length; i++) {
      int offered = rooms.cpus[order[i]];
      int used = shape.use(hardware, order[i], offered, ceiling, shape.minNodes - i);
      ceiling -= used;
      boolean all = shape.spread || !shape.demands.isEmpty();
      room[i] = all ? rooms.tasks[order[i]] : used / shape.cpusPerTask;
    }
    return room;
  }
}
