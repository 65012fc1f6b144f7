package dev.yardmaster.engine.share;

import dev.yardmaster.model.Accounting;
import dev.yardmaster.model.Association;
import dev.yardmaster.model.AssociationUsage;
import dev.yardmaster.model.PriorityPolicy;
import java.util.Map;
import java.util.TreeMap;
import org.pcollections.TreePMap;

/**
 * Classic fair share (PriorityFlags=NO_FAIR_TREE): 2^(-usage/shares) of what a user and the
 * accounts above have used, those above counting less; with DEPTH_OBLIVIOUS the depth of the tree
 * does not weaken it. FairShareDampeningFactor divides the exponent.
 */
final class ClassicShare {
  /** How much a share above that is not used as granted takes from the level's own say. */
  private static final double WEIGHT_OF_ABOVE = 5;

  private final Shares shares;
  private final int dampening;
  private final boolean depthOblivious;
  private final TreeMap<Integer, AssociationUsage> standing;
  private final Map<Integer, AssociationUsage> used;
  private final TreeMap<Integer, Double> normShares = new TreeMap<>();
  private final double total;

  private ClassicShare(
      Accounting accounting, PriorityPolicy policy, UsageBook before, UsageBook book) {
    shares = new Shares(accounting);
    dampening = policy.fairShareDampening();
    depthOblivious = policy.flags().contains("DEPTH_OBLIVIOUS");
    standing = new TreeMap<>(book.associations());
    used = before.associations();
    total = raw(Accounting.ROOT_ID);
  }

  /**
   * Where everybody stands.
   *
   * @param before usage when the period began: as Slurm looks at it first and charges what runs
   *     then, a period comes to bear when the next one ends
   * @param book what is to hold the result
   */
  static UsageBook calculate(
      Accounting accounting, PriorityPolicy policy, UsageBook before, UsageBook book) {
    ClassicShare classic = new ClassicShare(accounting, policy, before, book);
    accounting.inTreeOrder().forEach(classic::stand);
    return book.with(TreePMap.from(classic.standing));
  }

  /** One association, those above it being done. */
  private void stand(Association a) {
    AssociationUsage u = standing.getOrDefault(a.id(), AssociationUsage.NONE);
    double normUsage = total > 0 ? raw(a.id()) / total : 0;
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
    if (above.parent() == 0) {
      effective = normUsage;
    } else if (a.sharesParent()) {
      effective = aboveUsage.effectiveUsage();
    } else if (depthOblivious) {
      effective = oblivious(above, normUsage, norm);
    } else {
      effective = normUsage + (aboveUsage.effectiveUsage() - normUsage) * shares.norm(a);
    }
    double factor = norm <= 0 ? 0 : Math.pow(2, -(effective / norm) / dampening);
    standing.put(
        a.id(),
        u.withNormUsage(normUsage)
            .withEffectiveUsage(effective)
            .withLevelFs(0)
            .withFairShare(a.isUser() ? factor : 0));
  }

  /**
   * What is used of the share above, times what is used of the share on this level. The level
   * counts in full while it points the same way as what is above, and less the farther that is from
   * its own share when it points the other way (priority_multifactor, DEPTH_OBLIVIOUS).
   */
  private double oblivious(Association above, double normUsage, double norm) {
    double aboveShares = normShares.getOrDefault(above.id(), 1.0);
    double aboveUsed = standing.getOrDefault(above.id(), AssociationUsage.NONE).effectiveUsage();
    if (norm <= 0 || aboveShares <= 0 || aboveUsed <= 0 || normUsage <= 0) {
      return normUsage;
    }
    double ratioAbove = aboveUsed / aboveShares;
    double siblings =
        shares.level(above.id()).stream()
            .filter(s -> !s.sharesParent())
            .mapToDouble(s -> raw(s.id()) / total)
            .sum();
    double ofLevel = normUsage / norm / (siblings / aboveShares);
    boolean sameWay = Math.log(ratioAbove) * Math.log(ofLevel) >= 0;
    double k = sameWay ? 1 : 1 / (1 + Math.pow(WEIGHT_OF_ABOVE * Math.log(ratioAbove), 2));
    return ratioAbove * Math.pow(ofLevel, k) * norm;
  }

  private double raw(int association) {
    return used.getOrDefault(association, AssociationUsage.NONE).raw();
  }
}
