package dev.yardmaster.cli;

import dev.yardmaster.client.ClusterView;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobFlag;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.text.HostList;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which jobs squeue lists. A list that is null does not filter; an empty one lets nothing pass.
 *
 * @param all every state
 * @param states base states that pass
 * @param flags flags that pass
 * @param hidden whether jobs of hidden partitions are listed
 * @param runningOver seconds that a running job has worked at least; 0 for any job
 * @param runningUnder seconds that a running job has not worked yet; 0 for any job
 */
@RecordBuilder
record JobFilter(
    boolean all,
    Set<JobState> states,
    Set<JobFlag> flags,
    boolean hidden,
    @Nullable List<String> users,
    @Nullable List<String> notUsers,
    @Nullable List<String> accounts,
    @Nullable List<String> partitions,
    @Nullable List<String> names,
    @Nullable List<String> qos,
    @Nullable List<String> reservations,
    @Nullable List<String> licenses,
    @Nullable HostList nodes,
    long runningOver,
    long runningUnder)
    implements JobFilterBuilder.With {
  /** Lets every job pass. */
  static final JobFilter ALL =
      new JobFilter(
          true, Set.of(), Set.of(), true, null, null, null, null, null, null, null, null, null, 0,
          0);

  boolean test(Job job, ClusterView view, Instant now) {
    return (all || states.contains(job.state()) || job.flags().stream().anyMatch(flags::contains))
        && (hidden || isShown(job, view))
        && matchesUser(job)
        && passesAnyCase(accounts, job.owner().account())
        && passesAnyCase(names, job.name())
        && passesAnyCase(qos, job.owner().qos())
        && (partitions == null || job.partitions().stream().anyMatch(partitions::contains))
        && (reservations == null
            || (job.reservation() != null && reservations.contains(job.reservation())))
        && (licenses == null
            || licenses.stream().anyMatch(job.request().licenses().keySet()::contains))
        && matchesNodes(job)
        && matchesRunning(job, now);
  }

  private static boolean isShown(Job job, ClusterView view) {
    return job.partitions().stream()
        .anyMatch(
            name -> {
              Partition partition = view.partitions().get(name);
              return partition == null || !partition.hidden();
            });
  }

  private boolean matchesUser(Job job) {
    String uid = Integer.toString(job.owner().uid());
    String name = job.owner().user();
    return (users == null || users.contains(name) || users.contains(uid))
        && (notUsers == null || !(notUsers.contains(name) || notUsers.contains(uid)));
  }

  private boolean matchesNodes(Job job) {
    return nodes == null
        || (job.allocation() != null
            && job.holdsResources()
            && job.allocation().shares().stream().anyMatch(share -> nodes.contains(share.node())));
  }

  private boolean matchesRunning(Job job, Instant now) {
    if (runningOver == 0 && runningUnder == 0) {
      return true;
    }
    long worked = job.worked(now).toSeconds();
    return job.state() == JobState.RUNNING
        && worked >= runningOver
        && (runningUnder == 0 || worked < runningUnder);
  }

  private static boolean passesAnyCase(@Nullable List<String> wanted, String value) {
    return wanted == null || wanted.stream().anyMatch(value::equalsIgnoreCase);
  }
}
