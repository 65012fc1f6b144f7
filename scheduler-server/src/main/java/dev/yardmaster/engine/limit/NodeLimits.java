package dev.yardmaster.engine.limit;

import dev.yardmaster.model.Job;
import dev.yardmaster.model.LimitKind;
import dev.yardmaster.model.Tres;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Limits on nodes count distinct nodes, so that what a job takes of them depends on where it is
 * placed: on nodes that are held already it takes none.
 */
final class NodeLimits {
  private NodeLimits() {}

  /**
   * How many nodes a job must take that are not held already.
   *
   * @param nodes how many it needs
   */
  static long leastNew(Job job, Usages.Use use, long nodes) {
    List<String> named = job.request().requiredNodes().expand();
    long fresh = named.stream().filter(n -> !use.holds(n)).count();
    long others = Math.max(0, nodes - named.size());
    long heldBesides = use.tres(Tres.NODE) - (named.size() - fresh);
    return fresh + Math.max(0, others - heldBesides);
  }

  /**
   * The most nodes that a job may ever have: the least of the limits on nodes of its QOS, each of
   * the first that sets it, and of its association, where no QOS sets the same.
   */
  static long most(Charges charges) {
    long most = Long.MAX_VALUE;
    for (LimitKind kind :
        List.of(LimitKind.MAX_TRES, LimitKind.MAX_TRES_PER_USER, LimitKind.MAX_TRES_PER_ACCOUNT)) {
      most = Math.min(most, first(charges.qos(), kind));
    }
    long grp = first(charges.qos(), LimitKind.GRP_TRES);
    if (most == Long.MAX_VALUE && !charges.line().isEmpty()) {
      most = first(charges.line().subList(0, 1), LimitKind.MAX_TRES);
    }
    return Math.min(most, grp == Long.MAX_VALUE ? first(charges.line(), LimitKind.GRP_TRES) : grp);
  }

  /** Which of several equal limits on nodes Slurm names: the lower. */
  static int rank(Measure measure) {
    int kind =
        switch (measure.kind()) {
          case MAX_TRES_PER_ACCOUNT -> 0;
          case MAX_TRES -> 1;
          case MAX_TRES_PER_USER -> 2;
          case GRP_TRES -> 3;
          default -> 4;
        };
    return measure.level().isQos() ? kind : 10 + kind;
  }

  private static long first(List<Level> levels, LimitKind kind) {
    for (Level level : levels) {
      Long limit = level.limits().tres(kind).get(Tres.NODE);
      if (limit != null) {
        return (long) (limit * level.factor());
      }
    }
    return Long.MAX_VALUE;
  }

  /**
   * The nodes that the limits on nodes count which a job is under: of each kind of limit the first
   * that is set, those of the line above its association only where no QOS limits the nodes of all
   * its jobs together.
   *
   * @return null when there is no such limit
   */
  static @Nullable Set<String> held(Usages usages, Job job, Charges charges) {
    Set<String> held = null;
    for (LimitKind kind :
        List.of(LimitKind.GRP_TRES, LimitKind.MAX_TRES_PER_USER, LimitKind.MAX_TRES_PER_ACCOUNT)) {
      Level first = firstWith(charges.qos(), kind);
      if (first == null && kind == LimitKind.GRP_TRES) {
        first = firstWith(charges.line(), kind);
      }
      if (first != null) {
        held = held == null ? new TreeSet<>() : held;
        held.addAll(use(usages, first, kind, job).nodes());
      }
    }
    return held;
  }

  private static @Nullable Level firstWith(List<Level> levels, LimitKind kind) {
    for (Level level : levels) {
      if (LimitRules.sets(level.limits(), kind, Tres.NODE)) {
        return level;
      }
    }
    return null;
  }

  private static Usages.Use use(Usages usages, Level level, LimitKind kind, Job job) {
    return switch (kind) {
      case MAX_TRES_PER_USER -> usages.byUser(level, job);
      case MAX_TRES_PER_ACCOUNT -> usages.byAccount(level, job);
      default -> usages.of(level);
    };
  }
}
