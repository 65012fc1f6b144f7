package dev.yardmaster.engine.place;

/** What each candidate node can host of one shape, by node index; only candidates are filled in. */
final class Rooms {
  final int[] tasks;

  /** CPUs that its tasks can use. */
  final int[] cpus;

  final long[] jobGres;

  /** CPUs that are free, whatever the shape can use of them. */
  final int[] idle;

  /** CPUs that are free, whatever devices there are beside them. */
  final int[] freeCpus;

  /** GPUs of those that the shape asks for that are free. */
  final int[] gpus;

  /**
   * What a node weighs against others: its Weight, and of equal ones fewer free GPUs near free
   * cores weigh more.
   */
  final int[] weight;

  /**
   * What a node weighs for a job of one node: its Weight, and of equal ones what {@link #weight}
   * was when the job was tried before; nothing where it was not.
   */
  final int[] order;

  /**
   * Nodes that lack nothing but a resource counted over the job: Slurm does not take them, but they
   * do not part their neighbours either.
   */
  final long[] bridges;

  /** Nodes that the last gathering on one node came to. */
  final long[] gathered;

  Rooms(int size) {
    bridges = Bits.of(size);
    gathered = Bits.of(size);
    tasks = new int[size];
    cpus = new int[size];
    freeCpus = new int[size];
    jobGres = new long[size];
    idle = new int[size];
    gpus = new int[size];
    weight = new int[size];
    order = new int[size];
  }
}
