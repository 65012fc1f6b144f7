package dev.yardmaster.cli;

import dev.yardmaster.client.ClientException;
import dev.yardmaster.client.ClusterView;
import dev.yardmaster.client.SchedulerClient;
import dev.yardmaster.client.Selection;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobFlag;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.JobSubmission;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** sbatch(1): submits a batch job. */
final class Sbatch implements Command {
  /** Exit code for a command line that sbatch cannot read. */
  private static final int BAD_USAGE = Submissions.BAD_USAGE;

  private final GetOpt getOpt = new GetOpt("sbatch", BAD_USAGE, true, SbatchOptions.TABLE);

  @Override
  public int run(List<String> arguments, Io io) throws CommandFailure {
    List<GetOpt.Parsed> parts = HetOptions.parse(getOpt, arguments);
    GetOpt.Parsed parsed = parts.getFirst();
    if (parsed.has("version")) {
      io.out().println(SlurmVersion.line());
      return 0;
    }
    if (parsed.has("help") || parsed.has("usage")) {
      io.out()
          .println(
              Usage.of(
                  """
                  Usage: sbatch [OPTION...] SCRIPT [ARGUMENT...]
                         sbatch [OPTION...] --wrap=COMMAND
                  Submits a batch job. Options may also stand in the script, as #SBATCH lines.
                  """,
                  "sbatch(1)",
                  SbatchOptions.TABLE));
      return 0;
    }
    for (GetOpt.Parsed part : parts) {
      OptionValues.check("sbatch", part.options());
      Submissions.checkTimes("sbatch", SbatchOptions.collect(part.options()), io);
    }
    List<String> operands = parts.getLast().operands();
    boolean wrapped = parts.stream().anyMatch(part -> part.has("wrap"));
    if (wrapped && !operands.isEmpty()) {
      throw new CommandFailure(
          1, "sbatch: error: Script arguments not permitted with --wrap option");
    }
    boolean external = parsed.has("external");
    if (external && (wrapped || !operands.isEmpty())) {
      throw new CommandFailure(
          1,
          "sbatch: error: "
              + (wrapped ? "--wrap option" : "Script arguments")
              + " not permitted with --external option"
              + (parts.size() > 1 ? " on the first component" : ""));
    }
    List<Map<String, String>> directives = new ArrayList<>();
    BatchScript script = new BatchScript("", "");
    if (!wrapped && !external) {
      script =
          operands.isEmpty()
              ? BatchScript.readStandardInput(io)
              : BatchScript.read(operands.getFirst(), io);
      script.check();
      for (List<String> words : HetOptions.split(script.directives())) {
        List<GetOpt.Given> given = getOpt.parse(words).options();
        OptionValues.check("sbatch", given);
        directives.add(SbatchOptions.collect(given));
      }
    }
    List<Map<String, String>> commandLine = new ArrayList<>();
    parts.forEach(part -> commandLine.add(SbatchOptions.collect(part.options())));
    for (int i = 0; i < Math.max(directives.size(), commandLine.size()); i++) {
      Map<String, String> given = new HashMap<>();
      given.putAll(i < directives.size() ? directives.get(i) : Map.of());
      given.putAll(i < commandLine.size() ? commandLine.get(i) : Map.of());
      OptionsTogether.check("sbatch", given);
    }
    List<Map<String, String>> components =
        HetOptions.merge(
            commandLine, directives, SbatchOptions.ofEnvironment(io.environment()), commandLine);
    List<JobSubmission> submissions = new ArrayList<>();
    for (Map<String, String> options : components) {
      Submissions.sayForWhom("sbatch", options, io);
      Submissions.checkTimes("sbatch", options, io);
      Submissions.readNodeFile("sbatch", options, io);
      Submissions.checkPlane("sbatch", options, io);
      submissions.add(
          new JobSubmission(
              SbatchOptions.forController(options),
              options.containsKey("external") ? "" : script.text(),
              operands.size() > 1 ? operands.subList(1, operands.size()) : List.of(),
              environment(options.get("export-file"), io),
              script.path(),
              Submissions.line("sbatch", arguments),
              io.directory().toString(),
              Submissions.hostName()));
    }
    Map<String, String> options = components.getFirst();
    try (SchedulerClient client = Session.open("sbatch", options.get("clusters"), io)) {
      return options.containsKey("test-only")
          ? testOnly(client, submissions, io)
          : submit(client, submissions, options, io);
    }
  }

  /** The environment of this process, or of a file of NAME=VALUE that end with a zero byte. */
  private static SortedMap<String, String> environment(@Nullable String file, Io io)
      throws CommandFailure {
    if (file == null) {
      return Immutable.sortedMap(io.environment());
    }
    try {
      String text =
          new String(io.machine().read(io.directory().resolve(file)), StandardCharsets.UTF_8);
      SortedMap<String, String> variables = new TreeMap<>();
      for (String entry : text.split("\0", -1)) {
        int equals = entry.indexOf('=');
        if (equals > 0) {
          variables.put(entry.substring(0, equals), entry.substring(equals + 1));
        }
      }
      return Immutable.sortedMap(variables);
    } catch (IOException e) {
      throw new CommandFailure(1, "sbatch: error: Could not open user environment file " + file);
    }
  }

  private static int testOnly(SchedulerClient client, List<JobSubmission> submissions, Io io)
      throws CommandFailure {
    if (submissions.size() > 1) {
      throw new CommandFailure(
          1, "sbatch: error: --test-only is not supported for heterogeneous jobs");
    }
    try {
      SchedulerClient.WouldStart would = client.testOnly(submissions.getFirst());
      io.err().println(Submissions.wouldStart("sbatch", would, io));
      return 0;
    } catch (ClientException e) {
      throw Submissions.failure("sbatch", e, "allocation failure: ");
    }
  }

  private static int submit(
      SchedulerClient client, List<JobSubmission> submissions, Map<String, String> options, Io io)
      throws CommandFailure {
    SchedulerClient.Submitted submitted;
    try {
      submitted =
          submissions.size() > 1
              ? client.submit(submissions)
              : client.submit(submissions.getFirst());
    } catch (ClientException e) {
      throw Submissions.failure("sbatch", e, "sbatch: error: Batch job submission failed: ");
    }
    submitted.notices().forEach(notice -> io.err().println("sbatch: " + notice));
    String cluster = options.get("clusters");
    if (options.containsKey("parsable")) {
      io.out().println(submitted.jobId() + (cluster == null ? "" : ";" + cluster));
    } else if (!options.containsKey("quiet")) {
      io.out()
          .println(
              "Submitted batch job "
                  + submitted.jobId()
                  + (cluster == null ? "" : " on cluster " + cluster));
    }
    io.out().flush();
    return options.containsKey("wait") ? await(client, submitted.jobId()) : 0;
  }

  /** Waits until all of a job has ended; the exit code is the highest of its tasks. */
  private static int await(SchedulerClient client, int jobId) throws CommandFailure {
    Selection selection =
        Selection.of(Selection.Jobs.ALL).onlyJobs(List.of(Integer.toString(jobId)));
    int highest = 0;
    try {
      for (long pause = 100; ; pause = Math.min(2000, pause * 2)) {
        ClusterView view = client.read(selection);
        boolean ended = true;
        for (Job job : view.jobs().values()) {
          ended &= job.state().isFinished() && !job.has(JobFlag.COMPLETING);
          highest = Math.max(highest, job.state().isFinished() ? exitCode(job) : 0);
        }
        if (ended) {
          return highest;
        }
        Thread.sleep(pause);
      }
    } catch (ClientException e) {
      throw new CommandFailure(1, "sbatch: error: " + Session.words(e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return 1;
    }
  }

  private static int exitCode(Job job) {
    if (job.exitCode().signal() != 0) {
      return 1;
    }
    return job.exitCode().code() == 0 && job.state() != JobState.COMPLETED
        ? 1
        : job.exitCode().code();
  }
}
