package dev.yardmaster.engine.place;

/** What each candidate node can host of one shape, by node index; only candidates are filled in. */
final class Rooms {
  final int[] tasks;
  final long[] jobGres;

  /** CPUs that are free, whatever the shape can use of them. */
  final int[] idle;

  Rooms(int size) {
    tasks = new int[size];
    jobGres = new long[size];
    idle = new int[size];
  }
}
