package dev.yardmaster.cli;

import dev.yardmaster.client.ClientException;
import dev.yardmaster.client.ClusterView;
import dev.yardmaster.client.SchedulerClient;
import dev.yardmaster.client.Selection;
import dev.yardmaster.model.ArrayInfo;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.JobStep;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** squeue(1): lists jobs. */
final class Squeue implements Command {
  /** As ctime(3) prints, above long listings. */
  private static final DateTimeFormatter CTIME =
      DateTimeFormatter.ofPattern("EEE MMM ppd HH:mm:ss yyyy", Locale.ROOT);

  private static final String SHORT = "%.18i %.9P %.8j %.8u %.2t %.10M %.6D %R";
  private static final String LONG = "%.18i %.9P %.8j %.8u %.8T %.10M %.9l %.6D %R";
  private static final String START = "%.18i %.9P %.8j %.8u %.2t %.19S %.6D %20Y %R";
  private static final String STEPS = "%.15i %.8j %.9P %.8u %.9M %N";

  @Override
  public int run(List<String> arguments, Io io) throws CommandFailure {
    SqueueOptions options = SqueueOptions.read(arguments, io);
    if (options.help() != null) {
      io.out().println(options.help());
      return 0;
    }
    try (SchedulerClient client = Session.open("squeue", options.clusters(), io)) {
      while (true) {
        list(client, arguments, options, io);
        if (options.iterateSeconds() == 0) {
          return 0;
        }
        io.out().println();
        io.out().flush();
        Thread.sleep(1000L * options.iterateSeconds());
      }
    } catch (ClientException e) {
      throw new CommandFailure(1, "slurm_load_jobs error: " + Session.words(e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return 130;
    }
  }

  private static void list(
      SchedulerClient client, List<String> arguments, SqueueOptions options, Io io)
      throws ClientException, CommandFailure {
    Selection selection =
        Selection.of(options.needsFinished() ? Selection.Jobs.ALL : Selection.Jobs.LIVE)
            .withPartitions()
            .onlyJobs(options.jobIds());
    ClusterView view = client.read(selection);
    if (!options.jobIds().isEmpty() && view.jobs().isEmpty()) {
      throw new CommandFailure(1, "slurm_load_jobs error: Invalid job id specified");
    }
    Instant now = io.clock().instant();
    List<JobFacts> rows = rows(view, options, now, io);
    if (options.json() || options.yaml()) {
      List<JobFacts> shown = rows;
      List<String> command = new ArrayList<>(List.of("squeue"));
      command.addAll(arguments);
      DataDocument.print(
          options.yaml(), command, view, io, document -> JobJson.write(document, view, shown));
      return;
    }
    if (options.steps()) {
      rows = steps(rows, client.steps());
    }
    rows.sort(options.order());
    print(rows, options, now, new TresText(view), io);
  }

  /** The scripts of the running jobs among some, and the steps of these. */
  private static List<JobFacts> steps(List<JobFacts> rows, List<JobStep> steps) {
    List<JobFacts> ofSteps = new ArrayList<>();
    for (JobFacts row : rows) {
      if (row.job().state() != JobState.RUNNING) {
        continue;
      }
      boolean leads = row.job().het() == null || row.job().het().offset() == 0;
      if (row.job().batch().batch() && leads) {
        ofSteps.add(row);
      }
      steps.stream()
          .filter(step -> step.jobId() == row.job().id())
          .forEach(step -> ofSteps.add(row.ofStep(step)));
    }
    return ofSteps;
  }

  private static List<JobFacts> rows(ClusterView view, SqueueOptions options, Instant now, Io io) {
    JobFilter filter = known(options.filter(), view, io);
    int length = bitstrLength(io.variable("SLURM_BITSTR_LEN"));
    List<JobFacts> rows = new ArrayList<>();
    for (Job job : view.jobs().values()) {
      if (!filter.test(job, view)) {
        continue;
      }
      ArrayInfo array = job.array();
      if (options.perTask() && array != null && array.taskId() == null) {
        array.waiting().stream()
            .forEach(task -> rows.add(new JobFacts(job, task, now, io.zone(), length)));
      } else {
        rows.add(new JobFacts(job, null, now, io.zone(), length));
      }
    }
    return rows;
  }

  /** Without the users that nobody knows. */
  private static JobFilter known(JobFilter filter, ClusterView view, Io io) {
    List<String> users = filter.users();
    return users == null ? filter : filter.withUsers(Users.known("squeue", users, view, io));
  }

  private static int bitstrLength(@Nullable String text) {
    try {
      return text == null ? 64 : Integer.parseUnsignedInt(text);
    } catch (NumberFormatException e) {
      return 64;
    }
  }

  private static void print(
      List<JobFacts> rows, SqueueOptions options, Instant now, TresText tres, Io io) {
    List<String> problems = new ArrayList<>();
    Layout<JobFacts> layout = layout(options, tres, problems);
    problems.forEach(
        problem -> io.err().println("squeue: error: Invalid job format specification: " + problem));
    if (options.longListing() || options.iterateSeconds() > 0) {
      io.out().println(CTIME.format(now.atZone(io.zone())));
    }
    if (!options.noHeader()) {
      io.out().println(layout.header());
    }
    rows.forEach(row -> io.out().println(layout.line(row)));
  }

  private static Layout<JobFacts> layout(
      SqueueOptions options, TresText tres, List<String> problems) {
    JobColumns columns = options.steps() ? JobColumns.ofSteps(tres) : new JobColumns(tres);
    String names = options.names();
    if (names != null) {
      return Formats.names(names, columns.names(), problems);
    }
    String format = options.format();
    if (format == null) {
      format =
          options.steps() ? STEPS : options.start() ? START : options.longListing() ? LONG : SHORT;
    } else if (format.equalsIgnoreCase("%all")) {
      StringBuilder all = new StringBuilder();
      for (char c = 'a'; c <= 'z'; c++) {
        all.append('%').append(c).append('|');
      }
      for (char c = 'A'; c <= 'Z'; c++) {
        all.append('%').append(c).append(c == 'Z' ? "" : "|");
      }
      format = all.toString();
    }
    return Formats.percent(format, columns.letters()::get, problems);
  }
}
