package dev.yardmaster.engine.place;

import java.util.List;

/**
 * Takes nodes of one unit base block by base block: of as few smaller units as can be, the tightest
 * that completes the job, else the fullest; of equal base blocks the last.
 */
final class BlockFill {
  private final List<long[]> base;
  private final Selection selection;
  private final int first;
  private final int end;
  private final int below;
  private final boolean limited;

  /** Base blocks that nodes were taken of. */
  private final boolean[] used;

  /** How many more smaller units may be begun. */
  private int left;

  /** Open nodes of each base block, and of each smaller unit. */
  private final int[] open;

  private final int[] openBelow;

  private int best;
  private boolean bestFits;
  private boolean bestIsNear;

  /**
   * For one unit.
   *
   * @param first its first base block
   * @param together its base blocks
   * @param below the base blocks of a smaller unit
   * @param limited whether it has more smaller units than the job may fill
   */
  BlockFill(
      Blocks blocks,
      Selection selection,
      int first,
      int together,
      int below,
      boolean limited,
      boolean[] used) {
    base = blocks.base();
    this.selection = selection;
    this.first = first;
    end = Math.min(base.size(), first + together);
    this.below = below;
    this.limited = limited;
    this.used = used;
    int already = Bits.count(selection.chosen());
    left = Math.ceilDiv(selection.wanted() + already, below * blocks.size());
    open = new int[base.size()];
    openBelow = new int[Math.ceilDiv(base.size(), below)];
  }

  /**
   * Takes nodes until nothing is missing.
   *
   * @param able the nodes to take of
   * @param lighter those that are taken first
   * @param required those that are chosen already
   * @return whether nothing is missing
   */
  boolean fill(long[] able, long[] lighter, long[] required) {
    if (limited && !Bits.isEmpty(required) && !begin(required)) {
      return false;
    }
    for (int n = Bits.next(lighter, 0);
        n >= 0 && selection.most() > 0;
        n = Bits.next(lighter, n + 1)) {
      selection.take(n);
    }
    if (!Bits.isEmpty(lighter)) {
      if (selection.satisfied() || selection.most() <= 0 || !begin(lighter)) {
        return selection.satisfied();
      }
    }
    for (int b = first; b < end; b++) {
      if (used[b] && take(b, able)) {
        return true;
      }
    }
    for (int b = first; b < end; b++) {
      if (!used[b]) {
        open[b] = Bits.countCommon(base.get(b), able);
        openBelow[b / below] += open[b];
      }
    }
    return inTurn(able);
  }

  private boolean inTurn(long[] able) {
    int missing;
    do {
      missing = selection.wanted();
      best = -1;
      bestFits = false;
      bestIsNear = true;
      for (int b = first; b < end; b++) {
        if (!used[b]) {
          compare(b);
        }
      }
      if (best < 0 || (left <= 0 && !bestIsNear)) {
        return false;
      }
      used[best] = true;
      if (take(best, able)) {
        return true;
      }
      left -= bestIsNear ? 0 : 1;
    } while (selection.wanted() != missing);
    return false;
  }

  /** Marks the base blocks of nodes; false when they are of too many smaller units. */
  private boolean begin(long[] nodes) {
    int last = -1;
    for (int b = first; b < end; b++) {
      if (used[b]) {
        last = b / below;
      } else if (Bits.countCommon(base.get(b), nodes) > 0) {
        used[b] = true;
        left -= last == b / below ? 0 : 1;
        last = b / below;
      }
    }
    return left >= 0;
  }

  private boolean take(int block, long[] able) {
    long[] nodes = Bits.common(base.get(block), able);
    for (int n = Bits.next(nodes, 0); n >= 0 && selection.most() > 0; n = Bits.next(nodes, n + 1)) {
      if (!Bits.has(selection.chosen(), n)) {
        selection.take(n);
        if (selection.satisfied()) {
          return true;
        }
      }
    }
    return false;
  }

  /** Whether nodes were taken of the smaller unit of a base block. */
  private boolean isNear(int block) {
    int from = block / below * below;
    for (int b = from; b < Math.min(base.size(), from + below); b++) {
      if (used[b]) {
        return true;
      }
    }
    return false;
  }

  private void compare(int block) {
    boolean fits = open[block] >= selection.wanted();
    if (limited && (best < 0 || best / below != block / below)) {
      boolean near = isNear(block);
      int order = best < 0 ? 1 : compareUnits(block / below, near);
      if (order != 0) {
        if (order > 0) {
          best = block;
          bestFits = fits;
          bestIsNear = near;
        }
        return;
      }
    }
    boolean better =
        best < 0
            || (fits && !bestFits)
            || (fits ? open[block] <= open[best] : !bestFits && open[block] >= open[best]);
    if (better) {
      best = block;
      bestFits = fits;
    }
  }

  /** Above 0 when another smaller unit is to be preferred to that of the best base block. */
  private int compareUnits(int unit, boolean near) {
    if (near != bestIsNear) {
      return near ? 1 : -1;
    }
    int other = openBelow[best / below];
    boolean fits = openBelow[unit] >= selection.wanted();
    boolean otherFits = other >= selection.wanted();
    if (fits != otherFits) {
      return fits ? 1 : -1;
    }
    return fits ? other - openBelow[unit] : openBelow[unit] - other;
  }
}
