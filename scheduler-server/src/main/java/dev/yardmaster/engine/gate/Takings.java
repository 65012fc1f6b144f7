package dev.yardmaster.engine.gate;

import dev.yardmaster.engine.place.Choice;
import dev.yardmaster.engine.place.Shape;
import dev.yardmaster.model.Job;

/** What a job would take of the nodes it is given, beyond what it asks for. */
public final class Takings {
  private Takings() {}

  /**
   * The CPUs that a job would take of nodes on which it fits: all those of nodes that it has for
   * itself, and where cores or sockets are given out, whole ones.
   */
  public static int cpus(Board board, Job job, Shape shape, Choice choice) {
    return shape.whole()
        ? board.hardware().cpusOf(choice.nodes())
        : board.placer().allocate(shape, choice, board.empty(), job.owner().uid()).cpus();
  }
}
