package dev.yardmaster.cli;

import dev.yardmaster.client.ClientException;
import dev.yardmaster.client.ClusterView;
import dev.yardmaster.client.Credential;
import dev.yardmaster.client.SchedulerClient;
import dev.yardmaster.client.Selection;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobFlag;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.JobSubmission;
import dev.yardmaster.model.text.Instants;
import dev.yardmaster.model.text.NotationException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** sbatch(1): submits a batch job. */
final class Sbatch implements Command {
  /** Exit code for a command line that sbatch cannot read. */
  private static final int BAD_USAGE = 255;

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
    List<String> operands = parts.getLast().operands();
    boolean wrapped = parts.stream().anyMatch(part -> part.has("wrap"));
    if (wrapped && !operands.isEmpty()) {
      throw new CommandFailure(
          1, "sbatch: error: Script arguments not permitted with --wrap option");
    }
    List<Map<String, String>> directives = new ArrayList<>();
    BatchScript script = new BatchScript("", "");
    if (!wrapped) {
      script =
          operands.isEmpty()
              ? BatchScript.readStandardInput(io)
              : BatchScript.read(operands.getFirst(), io);
      script.check();
      for (List<String> words : HetOptions.split(script.directives())) {
        directives.add(SbatchOptions.collect(getOpt.parse(words).options()));
      }
    }
    List<Map<String, String>> commandLine = new ArrayList<>();
    parts.forEach(part -> commandLine.add(SbatchOptions.collect(part.options())));
    List<Map<String, String>> components =
        HetOptions.merge(directives, SbatchOptions.ofEnvironment(io.environment()), commandLine);
    List<JobSubmission> submissions = new ArrayList<>();
    for (Map<String, String> options : components) {
      sayForWhom(options, io);
      checkTime("begin", options, io);
      checkTime("deadline", options, io);
      submissions.add(
          new JobSubmission(
              SbatchOptions.forController(options),
              script.text(),
              operands.size() > 1 ? operands.subList(1, operands.size()) : List.of(),
              environment(options.get("export-file"), io),
              script.path(),
              submitLine(arguments),
              io.directory().toString(),
              hostName()));
    }
    Map<String, String> options = components.getFirst();
    try (SchedulerClient client = Session.open("sbatch", options.get("clusters"), io)) {
      return options.containsKey("test-only")
          ? testOnly(client, submissions, io)
          : submit(client, submissions, options, io);
    }
  }

  /** With --uid, root says whose job it will be; users are looked up where the command runs. */
  private static void sayForWhom(Map<String, String> options, Io io) throws CommandFailure {
    String name = options.get("uid");
    if (name == null) {
      return;
    }
    if (Session.uid(io) != 0) {
      throw new CommandFailure(BAD_USAGE, "sbatch: error: --uid only permitted by root user");
    }
    Credential user = io.machine().find(name);
    if (user == null) {
      throw new CommandFailure(
          BAD_USAGE,
          "sbatch: error: Invalid --uid specification",
          Hint.of("--uid: " + name + " is no user of this machine"));
    }
    options.put("uid", user.user() + ":" + user.uid() + ":" + user.group() + ":" + user.gid());
  }

  /** Slurm's client reads times itself and says where it stopped. */
  private static void checkTime(String option, Map<String, String> options, Io io)
      throws CommandFailure {
    String text = options.get(option);
    if (text == null) {
      return;
    }
    try {
      Instants.parse(text, io.clock().instant(), io.zone());
    } catch (NotationException e) {
      throw new CommandFailure(
          BAD_USAGE,
          "Invalid time specification (pos=" + Math.max(0, e.column() - 1) + "): " + text,
          "sbatch: error: Invalid --" + option + " specification",
          Hint.of("--" + option + ": " + e.getMessage()));
    }
  }

  private static String submitLine(List<String> arguments) {
    return arguments.isEmpty() ? "sbatch" : "sbatch " + String.join(" ", arguments);
  }

  private static String hostName() {
    try {
      return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
    } catch (IOException e) {
      return "localhost";
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
          new String(Files.readAllBytes(io.directory().resolve(file)), StandardCharsets.UTF_8);
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
      io.err()
          .println(
              "sbatch: Job "
                  + would.jobId()
                  + " to start at "
                  + Instants.format(would.start(), io.zone())
                  + " a using "
                  + would.cpus()
                  + " processors on nodes "
                  + would.nodes()
                  + " in partition "
                  + would.partition());
      return 0;
    } catch (ClientException e) {
      throw failure(e, "allocation failure: ");
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
      throw failure(e, "sbatch: error: Batch job submission failed: ");
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

  /**
   * The lines of a refusal. What Slurm's sbatch checks itself is said in its words; what the
   * controller refuses comes behind {@code prefix}. Further lines of the detail are advice.
   */
  private static CommandFailure failure(ClientException e, String prefix) {
    if (!(e instanceof ClientException.Refused refused)) {
      return new CommandFailure(1, prefix + Session.words(e));
    }
    List<String> detail = refused.detail() == null ? List.of() : refused.detail().lines().toList();
    String first = detail.isEmpty() ? "" : detail.getFirst();
    List<String> lines = new ArrayList<>();
    int exitCode = 1;
    switch (refused.name()) {
      case "COMMAND_LINE" -> {
        exitCode = BAD_USAGE;
        lines.add(
            (first.startsWith("unrecognized option") ? "sbatch: " : "sbatch: error: ") + first);
      }
      case "COMMAND_VALUE" -> lines.add("sbatch: error: " + first);
      case "COMMAND_GRES" -> {
        lines.add("sbatch: error: " + first);
        lines.add("sbatch: error: " + refused.slurmText());
      }
      case "COMMAND_FATAL" -> lines.add("sbatch: fatal: " + first);
      default -> {
        if (!first.isEmpty()) {
          lines.add("sbatch: error: " + first);
        }
        lines.add(prefix + refused.slurmText());
      }
    }
    detail.stream().skip(1).forEach(line -> lines.add(Hint.of(line)));
    return new CommandFailure(exitCode, lines);
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
