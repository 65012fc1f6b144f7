package dev.yardmaster.cli;

import dev.yardmaster.client.ClientException;
import dev.yardmaster.client.ClusterView;
import dev.yardmaster.client.SchedulerClient;
import dev.yardmaster.client.Selection;
import dev.yardmaster.model.Accounting;
import dev.yardmaster.model.ArrayInfo;
import dev.yardmaster.model.Association;
import dev.yardmaster.model.IndexSet;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.JobStep;
import dev.yardmaster.model.Node;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.text.HostList;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.ToIntFunction;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** squeue(1): lists jobs. */
final class Squeue implements Command {
  /** As ctime(3) prints, above long listings. */
  private static final DateTimeFormatter CTIME =
      DateTimeFormatter.ofPattern("EEE MMM dd HH:mm:ss yyyy", Locale.ROOT);

  private static final String SHORT = "%.18i %.9P %.8j %.8u %.2t %.10M %.6D %R";
  private static final String LONG = "%.18i %.9P %.8j %.8u %.8T %.10M %.9l %.6D %R";
  private static final String START = "%.18i %.9P %.8j %.8u %.2t %.19S %.6D %20Y %R";
  private static final String STEPS = "%.15i %.8j %.9P %.8u %.9M %N";

  private static final Pattern ASSOCIATION = Pattern.compile("associd", Pattern.CASE_INSENSITIVE);

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
    List<String> ids = options.jobIds();
    boolean all = options.needsFinished() || ids != null;
    Selection selection =
        Selection.of(all ? Selection.Jobs.ALL : Selection.Jobs.LIVE)
            .withPartitions()
            .onlyJobs(
                ids == null ? List.of() : ids.stream().map(Squeue::whole).distinct().toList());
    if (options.filter().nodes() != null || options.json() || options.yaml()) {
      selection = selection.withNodes();
    }
    ClusterView view =
        ids != null && ids.isEmpty() ? client.read(Selection.NODES) : client.read(selection);
    if (ids != null && ids.size() == 1 && view.jobs().isEmpty()) {
      throw new CommandFailure(1, "slurm_load_jobs error: Invalid job id specified");
    }
    Instant now = io.clock().instant();
    List<JobFacts> rows = rows(view, options, now, io);
    if (options.json() || options.yaml()) {
      List<String> command = new ArrayList<>(List.of("squeue"));
      command.addAll(arguments);
      ToIntFunction<Job> associations = associations(client, true);
      DataDocument.print(
          options.yaml(),
          command,
          view,
          io,
          document -> JobJson.write(document, view, rows, associations));
      return;
    }
    Layout<JobFacts> layout = layout(options, view, client, io);
    List<JobFacts> shown = options.perTask() ? rows : ArrayRows.together(rows);
    print(layout, shown, steps(options, rows, client), view, options, now, io);
  }

  /** The steps that are asked for, of some jobs; null when jobs are listed. */
  private static @Nullable List<JobFacts> steps(
      SqueueOptions options, List<JobFacts> rows, SchedulerClient client) throws ClientException {
    List<String> wanted = options.steps();
    if (wanted == null) {
      return null;
    }
    List<JobFacts> steps = steps(rows, client.steps());
    steps.removeIf(row -> !wanted.isEmpty() && !isWanted(row, wanted));
    return steps;
  }

  private static boolean isWanted(JobFacts row, List<String> wanted) {
    JobStep step = row.step();
    if (step == null) {
      return false;
    }
    String number = "." + step.stepId();
    return wanted.contains(row.job().id() + number)
        || wanted.contains(row.arrayJobId() + number)
        || wanted.contains(row.id() + number);
  }

  /** The scripts of the running jobs among some, and the steps of these. */
  private static List<JobFacts> steps(List<JobFacts> rows, List<JobStep> steps) {
    List<JobFacts> ofSteps = new ArrayList<>();
    for (JobFacts row : rows) {
      JobState state = row.job().state();
      if (state != JobState.RUNNING && state != JobState.SUSPENDED) {
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

  private static List<JobFacts> rows(ClusterView view, SqueueOptions options, Instant now, Io io)
      throws CommandFailure {
    if (options.jobIds() != null && options.jobIds().isEmpty()) {
      return new ArrayList<>();
    }
    JobFilter filter = known(options.filter(), view, io);
    int length = options.perTask() ? 0 : bitstrLength(io.variable("SLURM_BITSTR_LEN"));
    List<JobFacts> rows = new ArrayList<>();
    for (Job job : view.jobs().values()) {
      Job shown = options.jobIds() == null ? job : chosen(job, options.jobIds());
      if (shown == null || !filter.test(shown, view, now)) {
        continue;
      }
      if (options.perPartition() && job.state() == JobState.PENDING) {
        for (String partition : job.partitions()) {
          if (filter.partitions() == null || filter.partitions().contains(partition)) {
            Job there = shown.withPartitions(List.of(partition));
            rows.add(new JobFacts(there, null, now, io.zone(), length));
          }
        }
      } else {
        rows.add(new JobFacts(shown, null, now, io.zone(), length));
      }
    }
    return rows;
  }

  /** The job, array or leading component that an id is about. */
  private static String whole(String id) {
    return id.replaceFirst("[_+].*", "");
  }

  /** What of a job some ids name: all of it, some waiting tasks of an array, or nothing. */
  private static @Nullable Job chosen(Job job, List<String> ids) {
    ArrayInfo array = job.array();
    BitSet tasks = new BitSet();
    for (String id : ids) {
      int task = id.indexOf('_');
      String whole = whole(id);
      if (task < 0) {
        if (whole.equals(Integer.toString(job.id()))
            || (array != null && whole.equals(Integer.toString(array.arrayJobId())))
            || (job.het() != null && whole.equals(Integer.toString(job.het().hetJobId())))) {
          return job;
        }
      } else if (array != null && whole.equals(Integer.toString(array.arrayJobId()))) {
        int number = Integer.parseInt(id.substring(task + 1));
        if (array.taskId() == null ? array.waiting().contains(number) : array.taskId() == number) {
          tasks.set(number);
        }
      }
    }
    if (tasks.isEmpty() || array == null) {
      return null;
    }
    return array.taskId() != null
        ? job
        : job.withArray(new ArrayInfo(array.arrayJobId(), null, IndexSet.of(tasks), 0));
  }

  /** A row for each waiting task of an array. */
  private static List<JobFacts> perTask(List<JobFacts> rows) {
    List<JobFacts> tasks = new ArrayList<>();
    for (JobFacts row : rows) {
      ArrayInfo array = row.job().array();
      if (array != null && array.taskId() == null) {
        array.waiting().stream().forEach(task -> tasks.add(row.ofTask(task)));
      } else {
        tasks.add(row);
      }
    }
    return tasks;
  }

  /** Without the users that nobody knows, and with the names of the nodes it means. */
  private static JobFilter known(JobFilter filter, ClusterView view, Io io) throws CommandFailure {
    List<String> users = filter.users();
    JobFilter known =
        users == null ? filter : filter.withUsers(Users.known("squeue", users, view, io));
    HostList nodes = filter.nodes();
    if (nodes == null) {
      return known;
    }
    List<String> names = new ArrayList<>();
    for (String name : nodes) {
      names.add(node(name, view));
    }
    return known.withNodes(HostList.of(names));
  }

  /** The node of a name, of the name of its machine, or of this machine ("localhost"). */
  private static String node(String name, ClusterView view) throws CommandFailure {
    String host =
        name.equalsIgnoreCase("localhost")
            ? Submissions.hostName().replaceFirst("\\..*", "")
            : name;
    if (view.nodes().containsKey(host)) {
      return host;
    }
    for (Node node : view.nodes().values()) {
      if (node.spec().hostname().equals(host)) {
        return node.name();
      }
    }
    throw new CommandFailure(1, "squeue: error: Invalid node name " + name);
  }

  private static int bitstrLength(@Nullable String text) {
    try {
      return text == null ? 64 : Integer.parseUnsignedInt(text);
    } catch (NumberFormatException e) {
      return 64;
    }
  }

  private static void print(
      Layout<JobFacts> layout,
      List<JobFacts> jobs,
      @Nullable List<JobFacts> steps,
      ClusterView view,
      SqueueOptions options,
      Instant now,
      Io io)
      throws CommandFailure {
    if (options.longListing() || options.iterateSeconds() > 0) {
      io.out().println(CTIME.format(now.atZone(io.zone())));
    }
    if (options.clusters() != null || io.nonEmpty("SLURM_CLUSTERS") != null) {
      io.out().println("CLUSTER: " + new TresText(view).cluster());
    }
    if (!options.noHeader()) {
      io.out().println(layout.header());
    }
    io.out().flush();
    JobOrder order =
        new JobOrder(
            io,
            row -> {
              Partition partition = view.partitions().get(row.partition());
              return options.perPartition() && partition != null ? partition.priorityTier() : 0;
            },
            now);
    List<JobFacts> rows = steps == null ? jobs : steps;
    boolean one = options.jobIds() != null && options.jobIds().size() == 1;
    order.sort(rows, options.sort(), one, steps != null);
    (options.perTask() && steps == null ? perTask(rows) : rows)
        .forEach(row -> io.out().println(layout.line(row)));
  }

  private static Layout<JobFacts> layout(
      SqueueOptions options, ClusterView view, SchedulerClient client, Io io)
      throws ClientException {
    boolean ofSteps = options.steps() != null;
    TresText tres = new TresText(view);
    String names = options.names();
    JobColumns jobs =
        new JobColumns(
            tres,
            associations(client, names != null && ASSOCIATION.matcher(names).find()),
            options.expands(),
            options.raw());
    StepColumns steps = new StepColumns(tres.cluster());
    List<String> problems = new ArrayList<>();
    Layout<JobFacts> layout;
    if (names != null) {
      layout = Formats.names(names, ofSteps ? steps.names() : jobs.names(), problems);
    } else {
      Map<Character, Layout.Field<JobFacts>> letters = ofSteps ? steps.letters() : jobs.letters();
      layout = Formats.percent(all(format(options), letters.keySet()), letters::get, problems);
    }
    String what = ofSteps ? "job step" : "job";
    problems.forEach(
        problem ->
            io.err()
                .println("squeue: error: Invalid " + what + " format specification: " + problem));
    return layout;
  }

  private static String format(SqueueOptions options) {
    if (options.format() != null) {
      return options.format();
    }
    if (options.onlyState()) {
      return "%.18i %.2t";
    }
    return options.steps() != null
        ? STEPS
        : options.start() ? START : options.longListing() ? LONG : SHORT;
  }

  /** A format with {@code %all} written out; there may be text before it, and none after. */
  private static String all(String format, Set<Character> letters) {
    int at = format.indexOf('%');
    if (at < 0 || !format.substring(at).equalsIgnoreCase("%all")) {
      return format;
    }
    StringBuilder all = new StringBuilder();
    for (char c : "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".toCharArray()) {
      if (letters.contains(c)) {
        all.append(all.isEmpty() ? "%" : "|%").append(c);
      }
    }
    return format.substring(0, at) + all;
  }

  /** The ids of associations, which are only asked for where they are shown. */
  static ToIntFunction<Job> associations(SchedulerClient client, boolean shown)
      throws ClientException {
    if (!shown) {
      return job -> 0;
    }
    Accounting accounting = client.accounting().accounting();
    return job -> {
      Association found =
          accounting.find(job.owner().user(), job.owner().account(), job.partition());
      return found == null ? 0 : found.id();
    };
  }
}
