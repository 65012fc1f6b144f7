package dev.yardmaster.engine.share;

import dev.yardmaster.model.Accounting;
import dev.yardmaster.model.Association;
import dev.yardmaster.model.AssociationUsage;
import dev.yardmaster.model.PriorityPolicy;
import java.util.TreeMap;
import org.pcollections.TreePMap;

/**
 * Classic fair share (PriorityFlags=NO_FAIR_TREE): 2^(-usage/shares) of what a user and the
 * accounts above have used, those above counting less; with DEPTH_OBLIVIOUS the depth of the tree
 * does not weaken it.
 */
final class ClassicShare {
  private final Accounting accounting;
  private final Shares shares;
  private final boolean depthOblivious;
  private final TreeMap<Integer, AssociationUsage> standing;
  private final TreeMap<Integer, Double> normShares = new TreeMap<>();
  private final double total;

  private ClassicShare(Accounting accounting, PriorityPolicy policy, UsageBook book) {
    this.accounting = accounting;
    shares = new Shares(accounting);
    depthOblivious = policy.flags().contains("DEPTH_OBLIVIOUS");
    standing = new TreeMap<>(book.associations());
    total = standing.getOrDefault(Accounting.ROOT_ID, AssociationUsage.NONE).raw();
  }

  static UsageBook calculate(Accounting accounting, PriorityPolicy policy, UsageBook book) {
    ClassicShare classic = new ClassicShare(accounting, policy, book);
    accounting.inTreeOrder().forEach(classic::stand);
    return book.with(TreePMap.from(classic.standing));
  }

  /** One association, those above it being done. */
  private void stand(Association a) {
    AssociationUsage u = standing.getOrDefault(a.id(), AssociationUsage.NONE);
    double normUsage = total > 0 ? u.raw() / total : 0;
    if (a.parent() == 0) {
      normShares.put(a.id(), 1.0);
      standing.put(a.id(), u.withNormUsage(normUsage).withEffectiveUsage(normUsage));
      return;
    }
    Association above = shares.above(a);
    double aboveShares = normShares.getOrDefault(above.id(), 1.0);
    double norm = a.sharesParent() ? aboveShares : aboveShares * shares.norm(a);
    normShares.put(a.id(), norm);
    AssociationUsage aboveUsage = standing.getOrDefault(above.id(), AssociationUsage.NONE);
    double effective;
    if (a.sharesParent()) {
      effective = aboveUsage.effectiveUsage();
    } else if (depthOblivious) {
      effective = oblivious(a, above, u, aboveUsage, norm);
    } else {
      effective = normUsage + (aboveUsage.effectiveUsage() - normUsage) * shares.norm(a);
    }
    double factor = norm <= 0 ? 0 : Math.pow(2, -(effective / norm));
    standing.put(
        a.id(),
        u.withNormUsage(normUsage)
            .withEffectiveUsage(effective)
            .withLevelFs(0)
            .withFairShare(a.isUser() ? factor : 0));
  }

  /**
   * Usage over shares of the level, weighted by how far the level above is from its own share
   * (priority_multifactor, DEPTH_OBLIVIOUS).
   */
  private double oblivious(
      Association a,
      Association above,
      AssociationUsage u,
      AssociationUsage aboveUsage,
      double norm) {
    double siblings = shares.level(above.id()).stream().mapToDouble(this::raw).sum();
    double aboveShares = normShares.getOrDefault(above.id(), 1.0);
    if (norm <= 0 || aboveShares <= 0) {
      return 0;
    }
    double ratioAbove = above.parent() == 0 ? 1 : aboveUsage.effectiveUsage() / aboveShares;
    double ofLevel = siblings > 0 ? u.raw() / siblings / shares.norm(a) : 0;
    if (ratioAbove <= 0 || ofLevel <= 0) {
      return 0;
    }
    double k = Math.min(1, 1 / (1 + Math.pow(5 * Math.log(ratioAbove), 2)));
    return norm * ratioAbove * Math.pow(ofLevel, k);
  }

  private double raw(Association a) {
    return standing.getOrDefault(a.id(), AssociationUsage.NONE).raw();
  }
}
