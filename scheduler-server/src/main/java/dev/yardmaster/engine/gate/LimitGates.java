package dev.yardmaster.engine.gate;

import dev.yardmaster.engine.limit.LimitBoard.Standing;
import dev.yardmaster.engine.place.Bits;
import dev.yardmaster.engine.place.Choice;
import dev.yardmaster.engine.place.Shape;
import dev.yardmaster.engine.place.Usage;
import dev.yardmaster.explain.Evidence;
import dev.yardmaster.explain.Gate;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobRequest;
import dev.yardmaster.model.MemoryRequest;
import dev.yardmaster.model.ReqTres;
import dev.yardmaster.model.Tres;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The limits of associations and QOS, as gates. */
public final class LimitGates {
  /** A node that no limit counts yet, whichever it is. */
  private static final String HELD_BY_NOBODY = "";

  private LimitGates() {}

  /**
   * Checks a job in a partition: the limits on numbers of jobs and on time.
   *
   * @return whether no limit holds it back
   */
  public static boolean check(Board board, Job job, Shape shape, Collector c) {
    if (!board.limits().isActive()) {
      c.notApplicable(Gate.ASSOCIATION_LIMIT);
      c.notApplicable(Gate.QOS_LIMIT);
      return true;
    }
    if (c.all()) {
      return explain(board, job, shape, c);
    }
    Standing broken = board.limits().first(job, shape.partition(), shape.minCpus());
    if (broken == null) {
      return true;
    }
    fail(broken, c);
    return false;
  }

  /** Whether there is any placement in which limits on amounts let a job start. */
  public static boolean somewhere(Board board, Job job, Shape shape) {
    return board.limits().ofAmounts(job, shape.partition(), shape.minCpus(), null) == null;
  }

  /** The same, as a gate. */
  public static boolean somewhere(Board board, Job job, Shape shape, Collector c) {
    Standing broken = board.limits().ofAmounts(job, shape.partition(), shape.minCpus(), null);
    if (broken == null) {
      return true;
    }
    fail(broken, c);
    return false;
  }

  /**
   * Tells of the gates that have not failed yet the first limit on an amount that is broken
   * wherever the job is placed.
   */
  public static void tell(Board board, Job job, Shape shape, AllFindings all) {
    if (!board.limits().isActive()) {
      return;
    }
    for (Standing standing : board.limits().all(job, shape.partition(), shape.minCpus())) {
      if (standing.broken() && standing.ofAmount() && all.why(gate(standing)) == null) {
        fail(standing, all);
      }
    }
  }

  /**
   * Whether limits on nodes would let a job start if nobody else ran. One that asks for more than
   * such a limit is not planned; one past another limit is, as in Slurm.
   */
  public static boolean ever(Board board, Job job, Shape shape, Collector c) {
    Standing broken = board.limits().ofNodesForever(job, shape.partition(), shape.minCpus());
    if (broken == null) {
      return true;
    }
    fail(broken, c);
    return false;
  }

  /**
   * Tells of limits on amounts where a job has a place in the plan, and then of the others.
   *
   * @param choice the place; null for none
   * @param starts whether the job would start there at once
   */
  public static void tell(
      Board board, Job job, Shape shape, @Nullable Choice choice, boolean starts, AllFindings all) {
    if (choice == null) {
      somewhere(board, job, shape, all);
    } else if (starts) {
      amounts(board, job, shape, choice, all);
    } else {
      planned(board, job, shape, choice, all);
    }
    tell(board, job, shape, all);
  }

  /**
   * Tells of the limit that keeps a job from a place that others have to leave: it is found when
   * all else is, and is what the pass goes by.
   */
  public static void decided(Board board, Job job, Shape shape, Choice choice, AllFindings all) {
    FirstFailure first = new FirstFailure();
    if (!amounts(board, job, shape, choice, first) && first.gate() instanceof Gate gate) {
      amounts(board, job, shape, choice, all);
      all.decidedBy(gate);
    }
  }

  private static void fail(Standing broken, Collector c) {
    c.fail(gate(broken), new Why(broken.reason()), broken.waitingHelps(), broken::evidence);
  }

  private static Gate gate(Standing standing) {
    return standing.qos() ? Gate.QOS_LIMIT : Gate.ASSOCIATION_LIMIT;
  }

  /**
   * Each of the two gates tells its first limit that is broken, else the one that is nearest. Those
   * on amounts have their turn when the nodes have.
   */
  private static boolean explain(Board board, Job job, Shape shape, Collector c) {
    List<Standing> all = board.limits().all(job, shape.partition(), shape.minCpus());
    boolean ok = true;
    List<Gate> spoken = new ArrayList<>();
    for (Standing standing : all) {
      if (standing.broken() && !standing.ofAmount() && !spoken.contains(gate(standing))) {
        spoken.add(gate(standing));
        fail(standing, c);
        ok = false;
      }
    }
    for (Gate gate : List.of(Gate.ASSOCIATION_LIMIT, Gate.QOS_LIMIT)) {
      if (spoken.contains(gate)) {
        continue;
      }
      Standing nearest = null;
      for (Standing standing : all) {
        boolean nearer = nearest == null || left(standing) < left(nearest);
        nearest = gate(standing) == gate && nearer ? standing : nearest;
      }
      if (nearest == null) {
        c.notApplicable(gate);
      } else {
        c.pass(gate, nearest::evidence);
      }
    }
    return ok;
  }

  /** How much of a limit is left, as a share of it. */
  private static double left(Standing standing) {
    return standing.evidence() instanceof Evidence.Limit l && l.allowed() > 0
        ? (double) (l.allowed() - l.used() - l.asked()) / l.allowed()
        : 0;
  }

  /**
   * Whether limits on amounts would let a job start on nodes planned for it. The CPUs of whole
   * nodes count, with their memory, and what it asks for on each node; what else comes with the
   * nodes is not looked at before it starts.
   */
  public static boolean planned(Board board, Job job, Shape shape, Choice choice, Collector c) {
    return on(board, job, shape, choice, untaken(board, job, choice), c);
  }

  private static boolean on(
      Board board, Job job, Shape shape, Choice choice, List<String> nodes, Collector c) {
    Standing broken = board.limits().ofAmounts(job, shape.partition(), shape.minCpus(), nodes);
    if (broken == null && mayTakeMore(job, shape, choice) && board.limits().isActive()) {
      broken =
          board
              .limits()
              .taking(job, shape.partition(), () -> onNodes(board, job, shape, choice), nodes);
    }
    if (broken == null) {
      return true;
    }
    fail(broken, c);
    return false;
  }

  /** Whether a job takes more on these nodes than its request tells before they are chosen. */
  private static boolean mayTakeMore(Job job, Shape shape, Choice choice) {
    return shape.mayTakeMore(choice) || job.request().memory().equals(MemoryRequest.ALL);
  }

  /** What a job asks for on so many nodes. */
  private static Tres onNodes(Board board, Job job, Shape shape, Choice choice) {
    int count = choice.order().length;
    JobRequest request = job.request().with(r -> r.minNodes(count).maxNodes(count));
    TreeMap<String, Long> amounts = new TreeMap<>(ReqTres.of(request).amounts());
    long cpus = shape.whole() ? board.hardware().cpusOf(choice.nodes()) : shape.minCpus();
    amounts.merge(Tres.CPU, cpus, Math::max);
    if (request.memory() instanceof MemoryRequest.PerCpu(long mib)) {
      amounts.merge(Tres.MEM, mib * cpus, Math::max);
    } else if (request.memory().equals(MemoryRequest.ALL)) {
      amounts.put(Tres.MEM, board.hardware().memoryOf(choice.nodes()));
    }
    return new Tres(amounts);
  }

  /**
   * Whether limits on amounts let a job start on chosen nodes: only the choice tells how many
   * distinct nodes are new, and what comes with the nodes, as all GPUs of those that a job has for
   * itself. Slurm looks at them once it has found nodes: a job that lacks nodes waits for these
   * first.
   */
  public static boolean amounts(Board board, Job job, Shape shape, Choice choice, Collector c) {
    if (!on(board, job, shape, choice, names(board, choice), c)) {
      return false;
    }
    return more(board, job, shape, choice, board.seenBy(job, job.timeLimitMinutes()), c);
  }

  /**
   * Whether limits on amounts would let a job start that lacks nodes now. As in Slurm what comes
   * with whole nodes is that of the nodes which it would get if nobody else ran, and to a limit on
   * nodes all of these are new, also those that are held already, but for those that it names.
   */
  public static boolean whileBusy(Board board, Job job, Shape shape, Collector c) {
    if (!board.limits().isActive()) {
      return true;
    }
    long[] usable = Bits.common(board.serving(shape), board.up());
    Choice alone = board.placer().choose(shape, usable, board.empty(), true, 0);
    List<String> nodes =
        alone == null
            ? Collections.nCopies(shape.minNodes(), HELD_BY_NOBODY)
            : named(board, job, alone);
    Standing broken = board.limits().ofAmounts(job, shape.partition(), shape.minCpus(), nodes);
    if (broken != null) {
      fail(broken, c);
      return false;
    }
    return alone == null || more(board, job, shape, alone, board.empty(), c);
  }

  /** Whether what comes with the nodes beyond what the job asks for is within limits. */
  private static boolean more(
      Board board, Job job, Shape shape, Choice choice, Usage usage, Collector c) {
    if (!mayTakeMore(job, shape, choice)) {
      return true;
    }
    Supplier<Tres> taken =
        () -> board.placer().allocate(shape, choice, usage, job.owner().uid()).tres();
    Standing broken = board.limits().taking(job, shape.partition(), taken, names(board, choice));
    if (broken == null) {
      return true;
    }
    fail(broken, c);
    return false;
  }

  /** As in Slurm a job that names nodes finds no others held that a limit on nodes counts. */
  private static List<String> untaken(Board board, Job job, Choice choice) {
    return job.request().requiredNodes().isEmpty()
        ? names(board, choice)
        : named(board, job, choice);
  }

  /** The nodes of a place, of which those that a job does not name are held by nobody. */
  private static List<String> named(Board board, Job job, Choice choice) {
    List<String> named = job.request().requiredNodes().expand();
    List<String> names = names(board, choice);
    names.replaceAll(name -> named.contains(name) ? name : HELD_BY_NOBODY);
    return names;
  }

  private static List<String> names(Board board, Choice choice) {
    List<String> names = new ArrayList<>(choice.order().length);
    for (int node : choice.order()) {
      names.add(board.hardware().name(node));
    }
    return names;
  }
}
