package dev.yardmaster.engine.plan;

import dev.yardmaster.engine.gate.Board;
import dev.yardmaster.engine.place.Bits;
import dev.yardmaster.engine.place.Fit;
import dev.yardmaster.engine.place.Hardware;
import dev.yardmaster.engine.place.Manner;
import dev.yardmaster.engine.place.Shape;
import dev.yardmaster.engine.place.Usage;
import dev.yardmaster.model.IndexSet;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobFlag;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.NodeShare;
import dev.yardmaster.model.Suspension;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the nodes become free as running jobs reach their limits. A node only gets freer, so for each
 * shape there is one moment from which it fits.
 *
 * <p>As Slurm's plan does, ends that lie within {@link #GROUP_SECONDS} of each other count as one,
 * at the last of them; a job past its limit is taken to end right after now, never earlier.
 */
final class Future {
  /** Running jobs that end within this of each other are looked at together. */
  static final long GROUP_SECONDS = 30;

  private static final int MOST_MOMENTS = 1000;

  static final long NEVER = Long.MAX_VALUE / 4;

  private static final NodeShare NOTHING = new NodeShare("", IndexSet.EMPTY, 0, 0, List.of());

  /** What a job gives back on a node when it ends. */
  record Release(long end, int node, NodeShare share, Manner manner, boolean unblocks) {
    void apply(Usage usage) {
      if (unblocks) {
        usage.block(node, -1);
      } else {
        usage.remove(node, share, manner);
      }
    }
  }

  /** A job that runs and is to end. */
  record Departure(long end, int job, long[] nodes, List<Release> releases) {
    /** As Slurm has them: of those that end in the same second the older job comes first. */
    static final Comparator<Departure> ORDER =
        Comparator.comparingLong(Departure::end).thenComparingInt(Departure::job);

    /** The job stops on some nodes: it gives back its cores alone. */
    void stop(Usage usage, long[] within, int uid) {
      for (Release release : releases) {
        if (Bits.has(within, release.node) && !release.unblocks) {
          usage.remove(release.node, release.share, release.manner);
          usage.add(release.node, release.share, uid, release.manner.whenStopped());
        }
      }
    }

    /** Gives back what the job has of some nodes. */
    void leave(Usage usage, long[] within) {
      for (Release release : releases) {
        if (Bits.has(within, release.node)) {
          release.apply(usage);
        }
      }
    }
  }

  private final Board board;
  private final Hardware hardware;
  private final long now;
  private final List<List<Release>> byNode = new ArrayList<>();
  private final List<Departure> departures = new ArrayList<>();
  private final Usage scratch;
  private final SlotSearch.Gone gone;
  private final @Nullable Usage own;
  private int seen;

  Future(Board board) {
    this(board, SlotSearch.Gone.NOBODY);
  }

  /**
   * As it would be without some jobs.
   *
   * @param gone who has left, or stopped, from now on
   */
  Future(Board board, SlotSearch.Gone gone) {
    this.board = board;
    this.gone = gone;
    own = gone == SlotSearch.Gone.NOBODY ? null : board.usage().copy();
    hardware = board.hardware();
    now = board.now().getEpochSecond();
    scratch = usage().copy();
    for (int n = 0; n < hardware.size(); n++) {
      byNode.add(new ArrayList<>(2));
    }
    refresh();
  }

  /** What is taken now. */
  private Usage usage() {
    return own == null ? board.usage() : own;
  }

  /** Whether a job has left or stopped, which is taken in. */
  private boolean isGone(Job job, Departure departure) {
    if (own != null && gone.leave().contains(job.id())) {
      departure.leave(own, departure.nodes);
      return true;
    }
    if (own != null && gone.stop().contains(job.id())) {
      departure.stop(own, departure.nodes, job.owner().uid());
      return true;
    }
    return false;
  }

  /** Takes in jobs that were started since. */
  void refresh() {
    List<Job> holders = board.holders();
    if (seen == holders.size()) {
      return;
    }
    boolean first = seen == 0;
    for (; seen < holders.size(); seen++) {
      Job job = holders.get(seen);
      var allocation = job.allocation();
      if (allocation == null) {
        continue;
      }
      long end = endOf(job);
      Manner manner = board.manner(job);
      Departure departure =
          new Departure(end, job.id(), Bits.of(hardware.size()), new ArrayList<>());
      if (own != null && !first) {
        own.add(allocation, job.owner().uid(), manner);
      }
      for (String name : allocation.blocked()) {
        add(departure, hardware.indexOf(name), NOTHING, manner, true);
      }
      for (NodeShare share : allocation.shares()) {
        add(departure, hardware.indexOf(share.node()), share, manner, false);
      }
      if (isGone(job, departure)) {
        continue;
      }
      for (Release release : departure.releases) {
        byNode.get(release.node).add(release);
        if (!first) {
          byNode.get(release.node).sort(Comparator.comparingLong(Release::end));
        }
      }
      departures.add(departure);
    }
    departures.sort(Departure.ORDER);
    if (first) {
      byNode.forEach(list -> list.sort(Comparator.comparingLong(Release::end)));
    }
  }

  private static void add(
      Departure departure, int node, NodeShare share, Manner manner, boolean unblocks) {
    if (node >= 0) {
      Release release = new Release(departure.end, node, share, manner, unblocks);
      departure.releases.add(release);
      Bits.add(departure.nodes, node);
    }
  }

  /** The jobs that run, in the order in which they are to end. */
  List<Departure> departures() {
    return departures;
  }

  private long endOf(Job job) {
    if (job.has(JobFlag.COMPLETING)) {
      return now + 1;
    }
    var end = job.ended();
    Suspension suspension = job.suspension();
    if (job.state() == JobState.SUSPENDED && end != null && suspension != null) {
      return Math.max(now + 1, now + end.getEpochSecond() - suspension.at().getEpochSecond());
    }
    return end == null
        ? NEVER
        : Math.max(TimeLimits.expectedEnd(board, job, end.getEpochSecond()), now + 1);
  }

  /** The ends of running jobs on these nodes, grouped: for each end, when its group is over. */
  Groups groups(long[] nodes) {
    long[] ends = new long[16];
    int count = 0;
    for (int n = Bits.next(nodes, 0); n >= 0; n = Bits.next(nodes, n + 1)) {
      for (Release r : byNode.get(n)) {
        if (count == ends.length) {
          ends = Arrays.copyOf(ends, count * 2);
        }
        ends[count++] = r.end;
      }
    }
    ends = Arrays.copyOf(ends, count);
    Arrays.sort(ends);
    return new Groups(ends);
  }

  /** Sorted ends of jobs and the groups they fall into. */
  static final class Groups {
    private final long[] ends;
    private final long[] over;
    private long @Nullable [] moments;

    Groups(long[] ends) {
      this.ends = ends;
      over = new long[ends.length];
      for (int i = 0; i < ends.length; ) {
        int j = i;
        while (j + 1 < ends.length && ends[j + 1] <= ends[i] + GROUP_SECONDS) {
          j++;
        }
        Arrays.fill(over, i, j + 1, ends[j]);
        i = j + 1;
      }
    }

    /**
     * The moments at which groups are over; of very many, as many as it is reasonable to try,
     * evenly taken.
     */
    long[] moments() {
      if (moments == null) {
        long[] distinct = Arrays.stream(over).distinct().filter(m -> m < NEVER).toArray();
        int step = distinct.length / MOST_MOMENTS + 1;
        long[] some = new long[(distinct.length + step - 1) / step];
        for (int i = 0; i < some.length; i++) {
          some[i] = distinct[Math.min(distinct.length - 1, i * step + step - 1)];
        }
        moments = some;
      }
      return moments;
    }

    /** When the group of an end is over. */
    long of(long end) {
      int at = Arrays.binarySearch(ends, end);
      return at < 0 ? end : over[at];
    }
  }

  /** When jobs that run on these nodes end, in order, ends close to each other as one. */
  long[] moments(long[] nodes) {
    Groups groups = groups(nodes);
    return Arrays.stream(groups.over).filter(t -> t > now && t < NEVER).distinct().toArray();
  }

  /**
   * From when on a node fits a shape, if nothing else is planned on it; {@link #NEVER} if never.
   */
  long ready(Shape shape, int node, int uid, Groups groups) {
    if (fits(shape, node, uid, usage())) {
      return now;
    }
    List<Release> releases = byNode.get(node);
    scratch.copyRow(usage(), node);
    for (int i = 0; i < releases.size(); ) {
      long over = groups.of(releases.get(i).end);
      while (i < releases.size() && groups.of(releases.get(i).end) == over) {
        Release r = releases.get(i++);
        r.apply(scratch);
      }
      if (over >= NEVER) {
        return NEVER;
      }
      if (fits(shape, node, uid, scratch)) {
        return over;
      }
    }
    return NEVER;
  }

  /** When jobs that run on a node end. */
  long[] ends(int node) {
    return byNode.get(node).stream().mapToLong(Release::end).filter(t -> t < NEVER).toArray();
  }

  /** Makes a node's row say what the jobs that run now still take at a time. */
  void row(int node, long time, Usage into) {
    into.copyRow(usage(), node);
    for (Release r : byNode.get(node)) {
      if (r.end <= time) {
        into.remove(node, r.share, r.manner);
      }
    }
  }

  /** From when on each of the nodes that serve a shape fits it. */
  Readiness readiness(Shape shape, int uid, long[] serving) {
    Groups groups = groups(serving);
    long[] times = new long[hardware.size()];
    Arrays.fill(times, NEVER);
    for (int n = Bits.next(serving, 0); n >= 0; n = Bits.next(serving, n + 1)) {
      times[n] = ready(shape, n, uid, groups);
    }
    return Readiness.of(serving, times, groups, now);
  }

  private boolean fits(Shape shape, int node, int uid, Usage usage) {
    Fit fit = board.placer().fit();
    return fit.test(shape, node, usage, false, uid) == null
        || (shape.gathersOnOneNode() && fit.hasPartOfJobGres());
  }

  /** What is taken on these nodes at a time in the future; good until the next call. */
  Usage usageAt(long time, long[] nodes, Groups groups) {
    if (time <= now) {
      return usage();
    }
    for (int n = Bits.next(nodes, 0); n >= 0; n = Bits.next(nodes, n + 1)) {
      scratch.copyRow(usage(), n);
      for (Release r : byNode.get(n)) {
        if (groups.of(r.end) > time) {
          break;
        }
        r.apply(scratch);
      }
    }
    return scratch;
  }
}
