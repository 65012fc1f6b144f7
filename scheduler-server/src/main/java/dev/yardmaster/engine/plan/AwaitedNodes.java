package dev.yardmaster.engine.plan;

import dev.yardmaster.engine.gate.Board;
import dev.yardmaster.engine.place.Bits;
import org.jspecify.annotations.Nullable;

/** Nodes that still reboot or are cleaned. */
final class AwaitedNodes {
  private AwaitedNodes() {}

  /** As in Slurm a job that would start now on such nodes is planned for the next second. */
  static Plan.@Nullable Slot onceUp(Board board, Plan.@Nullable Slot slot) {
    long now = board.now().getEpochSecond();
    if (slot == null || slot.start() > now) {
      return slot;
    }
    boolean up =
        Bits.contains(board.up(), slot.nodes())
            && Bits.countCommon(board.cleaning(), slot.nodes()) == 0;
    return up ? slot : new Plan.Slot(now + 1, slot.choice());
  }
}
