package dev.yardmaster.engine.gate;

import dev.yardmaster.engine.place.Bits;
import dev.yardmaster.engine.place.Hardware;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.Reservation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Advance reservations of whole nodes, compiled: whom they keep out of which nodes, and when. */
public final class Reservations {
  /** A reservation that is not over. Times are seconds since the epoch. */
  public record Booking(Reservation reservation, long[] nodes, long start, long end) {
    public boolean maintenance() {
      return reservation.flags().contains("MAINT");
    }

    boolean overlaps(long from, long until) {
      return start < until && end > from;
    }
  }

  private final List<Booking> bookings = new ArrayList<>();
  private final int size;

  Reservations(ClusterState state, Hardware hardware, Instant now) {
    size = hardware.size();
    for (Reservation r : state.reservations().values()) {
      if (r.end().isAfter(now)) {
        bookings.add(
            new Booking(
                r,
                hardware.setOf(r.nodes()),
                r.start().getEpochSecond(),
                r.end().getEpochSecond()));
      }
    }
  }

  public boolean isEmpty() {
    return bookings.isEmpty();
  }

  /** All reservations that are not over, by name. */
  public List<Booking> bookings() {
    return bookings;
  }

  /** The reservation a job names, or null when it names none or one that is gone. */
  public @Nullable Booking of(Job job) {
    for (Booking b : bookings) {
      if (b.reservation().name().equals(job.reservation())) {
        return b;
      }
    }
    return null;
  }

  /** Whether a reservation lets the job's owner in. */
  public static boolean admits(Reservation reservation, Job job) {
    return reservation.users().contains(job.owner().user())
        || reservation.accounts().contains(job.owner().account());
  }

  /** The reservations that keep a job out of their nodes at some time in [from, until). */
  public List<Booking> against(Job job, long from, long until) {
    if (bookings.isEmpty()) {
      return List.of();
    }
    List<Booking> against = new ArrayList<>();
    for (Booking b : bookings) {
      if (!b.reservation().name().equals(job.reservation()) && b.overlaps(from, until)) {
        against.add(b);
      }
    }
    return against;
  }

  /** The nodes that reservations keep from a job at some time in [from, until). */
  public long[] closedTo(Job job, long from, long until) {
    long[] closed = Bits.of(size);
    for (Booking b : against(job, from, until)) {
      Bits.addAll(closed, b.nodes());
    }
    Booking own = of(job);
    if (own != null) {
      long[] outside = Bits.all(size);
      if (own.start() <= from && own.end() >= until) {
        Bits.removeAll(outside, own.nodes());
      }
      Bits.addAll(closed, outside);
    }
    return closed;
  }

  /** The end of a run that begins at {@code from}; unlimited jobs run for a year, as Slurm's. */
  public static long endOf(long from, long limitMinutes) {
    return from + 60 * (limitMinutes == Partition.UNLIMITED ? 365L * 24 * 60 : limitMinutes);
  }
}
