package dev.yardmaster.model;

import dev.yardmaster.model.text.AccountingNames;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * An advance reservation: who may use what, and when (scontrol(1), "RESERVATIONS"). It is of whole
 * nodes unless {@code cores} says otherwise.
 *
 * @param start when it begins; of one that repeats, the present or next occurrence
 * @param nodes its nodes in configuration order
 * @param flags names of {@link ReservationFlag}
 * @param users who may use it, or with a minus before each name who may not; so for accounts, qos
 *     and allowedPartitions. A job must be let in by each list that is not empty.
 * @param partition the partition from which its nodes were taken; empty when they were named
 * @param features what its nodes had to have; empty when nothing was asked
 * @param cores by node, the cores that belong to it; empty when the nodes belong to it as a whole
 * @param gres by TRES name, for example {@code gres/gpu:h100}, how many over all its nodes; empty
 *     when it was not made by GRES
 * @param purgeSeconds PURGE_COMP: it is deleted when nobody has used it for so long; 0 for never
 * @param maxStartDelaySeconds MaxStartDelay; 0 when not given
 * @param floatSeconds TIME_FLOAT: the start lies always so far ahead; 0 when it is fixed
 * @param zone the time zone in which a repeated one comes at the same time of day; empty for UTC
 * @param idleSince since when no job belongs to it, where that matters
 * @param id its number, which is a new one each time it comes again; 0 where it has none
 * @param durationMinutes its length as it was asked for, which an update of its start keeps; 0 when
 *     its end was given
 * @param comment free text of an administrator; empty when none
 */
@RecordBuilder
public record Reservation(
    String name,
    Instant start,
    Instant end,
    List<String> nodes,
    Set<String> flags,
    List<String> users,
    List<String> accounts,
    List<String> groups,
    List<String> qos,
    List<String> allowedPartitions,
    String partition,
    String features,
    SortedMap<String, IndexSet> cores,
    SortedMap<String, Long> gres,
    SortedMap<String, Integer> licenses,
    long purgeSeconds,
    long maxStartDelaySeconds,
    long floatSeconds,
    String zone,
    @Nullable Instant idleSince,
    int id,
    long durationMinutes,
    String comment)
    implements ReservationBuilder.With {
  public Reservation {
    nodes = List.copyOf(nodes);
    flags = Collections.unmodifiableSet(new TreeSet<>(flags));
    users = List.copyOf(users);
    accounts = List.copyOf(accounts);
    groups = List.copyOf(groups);
    qos = List.copyOf(qos);
    allowedPartitions = List.copyOf(allowedPartitions);
  }

  /** A reservation of whole nodes for users and accounts. */
  public Reservation(
      String name,
      Instant start,
      Instant end,
      List<String> nodes,
      Set<String> flags,
      List<String> users,
      List<String> accounts) {
    this(
        name,
        start,
        end,
        nodes,
        flags,
        users,
        accounts,
        List.of(),
        List.of(),
        List.of(),
        "",
        "",
        Immutable.sortedMap(),
        Immutable.sortedMap(),
        Immutable.sortedMap(),
        0,
        0,
        0,
        "",
        null,
        0,
        0,
        "");
  }

  public boolean has(ReservationFlag flag) {
    return flags.contains(flag.name());
  }

  public Duration length() {
    return Duration.between(start, end);
  }

  /** As it stands at a moment: the start of a floating one moves with the time. */
  public Reservation at(Instant now) {
    if (floatSeconds <= 0) {
      return this;
    }
    Instant from = now.plusSeconds(floatSeconds);
    return with(r -> r.start(from).end(from.plus(length())));
  }

  /** Whether it is in force at a moment. */
  public boolean isActive(Instant now) {
    Reservation r = at(now);
    return !r.start.isAfter(now) && r.end.isAfter(now);
  }

  /** Flags as scontrol prints them, in its order. */
  public List<String> flagWords() {
    return ReservationFlag.ordered(flags);
  }

  /** Whether the nodes belong to it as a whole. */
  public boolean isWholeNodes() {
    return cores.isEmpty() && gres.isEmpty();
  }

  /**
   * Whether jobs of this owner may name it: each of the lists of users, accounts and groups that is
   * not empty must let the owner in.
   *
   * @param accountsAbove the owner's account and those it is part of; only the account itself where
   *     the tree does not count
   */
  public boolean admits(JobOwner owner, List<String> accountsAbove) {
    return lets(users, List.of(owner.user()))
        && letsAnyCase(accounts, accountsAbove)
        && lets(groups, List.of(owner.group()))
        && !(users.isEmpty()
            && accounts.isEmpty()
            && groups.isEmpty()
            && qos.isEmpty()
            && allowedPartitions.isEmpty());
  }

  /** Whether jobs of a QOS run in it that ask for a partition. */
  public boolean takes(String jobQos, String jobPartition) {
    return letsAnyCase(qos, List.of(jobQos)) && lets(allowedPartitions, List.of(jobPartition));
  }

  private static boolean letsAnyCase(List<String> list, List<String> names) {
    return lets(AccountingNames.fold(list), AccountingNames.fold(names));
  }

  private static boolean lets(List<String> list, List<String> names) {
    if (list.isEmpty()) {
      return true;
    }
    if (list.getFirst().startsWith("-")) {
      return names.stream().noneMatch(name -> list.contains("-" + name));
    }
    return names.stream().anyMatch(list::contains);
  }

  /**
   * Whether a job that does not belong to it may run on its nodes until they are wanted: one that
   * yields, within MaxStartDelay (scontrol(1)).
   */
  public boolean lendsTo(Job job) {
    return maxStartDelaySeconds > 0
        && job.batch().yieldsToReservations()
        && job.batch().warnSeconds() <= maxStartDelaySeconds;
  }
}
