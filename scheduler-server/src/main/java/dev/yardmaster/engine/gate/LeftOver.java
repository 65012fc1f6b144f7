package dev.yardmaster.engine.gate;

import dev.yardmaster.engine.place.Bits;
import dev.yardmaster.engine.place.Shape;
import dev.yardmaster.model.Allocation;
import dev.yardmaster.model.Exclusivity;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.NodeShare;
import dev.yardmaster.model.Partition;

/**
 * What jobs ahead and reservations leave of the nodes to a job that found none. As in Slurm it
 * waits for resources, and keeps nodes of its own, where they would do if they were empty, or where
 * one of them is not to be shared; else its nodes are not available, and it keeps nothing.
 *
 * @param planned the nodes that jobs ahead keep
 */
record LeftOver(Board board, Job job, Shape shape, long[] planned) {
  Why why(NodeReasons reasons) {
    long[] left = without(board.serving(shape));
    boolean waits = Bits.contains(left, shape.required()) && (wouldDo(left) || isAnyUnshared());
    return waits ? NodeReasons.BUSY : reasons.unavailable(shape);
  }

  /**
   * The same of one from which reservations keep the nodes that it lacks: they are blamed unless
   * one of the others is not to be shared.
   */
  Why whyReserved(NodeReasons reasons) {
    Why reserved = reasons.reserved(job, shape);
    boolean waits =
        !reserved.equals(NodeReasons.MAINTENANCE)
            && Bits.contains(without(board.serving(shape)), shape.required())
            && isAnyUnshared();
    return waits ? NodeReasons.BUSY : reserved;
  }

  /** Those of some nodes that reservations do not keep from the job as a whole. */
  long[] unreserved(long[] nodes) {
    long[] left = nodes.clone();
    long from = board.now().getEpochSecond();
    long until = Reservations.endOf(from, job.timeLimitMinutes());
    Reservations reservations = board.reservations();
    Bits.removeAll(left, reservations.closedTo(job, from, until));
    if (shape.whole()) {
      reservations.partsAgainst(job, from, until).forEach(b -> Bits.removeAll(left, b.nodes()));
    }
    return left;
  }

  private long[] without(long[] nodes) {
    long[] left = Bits.common(unreserved(nodes), board.up());
    Bits.removeAll(left, planned);
    return left;
  }

  private boolean wouldDo(long[] left) {
    return Bits.count(left) >= shape.minNodes()
        && (shape.request().switches() > 0
            || board.placer().choose(shape, left, board.empty(), true, 0) != null);
  }

  /** Whether a node that Slurm would try is held whole, or by anyone where the job wants it so. */
  private boolean isAnyUnshared() {
    long[] tried = without(board.candidates(shape));
    for (Job holder : board.holders()) {
      Allocation held = holder.allocation();
      if (held != null && (shape.whole() || holdsWhole(holder))) {
        for (NodeShare share : held.shares()) {
          int node = board.hardware().indexOf(share.node());
          if (node >= 0 && Bits.has(tried, node)) {
            return true;
          }
        }
      }
    }
    return false;
  }

  private boolean holdsWhole(Job holder) {
    Partition partition = board.state().partitions().get(holder.partition());
    return holder.request().exclusivity() == Exclusivity.NODE
        || (partition != null && partition.overSubscribe().startsWith("EXCLUSIVE"));
  }
}
