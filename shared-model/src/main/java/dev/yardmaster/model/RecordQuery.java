package dev.yardmaster.model;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which records of accounting somebody asks for, in the terms of sacct(1). An empty list is no
 * condition.
 *
 * @param jobs ids of jobs, of arrays and of heterogeneous jobs, with perhaps a task or offset
 * @param states names of states; with them a record must have been in one of them in the window
 * @param start begin of the window; null for the beginning of time
 * @param end the first moment that is not in the window
 * @param nodes any of which it must have used
 * @param flags any of which it must have
 * @param minNodes 0 for no condition; so for the other bounds, of which the upper is 0 where the
 *     lower one is meant exactly
 * @param duplicates whether the earlier runs of a job are meant too
 * @param wholeHet whether all components of a heterogeneous job are meant when one is; null for the
 *     ones that come with the leader
 */
@RecordBuilder
public record RecordQuery(
    List<Wanted> jobs,
    List<String> states,
    @Nullable Instant start,
    Instant end,
    List<Integer> users,
    List<Integer> groups,
    List<String> accounts,
    List<Integer> associations,
    List<String> partitions,
    List<Integer> qos,
    List<String> names,
    List<String> wckeys,
    List<String> reasons,
    List<String> constraints,
    List<String> nodes,
    List<String> flags,
    int minNodes,
    int maxNodes,
    int minCpus,
    int maxCpus,
    long minMinutes,
    long maxMinutes,
    boolean duplicates,
    @Nullable Boolean wholeHet)
    implements RecordQueryBuilder.With {
  public RecordQuery {
    jobs = List.copyOf(jobs);
    states = List.copyOf(states);
    users = List.copyOf(users);
    groups = List.copyOf(groups);
    accounts = List.copyOf(accounts);
    associations = List.copyOf(associations);
    partitions = List.copyOf(partitions);
    qos = List.copyOf(qos);
    names = List.copyOf(names);
    wckeys = List.copyOf(wckeys);
    reasons = List.copyOf(reasons);
    constraints = List.copyOf(constraints);
    nodes = List.copyOf(nodes);
    flags = List.copyOf(flags);
  }

  /**
   * A job as it is written.
   *
   * @param task of an array; null for all
   * @param offset of a heterogeneous job; null for all
   */
  public record Wanted(int id, @Nullable Integer task, @Nullable Integer offset) {}

  /** All that overlaps a window. */
  public static RecordQuery window(@Nullable Instant start, Instant end) {
    List<String> none = List.of();
    List<Integer> nobody = List.of();
    return new RecordQuery(
        List.of(), none, start, end, nobody, nobody, none, nobody, none, nobody, none, none, none,
        none, none, none, 0, 0, 0, 0, 0, 0, false, null);
  }
}
