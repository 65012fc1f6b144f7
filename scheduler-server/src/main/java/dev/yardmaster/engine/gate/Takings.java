package dev.yardmaster.engine.gate;

import dev.yardmaster.engine.place.Bits;
import dev.yardmaster.engine.place.Shape;

/** What a job would take of the nodes it is given, beyond what it asks for. */
public final class Takings {
  private Takings() {}

  /** The CPUs that a job takes at least: all those of nodes that it has for itself. */
  public static long leastCpus(Board board, Shape shape) {
    int node = shape.whole() ? Bits.next(board.serving(shape), 0) : -1;
    if (node < 0) {
      return shape.askedCpus();
    }
    long[] one = Bits.of(board.hardware().size());
    Bits.add(one, node);
    return Math.max(shape.minCpus(), (long) shape.minNodes() * board.hardware().cpusOf(one));
  }
}
