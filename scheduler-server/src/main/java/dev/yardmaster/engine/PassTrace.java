package dev.yardmaster.engine;

import dev.yardmaster.explain.Gate;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a step looked at, in numbers, and for each pending job the gate at which it stopped.
 *
 * @param pending pending jobs in the state
 * @param mainDepth jobs the main pass tested
 * @param mainStarted jobs the main pass started
 * @param backfillDepth jobs backfill tested
 * @param backfillStarted jobs backfill started
 * @param planned jobs with a planned start in the future
 * @param gates by job id, jobs that were tested in full and did not start
 */
public record PassTrace(
    int pending,
    int mainDepth,
    int mainStarted,
    int backfillDepth,
    int backfillStarted,
    int planned,
    SortedMap<Integer, Gate> gates) {
  public PassTrace {
    gates = Collections.unmodifiableSortedMap(new TreeMap<>(gates));
  }

  /** The gate at which a job stopped; null when it started or was not tested in full. */
  public @Nullable Gate gate(int jobId) {
    return gates.get(jobId);
  }
}
