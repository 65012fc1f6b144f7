package dev.yardmaster.engine.plan;

import dev.yardmaster.engine.gate.Board;
import dev.yardmaster.engine.gate.Reservations;
import dev.yardmaster.engine.place.Bits;
import dev.yardmaster.engine.place.Choice;
import dev.yardmaster.engine.place.Shape;
import dev.yardmaster.engine.place.Usage;
import dev.yardmaster.model.Job;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The plan of the future: which nodes are taken by planned jobs, and when. As in Slurm a planned
 * job takes whole nodes, and its end is rounded up to the grid of bf_resolution.
 */
final class Plan {
  /** A place in the plan. */
  record Slot(long start, Choice choice) {
    long[] nodes() {
      return choice.nodes();
    }
  }

  /** What is known of a shape for one user: when each node is ready. */
  private static final class Known {
    final long[] serving;
    final long[] ready;
    Future.Groups groups;
    int version = -1;

    Known(long[] serving, int size, Future.Groups groups) {
      this.serving = serving;
      this.groups = groups;
      ready = new long[size];
    }
  }

  private record Key(Shape shape, int uid) {}

  private final Board board;
  private final Future future;
  private final long now;
  private final long resolution;
  private final long horizon;
  private final long[][] starts;
  private final long[][] ends;
  private final int[] counts;
  private final Map<Key, Known> known = new LinkedHashMap<>();
  private int version;

  Plan(Board board, long horizonSeconds, long resolutionSeconds) {
    this.board = board;
    future = new Future(board);
    now = board.now().getEpochSecond();
    resolution = Math.max(1, resolutionSeconds);
    horizon = now + horizonSeconds;
    int size = board.hardware().size();
    starts = new long[size][];
    ends = new long[size][];
    counts = new int[size];
  }

  /** The last moment at which a planned start still counts. */
  long horizon() {
    return horizon;
  }

  /** Jobs were started: what was known of nodes is void. */
  void jobStarted() {
    future.refresh();
    version++;
  }

  /** The end of a run on the grid. */
  long roundedEnd(long start, long minutes) {
    long end = Reservations.endOf(start, minutes);
    return Math.ceilDiv(end, resolution) * resolution;
  }

  /** The last moment of the grid that is not after a time. */
  long onGrid(long time) {
    return Math.floorDiv(time, resolution) * resolution;
  }

  /** Takes the nodes of a slot for a job's duration. */
  void reserve(Slot slot, long minutes) {
    if (slot.start >= onGrid(horizon)) {
      return;
    }
    long end = roundedEnd(slot.start, minutes);
    for (int n = Bits.next(slot.nodes(), 0); n >= 0; n = Bits.next(slot.nodes(), n + 1)) {
      insert(n, slot.start, end);
    }
  }

  private void insert(int node, long start, long end) {
    int count = counts[node];
    if (count == 0) {
      starts[node] = new long[4];
      ends[node] = new long[4];
    } else if (count == starts[node].length) {
      starts[node] = Arrays.copyOf(starts[node], count * 2);
      ends[node] = Arrays.copyOf(ends[node], count * 2);
    }
    int at = count;
    while (at > 0 && starts[node][at - 1] > start) {
      starts[node][at] = starts[node][at - 1];
      ends[node][at] = ends[node][at - 1];
      at--;
    }
    starts[node][at] = start;
    ends[node][at] = end;
    counts[node]++;
  }

  /** Nodes planned for somebody at some time within a duration from now. */
  long[] plannedWithin(long minutes) {
    long until = roundedEnd(now, minutes);
    long[] set = Bits.of(board.hardware().size());
    for (int n = 0; n < counts.length; n++) {
      for (int i = 0; i < counts[n]; i++) {
        if (starts[n][i] < until && ends[n][i] > now) {
          Bits.add(set, n);
          break;
        }
      }
    }
    return set;
  }

  /** How long from now the nodes stay free of plans and reservations against the job. */
  long freeUntil(Job job, long[] nodes, long latest) {
    long until = latest;
    for (int n = Bits.next(nodes, 0); n >= 0; n = Bits.next(nodes, n + 1)) {
      for (int i = 0; i < counts[n]; i++) {
        if (ends[n][i] > now) {
          until = Math.min(until, starts[n][i]);
        }
      }
    }
    for (Reservations.Booking b : board.reservations().against(job, now, latest)) {
      if (Bits.countCommon(b.nodes(), nodes) > 0) {
        until = Math.min(until, b.start());
      }
    }
    return until;
  }

  /**
   * The earliest place for a job.
   *
   * @return null when there is none before the horizon
   */
  @Nullable Slot earliest(Job job, Shape shape, long minutes) {
    Known k = known(shape, job.owner().uid());
    if (Bits.count(k.serving) < shape.minNodes()) {
      return null;
    }
    List<Reservations.Booking> bookings =
        board.reservations().against(job, now, Reservations.endOf(horizon, minutes));
    Reservations.Booking own = board.reservations().of(job);
    Windows windows = new Windows();
    for (int n = Bits.next(k.serving, 0); n >= 0; n = Bits.next(k.serving, n + 1)) {
      if (k.ready[n] < horizon && (own == null || Bits.has(own.nodes(), n))) {
        addWindows(windows, n, k.ready[n], minutes, bookings, own);
      }
    }
    return windows.sweep(
        shape.minNodes(),
        board.hardware().size(),
        (time, candidates) -> {
          if (!Bits.contains(candidates, shape.required())) {
            return null;
          }
          Usage usage = future.usageAt(time, candidates, k.groups);
          Choice chosen = board.placer().choose(shape, candidates, usage, false, job.owner().uid());
          return chosen == null ? null : new Slot(time, chosen);
        });
  }

  private Known known(Shape shape, int uid) {
    Known k = known.get(new Key(shape, uid));
    if (k == null) {
      long[] serving = Bits.common(board.serving(shape), board.up());
      k = new Known(serving, board.hardware().size(), future.groups(serving));
      known.put(new Key(shape, uid), k);
    }
    if (k.version != version) {
      if (k.version >= 0) {
        k.groups = future.groups(k.serving);
      }
      k.version = version;
      for (int n = Bits.next(k.serving, 0); n >= 0; n = Bits.next(k.serving, n + 1)) {
        k.ready[n] = future.ready(shape, n, uid, k.groups);
      }
    }
    return k;
  }

  /** Adds the times at which a run of this length could begin on a node. */
  private void addWindows(
      Windows windows,
      int node,
      long ready,
      long minutes,
      List<Reservations.Booking> bookings,
      Reservations.@Nullable Booking own) {
    long from = ready;
    int i = 0;
    while (from < horizon) {
      long blockStart = Future.NEVER;
      long blockEnd = Future.NEVER;
      for (; i < counts[node]; i++) {
        if (ends[node][i] > from) {
          blockStart = starts[node][i];
          blockEnd = ends[node][i];
          break;
        }
      }
      for (Reservations.Booking b : bookings) {
        if (b.end() > from && b.start() < blockStart && Bits.has(b.nodes(), node)) {
          blockStart = b.start();
          blockEnd = b.end();
        }
      }
      if (own != null && own.end() < blockStart) {
        blockStart = own.end();
        blockEnd = Future.NEVER;
      }
      long last = lastStart(blockStart, minutes);
      if (last >= from) {
        windows.add(node, from, Math.min(last, horizon));
      }
      if (blockEnd >= Future.NEVER) {
        return;
      }
      from = Math.max(from, blockEnd);
    }
  }

  /** The last start from which a run of this length is over, on the grid, before a block. */
  private long lastStart(long blockStart, long minutes) {
    if (blockStart >= Future.NEVER) {
      return horizon;
    }
    return onGrid(blockStart) - Reservations.endOf(0, minutes);
  }
}
