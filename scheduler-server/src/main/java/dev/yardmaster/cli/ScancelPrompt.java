package dev.yardmaster.cli;

import dev.yardmaster.client.ClientException;
import dev.yardmaster.client.ClusterView;
import dev.yardmaster.client.SchedulerClient;
import dev.yardmaster.client.Selection;
import dev.yardmaster.model.ArrayInfo;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.text.HostList;
import dev.yardmaster.model.text.IntRanges;
import dev.yardmaster.model.text.NotationException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** scancel -i: asks for each job before it is cancelled. */
final class ScancelPrompt {
  private final Io io;
  private final BufferedReader answers;
  private final List<List<String>> confirmed = new ArrayList<>();

  private ScancelPrompt(Io io) {
    this.io = io;
    this.answers = new BufferedReader(new InputStreamReader(io.in(), StandardCharsets.UTF_8));
  }

  /**
   * What may be cancelled, each as a request of its own.
   *
   * @param jobs ids as they were given; those that are not there are left to the controller, which
   *     says so. Without any, all jobs that pass the filters are asked for.
   */
  static List<List<String>> confirmed(
      SchedulerClient client, List<String> jobs, Map<String, String> filters, Io io)
      throws ClientException, CommandFailure {
    ScancelPrompt prompt = new ScancelPrompt(io);
    JobFilter filter = filter(filters);
    if (jobs.isEmpty()) {
      prompt.ask(client.read(selection(List.of())), filter, null);
    }
    for (String job : jobs) {
      ClusterView view = client.read(selection(List.of(job)));
      if (view.jobs().isEmpty()) {
        prompt.confirmed.add(List.of(job));
      } else {
        prompt.ask(view, filter, job.contains("_") ? job : null);
      }
    }
    return prompt.confirmed;
  }

  private static Selection selection(List<String> ids) {
    return Selection.of(Selection.Jobs.LIVE).withPartitions().onlyJobs(ids);
  }

  /**
   * @param as the id under which a job is cancelled; null for its own
   */
  private void ask(ClusterView view, JobFilter filter, @Nullable String as) {
    for (Job job : view.jobs().values()) {
      String id = as == null ? id(job) : as;
      if (!job.state().isFinished()
          && filter.test(job, view, io.clock().instant())
          && yes(id, job)) {
        confirmed.add(List.of(id));
      }
    }
  }

  private static String id(Job job) {
    ArrayInfo array = job.array();
    if (array == null) {
      return Integer.toString(job.id());
    }
    Integer task = array.taskId();
    return array.arrayJobId()
        + "_"
        + (task == null ? "[" + IntRanges.of(array.waiting().toBitSet()) + "]" : task);
  }

  private boolean yes(String id, Job job) {
    while (true) {
      io.out()
          .print(
              "Cancel job_id="
                  + id
                  + " name="
                  + job.name()
                  + " partition="
                  + String.join(",", job.partitions())
                  + " [y/n]? ");
      io.out().flush();
      String answer = line();
      if (answer == null || answer.startsWith("n") || answer.startsWith("N")) {
        return false;
      }
      if (answer.startsWith("y") || answer.startsWith("Y")) {
        return true;
      }
    }
  }

  /** Returns null when nobody answers any more. */
  private @Nullable String line() {
    try {
      return answers.readLine();
    } catch (IOException e) {
      return null;
    }
  }

  private static JobFilter filter(Map<String, String> filters) throws CommandFailure {
    String state = filters.get("state");
    String nodes = filters.get("nodelist");
    try {
      return new JobFilter(
          state == null,
          state == null ? Set.of() : Set.of(JobState.valueOf(state)),
          Set.of(),
          true,
          list(filters.get("user")),
          null,
          list(filters.get("account")),
          list(filters.get("partition")),
          list(filters.get("name")),
          list(filters.get("qos")),
          list(filters.get("reservation")),
          null,
          nodes == null ? null : HostList.parse(nodes),
          0,
          0);
    } catch (NotationException e) {
      throw new CommandFailure(1, "scancel: error: Invalid node list: " + nodes);
    }
  }

  private static @Nullable List<String> list(@Nullable String value) {
    return value == null ? null : List.of(value);
  }
}
