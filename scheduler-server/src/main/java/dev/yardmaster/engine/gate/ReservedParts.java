package dev.yardmaster.engine.gate;

import dev.yardmaster.engine.gate.Reservations.Booking;
import dev.yardmaster.engine.place.Bits;
import dev.yardmaster.engine.place.Shape;
import dev.yardmaster.engine.place.Usage;
import dev.yardmaster.model.Allocation;
import dev.yardmaster.model.GresShare;
import dev.yardmaster.model.IndexSet;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.NodeShare;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * Reservations of cores and GRES: what a job sees of the nodes they lie on. Jobs of the reservation
 * see its cores alone, and as much of its GRES as its other jobs leave; all others see what it does
 * not keep.
 */
public final class ReservedParts {
  private final Board board;

  ReservedParts(Board board) {
    this.board = board;
  }

  /** Whether any reservation is of parts of nodes. */
  public boolean isEmpty() {
    return board.reservations().ofParts().isEmpty();
  }

  /**
   * What a job sees as taken for a run in [from, until).
   *
   * @param usage what jobs have taken; it is not changed
   */
  public Usage seenBy(Job job, Usage usage, long from, long until) {
    if (isEmpty()) {
      return usage;
    }
    Booking own = board.reservations().of(job);
    List<Booking> against = against(job, from, until);
    boolean inside = own != null && !own.reservation().isWholeNodes() && !own.isFlexible();
    if (against.isEmpty() && !inside) {
      return usage;
    }
    Usage seen = usage.copy();
    for (Booking b : against) {
      close(b, seen, from);
    }
    if (own != null && inside) {
      confine(own, seen, from);
    }
    return seen;
  }

  /** Whether a node could not serve a shape for what is reserved of it, were it empty. */
  boolean close(Job job, Shape shape, int node, long from, long until) {
    if (isEmpty() || !touches(job, node, from, until)) {
      return false;
    }
    Usage left = board.empty().copy();
    against(job, from, until).forEach(b -> close(b, left, from));
    return board.placer().fit().test(shape, node, left, true, job.owner().uid()) != null;
  }

  private boolean touches(Job job, int node, long from, long until) {
    for (Booking b : against(job, from, until)) {
      if (Bits.has(b.nodes(), node)) {
        return true;
      }
    }
    return false;
  }

  /** A job of a reservation, whatever that is of, is kept from no parts that others have. */
  private List<Booking> against(Job job, long from, long until) {
    return board.reservations().of(job) == null
        ? board.reservations().partsAgainst(job, from, until)
        : List.of();
  }

  private void close(Booking b, Usage seen, long from) {
    for (int n = Bits.next(b.nodes(), 0); n >= 0; n = Bits.next(b.nodes(), n + 1)) {
      IndexSet cores = b.reservation().cores().get(board.hardware().name(n));
      if (cores != null) {
        seen.keep(n, cores);
      }
      for (Map.Entry<String, Long> gres : b.reservation().gres().entrySet()) {
        if (counts(b, gres.getKey())) {
          long kept = perNode(b, gres.getValue()) - usedInside(b, n, gres.getKey(), from);
          seen.keepGres(n, gres.getKey(), Math.max(0, kept));
        }
      }
    }
  }

  private void confine(Booking own, Usage seen, long from) {
    for (int n = Bits.next(own.nodes(), 0); n >= 0; n = Bits.next(own.nodes(), n + 1)) {
      IndexSet cores = own.reservation().cores().get(board.hardware().name(n));
      if (cores != null) {
        seen.confine(n, cores);
      }
      for (Map.Entry<String, Long> gres : own.reservation().gres().entrySet()) {
        if (counts(own, gres.getKey())) {
          long free = perNode(own, gres.getValue()) - usedInside(own, n, gres.getKey(), from);
          seen.leaveGres(n, gres.getKey(), Math.max(0, free));
        }
      }
    }
  }

  /** A GRES given with its type stands for the sum over types as well, which is left out. */
  private static boolean counts(Booking b, String name) {
    return name.contains(":")
        || b.reservation().gres().keySet().stream().noneMatch(k -> k.startsWith(name + ":"));
  }

  private static long perNode(Booking b, long total) {
    return Math.ceilDiv(total, Math.max(1, Bits.count(b.nodes())));
  }

  /** What the reservation's own jobs still use of it at a time. */
  private long usedInside(Booking b, int node, String gres, long at) {
    long used = 0;
    for (Job job : board.holders()) {
      Allocation allocation = job.allocation();
      Instant end = job.ended();
      boolean over = at > board.now().getEpochSecond() && end != null && end.getEpochSecond() <= at;
      if (allocation == null || over || !b.reservation().name().equals(job.reservation())) {
        continue;
      }
      for (NodeShare share : allocation.shares()) {
        if (board.hardware().indexOf(share.node()) == node) {
          used += held(share, gres);
        }
      }
    }
    return used;
  }

  private static long held(NodeShare share, String tres) {
    long held = 0;
    for (GresShare gres : share.gres()) {
      String name = "gres/" + gres.name();
      if (tres.equals(name) || tres.equals(name + ":" + gres.type())) {
        held += gres.count();
      }
    }
    return held;
  }
}
