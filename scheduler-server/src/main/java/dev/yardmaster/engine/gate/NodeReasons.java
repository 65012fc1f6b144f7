package dev.yardmaster.engine.gate;

import dev.yardmaster.engine.place.Bits;
import dev.yardmaster.engine.place.Shape;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.Node;
import dev.yardmaster.model.NodeBaseState;
import dev.yardmaster.model.NodeFlag;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.Reason;
import dev.yardmaster.model.Topology;
import dev.yardmaster.model.text.HostList;

/** The reasons and sentences that Slurm gives when nodes are missing. */
public final class NodeReasons {
  /** Nodes are there, but taken. */
  static final Why BUSY = new Why(Reason.RESOURCES);

  /** Nodes are free, but planned for jobs ahead. */
  public static final Why BEHIND = new Why(Reason.PRIORITY);

  /**
   * The first job of a partition that has too few nodes left: they are down, drained, or a
   * partition looked at before claims them.
   */
  public static final Why NODES_GONE =
      new Why(
          Reason.RESOURCES,
          "Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority"
              + " partitions");

  /** The same where some of them reboot and will be back in service then. */
  public static final Why NODES_REBOOT =
      new Why(
          Reason.RESOURCES,
          "Nodes required for job are DOWN, DRAINED, REBOOTING or reserved for jobs in higher"
              + " priority partitions");

  /**
   * Whether a partition has too few nodes left, which Slurm looks at before it tries any: said of a
   * job whatever it said before, a limit too.
   */
  public static boolean areGone(Why why) {
    return why.equals(NODES_GONE) || why.equals(NODES_REBOOT);
  }

  /** The job's reservation cannot be used now. */
  public static final Why UNUSABLE = new Why(Reason.RESERVATION);

  /** Nodes are free, but below more switches than the job wants: it waits without a reason. */
  public static final Why SWITCHES = new Why(Reason.NONE);

  private static final Why MAYBE_RESERVED =
      new Why(Reason.REQ_NODE_NOT_AVAIL, "ReqNodeNotAvail, May be reserved for other job");
  public static final Why MAINTENANCE =
      new Why(Reason.REQ_NODE_NOT_AVAIL, "ReqNodeNotAvail, Reserved for maintenance");

  private final Board board;

  NodeReasons(Board board) {
    this.board = board;
  }

  /**
   * The time that a run is planned for at least: --time-min where given. As in Slurm, a job with a
   * --deadline is not cut short; it is planned for its time limit.
   */
  public static long plannedMinutes(Job job) {
    return job.deadline() == null ? leastMinutes(job) : job.timeLimitMinutes();
  }

  /** The time that a run takes at least: --time-min where given. */
  public static long leastMinutes(Job job) {
    boolean shorter =
        job.timeMinMinutes() > 0
            && (job.timeLimitMinutes() == Partition.UNLIMITED
                || job.timeMinMinutes() < job.timeLimitMinutes());
    return shorter ? job.timeMinMinutes() : job.timeLimitMinutes();
  }

  /**
   * The partition could never host the job: for the nodes that it asks for (PartitionNodeLimit),
   * for what its tasks come to (PartitionConfig), or for what its nodes are made of. What Slurm
   * does not notice waits for nodes.
   */
  static Why impossible(Board board, Shape shape) {
    long[] nodes = board.nodesOf(shape.partition().name());
    if (Places.namesAbsent(board, shape)) {
      return new NodeReasons(board).unavailable(shape);
    }
    if (Places.seemsPossible(board, shape)) {
      return Bits.countCommon(nodes, board.up()) == 0 ? MAYBE_RESERVED : BUSY;
    }
    if (shape.request().nodesGiven() && shape.request().minNodes() > Bits.count(nodes)) {
      return new Why(Reason.PARTITION_NODE_LIMIT);
    }
    boolean tooLarge =
        shape.minNodes() > Bits.count(nodes) || shape.minCpus() > board.cpusOf(shape.partition());
    return new Why(tooLarge ? Reason.PARTITION_CONFIG : Reason.BAD_CONSTRAINTS);
  }

  /**
   * Enough nodes are free, but they do not lie together as the topology or the job wants; asked
   * right after the choice failed.
   */
  static Why apart(Board board, Shape shape) {
    Topology topology = board.state().config().topologyOf(shape.partition());
    if (topology instanceof Topology.Flat || topology instanceof Topology.Tree) {
      return BUSY;
    }
    if (topology instanceof Topology.Block && board.placer().unitLacksResources()) {
      return new Why(Reason.RESOURCES, "Insufficient resources in topology unit");
    }
    String segment = shape.request().segment() > 0 ? " for segment" : "";
    return new Why(Reason.RESOURCES, "No suitable topology unit found" + segment);
  }

  /** Too few nodes are up; those that do not respond are named, drained ones are not. */
  Why unavailable(Shape shape) {
    long[] missing = Bits.common(board.notResponding(), board.nodesOf(shape.partition().name()));
    if (!Bits.isEmpty(shape.required())) {
      Bits.retain(missing, shape.required());
    }
    // One that only does not answer, or is being booted, is expected back; FUTURE ones are not.
    for (int n = Bits.next(missing, 0); n >= 0; n = Bits.next(missing, n + 1)) {
      Node node = board.state().node(board.hardware().name(n));
      if (node != null
          && (node.status().base() == NodeBaseState.IDLE
              || node.status().base() == NodeBaseState.FUTURE
              || node.status().has(NodeFlag.REBOOT_ISSUED))) {
        Bits.remove(missing, n);
      }
    }
    if (Bits.isEmpty(missing)) {
      return MAYBE_RESERVED;
    }
    String names = HostList.of(board.hardware().names(missing)).toString();
    return new Why(Reason.REQ_NODE_NOT_AVAIL, "ReqNodeNotAvail, UnavailableNodes:" + names);
  }

  /**
   * Reservations keep too many nodes from the job: Slurm speaks of maintenance where others were
   * laid over its own reservation, or one closes the whole partition; else nodes that do not
   * respond are named.
   */
  Why reserved(Job job, Shape shape) {
    long from = board.now().getEpochSecond();
    long until = Reservations.endOf(from, job.timeLimitMinutes());
    String name = shape.partition().name();
    long[] partition = board.nodesOf(name);
    if (job.reservation() == null) {
      boolean shut = board.reservations().isShut(job, name, partition, from, until);
      return shut ? MAINTENANCE : MAYBE_RESERVED;
    }
    return board.reservations().isBuried(job, partition, from, until)
        ? MAINTENANCE
        : unavailable(shape);
  }
}
