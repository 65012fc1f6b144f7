package dev.yardmaster.cli;

import dev.yardmaster.client.ClientException;
import dev.yardmaster.client.ClusterView;
import dev.yardmaster.client.SchedulerClient;
import dev.yardmaster.client.Selection;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.JobSubmission;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** srun(1): runs tasks in parallel, in an allocation that is there or in one of their own. */
final class Srun implements Command {
  private static final String NAME = "srun";
  private static final String PREFIX = "srun: error: Unable to allocate resources: ";

  private final GetOpt getOpt =
      new GetOpt(NAME, Submissions.BAD_USAGE, true, InteractiveOptions.SRUN);

  @Override
  public int run(List<String> arguments, Io io) throws CommandFailure {
    GetOpt.Parsed parsed = getOpt.parse(arguments);
    if (parsed.has("version")) {
      io.out().println(SlurmVersion.line());
      return 0;
    }
    if (parsed.has("help") || parsed.has("usage")) {
      io.out()
          .println(
              Usage.of(
                  """
                  Usage: srun [OPTION...] COMMAND [ARGUMENT...]
                  Runs tasks in parallel, in an allocation that is there or in one of their own.
                  """,
                  "srun(1)",
                  InteractiveOptions.SRUN));
      return 0;
    }
    if ("list".equals(parsed.last("mpi"))) {
      io.out().println("MPI plugin types are...\n\tnone");
      return 0;
    }
    String job = parsed.last("jobid");
    if (job == null) {
      String outer = io.nonEmpty("SLURM_JOB_ID");
      job = outer == null ? io.nonEmpty("SLURM_JOBID") : outer;
    }
    Map<String, String> given = SbatchOptions.collect(parsed.options());
    Map<String, String> options =
        new LinkedHashMap<>(InteractiveOptions.ofSrunEnvironment(job != null, io.environment()));
    if (given.containsKey("nodes") || given.containsKey("ntasks-per-node")) {
      options.remove("ntasks");
    }
    SbatchOptions.override(options, given);
    SrunChecks.check(options, parsed.operands(), job != null, io);
    List<String> command = parsed.operands();
    if (options.containsKey("multi-prog")) {
      String file = command.getFirst();
      options.putIfAbsent("job-name", file.substring(file.lastIndexOf('/') + 1));
      command = MultiProg.command(file, tasks(options, io), io.directory());
      options.remove("multi-prog");
    }
    Submissions.checkTimes(NAME, options, io);
    Submissions.checkPlane(NAME, options, io);
    try (SchedulerClient client = Session.open(NAME, options.get("clusters"), io)) {
      if (job != null) {
        return new StepSession(client, options, command, io).run(existing(client, job));
      }
      return allocate(client, options, command, arguments, io);
    }
  }

  /** How many tasks are asked for; 0 when that depends on the nodes. */
  private static int tasks(Map<String, String> options, Io io) {
    for (String given :
        new String[] {options.get("ntasks"), options.get("nodes"), io.nonEmpty("SLURM_NTASKS")}) {
      if (given != null) {
        return given.matches("[0-9]{1,6}") ? Integer.parseInt(given) : 0;
      }
    }
    return 1;
  }

  /** The running job that a step is to be part of. */
  private static Job existing(SchedulerClient client, String id) throws CommandFailure {
    String why = "Invalid job id specified";
    try {
      ClusterView view = client.read(Selection.of(Selection.Jobs.ALL).onlyJobs(List.of(id)));
      for (Job job : view.jobs().values()) {
        if (job.state() == JobState.RUNNING) {
          return job;
        }
        why =
            job.state() == JobState.PENDING
                ? "Job is pending execution"
                : "Job/step already completing or completed";
      }
    } catch (ClientException e) {
      why = Session.words(e);
    }
    throw new CommandFailure(
        1,
        "srun: error: Unable to confirm allocation for job " + id + ": " + why,
        "srun: Check SLURM_JOB_ID environment variable. Expired or invalid job " + id);
  }

  private static int allocate(
      SchedulerClient client,
      Map<String, String> options,
      List<String> command,
      List<String> arguments,
      Io io)
      throws CommandFailure {
    String file = command.getFirst();
    options.putIfAbsent("job-name", file.substring(file.lastIndexOf('/') + 1));
    SortedMap<String, String> sent = new TreeMap<>(options);
    sent.keySet().removeIf(o -> InteractiveOptions.isOfSrun(o) && !o.equals("immediate"));
    List.of("error", "export", "input", "open-mode", "output", "quiet", "test-only", "verbose")
        .forEach(sent::remove);
    JobSubmission submission =
        new JobSubmission(
            sent,
            "",
            List.of(),
            Immutable.sortedMap(),
            file,
            Submissions.line(NAME, arguments),
            io.directory().toString(),
            Submissions.hostName());
    try {
      if (options.containsKey("test-only")) {
        io.err().println(Submissions.wouldStart(NAME, client.testOnly(submission), io));
        return 0;
      }
      if (client.info().simulatedNodes()) {
        throw new CommandFailure(
            1,
            "srun: error: the nodes of this cluster are simulated and run no commands",
            Hint.of("salloc and sbatch work; yardmaster node serves a real node"));
      }
    } catch (ClientException e) {
      throw Submissions.failure(NAME, e, "allocation failure: ");
    }
    Allocation allocation = new Allocation(NAME, PREFIX, client, options.containsKey("quiet"), io);
    StepSession session = new StepSession(client, options, command, io);
    io.machine()
        .onSignal(
            name -> {
              allocation.signalled(name);
              session.signalled(name);
            });
    Job job =
        allocation.ask(
            submission,
            null,
            List.of("Force Terminated JobId=%d", "Job allocation %d has been revoked"),
            Allocation.immediate(options));
    try {
      int exitCode = session.run(job);
      if (session.wasForced()) {
        allocation.cancel();
      } else {
        allocation.complete(exitCode);
      }
      return exitCode;
    } catch (CommandFailure e) {
      allocation.cancel();
      throw e;
    }
  }
}
