package dev.yardmaster.engine.gate;

import dev.yardmaster.engine.place.Bits;
import dev.yardmaster.engine.place.Hardware;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.Reservation;
import dev.yardmaster.model.ReservationFlag;
import dev.yardmaster.model.ReservationTimes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Advance reservations, compiled: whom they keep out of which nodes, and when. A repeated one
 * counts with each of its occurrences. What is reserved of a node in part is in {@link
 * ReservedParts}.
 */
public final class Reservations {
  /** One occurrence of a reservation that is not over. Times are seconds since the epoch. */
  public record Booking(Reservation reservation, long[] nodes, long start, long end) {
    public boolean maintenance() {
      return reservation.has(ReservationFlag.MAINT);
    }

    boolean overlaps(long from, long until) {
      return start < until && end > from;
    }

    /** Its jobs are bound neither to its time nor to its nodes (FLEX). */
    public boolean isFlexible() {
      return reservation.has(ReservationFlag.FLEX);
    }

    /** Its jobs may use any nodes in its time (ANY_NODES). */
    public boolean isOfAnyNodes() {
      return reservation.has(ReservationFlag.ANY_NODES);
    }
  }

  /**
   * Occurrences are listed so far ahead. No job that starts within a week, the horizon of
   * forecasts, can miss one that a longer list would have: a run of more than a week meets each
   * reservation that repeats.
   */
  private static final long LISTED_SECONDS = 15L * 86_400;

  private final List<Booking> bookings = new ArrayList<>();
  private final List<Booking> whole = new ArrayList<>();
  private final List<Booking> parts = new ArrayList<>();
  private final int size;
  private final ClusterState state;

  Reservations(ClusterState state, Hardware hardware, Instant now) {
    this.state = state;
    size = hardware.size();
    long window = state.config().scheduling().bfWindowMinutes() * 60L + 8 * 86_400;
    Instant last = now.plusSeconds(Math.max(LISTED_SECONDS, window));
    boolean nextOnly = "slurm".equals(state.config().scheduling().parameters().get("resv_repeats"));
    for (Reservation stored : state.reservations().values()) {
      Reservation r = stored.at(now);
      long[] nodes = hardware.setOf(r.nodes());
      for (ReservationTimes.Occurrence o : occurrences(r, nextOnly ? now : last)) {
        if (o.end().isAfter(now)) {
          add(new Booking(r, nodes, o.start().getEpochSecond(), o.end().getEpochSecond()));
        }
      }
    }
  }

  /** The present or next occurrence, and all others that begin before a moment. */
  private static List<ReservationTimes.Occurrence> occurrences(Reservation r, Instant last) {
    return ReservationTimes.repeats(r) && r.start().isBefore(last)
        ? ReservationTimes.until(r, last)
        : List.of(new ReservationTimes.Occurrence(r.start(), r.end()));
  }

  private void add(Booking booking) {
    bookings.add(booking);
    (booking.reservation().isWholeNodes() ? whole : parts).add(booking);
  }

  public boolean isEmpty() {
    return bookings.isEmpty();
  }

  /** All occurrences that are not over, by name and time. */
  public List<Booking> bookings() {
    return bookings;
  }

  /** The occurrences that take whole nodes. */
  public List<Booking> ofWholeNodes() {
    return whole;
  }

  /** The occurrences that take nodes in part. */
  public List<Booking> ofParts() {
    return parts;
  }

  /** The present or next occurrence of the reservation a job names; null when there is none. */
  public @Nullable Booking of(Job job) {
    String name = job.reservation();
    if (name != null) {
      for (Booking b : bookings) {
        if (b.reservation().name().equals(name)) {
          return b;
        }
      }
    }
    return null;
  }

  /** The reservations that draw jobs which did not ask for them (MAGNETIC) and let this one in. */
  public List<Booking> drawing(Job job, String partition) {
    List<Booking> found = new ArrayList<>();
    for (Booking b : bookings) {
      if (b.reservation().has(ReservationFlag.MAGNETIC)
          && Admittance.admits(state, b.reservation(), job.owner())
          && Admittance.takes(b.reservation(), job, partition)
          && found.stream().noneMatch(f -> f.reservation() == b.reservation())) {
        found.add(b);
      }
    }
    return found;
  }

  /** The reservations that keep a job out of whole nodes at some time in [from, until). */
  public List<Booking> against(Job job, long from, long until) {
    return against(whole, job, from, until);
  }

  /** As {@link #against}, those that keep it out of a part of their nodes. */
  List<Booking> partsAgainst(Job job, long from, long until) {
    return against(parts, job, from, until);
  }

  private List<Booking> against(List<Booking> all, Job job, long from, long until) {
    if (all.isEmpty()) {
      return List.of();
    }
    Booking own = of(job);
    List<Booking> against = new ArrayList<>();
    for (Booking b : all) {
      if (!b.reservation().name().equals(job.reservation())
          && b.overlaps(from, until)
          && !b.reservation().lendsTo(job)
          && !isUnder(b, own)) {
        against.add(b);
      }
    }
    return against;
  }

  /**
   * Whether a job's own reservation lends its nodes (MaxStartDelay): until the job has them, others
   * that would borrow them wait for backfill, which plans around it.
   */
  public boolean lends(Job job) {
    Booking own = of(job);
    return own != null && own.reservation().maxStartDelaySeconds() > 0;
  }

  /** Whether any lends its nodes to a job (MaxStartDelay). */
  public boolean lendTo(Job job) {
    return !bookings.isEmpty()
        && job.batch().yieldsToReservations()
        && bookings.stream().anyMatch(b -> b.reservation().lendsTo(job));
  }

  /**
   * Whether a job's own reservation takes precedence: one for maintenance over all, one that may
   * overlap over all but those.
   */
  private static boolean isUnder(Booking b, @Nullable Booking own) {
    return own != null
        && (own.maintenance()
            || own.reservation().has(ReservationFlag.OVERLAP) && !b.maintenance());
  }

  /**
   * Whether others were laid over a job's own reservation for a run in [from, until), so that none
   * of its nodes in a partition is left.
   */
  public boolean isBuried(Job job, long[] partition, long from, long until) {
    Booking own = of(job);
    if (own == null || !own.isFlexible() && (own.start() > from || own.end() < from)) {
      return false;
    }
    long[] left = partition.clone();
    if (!own.isFlexible() && !own.isOfAnyNodes()) {
      Bits.retain(left, own.nodes());
    }
    boolean met = false;
    for (Booking b : against(job, from, until)) {
      met |= Bits.countCommon(left, b.nodes()) > 0;
      Bits.removeAll(left, b.nodes());
    }
    return met && Bits.isEmpty(left);
  }

  /**
   * Whether a reservation without the job closes a whole partition to it for a run in [from,
   * until): of all nodes, of those of the partition, or for maintenance of all of them.
   */
  boolean isShut(Job job, String name, long[] partition, long from, long until) {
    return against(job, from, until).stream()
        .anyMatch(
            b ->
                b.reservation().has(ReservationFlag.ALL_NODES)
                    || b.reservation().has(ReservationFlag.PART_NODES)
                        && b.reservation().partition().equals(name)
                    || b.maintenance() && Bits.contains(b.nodes(), partition));
  }

  /** The nodes that reservations keep from a job at some time in [from, until). */
  public long[] closedTo(Job job, long from, long until) {
    long[] closed = Bits.of(size);
    Booking own = of(job);
    for (Booking b : against(job, from, until)) {
      Bits.addAll(closed, b.nodes());
    }
    if (own != null && !own.isFlexible()) {
      boolean inTime = own.start() <= from && own.end() > from;
      if (!inTime || !own.isOfAnyNodes()) {
        long[] outside = Bits.all(size);
        if (inTime) {
          Bits.removeAll(outside, own.nodes());
        }
        Bits.addAll(closed, outside);
      }
    }
    return closed;
  }

  /**
   * Licences that reservations keep from a job at some time in [from, until): all that each has, as
   * in Slurm also those that its own jobs use.
   */
  public int licensesKept(Job job, String license, long from, long until) {
    int kept = 0;
    for (Booking b : bookings) {
      Integer count = b.reservation().licenses().get(license);
      boolean own = b.reservation().name().equals(job.reservation());
      kept += count != null && !own && b.overlaps(from, until) ? count : 0;
    }
    return kept;
  }

  /** The end of a run that begins at {@code from}; unlimited jobs run for a year, as Slurm's. */
  public static long endOf(long from, long limitMinutes) {
    return from + 60 * (limitMinutes == Partition.UNLIMITED ? 365L * 24 * 60 : limitMinutes);
  }
}
