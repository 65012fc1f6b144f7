package dev.yardmaster.cli;

import dev.yardmaster.client.ClusterView;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobFlag;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.text.HostList;
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
 */
record JobFilter(
    boolean all,
    Set<JobState> states,
    Set<JobFlag> flags,
    boolean hidden,
    boolean onlyPending,
    @Nullable List<String> users,
    @Nullable List<String> notUsers,
    @Nullable List<String> accounts,
    @Nullable List<String> partitions,
    @Nullable List<String> names,
    @Nullable List<String> qos,
    @Nullable List<String> reservations,
    @Nullable List<String> licenses,
    @Nullable HostList nodes) {
  boolean test(Job job, ClusterView view) {
    return (all || states.contains(job.state()) || job.flags().stream().anyMatch(flags::contains))
        && (!onlyPending || job.state() == JobState.PENDING)
        && (hidden || isShown(job, view))
        && matchesUser(job)
        && passes(accounts, job.owner().account())
        && passes(names, job.name())
        && passes(qos, job.owner().qos())
        && (partitions == null || job.partitions().stream().anyMatch(partitions::contains))
        && (reservations == null
            || (job.reservation() != null && reservations.contains(job.reservation())))
        && (licenses == null
            || licenses.stream().anyMatch(job.request().licenses().keySet()::contains))
        && matchesNodes(job);
  }

  /** The same for other users. */
  JobFilter withUsers(List<String> newUsers) {
    return new JobFilter(
        all,
        states,
        flags,
        hidden,
        onlyPending,
        newUsers,
        notUsers,
        accounts,
        partitions,
        names,
        qos,
        reservations,
        licenses,
        nodes);
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

  private static boolean passes(@Nullable List<String> wanted, String value) {
    return wanted == null || wanted.contains(value);
  }
}
