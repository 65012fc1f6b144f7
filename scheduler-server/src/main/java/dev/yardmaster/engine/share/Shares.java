package dev.yardmaster.engine.share;

import dev.yardmaster.model.Accounting;
import dev.yardmaster.model.Association;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Who shares with whom. An account with {@code Fairshare=parent} is looked through: what is below
 * it takes part on its level.
 */
public final class Shares {
  private final Accounting accounting;
  private final TreeMap<Integer, List<Association>> levels = new TreeMap<>();
  private final TreeMap<Integer, Long> sums = new TreeMap<>();
  private final SortedMap<Integer, List<Association>> children;

  public Shares(Accounting accounting) {
    this.accounting = accounting;
    children = accounting.children();
    for (Association a : accounting.associations().values()) {
      if (a.isUser() || a.sharesParent() && a.parent() != 0) {
        continue;
      }
      List<Association> level = new ArrayList<>();
      collect(a.id(), level);
      levels.put(a.id(), level);
      sums.put(a.id(), level.stream().mapToLong(Shares::own).sum());
    }
  }

  private void collect(int parent, List<Association> level) {
    for (Association child : children.getOrDefault(parent, List.of())) {
      if (child.sharesParent() && !child.isUser()) {
        collect(child.id(), level);
      } else {
        level.add(child);
      }
    }
  }

  private static long own(Association a) {
    return a.sharesParent() ? 0 : a.shares();
  }

  /** Those who compete below an account, users first. */
  List<Association> level(int account) {
    return levels.getOrDefault(account, List.of());
  }

  /** The nearest association above that is not looked through; the root above itself. */
  Association above(Association a) {
    Association above = accounting.parent(a);
    while (above != null && above.sharesParent() && above.parent() != 0) {
      above = accounting.parent(above);
    }
    return above == null ? a : above;
  }

  /** Its share of all shares, as classic fair share counts: those of the levels multiplied. */
  public double normOfAll(Association a) {
    if (a.parent() == 0) {
      return 1;
    }
    double above = normOfAll(above(a));
    return a.sharesParent() ? above : above * norm(a);
  }

  /** Its share of the shares of its level, between 0 and 1; that of its parent if it shares so. */
  public double norm(Association a) {
    if (a.parent() == 0) {
      return 1;
    }
    Association above = above(a);
    if (a.sharesParent()) {
      return norm(above);
    }
    long sum = sums.getOrDefault(above.id(), 0L);
    return sum == 0 ? 0 : (double) a.shares() / sum;
  }
}
