package dev.yardmaster.engine.plan;

import dev.yardmaster.engine.gate.Board;
import dev.yardmaster.engine.gate.Places;
import dev.yardmaster.engine.gate.Reservations;
import dev.yardmaster.engine.place.Bits;
import dev.yardmaster.engine.place.Choice;
import dev.yardmaster.engine.place.Manner;
import dev.yardmaster.engine.place.Shape;
import dev.yardmaster.engine.place.Usage;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.NodeShare;
import dev.yardmaster.model.PlannedStart;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A plan that keeps for a job the cores, memory and GPUs that it will take of a node, and leaves
 * the rest of the node to others: {@code SchedulerParameters=bf_granularity=device}, which Slurm
 * does not have.
 *
 * <p>For each node it knows the times from which a run of some length fits there, beside what runs
 * and what is planned; these are found anew only for nodes that something was planned on since.
 */
final class DevicePlan implements Agenda {
  private record Planned(
      long start, long end, NodeShare share, int uid, Manner manner, int jobId) {}

  private record Key(Object wish, String partition, int uid, long minutes, String reservation) {}

  /** Starts that are possible on one node, from the first to the last of each window. */
  private record Windows(int version, long[] from, long[] to) {
    static final Windows UNKNOWN = new Windows(-1, new long[0], new long[0]);
  }

  /** What is known of jobs that want the same of a node for the same time. */
  private static final class Known {
    final long[] serving;
    final Windows[] windows;
    private final Map<Integer, Long> found = new LinkedHashMap<>();

    Known(long[] serving, int size) {
      this.serving = serving;
      windows = new Windows[size];
      Arrays.fill(windows, Windows.UNKNOWN);
    }

    /** A plan only fills: so many nodes are not together before this. */
    long notBefore(int nodes) {
      long best = Long.MIN_VALUE;
      for (Map.Entry<Integer, Long> f : found.entrySet()) {
        best = f.getKey() <= nodes ? Math.max(best, f.getValue()) : best;
      }
      return best;
    }
  }

  private final Board board;
  private final Future future;
  private final long now;
  private final long resolution;
  private final long horizon;
  private final Usage scratch;
  private final List<List<Planned>> planned = new ArrayList<>();
  private final int[] versions;
  private final Map<Key, Known> known = new LinkedHashMap<>();

  DevicePlan(Board board, long horizonSeconds, long resolutionSeconds) {
    this.board = board;
    future = new Future(board);
    now = board.now().getEpochSecond();
    resolution = Math.max(1, resolutionSeconds);
    horizon = now + horizonSeconds;
    scratch = board.usage().copy();
    versions = new int[board.hardware().size()];
    for (int n = 0; n < versions.length; n++) {
      planned.add(new ArrayList<>(2));
    }
  }

  @Override
  public long horizon() {
    return horizon;
  }

  @Override
  public void jobStarted() {
    future.refresh();
    for (int n = 0; n < versions.length; n++) {
      versions[n]++;
    }
  }

  @Override
  public long roundedEnd(long start, long minutes) {
    return Math.ceilDiv(Reservations.endOf(start, minutes), resolution) * resolution;
  }

  @Override
  public long onGrid(long time) {
    return Math.floorDiv(time, resolution) * resolution;
  }

  @Override
  public Plan.@Nullable Slot earliestWithout(
      SlotSearch.Gone gone, Job job, Shape shape, long minutes, Plan.@Nullable Slot otherwise) {
    return otherwise;
  }

  @Override
  public Plan.@Nullable Slot earliest(Job job, Shape shape, long minutes) {
    return earliest(job, shape, minutes, now);
  }

  @Override
  public Plan.@Nullable Slot earliest(Job job, Shape shape, long minutes, long from) {
    Known of = known(job, shape, minutes);
    if (Bits.count(of.serving) < shape.minNodes()) {
      return null;
    }
    long first = Math.max(from, of.notBefore(shape.minNodes()));
    Plan.Slot slot = first >= horizon ? null : sweep(job, shape, minutes, of, first);
    if (from <= now) {
      of.found.put(shape.minNodes(), slot == null ? Future.NEVER : slot.start());
    }
    return slot;
  }

  /** Goes through the windows of all nodes in order of time, until enough are open together. */
  private Plan.@Nullable Slot sweep(Job job, Shape shape, long minutes, Known of, long first) {
    List<long[]> opens = new ArrayList<>();
    for (int n = Bits.next(of.serving, 0); n >= 0; n = Bits.next(of.serving, n + 1)) {
      Windows w = of.windows[n];
      if (w.version != versions[n]) {
        w = windows(job, shape, n, minutes);
        of.windows[n] = w;
      }
      for (int i = 0; i < w.from.length; i++) {
        if (w.to[i] >= first) {
          opens.add(new long[] {Math.max(first, w.from[i]), w.to[i], n});
        }
      }
    }
    opens.sort((a, b) -> Long.compare(a[0], b[0]));
    List<long[]> closes = new ArrayList<>(opens);
    closes.sort((a, b) -> Long.compare(a[1], b[1]));
    long[] open = Bits.of(versions.length);
    int closed = 0;
    for (int i = 0; i < opens.size(); ) {
      long time = opens.get(i)[0];
      for (; closed < closes.size() && closes.get(closed)[1] < time; closed++) {
        Bits.remove(open, (int) closes.get(closed)[2]);
      }
      for (; i < opens.size() && opens.get(i)[0] == time; i++) {
        Bits.add(open, (int) opens.get(i)[2]);
      }
      if (Bits.count(open) >= shape.minNodes() && Bits.contains(open, shape.required())) {
        Choice choice = choose(job, shape, minutes, time, open.clone());
        if (choice != null) {
          return new Plan.Slot(time, choice);
        }
      }
    }
    return null;
  }

  private @Nullable Choice choose(Job job, Shape shape, long minutes, long time, long[] open) {
    long end = Reservations.endOf(time, minutes);
    for (int n = Bits.next(open, 0); n >= 0; n = Bits.next(open, n + 1)) {
      fill(n, time, end);
    }
    Usage seen = board.reservedParts().seenBy(job, scratch, time, end);
    if (time <= now && board.limits().heldNodes(job, shape.partition()) != null) {
      return Places.chooseNow(board, job, shape, open, seen);
    }
    Choice kept = keptNodes(job, shape, open, seen);
    return kept == null ? Places.choose(board, job, shape, open, seen) : kept;
  }

  /**
   * A job keeps the nodes it was planned on while it can start there as early as anywhere. What
   * starts behind it leaves room for it there; if it moved to others for it, it would push away
   * whoever has these.
   */
  private @Nullable Choice keptNodes(Job job, Shape shape, long[] open, Usage seen) {
    PlannedStart before = job.planned();
    if (before == null
        || before.nodes().isEmpty()
        || !before.partition().equals(shape.partition().name())) {
      return null;
    }
    long[] same = Bits.common(open, board.hardware().setOf(before.nodes().expand()));
    return Bits.count(same) == before.nodes().size()
        ? Places.choose(board, job, shape, same, seen)
        : null;
  }

  private Known known(Job job, Shape shape, long minutes) {
    boolean anyUser = !shape.forUserAlone() && !board.usage().hasUserOnly();
    String reservation = job.reservation() == null ? "" : job.reservation();
    boolean alone = !board.reservations().isEmpty();
    int uid = anyUser && !alone ? -1 : job.owner().uid();
    String inside = alone ? reservation + "\n" + job.owner().account() : reservation;
    Key key = new Key(shape.wish(), shape.partition().name(), uid, minutes, inside);
    return known.computeIfAbsent(
        key, k -> new Known(Bits.common(board.serving(shape), board.plannable()), versions.length));
  }

  /** The possible starts on a node. */
  private Windows windows(Job job, Shape shape, int node, long minutes) {
    long length = Reservations.endOf(0, minutes);
    Reservations.Booking own = board.reservations().of(job);
    boolean bound = own != null && !own.isFlexible();
    List<Reservations.Booking> against =
        board.reservations().against(job, now, Reservations.endOf(horizon, minutes));
    TreeSet<Long> points = new TreeSet<>();
    points.add(now);
    for (long end : future.ends(node)) {
      points.add(end);
    }
    for (Planned p : planned.get(node)) {
      points.add(p.end);
      points.add(p.start - length + 1);
    }
    for (Reservations.Booking b : against) {
      points.add(b.end());
      points.add(b.start() - length + 1);
    }
    if (own != null) {
      points.add(own.start());
      points.add(own.end());
    }
    Long[] times = points.tailSet(now).headSet(horizon).toArray(new Long[0]);
    long[] from = new long[times.length];
    long[] to = new long[times.length];
    int count = 0;
    for (int i = 0; i < times.length; i++) {
      long time = times[i];
      boolean outside =
          bound
              && own != null
              && (time < own.start()
                  || time >= own.end()
                  || !(own.isOfAnyNodes() || Bits.has(own.nodes(), node)));
      if (!outside && !isBooked(against, node, time, time + length)) {
        fill(node, time, time + length);
        if (fits(job, shape, node)) {
          from[count] = time;
          to[count++] = i + 1 < times.length ? times[i + 1] - 1 : horizon;
        }
      }
    }
    return new Windows(versions[node], Arrays.copyOf(from, count), Arrays.copyOf(to, count));
  }

  private boolean fits(Job job, Shape shape, int node) {
    return board.placer().fit().test(shape, node, scratch, false, job.owner().uid()) == null;
  }

  private static boolean isBooked(
      List<Reservations.Booking> against, int node, long from, long until) {
    for (Reservations.Booking b : against) {
      if (b.start() < until && b.end() > from && Bits.has(b.nodes(), node)) {
        return true;
      }
    }
    return false;
  }

  /** Makes a node's row say what is taken at some time in [from, until), running and planned. */
  private void fill(int node, long from, long until) {
    future.row(node, from, scratch);
    long most = 0;
    for (Planned p : planned.get(node)) {
      if (p.start < until && p.end > from) {
        scratch.add(node, p.share, p.uid, p.manner);
        scratch.takeMemory(node, -p.share.memoryMib());
        long there = 0;
        for (Planned other : planned.get(node)) {
          boolean both = other.start <= p.start && other.end > p.start && other.end > from;
          there += both ? other.share.memoryMib() : 0;
        }
        most = Math.max(most, there);
      }
    }
    scratch.countDevicesOnce(node);
    scratch.takeMemory(node, most);
  }

  @Override
  public boolean isFull() {
    return false;
  }

  @Override
  public void reserve(Plan.Slot slot, long minutes, Job job, Shape shape) {
    if (slot.start() >= onGrid(horizon)) {
      return;
    }
    long end = roundedEnd(slot.start(), minutes);
    long[] nodes = slot.nodes();
    for (int n = Bits.next(nodes, 0); n >= 0; n = Bits.next(nodes, n + 1)) {
      fill(n, slot.start(), Reservations.endOf(slot.start(), minutes));
    }
    int uid = job.owner().uid();
    Manner manner = board.manner(job.withPartitions(List.of(shape.partition().name())));
    for (NodeShare share : board.placer().allocate(shape, slot.choice(), scratch, uid).shares()) {
      int node = board.hardware().indexOf(share.node());
      planned.get(node).add(new Planned(slot.start(), end, share, uid, manner, job.id()));
      versions[node]++;
    }
  }

  @Override
  public long[] plannedWithin(Job job, Shape shape, long minutes) {
    long until = roundedEnd(now, minutes);
    long[] set = Bits.of(versions.length);
    for (int n = 0; n < versions.length; n++) {
      if (plannedFor(n, minutes).isEmpty()) {
        continue;
      }
      future.row(n, now, scratch);
      if (fits(job, shape, n)) {
        fill(n, now, until);
        if (!fits(job, shape, n)) {
          Bits.add(set, n);
        }
      }
    }
    return set;
  }

  @Override
  public List<Integer> plannedFor(int node, long minutes) {
    long until = roundedEnd(now, minutes);
    List<Planned> all = new ArrayList<>(planned.get(node));
    all.sort((a, b) -> Long.compare(a.start, b.start));
    List<Integer> ids = new ArrayList<>();
    for (Planned p : all) {
      if (p.start < until && p.end > now && !ids.contains(p.jobId)) {
        ids.add(p.jobId);
      }
    }
    return ids;
  }

  @Override
  public Usage taken(Job job, long[] nodes, long minutes) {
    long until = Reservations.endOf(now, minutes);
    for (int n = Bits.next(nodes, 0); n >= 0; n = Bits.next(nodes, n + 1)) {
      fill(n, now, until);
    }
    return board.reservedParts().seenBy(job, scratch, now, until);
  }

  @Override
  public long freeUntil(Job job, long[] nodes, long latest) {
    long until = latest;
    for (int n = Bits.next(nodes, 0); n >= 0; n = Bits.next(nodes, n + 1)) {
      for (Planned p : planned.get(n)) {
        until = p.end > now ? Math.min(until, onGrid(p.start)) : until;
      }
    }
    for (Reservations.Booking b : board.reservations().bookings()) {
      boolean own = b.reservation().name().equals(job.reservation());
      if (!own && b.end() > now && b.start() < until && Bits.countCommon(b.nodes(), nodes) > 0) {
        until = Math.max(now, b.start());
      }
    }
    return until;
  }
}
