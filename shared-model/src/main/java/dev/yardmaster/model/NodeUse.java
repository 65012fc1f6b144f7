package dev.yardmaster.model;

import dev.yardmaster.model.text.NodeStateText;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What jobs hold on a node, and the state that follows from it: ALLOCATED when all its CPUs are
 * taken, MIXED when some are; COMPLETING, RESERVED and MAINTENANCE from its jobs and reservations.
 *
 * @param jobs the jobs that hold something on it, by id
 * @param gres what is held, by {@code name} or {@code name:type} as the node has it
 */
public record NodeUse(
    Node node,
    List<Job> jobs,
    int cpus,
    long memoryMib,
    SortedMap<String, Held> gres,
    NodeStateText state) {
  /** Devices of one kind that are held; the indices are empty for what is only counted. */
  public record Held(long count, IndexSet devices) {
    public static final Held NOTHING = new Held(0, IndexSet.EMPTY);

    Held plus(GresShare share) {
      return new Held(count + share.count(), devices.or(share.devices()));
    }
  }

  public NodeUse {
    jobs = List.copyOf(jobs);
  }

  /** CPUs that jobs can have: all but those of the cores kept from them. */
  public int effectiveCpus() {
    NodeSpec spec = node.spec();
    return Math.max(0, spec.cpus() - spec.coreSpecCount() * Math.max(1, spec.threadsPerCore()));
  }

  /** CPUs that are not held, whether or not the node is up. */
  public int freeCpus() {
    return Math.max(0, effectiveCpus() - cpus);
  }

  /** What is held of one kind of device. */
  public Held held(GresDevices devices) {
    return gres.getOrDefault(key(devices.name(), devices.type()), Held.NOTHING);
  }

  private static String key(String name, @Nullable String type) {
    return type == null ? name : name + ":" + type;
  }

  /**
   * The use of each node, in the order of {@code nodes}.
   *
   * @param jobs all jobs that hold resources; others do not matter
   * @param now which reservations are active
   */
  public static List<NodeUse> of(
      Collection<Node> nodes,
      Collection<Job> jobs,
      Collection<Reservation> reservations,
      Instant now) {
    Map<String, Builder> byName = new HashMap<>();
    List<Builder> builders = new ArrayList<>(nodes.size());
    for (Node node : nodes) {
      Builder builder = new Builder(node);
      builders.add(builder);
      byName.put(node.name(), builder);
    }
    for (Job job : jobs) {
      Allocation allocation = job.allocation();
      if (allocation != null && job.holdsResources()) {
        for (NodeShare share : allocation.shares()) {
          Builder builder = byName.get(share.node());
          if (builder != null) {
            builder.add(job, share);
          }
        }
        for (String name : allocation.blocked()) {
          Builder builder = byName.get(name);
          if (builder != null && builder.jobs.stream().noneMatch(j -> j.id() == job.id())) {
            builder.flags.add(NodeFlag.BLOCKED);
          }
        }
      }
    }
    for (Reservation reservation : reservations) {
      if (isMarked(reservation, now)) {
        for (String name : reservation.nodes()) {
          Builder builder = byName.get(name);
          if (builder != null) {
            builder.reserve(reservation);
          }
        }
      }
    }
    return builders.stream().map(Builder::build).toList();
  }

  /**
   * Slurm marks nodes in its next look at the reservations, which comes each second; those of one
   * that floats always.
   */
  private static boolean isMarked(Reservation reservation, Instant now) {
    Instant start = reservation.start().minusSeconds(reservation.floatSeconds());
    boolean floats = reservation.floatSeconds() > 0;
    return (floats || reservation.isActive(now)) && !start.plusSeconds(1).isAfter(now);
  }

  private static final class Builder {
    private final Node node;
    private final List<Job> jobs = new ArrayList<>();
    private final TreeMap<String, Held> gres = new TreeMap<>();
    private final Set<NodeFlag> flags = EnumSet.noneOf(NodeFlag.class);
    private int uncounted;
    private IndexSet cores = IndexSet.EMPTY;
    private long memoryMib;

    Builder(Node node) {
      this.node = node;
      flags.addAll(node.status().flags());
    }

    void add(Job job, NodeShare share) {
      jobs.add(job);
      if (!job.lendsCpus()) {
        cores = cores.or(share.cores());
        uncounted += share.cores().isEmpty() ? share.cpus() : 0;
      }
      memoryMib += share.memoryMib();
      for (GresShare held : share.gres()) {
        gres.merge(
            key(held.name(), held.type()),
            Held.NOTHING.plus(held),
            (before, more) ->
                new Held(before.count() + more.count(), before.devices().or(more.devices())));
      }
      if (job.has(JobFlag.COMPLETING)) {
        flags.add(NodeFlag.COMPLETING);
      }
    }

    void reserve(Reservation reservation) {
      flags.add(NodeFlag.RESERVED);
      if (reservation.has(ReservationFlag.MAINT)) {
        flags.add(NodeFlag.MAINTENANCE);
      }
    }

    /**
     * As in Slurm every CPU of a core counts that somebody holds, and those of shared ones once.
     */
    private int cpus() {
      NodeSpec spec = node.spec();
      int all = Math.max(1, spec.sockets()) * Math.max(1, spec.coresPerSocket());
      return uncounted + cores.size() * Math.max(1, spec.cpus() / all);
    }

    NodeUse build() {
      int cpus = cpus();
      NodeUse use =
          new NodeUse(
              node,
              jobs,
              cpus,
              memoryMib,
              Immutable.sortedMap(gres),
              NodeStateText.of(node.status().base()));
      NodeBaseState base = node.status().base();
      boolean working =
          jobs.stream().anyMatch(job -> !job.has(JobFlag.COMPLETING) && !job.lendsCpus());
      if (base == NodeBaseState.IDLE && working) {
        base = use.freeCpus() == 0 ? NodeBaseState.ALLOCATED : NodeBaseState.MIXED;
      }
      return new NodeUse(
          node,
          jobs,
          cpus,
          memoryMib,
          use.gres(),
          NodeStateText.of(base, flags.toArray(NodeFlag[]::new)));
    }
  }
}
