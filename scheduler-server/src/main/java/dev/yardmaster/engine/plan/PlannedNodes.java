package dev.yardmaster.engine.plan;

import dev.yardmaster.engine.Decision;
import dev.yardmaster.engine.gate.Board;
import dev.yardmaster.engine.place.Bits;
import dev.yardmaster.model.Allocation;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobFlag;
import dev.yardmaster.model.Node;
import dev.yardmaster.model.NodeFlag;
import dev.yardmaster.model.text.HostList;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The nodes on which a backfill pass keeps places for jobs. As in Slurm they are marked PLANNED
 * when the pass is over, but for those whose CPUs are all taken then, and stay so until the next
 * backfill pass, whatever becomes of the jobs.
 */
final class PlannedNodes {
  private final Board board;
  private final long[] nodes;

  PlannedNodes(Board board) {
    this.board = board;
    nodes = Bits.of(board.hardware().size());
  }

  /**
   * A place is kept for a job.
   *
   * @param held its nodes, and those that it keeps from others
   * @param elsewhere what the job was planned for in another partition before; a later place does
   *     not count
   */
  void keep(long[] held, Spot spot, @Nullable Spot elsewhere) {
    if (elsewhere == null || spot.start().isBefore(elsewhere.start())) {
      Bits.addAll(nodes, held);
    }
  }

  /** What is to be changed about the nodes; null for nothing. */
  Decision.@Nullable Mark decide() {
    long[] cleaning = Bits.of(board.hardware().size());
    for (Job job : board.holders()) {
      Allocation allocation = job.allocation();
      if (job.has(JobFlag.COMPLETING) && allocation != null) {
        Bits.addAll(cleaning, board.hardware().setOf(allocation.nodes().expand()));
      }
    }
    List<String> marked = new ArrayList<>();
    List<String> freed = new ArrayList<>();
    for (Node node : board.state().nodes().values()) {
      int n = board.hardware().indexOf(node.name());
      boolean planned =
          n >= 0
              && Bits.has(nodes, n)
              && (board.usage().freeCores(n, null) > 0 || Bits.has(cleaning, n));
      if (planned != node.status().has(NodeFlag.PLANNED)) {
        (planned ? marked : freed).add(node.name());
      }
    }
    return marked.isEmpty() && freed.isEmpty()
        ? null
        : new Decision.Mark(HostList.of(marked), HostList.of(freed));
  }
}
