package dev.yardmaster.engine.plan;

import dev.yardmaster.model.HetInfo;
import dev.yardmaster.model.SchedulingPolicy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the components of each heterogeneous job together in the order of backfill, at the least,
 * mean or greatest priority of them (slurm.conf(5), bf_hetjob_prio).
 */
final class HetOrder {
  private HetOrder() {}

  /** What bf_hetjob_prio says; bf_hetjob_immediate without it stands for min. Null for neither. */
  static @Nullable String how(SchedulingPolicy policy) {
    String how = policy.parameters().get("bf_hetjob_prio");
    boolean immediate = policy.parameters().containsKey("bf_hetjob_immediate");
    return how == null && immediate ? "min" : how;
  }

  /**
   * The queue in the order in which backfill looks at it.
   *
   * @param how min, avg or max; null to leave the order alone
   */
  static List<Entry> of(List<Entry> queue, @Nullable String how) {
    if (how == null || queue.stream().noneMatch(e -> e.job().het() != null)) {
      return queue;
    }
    TreeMap<Integer, LongSummaryStatistics> priorities = new TreeMap<>();
    for (Entry entry : queue) {
      HetInfo het = entry.job().het();
      if (het != null) {
        priorities
            .computeIfAbsent(het.hetJobId(), k -> new LongSummaryStatistics())
            .accept(entry.priority().priority());
      }
    }
    List<Entry> ordered = new ArrayList<>(queue);
    ordered.sort(
        Comparator.comparing((Entry e) -> e.job().reservation() == null)
            .thenComparingInt(e -> -e.shape().partition().priorityTier())
            .thenComparing(Comparator.comparingLong(e -> -priority(e, how, priorities)))
            .thenComparingInt(e -> e.job().het() == null ? e.job().id() : e.job().het().hetJobId())
            .thenComparingInt(e -> e.job().het() == null ? 0 : e.job().het().offset()));
    return ordered;
  }

  private static long priority(
      Entry entry, String how, TreeMap<Integer, LongSummaryStatistics> priorities) {
    HetInfo het = entry.job().het();
    LongSummaryStatistics all = het == null ? null : priorities.get(het.hetJobId());
    if (all == null) {
      return entry.priority().priority();
    }
    return switch (how) {
      case "min" -> all.getMin();
      case "avg" -> (long) all.getAverage();
      default -> all.getMax();
    };
  }
}
