package dev.yardmaster.cli;

import dev.yardmaster.client.SchedulerClient;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobSubmission;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;

/** salloc(1): holds resources while a command, or a shell, runs. */
final class Salloc implements Command {
  private static final String NAME = "salloc";
  private static final String PREFIX = "salloc: error: Job submit/allocate failed: ";
  private static final long LOOK_EVERY = 2_000;

  /** Options that only salloc knows, or knows in another way. */
  private static final Set<String> OWN =
      Set.of("bell", "immediate", "kill-command", "no-bell", "no-shell", "quiet", "verbose", "x11");

  private final GetOpt getOpt =
      new GetOpt(NAME, Submissions.BAD_USAGE, true, InteractiveOptions.SALLOC);

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
                  Usage: salloc [OPTION...] [COMMAND [ARGUMENT...]]
                  Holds resources while a command, or a shell, runs.
                  """,
                  "salloc(1)",
                  InteractiveOptions.SALLOC));
      return 0;
    }
    for (GetOpt.Parsed part : parts) {
      OptionValues.check(NAME, part.options());
      OptionsTogether.check(NAME, SbatchOptions.collect(part.options()));
    }
    List<Map<String, String>> components =
        HetOptions.merge(
            List.of(),
            List.of(),
            InteractiveOptions.ofEnvironment("SALLOC_", io.environment()),
            parts.stream().map(part -> SbatchOptions.collect(part.options())).toList());
    List<String> command = parts.getLast().operands();
    if (command.isEmpty()) {
      String shell = io.nonEmpty("SHELL");
      command = List.of(shell == null ? "/bin/bash" : shell);
    }
    List<JobSubmission> submissions = new ArrayList<>();
    for (Map<String, String> options : components) {
      submissions.add(submission(options, command.getFirst(), arguments, io));
    }
    // What only salloc obeys may stand with any component.
    Map<String, String> options = new LinkedHashMap<>();
    components.reversed().forEach(options::putAll);
    try (SchedulerClient client = Session.open(NAME, options.get("clusters"), io)) {
      Allocation allocation =
          new Allocation(NAME, PREFIX, client, options.containsKey("quiet"), io);
      io.machine().onSignal(allocation::signalled);
      List<Job> jobs =
          allocation.ask(
              submissions,
              "Pending job allocation %d",
              List.of("Job aborted due to signal"),
              Allocation.immediate(options));
      allocation.say("Granted job allocation " + allocation.id());
      for (Job job : jobs) {
        if (job.allocation() != null) {
          allocation.say("Nodes " + job.allocation().nodes() + " are ready for job");
        }
      }
      if (options.containsKey("bell") && io.interactive()) {
        io.err().print('\u0007');
      }
      return options.containsKey("no-shell") ? 0 : hold(allocation, jobs, command, io);
    }
  }

  private static JobSubmission submission(
      Map<String, String> options, String command, List<String> arguments, Io io)
      throws CommandFailure {
    Submissions.sayForWhom(NAME, options, io);
    Submissions.checkTimes(NAME, options, io);
    Submissions.readNodeFile(NAME, options, io);
    Submissions.checkPlane(NAME, options, io);
    Submissions.checkNodeCount(PREFIX, options);
    options.putIfAbsent("job-name", "interactive");
    SortedMap<String, String> sent = new TreeMap<>(options);
    sent.keySet().removeIf(o -> OWN.contains(o) && !o.equals("immediate"));
    return new JobSubmission(
        sent,
        "",
        List.of(),
        Immutable.sortedMap(),
        command,
        Submissions.line(NAME, arguments),
        io.directory().toString(),
        Submissions.hostName());
  }

  private static int hold(Allocation allocation, List<Job> jobs, List<String> command, Io io) {
    AtomicBoolean ended = new AtomicBoolean();
    int exitCode;
    try {
      Machine.Child child = io.machine().start(command, JobVariables.of(jobs, io), io.directory());
      Thread.ofVirtual().start(() -> watch(allocation, child, ended));
      exitCode = child.join();
    } catch (IOException e) {
      io.err()
          .println(
              "salloc: error: _fork_command: Unable to find command \""
                  + command.getFirst()
                  + "\"");
      exitCode = 1;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      exitCode = 1;
    }
    boolean revoked = ended.getAndSet(true);
    if (revoked) {
      return 1;
    }
    allocation.say("Relinquishing job allocation " + allocation.id());
    allocation.complete(exitCode);
    return exitCode;
  }

  /** Ends the command when its resources are taken away, or a signal asks for it. */
  private static void watch(Allocation allocation, Machine.Child child, AtomicBoolean ended) {
    try {
      while (!ended.get()) {
        Thread.sleep(LOOK_EVERY);
        if (!ended.get() && allocation.isRevoked() && ended.compareAndSet(false, true)) {
          allocation.say("Job allocation " + allocation.id() + " has been revoked.");
          child.hangUp();
        } else if ("TERM".equals(allocation.signal()) || "HUP".equals(allocation.signal())) {
          child.hangUp();
          return;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
