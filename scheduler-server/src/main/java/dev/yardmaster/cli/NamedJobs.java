package dev.yardmaster.cli;

import dev.yardmaster.client.ClientException;
import dev.yardmaster.client.SchedulerClient;
import dev.yardmaster.client.Selection;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Jobs that scontrol update knows by their name (scontrol(1), JobName, UserID). */
final class NamedJobs {
  private static final String NAME = "jobname";
  private static final String USER = "userid";
  private static final Set<String> OTHERS =
      Set.of("nodename", "nodes", "partitionname", "reservation", "reservationname");

  private static final Set<String> HOLDS = Set.of("hold", "uhold", "release");

  private NamedJobs() {}

  /**
   * The jobs that are meant: those whose ids are given, else those of a name, of which those that
   * have not ended where there are any. The fields that name them are taken away.
   *
   * @return null when the fields are not about jobs
   */
  static @Nullable String of(
      @Nullable String ids, Map<String, String> fields, @Nullable String cluster, Io io)
      throws CommandFailure {
    String name = fields.get(NAME);
    if (ids != null || name == null || fields.keySet().stream().anyMatch(OTHERS::contains)) {
      return ids;
    }
    fields.remove(NAME);
    String user = fields.remove(USER);
    List<Job> named;
    try (SchedulerClient client = Session.open("scontrol", cluster, io)) {
      named =
          client.read(Selection.of(Selection.Jobs.ALL)).jobs().values().stream()
              .filter(job -> job.name().equals(name))
              .filter(job -> user == null || isOf(job, user))
              .toList();
    } catch (ClientException e) {
      throw new CommandFailure(1, "slurm_update error: " + Session.words(e));
    }
    if (named.isEmpty()) {
      throw new CommandFailure(
          1,
          user == null
              ? "scontrol: error: No jobs with name '" + name + "'"
              : "scontrol: error: No jobs with user ID " + user + " and name '" + name + "'");
    }
    List<Job> left = named.stream().filter(job -> !job.state().isFinished()).toList();
    return (left.isEmpty() ? named : left)
        .stream().map(Job::displayId).collect(Collectors.joining(","));
  }

  /**
   * The jobs that a word of scontrol hold, uhold or release means: ids, which may stand behind
   * {@code Job=} or {@code JobID=}, or all jobs of a name. Of an array that is named, tasks that no
   * longer wait are left out. No job of that name is no fault.
   */
  static List<String> listed(String keyword, String word, SchedulerClient client)
      throws CommandFailure {
    int equals = word.indexOf('=');
    if (equals < 0 || !HOLDS.contains(keyword)) {
      return JobIds.split(word);
    }
    String value = word.substring(equals + 1);
    String field = word.substring(0, equals).toLowerCase(Locale.ROOT);
    if (field.equals("job") || field.equals("jobid")) {
      return JobIds.split(value);
    }
    if (!field.equals("name") && !field.equals(NAME)) {
      return JobIds.split(word);
    }
    try {
      return client.read(Selection.of(Selection.Jobs.ALL)).jobs().values().stream()
          .filter(job -> job.name().equals(value))
          .filter(job -> job.state() == JobState.PENDING || job.array() == null)
          .map(Job::displayId)
          .toList();
    } catch (ClientException e) {
      throw new CommandFailure(1, "slurm_load_job error: " + Session.words(e));
    }
  }

  private static boolean isOf(Job job, String user) {
    return user.equals(job.owner().user()) || user.equals(Integer.toString(job.owner().uid()));
  }
}
