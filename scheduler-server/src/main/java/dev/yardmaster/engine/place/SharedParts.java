package dev.yardmaster.engine.place;

import dev.yardmaster.model.GresShare;
import dev.yardmaster.model.IndexSet;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Chooses the GPUs of a node whose parts (shard, mps) a job gets: those near its cores first, then
 * those near to none, then the others; of these the first that has room, or the least loaded
 * (slurm.conf(5), LL_SHARED_GRES).
 */
final class SharedParts {
  private final Hardware hardware;
  private final Usage usage;
  private final int node;
  private final int kind;
  private final Sharing sharing;
  private final boolean insists;
  private final IndexSet cores;
  private final long[] given;
  private final List<Integer> order = new ArrayList<>();

  SharedParts(Hardware hardware, Usage usage, int node, int kind, Shape shape, IndexSet cores) {
    this.hardware = hardware;
    this.usage = usage;
    this.node = node;
    this.kind = kind;
    this.cores = cores;
    sharing = shape.sharing;
    insists = shape.request.enforceBinding();
    given = new long[hardware.gpus(node)];
    for (int gpu = 0; gpu < given.length; gpu++) {
      order.add(gpu);
    }
    if (sharing.leastLoaded()) {
      order.sort(Comparator.comparingLong(gpu -> -freeOfAll(gpu)));
    }
  }

  /** What is free of a GPU, in proportion to what it has. */
  private long freeOfAll(int gpu) {
    long all = hardware.sharedOn(gpu, kind, node);
    return all == 0 ? 0 : usage.freeOn(gpu, kind, node) * hardware.deviceCount(kind, node) / all;
  }

  /** Parts of one GPU, or of several where these may serve one job; how many there are. */
  long ofNode(long count) {
    long got = pick(count, true, false, -1);
    return got == 0 && sharing.several() ? pick(count, false, false, -1) : got;
  }

  /**
   * Parts for tasks: all of a node of one GPU, or those of each task of one.
   *
   * @param each parts of a task
   * @param tasks how many tasks there are on each socket
   */
  long ofTasks(long each, long count, int[] tasks) {
    if (!sharing.several()) {
      return ofNode(count);
    }
    long got = 0;
    for (int socket = 0; socket < hardware.sockets[node]; socket++) {
      for (long task = 0; task < tasks[socket] && got < count; task++) {
        long part = pick(each, true, sharing.apart(), socket);
        got += part;
        task = part == 0 ? tasks[socket] : task;
      }
    }
    while (got < count) {
      long more = pick(each, true, sharing.apart(), -1);
      if (more == 0) {
        return got;
      }
      got += more;
    }
    return got;
  }

  /**
   * Takes parts.
   *
   * @param socket the only one that counts as near; -1 for those of all cores
   */
  private long pick(long count, boolean ofOne, boolean apart, int socket) {
    long rest = count;
    int sockets = hardware.sockets[node];
    for (int near = 1; near >= 0; near--) {
      for (int s = 0; s <= sockets && rest > 0; s++) {
        // after the sockets of the job those near to none have their turn
        boolean used = s < sockets && isUsed(s, socket);
        boolean turn = near == 1 ? s == sockets || used : s < sockets && !used && !insists;
        for (int i = 0; turn && i < order.size() && rest > 0; i++) {
          int gpu = order.get(i);
          long free = usage.freeOn(gpu, kind, node) - given[gpu];
          boolean fits = free >= (ofOne ? rest : 1) && !(apart && given[gpu] > 0);
          if (fits && hardware.socketOfGpu(node, gpu) == (s < sockets ? s : -1)) {
            long here = Math.min(free, rest);
            given[gpu] += here;
            rest -= here;
          }
        }
      }
    }
    return count - rest;
  }

  private boolean isUsed(int socket, int only) {
    int per = hardware.coresPerSocket[node];
    boolean has = !cores.toBitSet().get(socket * per, (socket + 1) * per).isEmpty();
    return only < 0 ? has : socket == only;
  }

  /** What was taken, GPU by GPU. */
  List<GresShare> shares() {
    List<GresShare> shares = new ArrayList<>();
    for (int gpu = 0; gpu < given.length; gpu++) {
      if (given[gpu] > 0) {
        Hardware.Kind of = hardware.kinds.get(kind);
        shares.add(new GresShare(of.name(), of.type(), IndexSet.of(gpu), given[gpu]));
      }
    }
    return shares;
  }
}
