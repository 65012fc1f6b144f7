package dev.yardmaster.engine.plan;

import dev.yardmaster.engine.gate.Board;
import dev.yardmaster.engine.place.Choice;
import dev.yardmaster.engine.place.Shape;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobFlag;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Partition;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Cores that a job may get though others hold them, as the gang scheduler lets one of them work at
 * a time. Jobs of partitions of the same PriorityTier are never in its way so; of those of lower
 * tiers as many as possible are left alone, those of the highest such tier first. Only when nothing
 * else is left are cores shared within the partition.
 */
final class Overlap {
  private final Board board;
  private final PreemptRules rules;

  Overlap(Board board, PreemptRules rules) {
    this.board = board;
    this.rules = rules;
  }

  /**
   * Finds cores for a job that has none of its own.
   *
   * @param test where it can start while these have stopped; null for nowhere
   * @return the place, and who has to be looked at as stopped; null for none
   */
  Preemptor.@Nullable Room find(
      Job job, Shape shape, Function<Collection<Job>, @Nullable Choice> test) {
    int own = shape.partition().priorityTier();
    List<Job> others = others(job, shape);
    TreeSet<Integer> lower = new TreeSet<>();
    others.stream().map(rules::tier).filter(tier -> tier < own).forEach(lower::add);
    Choice choice = others.isEmpty() ? null : test.apply(others);
    if (choice != null && choice.shares()) {
      return new Preemptor.Room(choice, others);
    }
    for (int tier : lower.descendingSet()) {
      List<Job> fewer =
          choice == null ? List.of() : others.stream().filter(o -> rules.tier(o) != tier).toList();
      Choice among = fewer.isEmpty() ? null : test.apply(fewer);
      if (among == null || among.shares()) {
        break;
      }
      others = new ArrayList<>(fewer);
      choice = among;
    }
    return choice == null ? null : new Preemptor.Room(choice, others);
  }

  /** Those whose cores a job may get though they hold them. */
  List<Job> others(Job job, Shape shape) {
    List<Job> others = new ArrayList<>();
    Partition in = shape.partition();
    if (shape.whole() || job.het() != null) {
      return others;
    }
    for (Job other : board.holders()) {
      boolean works =
          (other.state() == JobState.RUNNING || Gang.isStopped(other))
              && !other.has(JobFlag.COMPLETING)
              && other.het() == null;
      if (works && rules.tier(other) != in.priorityTier() && rules.mayOverlap(job, in, other)) {
        others.add(other);
      }
    }
    return others;
  }
}
