package dev.yardmaster.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.model.Accounting;
import dev.yardmaster.model.Allocation;
import dev.yardmaster.model.Association;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.LimitKind;
import dev.yardmaster.model.Limits;
import dev.yardmaster.model.Qos;
import dev.yardmaster.model.Tres;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * No running job is past a limit. Counted anew from the jobs, without anything that the engine
 * counts with; what a QOS may override is left out.
 */
final class LimitInvariants {
  private final ClusterState state;
  private final Accounting accounting;
  private final List<Job> running = new ArrayList<>();

  private LimitInvariants(ClusterState state) {
    this.state = state;
    accounting = state.accounting();
    for (Job job : state.jobs().values()) {
      if (job.state() == JobState.RUNNING) {
        running.add(job);
      }
    }
  }

  static void check(ClusterState state) {
    new LimitInvariants(state).check();
  }

  private void check() {
    for (Job job : running) {
      Instant end = job.ended();
      assertThat(end == null || !state.time().isAfter(end))
          .as("job %d runs past %s", job.id(), end)
          .isTrue();
    }
    if (state.config().setting("AccountingStorageEnforce").orElse("").contains("limits")) {
      accounting.associations().values().forEach(this::association);
      accounting.qos().values().forEach(this::qos);
    }
  }

  private void association(Association a) {
    List<Job> below =
        running.stream()
            .filter(
                job -> {
                  Association own =
                      accounting.find(job.owner().user(), job.owner().account(), job.partition());
                  return own != null && accounting.upwards(own).contains(a);
                })
            .toList();
    Limits limits = a.limits();
    boolean jobsOfQos =
        accounting.qos().values().stream()
            .anyMatch(q -> q.limits().number(LimitKind.GRP_JOBS) != null);
    if (!jobsOfQos) {
      count("GrpJobs of " + a.account(), limits.number(LimitKind.GRP_JOBS), below.size());
    }
    for (Map.Entry<String, Long> limit : limits.tres(LimitKind.GRP_TRES).entrySet()) {
      if (!anyQosSets(LimitKind.GRP_TRES, limit.getKey())) {
        String name = "GrpTRES %s of %s".formatted(limit.getKey(), a.account());
        count(name, limit.getValue(), held(below, limit.getKey()));
      }
    }
  }

  private boolean anyQosSets(LimitKind kind, String tres) {
    return accounting.qos().values().stream()
        .anyMatch(q -> q.limits().tres(kind).containsKey(tres));
  }

  private void qos(Qos qos) {
    List<Job> all = running.stream().filter(j -> j.owner().qos().equals(qos.name())).toList();
    TreeSet<String> users = new TreeSet<>();
    all.forEach(j -> users.add(j.owner().user()));
    for (String user : users) {
      List<Job> his = all.stream().filter(j -> j.owner().user().equals(user)).toList();
      Long jobs = qos.limits().number(LimitKind.MAX_JOBS_PER_USER);
      count("MaxJobsPerUser of " + qos.name(), jobs, his.size());
      qos.limits()
          .tres(LimitKind.MAX_TRES_PER_USER)
          .forEach(
              (tres, most) ->
                  count(
                      "MaxTRESPerUser %s of %s".formatted(tres, qos.name()),
                      most,
                      held(his, tres)));
    }
    qos.limits()
        .tres(LimitKind.GRP_TRES)
        .forEach(
            (t, most) -> count("GrpTRES %s of %s".formatted(t, qos.name()), most, held(all, t)));
  }

  private static long held(List<Job> jobs, String tres) {
    TreeSet<String> nodes = new TreeSet<>();
    long sum = 0;
    for (Job job : jobs) {
      Allocation allocation = job.allocation();
      if (allocation != null) {
        allocation.shares().forEach(s -> nodes.add(s.node()));
        sum += allocation.tres().get(tres);
      }
    }
    return tres.equals(Tres.NODE) ? nodes.size() : sum;
  }

  private static void count(String what, @Nullable Long most, long count) {
    if (most != null) {
      assertThat(count).as(what).isLessThanOrEqualTo(most);
    }
  }
}
