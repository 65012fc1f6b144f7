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
import dev.yardmaster.model.text.FeatureExpression;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds a job its place as Slurm's backfill does, step by step: on the nodes that are open for the
 * whole run from some time on, it takes running jobs away in the order of their ends, more and more
 * of them at once (the span doubles with each try, or grows by bf_window_linear), until the job
 * fits. The place begins when the last job ends that had one of its nodes. It is looked for again
 * from later times on as long as others are open then before that.
 */
final class SlotSearch {
  private static final int MOST_STEPS = 200;

  private static final long YEAR_SECONDS = 365L * 24 * 60 * 60;

  private final Board board;
  private final Future future;
  private final Openings openings;
  private final long now;
  private final long horizon;
  private final long resolution;

  /** bf_window_linear: by how much the span grows with each try; 0 when it doubles. */
  private final long growth;

  /** bf_busy_nodes: the nodes that are used last; null without. */
  private final long @Nullable [] idle;

  private final Usage usage;
  private final UserNodes users;
  private final Identities<Shape, long[]> tried = new Identities<>();
  private boolean wasTried;
  private long later;

  SlotSearch(Board board, Future future, Openings openings, long horizon, long resolution) {
    this.board = board;
    this.future = future;
    this.openings = openings;
    this.horizon = horizon;
    this.resolution = resolution;
    now = board.now().getEpochSecond();
    growth = growth(board.state().config().scheduling().parameters().get("bf_window_linear"));
    usage = board.usage().copy();
    users = new UserNodes(board);
    boolean busy = board.state().config().scheduling().parameters().containsKey("bf_busy_nodes");
    idle = busy ? idle(board) : null;
  }

  private static long[] idle(Board board) {
    long[] idle = board.plannable().clone();
    for (int n = Bits.next(idle, 0); n >= 0; n = Bits.next(idle, n + 1)) {
      if (!board.usage().isIdle(n)) {
        Bits.remove(idle, n);
      }
    }
    return idle;
  }

  private static long growth(@Nullable String seconds) {
    return seconds != null && seconds.matches("[0-9]{1,9}") ? Long.parseLong(seconds) : 0;
  }

  /**
   * Running jobs that a job may preempt: wherever it is planned, they are gone.
   *
   * @param leave the ids of those that would leave
   * @param stop the ids of those that would stop, and keep their memory and devices
   */
  record Gone(Set<Integer> leave, Set<Integer> stop) {
    static final Gone NOBODY = new Gone(Set.of(), Set.of());
  }

  /**
   * The place for a job; null when there is none before the horizon. What changes on any node of
   * its partition makes Slurm look again, and the jobs on all nodes that it tries count.
   *
   * @param serving the nodes that could host it
   * @param gone whom it may preempt
   */
  Plan.@Nullable Slot find(Job job, Shape shape, long minutes, long[] serving, Gone gone) {
    long[] tried = tried(shape);
    long[] partition = Bits.common(board.nodesOf(shape.partition().name()), board.plannable());
    Bits.removeAll(partition, shape.excluded());
    long length = Reservations.endOf(0, minutes);
    long from = now;
    wasTried = false;
    later = 0;
    for (int step = 0; step < MOST_STEPS && from <= horizon; step++) {
      List<Reservations.Booking> against = board.reservations().against(job, from, from + length);
      long free = endOfNamed(against, shape);
      if (free > from) {
        from = free;
        continue;
      }
      long[] reserved = Bits.of(board.hardware().size());
      against.forEach(b -> Bits.addAll(reserved, b.nodes()));
      long[] others = partition.clone();
      Bits.removeAll(others, reserved);
      if (users.remove(job, shape, from, others)) {
        later = users.later();
        from = later;
        continue;
      }
      Bits.addAll(others, reserved);
      Openings.Opening opening = openings.at(from, length, Bits.common(others, partition));
      later = earlier(opening.later(), endOfReservation(against, partition, from));
      later = later == 0 ? users.later() : later;
      long[] open = Bits.common(opening.nodes(), tried);
      Bits.removeAll(open, reserved);
      // who wants whole blocks or switches gets none of which a node is planned for another
      long[] planned = openings.planned(from, length);
      Bits.removeAll(open, shape.unitsOf(board.hardware(), planned));
      boolean enough =
          Bits.count(open) >= shape.minNodes() && Bits.contains(open, shape.required());
      wasTried |= enough;
      Plan.Slot slot = enough ? first(job, shape, open, serving, from, later, gone) : null;
      if (slot != null && slot.start() <= now) {
        return slot;
      }
      if (slot == null) {
        if (later == 0) {
          return null;
        }
        from = later;
      } else if (openings.overlaps(slot.start(), length, slot.held(board, shape))) {
        from = slot.start() == from ? from + resolution : slot.start();
      } else if (later > 0 && slot.start() > later) {
        from = later;
      } else {
        return slot.start() < horizon ? slot : null;
      }
    }
    return null;
  }

  /** When others were open after those of the last place found; 0 for never. */
  long later() {
    return later;
  }

  /** Whether enough nodes were open at some time for the last job to be tried on them. */
  boolean wasTried() {
    return wasTried;
  }

  /** When the last of these reservations is over that has nodes which the job asks for by name. */
  private static long endOfNamed(List<Reservations.Booking> against, Shape shape) {
    long end = 0;
    for (Reservations.Booking b : against) {
      end = Bits.countCommon(b.nodes(), shape.required()) > 0 ? Math.max(end, b.end()) : end;
    }
    return end;
  }

  /**
   * When it is worth while to look again because of reservations that take nodes of the partition:
   * right after the moment on the grid at which the first of any reservations is over; 0 for never.
   */
  private long endOfReservation(List<Reservations.Booking> against, long[] partition, long from) {
    if (against.stream().noneMatch(b -> Bits.countCommon(b.nodes(), partition) > 0)) {
      return 0;
    }
    long first =
        board.reservations().bookings().stream()
            .mapToLong(Reservations.Booking::end)
            .filter(end -> end >= from)
            .min()
            .orElse(horizon);
    long after = Math.ceilDiv(first, resolution) * resolution + 1;
    return after < horizon ? after : 0;
  }

  private static long earlier(long a, long b) {
    return a == 0 || b == 0 ? Math.max(a, b) : Math.min(a, b);
  }

  private long[] tried(Shape shape) {
    long[] found = tried.get(shape);
    if (found == null) {
      found = Bits.common(board.candidates(shape), board.plannable());
      tried.put(shape, found);
    }
    return found;
  }

  /**
   * As {@link #fit}; of the branches of features ({@code [a|b]}), which are tried each by itself,
   * the first that fits earliest counts.
   */
  private Plan.@Nullable Slot first(
      Job job, Shape shape, long[] open, long[] serving, long from, long until, Gone gone) {
    FeatureExpression features = shape.request().features();
    List<FeatureExpression> branches = features == null ? List.of() : features.alternatives();
    if (branches.size() < 2) {
      return fit(job, shape, open, serving, from, until, gone);
    }
    Plan.Slot first = null;
    for (FeatureExpression branch : branches) {
      long[] matching = open.clone();
      for (int n = Bits.next(open, 0); n >= 0; n = Bits.next(open, n + 1)) {
        if (!branch.matches(board.hardware().features(n))) {
          Bits.remove(matching, n);
        }
      }
      Plan.Slot slot =
          Bits.count(matching) < shape.minNodes()
              ? null
              : fit(job, shape, matching, serving, from, until, gone);
      first = slot != null && (first == null || slot.start() < first.start()) ? slot : first;
    }
    return first;
  }

  /** When and where a job fits on open nodes as running jobs end; null when it never does. */
  private Plan.@Nullable Slot fit(
      Job job, Shape shape, long[] open, long[] serving, long from, long until, Gone gone) {
    // of a job of one node those count as well that have a part of what is counted over it
    long[] candidates = shape.gathersOnOneNode() ? open.clone() : Bits.common(open, serving);
    if (from <= now) {
      Choice choice = Places.chooseNow(board, job, shape, candidates, board.usage());
      if (choice != null) {
        return new Plan.Slot(now, choice);
      }
    }
    for (int n = Bits.next(open, 0); n >= 0; n = Bits.next(open, n + 1)) {
      usage.copyRow(board.usage(), n);
    }
    List<Future.Departure> departures = future.departures();
    int next = 0;
    boolean linear = board.placer().takesNodesAsAWhole(shape);
    // select/linear begins with those that run now, however late the job may start
    while (!linear && next < departures.size() && departures.get(next).end() <= from) {
      departures.get(next++).leave(usage, open);
    }
    if (gone != Gone.NOBODY) {
      departures = staying(departures.subList(next, departures.size()), open, gone);
      next = 0;
    }
    Choice choice = inTurn(job, shape, candidates, false);
    if (choice != null) {
      return new Plan.Slot(from, choice);
    }
    return linear
        ? leavingOneByOne(job, shape, open, candidates, departures, from)
        : leaving(job, shape, open, candidates, departures, next, until);
  }

  /** Those that do not make room for the job, after the others have. */
  private List<Future.Departure> staying(
      List<Future.Departure> departures, long[] open, Gone gone) {
    List<Future.Departure> stay = new ArrayList<>();
    for (Future.Departure departure : departures) {
      if (gone.leave.contains(departure.job())) {
        departure.leave(usage, open);
      } else if (gone.stop.contains(departure.job())) {
        Job stopped = board.state().job(departure.job());
        departure.stop(usage, open, stopped == null ? 0 : stopped.owner().uid());
      } else {
        stay.add(departure);
      }
    }
    return stay;
  }

  private @Nullable Choice inTurn(Job job, Shape shape, long[] candidates, boolean again) {
    return board
        .placer()
        .chooseInTurn(shape, candidates, usage, again, again ? idle : null, job.owner().uid());
  }

  private Plan.@Nullable Slot leaving(
      Job job,
      Shape shape,
      long[] open,
      long[] candidates,
      List<Future.Departure> departures,
      int first,
      long until) {
    long span = Future.GROUP_SECONDS;
    long base = 0;
    int next = first;
    boolean more = true;
    while (more) {
      boolean left = false;
      while (true) {
        Future.Departure departure = next < departures.size() ? departures.get(next) : null;
        boolean tooLate = departure != null && until > 0 && departure.end() > until;
        if (departure == null || tooLate || departure.end() >= Future.NEVER) {
          more = false;
          break;
        }
        next++;
        if (Bits.countCommon(departure.nodes(), open) == 0) {
          continue;
        }
        if (base == 0) {
          base = departure.end() + Future.GROUP_SECONDS - departure.end() % Future.GROUP_SECONDS;
        }
        departure.leave(usage, open);
        left = true;
        if (next == departures.size()) {
          more = false;
          break;
        }
        if (departures.get(next).end() > base + span) {
          break;
        }
      }
      if (!left) {
        return null;
      }
      Choice choice = inTurn(job, shape, candidates, true);
      if (choice != null) {
        return new Plan.Slot(lastEnd(choice, open, departures.subList(first, next)), choice);
      }
      do {
        span = growth > 0 ? span + growth : span * 2;
      } while (more && span <= YEAR_SECONDS && departures.get(next).end() > base + span);
    }
    return null;
  }

  /** The same with select/linear, which takes away one job at a time. */
  private Plan.@Nullable Slot leavingOneByOne(
      Job job,
      Shape shape,
      long[] open,
      long[] candidates,
      List<Future.Departure> departures,
      long from) {
    for (Future.Departure departure : departures) {
      if (departure.end() >= Future.NEVER) {
        return null;
      }
      if (Bits.countCommon(departure.nodes(), open) > 0) {
        departure.leave(usage, open);
        Choice choice = inTurn(job, shape, candidates, true);
        if (choice != null) {
          return new Plan.Slot(Math.max(departure.end(), Math.max(from, now + 1)), choice);
        }
      }
    }
    return null;
  }

  /**
   * When the last job ends, of those taken away, that has one of these nodes; else the last that
   * has an open one.
   */
  private long lastEnd(Choice choice, long[] open, List<Future.Departure> left) {
    long end = 0;
    for (Future.Departure departure : left.reversed()) {
      if (Bits.countCommon(departure.nodes(), choice.nodes()) > 0) {
        return Math.max(departure.end(), now + 1);
      }
      if (end == 0 && Bits.countCommon(departure.nodes(), open) > 0) {
        end = departure.end();
      }
    }
    return Math.max(end, now + 1);
  }
}
