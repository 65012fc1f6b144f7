package dev.yardmaster.model;

import dev.yardmaster.model.text.Distribution;
import dev.yardmaster.model.text.FeatureExpression;
import dev.yardmaster.model.text.HostList;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * Everything of a job that matters to where it can run: two jobs with equal requests are one shape
 * to the planner. All defaults of the cluster and the partition are already applied. A count of 0
 * means "not given".
 *
 * @param minNodes at least this many nodes
 * @param maxNodes at most this many; at least {@code minNodes}
 * @param tasks total tasks ({@code -n})
 * @param tasksGiven whether the user gave {@code -n} or it follows from the rest
 * @param cpusPerTask at least 1
 * @param minCpusPerNode {@code --mincpus}
 * @param requiredNodes {@code -w}: all of these must be part of the allocation
 * @param features {@code -C}; null when none
 * @param licenses by name; all of them, or any one ({@link #anyLicense})
 * @param switches at most this many leaf switches; {@code switchesWaitSeconds} is how long to
 *     insist
 * @param segment nodes per block segment
 * @param nodesGiven whether {@code -N} was given: of a range that was given the job gets as many
 *     many nodes as there are, of one that only follows from its tasks as few as will do
 * @param prefer {@code --prefer}: features of the nodes it would rather have; null when none
 * @param enforceBinding {@code --gres-flags=enforce-binding}: only cores near its devices
 * @param oneTaskPerSharing {@code --gres-flags=one-task-per-sharing}: no two of its tasks have
 *     parts of the same GPU
 * @param spreadSegments {@code --spread-segments}: no two segments in one base block
 * @param consolidateSegments {@code --consolidate-segments}: all segments in one larger block
 * @param licensesText {@code --licenses} as written; empty when none, or when the order does not
 *     matter
 * @param external {@code --external}: nothing is launched for it, so it may also have nodes that no
 *     daemon serves (State=EXTERNAL)
 * @param distribution {@code --distribution}; null when not given
 * @param overcommit {@code --overcommit}: its nodes are counted as one CPU each, however many tasks
 *     are to run there
 * @param asked what it counts as asking for (ReqTRES, priority) where rules of the partition make
 *     more of it; null where they do not
 */
@RecordBuilder
public record JobRequest(
    int minNodes,
    int maxNodes,
    int tasks,
    boolean tasksGiven,
    int cpusPerTask,
    int tasksPerNode,
    int tasksPerSocket,
    int tasksPerCore,
    int tasksPerGpu,
    int cpusPerGpu,
    int minCpusPerNode,
    int socketsPerNode,
    int coresPerSocket,
    int threadsPerCore,
    MemoryRequest memory,
    long tmpDiskMib,
    List<GresRequest> gres,
    HostList requiredNodes,
    HostList excludedNodes,
    @Nullable FeatureExpression features,
    Exclusivity exclusivity,
    boolean contiguous,
    SortedMap<String, Integer> licenses,
    int switches,
    long switchesWaitSeconds,
    int segment,
    boolean spread,
    int coreSpec,
    boolean nodesGiven,
    @Nullable FeatureExpression prefer,
    boolean enforceBinding,
    boolean oneTaskPerSharing,
    boolean spreadSegments,
    boolean consolidateSegments,
    boolean external,
    String licensesText,
    @Nullable Distribution distribution,
    boolean overcommit,
    @Nullable Asked asked)
    implements JobRequestBuilder.With {
  public JobRequest {
    gres = List.copyOf(gres);
  }

  /**
   * What was asked for before MinNodes and MaxMemPerCPU of the partition made more of it
   * (slurm.conf(5)), or before the job lost nodes.
   *
   * @param cpus of the whole job
   * @param rest what a job that has lost nodes counts as having asked for; null when it has not
   */
  public record Asked(int cpus, int cpusPerTask, MemoryRequest memory, @Nullable Tres rest) {}

  /**
   * Made of what tells most requests apart: each pass looks up the request of each pending job, and
   * a hash over everything would cost more than the rest of the look-up.
   */
  @Override
  public int hashCode() {
    int hash = 31 * minNodes + maxNodes;
    hash = 31 * hash + tasks;
    hash = 31 * hash + cpusPerTask;
    hash = 31 * hash + memory.hashCode();
    return 31 * hash + gres.hashCode();
  }

  /** Whether one of the licences will do, the first that is free ({@code -L a:2|b}). */
  public boolean anyLicense() {
    return licensesText.contains("|");
  }

  /** The names of its licences in the order in which they were asked for. */
  public List<String> licenseNames() {
    List<String> names = new ArrayList<>();
    for (String part : licensesText.split("[,;|]")) {
      String name = part.split("[:=]", 2)[0];
      if (licenses.containsKey(name) && !names.contains(name)) {
        names.add(name);
      }
    }
    licenses.keySet().stream().filter(name -> !names.contains(name)).forEach(names::add);
    return names;
  }

  /** One task on one CPU of one node, with no memory counted. */
  public static JobRequest oneTask() {
    return new JobRequest(
        1,
        1,
        1,
        false,
        1,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        MemoryRequest.NONE,
        0,
        List.of(),
        HostList.EMPTY,
        HostList.EMPTY,
        null,
        Exclusivity.DEFAULT,
        false,
        Immutable.sortedMap(),
        0,
        0,
        0,
        false,
        0,
        false,
        null,
        false,
        false,
        false,
        false,
        false,
        "",
        null,
        false,
        null);
  }
}
