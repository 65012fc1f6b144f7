package dev.yardmaster.engine.place;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Parts of a cluster of which a job of several nodes gets neighbours: rings or tori. */
sealed interface Units permits Rings, Tori {
  /** The nodes of each part. */
  List<long[]> sets();

  /** Whether any of some nodes is in a part from which jobs get nodes. */
  boolean covers(long[] nodes);

  /** Whether there are places of the form that a shape asks for at all, open or not. */
  boolean haveForm(Shape shape);

  /**
   * Chooses exactly as many nodes as the shape needs at least, by where they lie.
   *
   * @return the nodes in the order in which they are taken; null when none lie together
   */
  int @Nullable [] choose(Shape shape, long[] candidates, Rooms rooms);
}
