package dev.yardmaster.engine.share;

import dev.yardmaster.model.Accounting;
import dev.yardmaster.model.Association;
import dev.yardmaster.model.AssociationUsage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import org.pcollections.TreePMap;

/**
 * The fair tree algorithm (fair_tree): on each level those with more shares for their usage come
 * first, and everybody below an account comes before everybody below the next. A user's factor is
 * the rank among all users.
 */
final class FairTree {
  private final Accounting accounting;
  private final Shares shares;
  private final TreeMap<Integer, AssociationUsage> standing;
  private final double total;
  private final int users;
  private int rank;

  /** The rank of the next user who is not tied. */
  private int next;

  private FairTree(Accounting accounting, UsageBook book) {
    this.accounting = accounting;
    shares = new Shares(accounting);
    standing = new TreeMap<>(book.associations());
    Association root = accounting.associations().get(Accounting.ROOT_ID);
    total = root == null ? 0 : raw(root);
    users = (int) accounting.associations().values().stream().filter(Association::isUser).count();
    rank = users;
    next = users;
  }

  static UsageBook calculate(Accounting accounting, UsageBook book) {
    FairTree tree = new FairTree(accounting, book);
    tree.levels();
    tree.descend(List.of(Accounting.ROOT_ID), false);
    return book.with(TreePMap.from(tree.standing));
  }

  private double raw(Association a) {
    return standing.getOrDefault(a.id(), AssociationUsage.NONE).raw();
  }

  private double levelFs(Association a) {
    return standing.getOrDefault(a.id(), AssociationUsage.NONE).levelFs();
  }

  /** What each uses of its level, and its shares over that. */
  private void levels() {
    for (Association a : accounting.associations().values()) {
      AssociationUsage u = standing.getOrDefault(a.id(), AssociationUsage.NONE);
      if (a.parent() == 0) {
        standing.put(a.id(), u.withEffectiveUsage(1).withNormUsage(total > 0 ? 1 : 0));
        continue;
      }
      double ofLevel = raw(shares.above(a));
      double effective = ofLevel > 0 ? u.raw() / ofLevel : 0;
      double norm = shares.norm(a);
      double fs = norm == 0 ? 0 : effective == 0 ? Double.POSITIVE_INFINITY : norm / effective;
      standing.put(
          a.id(),
          u.withNormUsage(total > 0 ? u.raw() / total : 0)
              .withEffectiveUsage(effective)
              .withLevelFs(fs));
    }
  }

  /**
   * Ranks all below accounts that are tied, as one level.
   *
   * @param tiedBefore whether these accounts are tied with a user who was ranked just before: then
   *     the first of them has the rank of that user
   */
  private void descend(List<Integer> accounts, boolean tiedBefore) {
    List<Association> level = new ArrayList<>();
    for (int account : accounts) {
      level.addAll(shares.level(account));
    }
    level.sort(
        Comparator.comparingDouble((Association a) -> -levelFs(a))
            .thenComparing(a -> !a.isUser())
            .thenComparingInt(Association::id));
    int at = 0;
    while (at < level.size()) {
      boolean tied = at == 0 ? tiedBefore : levelFs(level.get(at)) == levelFs(level.get(at - 1));
      if (level.get(at).isUser()) {
        rank(level.get(at), tied);
        at++;
      } else {
        List<Integer> together = new ArrayList<>();
        double fs = levelFs(level.get(at));
        while (at < level.size() && levelFs(level.get(at)) == fs) {
          together.add(level.get(at).id());
          at++;
        }
        descend(together, tied);
      }
    }
  }

  private void rank(Association user, boolean tied) {
    if (!tied) {
      rank = next;
    }
    AssociationUsage u = standing.getOrDefault(user.id(), AssociationUsage.NONE);
    standing.put(user.id(), u.withFairShare((double) rank / Math.max(1, users)));
    next--;
  }
}
