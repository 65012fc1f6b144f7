package dev.yardmaster.engine.gate;

import dev.yardmaster.engine.limit.LimitBoard.Standing;
import dev.yardmaster.engine.place.Bits;
import dev.yardmaster.engine.place.Choice;
import dev.yardmaster.engine.place.Shape;
import dev.yardmaster.explain.Evidence;
import dev.yardmaster.explain.Gate;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.Tres;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** The limits of associations and QOS, as gates. */
public final class LimitGates {
  private LimitGates() {}

  /**
   * Checks a job in a partition.
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

  /** Whether there is any placement in which limits on distinct nodes let a job start. */
  public static boolean somewhere(Board board, Job job, Shape shape, Collector c) {
    Standing broken = board.limits().ofNodes(job, shape.partition(), shape.minCpus());
    if (broken == null) {
      return true;
    }
    fail(broken, c);
    return false;
  }

  /** Whether limits on distinct nodes would let a job start if nobody else ran. */
  public static boolean ever(Board board, Job job, Shape shape, Collector c) {
    Standing broken = board.limits().ofNodesForever(job, shape.partition(), shape.minCpus());
    if (broken == null) {
      return true;
    }
    fail(broken, c);
    return false;
  }

  private static void fail(Standing broken, Collector c) {
    c.fail(gate(broken), new Why(broken.reason()), broken.waitingHelps(), broken::evidence);
  }

  private static Gate gate(Standing standing) {
    return standing.qos() ? Gate.QOS_LIMIT : Gate.ASSOCIATION_LIMIT;
  }

  /**
   * Each of the two gates tells its first limit that is broken, else the one that is nearest. What
   * depends on nodes has its turn in {@link #somewhere}.
   */
  private static boolean explain(Board board, Job job, Shape shape, Collector c) {
    List<Standing> all = board.limits().all(job, shape.partition(), shape.minCpus());
    boolean ok = true;
    List<Gate> spoken = new ArrayList<>();
    for (Standing standing : all) {
      if (standing.broken() && !standing.dependsOnNodes() && !spoken.contains(gate(standing))) {
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
   * Whether a job may start on chosen nodes: only the choice tells how many distinct nodes are new,
   * and what comes with the nodes, as all GPUs of those that a job has for itself.
   */
  public static boolean onNodes(Board board, Job job, Shape shape, Choice choice, Collector c) {
    Standing broken = board.limits().onNodes(job, shape.partition(), names(board, choice));
    if (broken == null && shape.mayTakeMore(choice)) {
      Supplier<Tres> taken =
          () ->
              board
                  .placer()
                  .allocate(
                      shape, choice, board.seenBy(job, job.timeLimitMinutes()), job.owner().uid())
                  .tres();
      broken = board.limits().taking(job, shape.partition(), taken);
    }
    if (broken == null) {
      return true;
    }
    fail(broken, c);
    return false;
  }

  /**
   * The nodes that a job must leave alone so that a limit on nodes lets it start: all that are not
   * held already by those the limit is about.
   */
  public static long[] notHeld(Board board, Job job, Shape shape, Choice choice) {
    List<String> all = board.hardware().names(board.up());
    List<String> held =
        board.limits().heldAlready(job, shape.partition(), names(board, choice), all);
    long[] others = board.up().clone();
    Bits.removeAll(others, board.hardware().setOf(held));
    return others;
  }

  private static List<String> names(Board board, Choice choice) {
    List<String> names = new ArrayList<>(choice.order().length);
    for (int node : choice.order()) {
      names.add(board.hardware().name(node));
    }
    return names;
  }
}
