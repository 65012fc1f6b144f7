package dev.yardmaster.cli;

import dev.yardmaster.client.ClientException;
import dev.yardmaster.client.SchedulerClient;
import dev.yardmaster.model.ExitCode;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.JobSubmission;
import java.util.ArrayList;
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
    List<GetOpt.Parsed> parsed = SrunParts.parse(getOpt, arguments);
    GetOpt.Parsed first = parsed.getFirst();
    if (first.has("version")) {
      io.out().println(SlurmVersion.line());
      return 0;
    }
    if (first.has("help") || first.has("usage")) {
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
    if ("list".equals(first.last("mpi"))) {
      io.out().println("MPI plugin types are...\n\tnone");
      return 0;
    }
    for (GetOpt.Parsed part : parsed) {
      OptionValues.check(NAME, part.options());
      OptionsTogether.check(NAME, SbatchOptions.collect(part.options()));
    }
    String job = first.last("jobid");
    SrunChecks.checkJobId(job);
    if (job == null) {
      String outer = io.nonEmpty("SLURM_JOB_ID");
      job = outer == null ? io.nonEmpty("SLURM_JOBID") : outer;
    }
    List<SrunParts.Part> parts = new ArrayList<>();
    for (SrunParts.Part part : SrunParts.read(parsed, job != null, io)) {
      parts.add(checked(part, job != null, io));
    }
    if (parsed.getLast().operands().isEmpty()) {
      throw new CommandFailure(1, "srun: fatal: No command given to execute.");
    }
    Map<String, String> options = parts.getFirst().options();
    try (SchedulerClient client = Session.open(NAME, options.get("clusters"), io)) {
      if (job == null) {
        for (SrunParts.Part part : parts) {
          Submissions.checkNodeCount(PREFIX, part.options());
        }
        return allocate(client, parts, arguments, io);
      }
      List<Job> existing = existing(client, job);
      List<Job> jobs = HetSteps.jobs(existing, parts);
      SrunBroadcast broadcast = new SrunBroadcast(parts, job, client, io);
      broadcast.send(jobs);
      HetSteps steps = new HetSteps(client, broadcast.parts(), io);
      io.machine().onSignal(steps::signalled);
      return steps.run(jobs).ofShell();
    }
  }

  private static SrunParts.Part checked(SrunParts.Part part, boolean inside, Io io)
      throws CommandFailure {
    Map<String, String> options = part.options();
    List<String> command = part.command();
    SrunChecks.check(options, command, inside);
    if (options.containsKey("multi-prog")) {
      String file = command.getFirst();
      options.putIfAbsent("job-name", file.substring(file.lastIndexOf('/') + 1));
      command = MultiProg.command(file, tasks(options, io), io.directory());
      options.remove("multi-prog");
    }
    Submissions.checkTimes(NAME, options, io);
    Submissions.readNodeFile(NAME, options, io);
    Submissions.checkPlane(NAME, options, io);
    return new SrunParts.Part(part.group(), options, command);
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

  /** The running job that a step is to be part of, with its components if it has several. */
  private static List<Job> existing(SchedulerClient client, String id) throws CommandFailure {
    String why = "Invalid job id specified";
    try {
      List<Job> jobs = Allocation.components(client, id);
      if (!jobs.isEmpty() && jobs.stream().allMatch(j -> j.state() == JobState.RUNNING)) {
        return jobs;
      }
      for (Job job : jobs) {
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

  private static JobSubmission submission(
      SrunParts.Part part, String name, List<String> arguments, Io io) {
    String file = part.command().getFirst();
    part.options().putIfAbsent("job-name", name);
    SortedMap<String, String> sent = new TreeMap<>(part.options());
    sent.keySet().removeIf(o -> InteractiveOptions.isOfSrun(o) && !o.equals("immediate"));
    List.of("error", "export", "input", "open-mode", "output", "quiet", "test-only", "verbose")
        .forEach(sent::remove);
    return new JobSubmission(
        sent,
        "",
        List.of(),
        Immutable.sortedMap(),
        file,
        Submissions.line(NAME, arguments),
        io.directory().toString(),
        Submissions.hostName());
  }

  private static int allocate(
      SchedulerClient client, List<SrunParts.Part> parts, List<String> arguments, Io io)
      throws CommandFailure {
    Map<String, String> options = parts.getFirst().options();
    String file = parts.getLast().command().getFirst();
    String name = file.substring(file.lastIndexOf('/') + 1);
    List<JobSubmission> submissions =
        parts.stream().map(part -> submission(part, name, arguments, io)).toList();
    try {
      if (options.containsKey("test-only")) {
        io.err().println(Submissions.wouldStart(NAME, client.testOnly(submissions.getFirst()), io));
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
    SrunBroadcast broadcast = new SrunBroadcast(parts, null, client, io);
    HetSteps steps = new HetSteps(client, broadcast.parts(), io);
    io.machine()
        .onSignal(
            signal -> {
              allocation.signalled(signal);
              steps.signalled(signal);
            });
    List<Job> jobs =
        allocation.ask(
            submissions,
            null,
            List.of("Force Terminated JobId=%d", "Job allocation %d has been revoked"),
            Allocation.immediate(options));
    try {
      broadcast.send(jobs);
      ExitCode exit = steps.run(jobs);
      if (steps.wasForced()) {
        allocation.cancel();
      } else {
        allocation.complete(exit);
      }
      return exit.ofShell();
    } catch (CommandFailure e) {
      allocation.cancel();
      throw e;
    }
  }
}
