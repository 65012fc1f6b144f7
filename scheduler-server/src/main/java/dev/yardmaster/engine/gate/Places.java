package dev.yardmaster.engine.gate;

import dev.yardmaster.engine.place.Bits;
import dev.yardmaster.engine.place.Choice;
import dev.yardmaster.engine.place.Shape;
import dev.yardmaster.engine.place.Usage;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobRequest;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which of the open nodes a job gets: those of a flexible reservation before any others. */
public final class Places {
  private Places() {}

  /**
   * Chooses nodes for a job that starts now; null when the open ones do not do together. Of equal
   * nodes it gets those that its limits on nodes count already.
   */
  public static @Nullable Choice chooseNow(
      Board board, Job job, Shape shape, long[] open, Usage usage) {
    Set<String> held = board.limits().heldNodes(job, shape.partition());
    Reservations.Booking own = board.reservations().of(job);
    return held == null || own != null && own.isFlexible()
        ? choose(board, job, shape, open, usage)
        : board.placer().chooseNow(shape, open, usage, held, job.owner().uid());
  }

  /** Chooses nodes; null when the open ones do not do together. */
  public static @Nullable Choice choose(
      Board board, Job job, Shape shape, long[] open, Usage usage) {
    int uid = job.owner().uid();
    Reservations.Booking own = board.reservations().of(job);
    if (own == null || !own.isFlexible()) {
      return board.placer().choose(shape, open, usage, false, uid);
    }
    long[] inside = Bits.common(open, own.nodes());
    Choice choice = board.placer().choose(shape, inside, usage, false, uid);
    if (choice != null) {
      return choice;
    }
    long[] fitting = board.placer().fitting(shape, inside, usage, false, uid);
    int count = Bits.count(fitting);
    if (count > 0 && count < shape.minNodes()) {
      choice = withOthers(board, job, shape, fitting, open, usage);
    }
    return choice == null ? board.placer().choose(shape, open, usage, false, uid) : choice;
  }

  /**
   * The nodes that a shape gets when nothing runs; null for none. GPUs that one node must bring
   * with their CPUs are found only if, as Slurm tries it, no node ahead of it has a part of them.
   */
  static @Nullable Choice whenEmpty(Board board, Shape shape) {
    boolean never =
        shape.gathersOnOneNode()
            && shape.request().cpusPerGpu() > 0
            && !board.placer().seemsPossible(shape, board.candidates(shape), board.empty());
    return never
        ? null
        : board.placer().choose(shape, board.serving(shape), board.empty(), true, 0);
  }

  /**
   * Whether the shape waits for fewer switches than it will ever get: enough nodes hang on them,
   * but lighter nodes elsewhere come first even when nothing runs.
   */
  public static boolean neverBelow(Board board, Shape shape) {
    int switches = shape.request().switches();
    long[] serving = switches == 0 ? new long[0] : board.serving(shape);
    return switches > 0
        && board.placer().mostBelow(shape, serving, switches) >= shape.minNodes()
        && shape.nodesWhenEmpty(
                () -> board.placer().choose(shape, serving, Usage.none(board.hardware()), true, 0))
            == 0;
  }

  /** All that fit inside, and of the others as many as are missing, in their usual order. */
  private static @Nullable Choice withOthers(
      Board board, Job job, Shape shape, long[] inside, long[] open, Usage usage) {
    int uid = job.owner().uid();
    int count = Bits.count(inside);
    long[] outside = open.clone();
    Bits.removeAll(outside, inside);
    JobRequest rest =
        shape
            .request()
            .with(
                r ->
                    r.minNodes(shape.minNodes() - count)
                        .maxNodes(shape.maxNodes() - count)
                        .tasks(Math.max(1, shape.request().tasks() - count)));
    Choice more =
        board.placer().choose(board.shape(rest, shape.partition()), outside, usage, false, uid);
    if (more == null) {
      return null;
    }
    long[] all = inside.clone();
    Bits.addAll(all, more.nodes());
    return board.placer().choose(shape, all, usage, false, uid);
  }

  /**
   * Whether the shape names nodes of which some are not in service, and that have the CPUs, memory
   * and features for it: as long as that lasts Slurm does not look further at what they have.
   */
  public static boolean namesAbsent(Board board, Shape shape) {
    if (Bits.contains(board.up(), shape.required())) {
      return false;
    }
    JobRequest plain =
        shape
            .request()
            .with(r -> r.gres(List.of()).tasks(Math.max(1, r.minNodes())).tasksGiven(false));
    return board.nodesWhenEmpty(board.shape(plain, shape.partition())) > 0;
  }

  /**
   * Whether Slurm would take a job though nothing can host it: on one node it gathers what is
   * counted over the job, and does not notice that no node has all of it.
   */
  public static boolean seemsPossible(Board board, Shape shape) {
    return shape.gathersOnOneNode()
        && !board.possible(shape)
        && board.placer().seemsPossible(shape, board.candidates(shape), board.empty());
  }
}
