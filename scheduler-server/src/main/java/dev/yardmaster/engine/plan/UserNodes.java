package dev.yardmaster.engine.plan;

import dev.yardmaster.engine.gate.Board;
import dev.yardmaster.engine.gate.Reservations;
import dev.yardmaster.engine.place.Bits;
import dev.yardmaster.engine.place.Shape;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Partition;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Nodes that users have to themselves ({@code --exclusive=user}, ExclusiveUser=YES), as Slurm's
 * backfill sees them: of the nodes on which a job would meet others it leaves out those that are
 * used longest, as long as it has more of them than it needs. With the first that it cannot do
 * without it waits until that node's last job is over, and looks at all of them again.
 */
final class UserNodes {
  private final Board board;
  private final long[] lastEnd;
  private final int[] users;
  private final boolean[] used;
  private final boolean[] several;
  private final boolean[] owned;
  private Integer[] latestFirst = new Integer[0];
  private boolean anyOwned;
  private int seen;
  private long later;

  UserNodes(Board board) {
    this.board = board;
    int size = board.hardware().size();
    lastEnd = new long[size];
    users = new int[size];
    used = new boolean[size];
    several = new boolean[size];
    owned = new boolean[size];
  }

  /**
   * Takes nodes away that a job cannot use from a moment on.
   *
   * @param nodes those that could serve it; what it cannot have is removed
   * @return whether it has to wait until {@link #later}
   */
  boolean remove(Job job, Shape shape, long from, long[] nodes) {
    refresh();
    later = 0;
    Job there =
        job.partitions().size() < 2 ? job : job.withPartitions(List.of(shape.partition().name()));
    boolean alone = board.manner(there).userAlone();
    if (!alone && !anyOwned) {
      return false;
    }
    int left = Bits.count(nodes);
    for (int n : latestFirst) {
      if (!used[n] || lastEnd[n] <= from) {
        return false;
      }
      boolean own = users[n] == job.owner().uid();
      boolean free = alone ? own && !several[n] : own || !owned[n];
      if (free || !Bits.has(nodes, n)) {
        continue;
      }
      later = lastEnd[n];
      if (left <= shape.minNodes() || Bits.has(shape.required(), n)) {
        return true;
      }
      Bits.remove(nodes, n);
      left--;
    }
    return false;
  }

  /** When the last job is over on the node that was left out last; 0 when none was. */
  long later() {
    return later;
  }

  /** Takes in the jobs that run, and those that were started since. */
  private void refresh() {
    List<Job> holders = board.holders();
    if (seen == holders.size()) {
      return;
    }
    for (; seen < holders.size(); seen++) {
      Job job = holders.get(seen);
      if (job.allocation() != null
          && (job.state() == JobState.RUNNING || job.state() == JobState.SUSPENDED)) {
        boolean alone = board.manner(job).userAlone();
        long end = Reservations.endOf(board.now().getEpochSecond(), Partition.UNLIMITED);
        if (job.ended() != null) {
          end = job.ended().getEpochSecond();
        }
        for (var share : job.allocation().shares()) {
          int node = board.hardware().indexOf(share.node());
          if (node >= 0) {
            use(node, job.owner().uid(), alone, end);
          }
        }
      }
    }
    latestFirst = new Integer[lastEnd.length];
    Arrays.setAll(latestFirst, n -> n);
    Arrays.sort(latestFirst, Comparator.comparingLong(n -> -lastEnd[n]));
  }

  private void use(int node, int user, boolean alone, long end) {
    if (!used[node]) {
      used[node] = true;
      users[node] = user;
      owned[node] = alone;
    } else if (!owned[node] && !several[node]) {
      several[node] = users[node] != user;
      owned[node] = alone;
    }
    anyOwned |= alone;
    lastEnd[node] = Math.max(lastEnd[node], end);
  }
}
