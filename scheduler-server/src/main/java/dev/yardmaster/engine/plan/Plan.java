package dev.yardmaster.engine.plan;

import dev.yardmaster.engine.gate.Board;
import dev.yardmaster.engine.gate.Places;
import dev.yardmaster.engine.gate.Reservations;
import dev.yardmaster.engine.place.Bits;
import dev.yardmaster.engine.place.Choice;
import dev.yardmaster.engine.place.Shape;
import dev.yardmaster.engine.place.Usage;
import dev.yardmaster.engine.state.Identities;
import dev.yardmaster.model.Job;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The plan of the future: which nodes are taken by planned jobs, and when. As in Slurm a planned
 * job takes whole nodes, and its end is rounded up to the grid of bf_resolution.
 */
final class Plan implements Agenda {
  /** A place in the plan. */
  record Slot(long start, Choice choice) {
    long[] nodes() {
      return choice.nodes();
    }

    /** The place as it is told. */
    Spot spot(Board board, Shape shape) {
      String partition = shape.partition().name();
      Instant time = Instant.ofEpochSecond(start);
      return new Spot(time, held(board, shape), partition, board.now(), board.hardware());
    }

    /** Its nodes, and those that it keeps from others (--exclusive=topo). */
    long[] held(Board board, Shape shape) {
      long[] held = shape.unitsOf(board.hardware(), nodes());
      Bits.addAll(held, nodes());
      return held;
    }
  }

  record Key(Object wish, String partition, int uid) {}

  /** How it would be without jobs that a job may preempt. */
  private record Absence(SlotSearch.Gone gone, Future future, Map<Key, Need> needs) {}

  private static final int ANY_USER = -1;

  private static final long[] NONE = {};

  /**
   * Up to so many nodes, which of several equally early places is tightest is judged by the CPUs
   * that will be free, as Slurm does; on larger clusters by the CPUs of the nodes.
   */
  private static final int EXACT_NODES = 512;

  /** Up to so many nodes places are looked for step by step, as Slurm does. */
  private static final int STEPWISE_NODES = 128;

  private final Board board;
  private final Future future;
  private final long now;
  private final long resolution;
  private final long horizon;
  private final Stays stays;
  private final Timeline timeline;
  private final @Nullable Foresight foresight;
  private final @Nullable Openings openings;
  private final @Nullable SlotSearch search;
  private final @Nullable WholeRuns runs;
  private final Map<Key, Need> needs = new LinkedHashMap<>();
  private final Identities<Shape, Need> needsOfAnyUser = new Identities<>();
  private @Nullable Absence absent;
  private int version;

  /**
   * An empty plan.
   *
   * @param stepwise whether places are to be those that Slurm finds, where others are as early or
   *     earlier
   * @param spaces how many times a plan in Slurm's steps may be divided into
   */
  Plan(
      Board board,
      long horizonSeconds,
      long resolutionSeconds,
      @Nullable Foresight foresight,
      boolean stepwise,
      int spaces) {
    this.board = board;
    this.foresight = foresight != null && foresight.covers(board) ? foresight : null;
    future = new Future(board);
    now = board.now().getEpochSecond();
    resolution = Math.max(1, resolutionSeconds);
    horizon = now + horizonSeconds;
    int size = board.hardware().size();
    stays = new Stays(size);
    timeline = new Timeline(now, board.plannable());
    boolean small = size <= STEPWISE_NODES && board.reservations().ofParts().isEmpty();
    openings =
        stepwise && small
            ? new Openings(now, horizon, resolution, board.plannable(), spaces)
            : null;
    search = openings == null ? null : new SlotSearch(board, future, openings, horizon, resolution);
    runs = openings == null ? null : new WholeRuns(board, openings);
    for (Reservations.Booking b : board.reservations().ofWholeNodes()) {
      timeline.block(b.start(), b.end(), b.nodes());
    }
    for (Reservations.Booking b : board.reservations().ofParts()) {
      timeline.mark(b.end());
      for (long moment : future.moments(b.nodes())) {
        timeline.mark(moment);
      }
    }
  }

  @Override
  public long horizon() {
    return horizon;
  }

  @Override
  public void jobStarted() {
    future.refresh();
    if (runs != null) {
      runs.jobStarted();
    }
    version++;
  }

  @Override
  public long roundedEnd(long start, long minutes) {
    long end = Reservations.endOf(start, minutes);
    return Math.ceilDiv(end, resolution) * resolution;
  }

  @Override
  public long onGrid(long time) {
    return Math.floorDiv(time, resolution) * resolution;
  }

  @Override
  public @Nullable SlotSearch steps() {
    return search;
  }

  @Override
  public boolean isFull() {
    return openings != null && openings.isFull();
  }

  @Override
  public void reserve(Slot slot, long minutes, Job job, Shape shape) {
    if (slot.start >= onGrid(horizon)) {
      return;
    }
    long end = roundedEnd(slot.start, minutes);
    // as in Slurm it has its nodes from the last moment of the grid before its start, and whoever
    // is before it has to be gone by then, not just then
    long from = onGrid(slot.start) - 1;
    long[] held = slot.held(board, shape);
    timeline.block(from, end, held);
    if (openings != null) {
      openings.take(slot.start, Reservations.endOf(0, minutes), held);
    }
    for (int n = Bits.next(held, 0); n >= 0; n = Bits.next(held, n + 1)) {
      stays.add(n, from, end, job.id());
    }
  }

  @Override
  public long[] plannedWithin(Job job, Shape shape, long minutes) {
    return stays.within(now, Reservations.endOf(now, minutes));
  }

  @Override
  public List<Integer> plannedFor(int node, long minutes) {
    return stays.of(node, now, Reservations.endOf(now, minutes));
  }

  @Override
  public Usage taken(Job job, long[] nodes, long minutes) {
    return board.seenBy(job, minutes);
  }

  @Override
  public long freeUntil(Job job, long[] nodes, long latest) {
    long until = latest;
    for (int n = Bits.next(nodes, 0); n >= 0; n = Bits.next(nodes, n + 1)) {
      until = Math.min(until, stays.nextStart(n, now) + 1);
    }
    for (Reservations.Booking b : board.reservations().bookings()) {
      boolean own =
          b.reservation().name().equals(job.reservation()) || b.reservation().lendsTo(job);
      if (!own && b.end() > now && b.start() < until && Bits.countCommon(b.nodes(), nodes) > 0) {
        until = Math.max(now, b.start());
      }
    }
    return until;
  }

  @Override
  public @Nullable Slot earliest(Job job, Shape shape, long minutes) {
    Need need = need(job, shape);
    if (need.count() < shape.minNodes()) {
      return null;
    }
    if (job.reservation() != null) {
      return insideReservation(job, shape, minutes, need);
    }
    if (search != null) {
      return search.find(job, shape, minutes, need.serving(), SlotSearch.Gone.NOBODY);
    }
    if (board.reservations().lendTo(job)) {
      return onBorrowedNodes(job, shape, minutes, need, now);
    }
    long notBefore = need.notBefore(shape.minNodes(), minutes);
    if (notBefore >= horizon) {
      return null;
    }
    Slot slot =
        timeline.search(
            notBefore,
            horizon,
            need.order(),
            shape.minNodes(),
            shape.uniform() ? NONE : need.groups().moments(),
            time -> Reservations.endOf(time, minutes),
            (time, open) -> attempt(job, shape, minutes, need, time, open));
    need.found(shape.minNodes(), minutes, slot == null ? Future.NEVER : slot.start);
    return slot;
  }

  @Override
  public @Nullable Slot earliestWithout(
      SlotSearch.Gone gone, Job job, Shape shape, long minutes, @Nullable Slot otherwise) {
    if (job.reservation() != null || board.reservations().lendTo(job)) {
      return otherwise;
    }
    return search == null
        ? earliestIn(absence(gone), job, shape, minutes)
        : search.find(job, shape, minutes, need(job, shape).serving(), gone);
  }

  private Absence absence(SlotSearch.Gone gone) {
    Absence known = absent;
    if (known == null || !known.gone().equals(gone)) {
      known = new Absence(gone, new Future(board, gone), new LinkedHashMap<>());
      absent = known;
    }
    known.future().refresh();
    return known;
  }

  private @Nullable Slot earliestIn(Absence absence, Job job, Shape shape, long minutes) {
    Future without = absence.future();
    int uid = job.owner().uid();
    Need need =
        absence
            .needs()
            .computeIfAbsent(
                new Key(shape.wish(), shape.partition().name(), uid),
                key ->
                    new Need(
                        shape,
                        uid,
                        without.readiness(
                            shape, uid, Bits.common(board.serving(shape), board.plannable()))));
    need.refresh(without, version);
    Slot slot =
        timeline.search(
            Math.max(now, need.notBefore(shape.minNodes(), minutes)),
            horizon,
            need.order(),
            shape.minNodes(),
            shape.uniform() ? NONE : need.groups().moments(),
            time -> Reservations.endOf(time, minutes),
            (time, open) -> attempt(without, job, shape, minutes, need, time, open));
    need.found(shape.minNodes(), minutes, slot == null ? Future.NEVER : slot.start);
    return slot;
  }

  @Override
  public @Nullable Slot earliest(Job job, Shape shape, long minutes, long from) {
    Slot first = earliest(job, shape, minutes);
    if (first == null || first.start >= from) {
      return first;
    }
    if (job.reservation() != null) {
      return null;
    }
    Need need = need(job, shape);
    if (board.reservations().lendTo(job)) {
      return onBorrowedNodes(job, shape, minutes, need, from);
    }
    return timeline.search(
        from,
        horizon,
        need.order(),
        shape.minNodes(),
        shape.uniform() ? NONE : need.groups().moments(),
        time -> Reservations.endOf(time, minutes),
        (time, open) -> attempt(job, shape, minutes, need, time, open));
  }

  private @Nullable Slot attempt(
      Job job, Shape shape, long minutes, Need need, long time, long[] open) {
    return attempt(future, job, shape, minutes, need, time, open);
  }

  private @Nullable Slot attempt(
      Future after, Job job, Shape shape, long minutes, Need need, long time, long[] open) {
    if (!Bits.contains(open, shape.required())) {
      return null;
    }
    Choice choice;
    boolean alike = shape.uniform() && board.reservedParts().isEmpty();
    if (alike && time > now && board.hardware().size() > EXACT_NODES) {
      choice = board.placer().chooseUniform(shape, open);
    } else {
      Usage usage = after.usageAt(time, open, need.groups());
      long end = Reservations.endOf(time, minutes);
      Usage seen = board.reservedParts().seenBy(job, usage, time, end);
      choice =
          time <= now
              ? Places.chooseNow(board, job, shape, open, seen)
              : Places.choose(board, job, shape, open, seen);
    }
    return choice == null ? null : new Slot(time, choice);
  }

  /** A job that names a reservation has its nodes and its time; others' plans count as well. */
  private @Nullable Slot insideReservation(Job job, Shape shape, long minutes, Need need) {
    List<Reservations.Booking> bookings =
        board.reservations().against(job, now, Reservations.endOf(horizon, minutes));
    Reservations.Booking own = board.reservations().of(job);
    boolean free = own != null && (own.isFlexible() || own.isOfAnyNodes());
    Windows windows = new Windows();
    long[] serving = need.serving();
    for (int n = Bits.next(serving, 0); n >= 0; n = Bits.next(serving, n + 1)) {
      if (need.ready(n) < horizon && own != null && (free || Bits.has(own.nodes(), n))) {
        Reservations.Booking within = own.isFlexible() ? null : own;
        // a forecast may ask before the reservation has started
        long from = within == null ? need.ready(n) : Math.max(need.ready(n), within.start());
        addWindows(windows, n, from, minutes, bookings, within);
        if (!own.reservation().isWholeNodes()) {
          long[] only = Bits.of(board.hardware().size());
          Bits.add(only, n);
          for (long moment : future.moments(only)) {
            addWindows(windows, n, Math.max(moment, from), minutes, bookings, within);
          }
        }
      }
    }
    return windows.sweep(
        shape.minNodes(),
        board.hardware().size(),
        (time, open) -> attempt(job, shape, minutes, need, time, open));
  }

  /** A job to which reservations lend nodes is planned as if those were not there. */
  private @Nullable Slot onBorrowedNodes(
      Job job, Shape shape, long minutes, Need need, long earliest) {
    List<Reservations.Booking> bookings =
        board.reservations().against(job, earliest, Reservations.endOf(horizon, minutes));
    Windows windows = new Windows();
    long[] serving = need.serving();
    for (int n = Bits.next(serving, 0); n >= 0; n = Bits.next(serving, n + 1)) {
      if (need.ready(n) < horizon) {
        long from = Math.max(need.ready(n), earliest);
        addWindows(windows, n, from, minutes, bookings, null);
        if (!shape.uniform()) {
          for (long moment : need.groups().moments()) {
            addWindows(windows, n, Math.max(moment, from), minutes, bookings, null);
          }
        }
      }
    }
    return windows.sweep(
        shape.minNodes(),
        board.hardware().size(),
        (time, open) -> attempt(job, shape, minutes, need, time, open));
  }

  private Need need(Job job, Shape shape) {
    boolean anyUser = !shape.forUserAlone() && !board.usage().hasUserOnly();
    Need need = anyUser ? needsOfAnyUser.get(shape) : null;
    if (need == null) {
      int uid = anyUser ? ANY_USER : job.owner().uid();
      Key key = new Key(shape.wish(), shape.partition().name(), uid);
      need = needs.get(key);
      if (need == null) {
        need = new Need(shape, job.owner().uid(), readiness(job, shape, key));
        needs.put(key, need);
      }
      if (anyUser) {
        needsOfAnyUser.put(shape, need);
      }
    }
    need.refresh(future, version);
    return need;
  }

  private Readiness readiness(Job job, Shape shape, Key key) {
    Foresight shared = version == 0 ? foresight : null;
    Readiness found = shared == null ? null : shared.get(key, shape.partition());
    if (found == null) {
      long[] serving = Bits.common(board.serving(shape), board.plannable());
      found = future.readiness(shape, job.owner().uid(), serving);
      if (shared != null) {
        shared.put(key, shape.partition(), found);
      }
    }
    return found;
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
      for (; i < stays.count(node); i++) {
        if (stays.end(node, i) > from) {
          blockStart = stays.start(node, i);
          blockEnd = stays.end(node, i);
          break;
        }
      }
      for (Reservations.Booking b : bookings) {
        if (b.end() > from && b.start() < blockStart && Bits.has(b.nodes(), node)) {
          blockStart = b.start();
          blockEnd = b.end();
        }
      }
      long last = lastStart(blockStart, minutes);
      if (own != null) {
        // It may begin as long as its reservation lasts, and ends with it.
        last = Math.min(last, own.end() - 1);
      }
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
    return blockStart - Reservations.endOf(0, minutes);
  }
}
