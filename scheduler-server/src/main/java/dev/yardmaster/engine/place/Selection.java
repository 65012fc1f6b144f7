package dev.yardmaster.engine.place;

import dev.yardmaster.explain.Evidence.Placed.Rule;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** What is still missing of a shape while nodes are added one by one. */
final class Selection {
  /** More CPUs than any nodes have. */
  static final long NO_CEILING = Integer.MAX_VALUE;

  private final Hardware hardware;
  private final Shape shape;
  private final Rooms rooms;
  private final long[] chosen;
  private int[] order = new int[8];
  private int count;
  private int wanted;
  private int least;
  private int most;
  private long cpus;
  private long ceiling;
  private long gres;
  private Rule rule = Rule.RUN;
  private long lastPart;

  /**
   * Begins with the nodes that must be part of it.
   *
   * @param most at most this many nodes
   */
  Selection(Hardware hardware, Shape shape, Rooms rooms, long[] initial, int most) {
    this.hardware = hardware;
    this.shape = shape;
    this.rooms = rooms;
    chosen = Bits.of(hardware.size);
    wanted = shape.wantedNodes;
    least = shape.minNodes;
    this.most = most;
    cpus = shape.minCpus;
    ceiling = cpus;
    gres = shape.jobGres();
    for (int n = Bits.next(initial, 0); n >= 0; n = Bits.next(initial, n + 1)) {
      take(n);
    }
  }

  /** Takes a node as it is. */
  void take(int node) {
    Bits.add(chosen, node);
    if (count == order.length) {
      order = Arrays.copyOf(order, count * 2);
    }
    order[count++] = node;
    int used = shape.use(hardware, node, rooms.cpus[node], ceiling, least);
    cpus -= used;
    ceiling -= used;
    gres -= rooms.jobGres[node];
    wanted--;
    least--;
    most--;
  }

  /** How many more nodes are wanted where there is a choice. */
  int wanted() {
    return wanted;
  }

  /** Makes it want another number of nodes in all. */
  void want(int nodes) {
    wanted = nodes - count;
  }

  /**
   * Makes it ask for a part of the shape.
   *
   * @param nodes so many nodes, no more and no less
   */
  void ask(int nodes, long minCpus, long minGres) {
    wanted = nodes;
    least = nodes;
    cpus = minCpus;
    gres = minGres;
    offerAll();
  }

  /** Lets each node give all that it offers. */
  void offerAll() {
    ceiling = NO_CEILING;
  }

  /** The nodes in the order in which they were taken. */
  IntStream inTurn() {
    return Arrays.stream(order, 0, count);
  }

  /** How many more nodes are needed at least. */
  int least() {
    return least;
  }

  /** How many more nodes may be taken. */
  int most() {
    return most;
  }

  long cpus() {
    return cpus;
  }

  long gres() {
    return gres;
  }

  long[] chosen() {
    return chosen;
  }

  void foundBy(Rule by) {
    rule = by;
  }

  /** Whether nothing is missing. */
  boolean satisfied() {
    return cpus <= 0 && gres <= 0 && wanted <= 0;
  }

  /** Whether nothing is missing of the least that will do. */
  boolean isEnough() {
    return cpus <= 0 && gres <= 0 && least <= 0;
  }

  /** What was taken; null when it does not do. */
  @Nullable Choice choice() {
    return isEnough() && most >= 0 && eachHasItsPart()
        ? new Choice(Arrays.copyOf(order, count), chosen, rule)
        : null;
  }

  /** Whether every node gives something of what is counted over the job. */
  private boolean eachHasItsPart() {
    for (int i = 0; i < count && shape.jobGres() > 0; i++) {
      if (rooms.jobGres[order[i]] == 0) {
        return false;
      }
    }
    return true;
  }

  /**
   * Takes the first node that holds all of a job that runs on one, of the least weight. What is
   * counted over the job is gathered as Slurm does it: the nodes tried before count as if they had
   * given their part, so that a node may be asked for the rest alone, and the test ends where
   * nothing is missing any more, whether or not that node has all of it. Of GPUs whose CPUs come by
   * DefCpuPerGPU alone only the rest that the node was asked for has CPUs.
   *
   * @param tried all nodes that have a part of it
   * @param able those that hold all of it
   */
  @Nullable Choice first(long[] tried, long[] able) {
    rule = Rule.FIRST;
    if (shape.jobGres() == 0 || count > 0) {
      return inOrder(able, true);
    }
    int end = endOfGathering(tried);
    if (end < 0) {
      return null;
    }
    if (Bits.has(able, end)) {
      take(end);
      if (Fit.gathersByDefault(shape)) {
        return new Choice(new int[] {end}, chosen, rule).withCpusOf((int) lastPart);
      }
    }
    return choice();
  }

  /** The node with which nothing is missing of what is counted over the job; -1 for none. */
  int endOfGathering(long[] tried) {
    List<Integer> nodes = members(tried);
    nodes.sort(Comparator.comparingInt(n -> rooms.order[n]));
    int perGpu = shape.request.cpusPerGpu();
    boolean withCpus = perGpu > 0;
    long missing = gres;
    long least = Fit.gathersByDefault(shape) ? shape.askedCpus() : cpus;
    for (int n : nodes) {
      Bits.add(rooms.gathered, n);
      long part = Math.max(1, Math.min(rooms.jobGres[n], missing));
      missing -= part;
      boolean enoughCpus =
          rooms.cpus[n] >= least
              && (!withCpus
                  || part >= shape.jobGres()
                  || hardware.wholeCores(n, part * perGpu) >= least);
      if (missing <= 0 && enoughCpus) {
        lastPart = part;
        return n;
      }
    }
    return -1;
  }

  private static List<Integer> members(long[] set) {
    List<Integer> nodes = new ArrayList<>();
    for (int n = Bits.next(set, 0); n >= 0; n = Bits.next(set, n + 1)) {
      nodes.add(n);
    }
    return nodes;
  }

  /** Takes nodes run by run, the best run first. */
  @Nullable Choice byRuns(long[] candidates) {
    boolean contiguous = shape.request.contiguous();
    Runs runs = Runs.ofNeighbours(hardware, candidates, chosen, rooms, contiguous);
    while (!satisfied() && most > 0) {
      int best = runs.best(this::enough, contiguous, !Bits.isEmpty(chosen));
      if (best < 0) {
        break;
      }
      if (contiguous && !enough(runs, best)) {
        return null;
      }
      takeRun(runs, best, candidates);
    }
    return choice();
  }

  /**
   * Takes the least loaded nodes first (CR_LLN, LLN=YES): of each weight those with most of their
   * CPUs free. As in Slurm the first node is content that has as many free as the last one taken,
   * and one is taken for which there is place though it does not bring all that is missing.
   */
  @Nullable Choice byLoad(long[] candidates) {
    rule = Rule.LOAD;
    int last = -1;
    int weight = Integer.MIN_VALUE;
    while (!satisfied() && most > 0) {
      int best = -1;
      for (int n = Bits.next(candidates, 0); n >= 0; n = Bits.next(candidates, n + 1)) {
        if (!Bits.has(chosen, n) && (best < 0 || freer(n, best))) {
          best = n;
          if (rooms.idle[n] == last && rooms.weight[n] == weight) {
            break;
          }
        }
      }
      if (best < 0) {
        break;
      }
      last = rooms.idle[best];
      weight = rooms.weight[best];
      take(best);
    }
    return choice();
  }

  /**
   * Takes nodes by their weight, and of equal ones by their place: the first ones or the last ones
   * (SchedulerParameters, pack_serial_at_end).
   */
  @Nullable Choice inOrder(long[] candidates, boolean fromStart) {
    List<Integer> nodes = members(candidates);
    if (!fromStart) {
      Collections.reverse(nodes);
    }
    nodes.sort(Comparator.comparingInt(n -> rooms.weight[n]));
    for (int n : nodes) {
      if (!Bits.has(chosen, n) && !satisfied() && most > 0 && useful(n)) {
        take(n);
      }
    }
    return choice();
  }

  private boolean freer(int node, int than) {
    long free = (long) rooms.idle[node] * hardware.cpus[than];
    long other = (long) rooms.idle[than] * hardware.cpus[node];
    return rooms.weight[node] < rooms.weight[than]
        || (rooms.weight[node] == rooms.weight[than] && free > other);
  }

  /** Takes nodes by their weight, of equal ones those in use before those that are idle. */
  @Nullable Choice busyFirst(long[] candidates, long[] idle) {
    List<Integer> nodes = members(candidates);
    nodes.sort(
        Comparator.<Integer>comparingInt(n -> rooms.weight[n])
            .thenComparingInt(n -> Bits.has(idle, n) ? 1 : 0));
    for (int n : nodes) {
      if (!Bits.has(chosen, n) && !satisfied() && most > 0) {
        take(n);
      }
    }
    return choice();
  }

  private void takeRun(Runs runs, int run, long[] candidates) {
    if (rule == Rule.RUN && runs.firstChosen(run) < 0 && wanted <= 1) {
      int single = bestSingle(runs, run, candidates);
      if (single >= 0) {
        take(single);
        runs.drop(run);
        return;
      }
    }
    int from = runs.firstChosen(run) >= 0 ? runs.firstChosen(run) : runs.start(run);
    for (int n = from; n <= runs.end(run); n++) {
      consider(runs, run, candidates, n);
    }
    for (int n = from - 1; n >= runs.start(run); n--) {
      consider(runs, run, candidates, n);
    }
    runs.drop(run);
  }

  /** Where one more node will do, the one that holds all that is missing with least to spare. */
  private int bestSingle(Runs runs, int run, long[] candidates) {
    int best = -1;
    for (int n = runs.start(run); n <= runs.end(run); n++) {
      boolean open = Bits.has(candidates, n) && !Bits.has(chosen, n) && runs.contains(run, n);
      if (open && rooms.cpus[n] >= cpus && rooms.jobGres[n] >= gres) {
        best = best < 0 || offered(n) < offered(best) ? n : best;
      }
    }
    return best;
  }

  /** CPUs that Slurm sees on a node: with devices no more than the tasks there can have. */
  private int offered(int node) {
    return Fit.countsTasks(shape) ? rooms.cpus[node] : rooms.idle[node];
  }

  private void consider(Runs runs, int run, long[] candidates, int node) {
    boolean open =
        Bits.has(candidates, node) && !Bits.has(chosen, node) && runs.contains(run, node);
    if (open && !satisfied() && most > 0 && useful(node)) {
      take(node);
    }
  }

  /** The last node that may be added must bring all that is missing. */
  private boolean useful(int node) {
    return most > 1 || (rooms.cpus[node] >= cpus && rooms.jobGres[node] >= gres);
  }

  private boolean enough(Runs runs, int run) {
    return runs.cpus(run) >= cpus && runs.gres(run) >= gres && runs.nodes(run) >= least;
  }
}
