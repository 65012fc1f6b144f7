package dev.yardmaster.cli;

import dev.yardmaster.client.ClientException;
import dev.yardmaster.client.SchedulerClient;
import dev.yardmaster.client.Selection;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.SlurmError;
import dev.yardmaster.model.text.JobId;
import dev.yardmaster.model.text.NotationException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** scancel(1): cancels jobs, or sends them a signal. */
final class Scancel implements Command {
  private static final Pattern STEP = Pattern.compile("[0-9]{1,9}\\.[0-9]{1,9}");

  private static final List<String> TABLE =
      List.of(
          "A account:",
          "admin-comment:",
          "b batch",
          "c cron",
          "ctld",
          "f full",
          "H hurry",
          "i interactive",
          "n name:",
          "jobname:",
          "M clusters:",
          "me",
          "p partition:",
          "Q quiet",
          "q qos:",
          "R reservation:",
          "s signal:",
          "sibling:",
          "t state:",
          "u user:",
          "v verbose",
          "V version",
          "w nodelist:",
          "wckey:",
          "help",
          "usage");

  private static final Set<String> SIGNALS =
      Set.of(
          ("HUP INT QUIT ILL TRAP ABRT BUS FPE KILL USR1 SEGV USR2 PIPE ALRM TERM STKFLT CHLD CONT"
                  + " STOP TSTP TTIN TTOU URG XCPU XFSZ VTALRM PROF WINCH IO PWR SYS")
              .split(" "));

  private static final List<String> FILTERS =
      List.of(
          "account",
          "name",
          "partition",
          "qos",
          "reservation",
          "state",
          "user",
          "nodelist",
          "wckey");

  @Override
  public int run(List<String> arguments, Io io) throws CommandFailure {
    GetOpt.Parsed parsed = new GetOpt("scancel", 1, false, TABLE).parse(arguments);
    if (Usage.answers(
        parsed,
        """
        Usage: scancel [OPTION...] [JOB[_TASK]...]
        Cancels jobs, or sends them a signal; without ids, those that the options select.
        """,
        "scancel(1)",
        TABLE,
        null,
        io)) {
      return 0;
    }
    List<String> jobs = jobs(parsed.operands());
    SortedMap<String, String> filters = filters(parsed, io);
    if (jobs.isEmpty() && FILTERS.stream().noneMatch(filters::containsKey)) {
      throw new CommandFailure(1, "scancel: error: No job identification provided");
    }
    String signal = parsed.last("signal");
    if (signal != null && !isSignal(signal)) {
      throw new CommandFailure(1, "Unknown job signal: " + signal);
    }
    boolean verbose = parsed.has("verbose");
    int exitCode = 0;
    try (SchedulerClient client = Session.open("scancel", parsed.last("clusters"), io)) {
      checkUser(client, filters.get("user"), io);
      Set<String> unknown = new LinkedHashSet<>();
      if (looksFirst(parsed, filters, jobs)) {
        unknown.addAll(unknown(client, jobs));
      }
      for (String id : unknown) {
        String kind = id.contains(".") ? "job step id " : "job id ";
        io.err()
            .println(
                "scancel: error: Kill job error on "
                    + kind
                    + id
                    + ": "
                    + SlurmError.INVALID_JOB_ID.text());
        exitCode = 1;
      }
      boolean named = !jobs.isEmpty();
      jobs = jobs.stream().filter(id -> !unknown.contains(id)).toList();
      if (named && jobs.isEmpty()) {
        return exitCode;
      }
      List<List<String>> requests =
          jobs.isEmpty() ? List.of(List.of()) : jobs.stream().map(List::of).toList();
      if (parsed.has("interactive")) {
        requests = ScancelPrompt.confirmed(client, jobs, filters, io);
      }
      if (verbose) {
        requests.stream().flatMap(List::stream).forEach(id -> io.err().println(begins(id)));
      }
      List<Attempt> attempts =
          Attempt.all(
              requests,
              io.machine().requestsAtOnce(),
              request -> send(client, request, filters, signal == null ? "" : signal));
      for (Attempt attempt : attempts) {
        attempt.notices().forEach(notice -> io.err().println("scancel: " + notice));
        ClientException failure = attempt.failure();
        if (failure instanceof ClientException.Refused refusal) {
          boolean quiet = parsed.has("quiet");
          exitCode = Math.max(exitCode, refused(attempt.request(), refusal, verbose, quiet, io));
        } else if (failure != null) {
          throw failure;
        }
      }
    } catch (ClientException e) {
      throw new CommandFailure(1, "scancel: error: " + Session.words(e));
    }
    return exitCode;
  }

  private static List<String> send(
      SchedulerClient client,
      List<String> request,
      SortedMap<String, String> filters,
      String signal)
      throws ClientException {
    if (!request.isEmpty() && STEP.matcher(request.getFirst()).matches()) {
      client.signalStep(request.getFirst(), signal);
      return List.of();
    }
    return client.cancelJobs(request, filters, signal);
  }

  /** A name of kill(1), with or without SIG, or a number. */
  private static boolean isSignal(String signal) {
    String name = signal.toUpperCase(Locale.ROOT).replaceFirst("^SIG", "");
    return name.matches("[0-9]{1,3}") || SIGNALS.contains(name);
  }

  private static String begins(String id) {
    return "scancel: Terminating " + (id.contains(".") ? "step " : "job ") + id;
  }

  /**
   * Whether the jobs are looked up before anything is done, so that one that is not there is an
   * error: with a signal, a filter, {@code --batch} or {@code --interactive}, and for steps.
   */
  private static boolean looksFirst(
      GetOpt.Parsed parsed, SortedMap<String, String> filters, List<String> jobs) {
    return parsed.has("signal")
        || parsed.has("batch")
        || parsed.has("interactive")
        || FILTERS.stream().anyMatch(filters::containsKey)
        || jobs.stream().anyMatch(id -> id.contains("."));
  }

  /** Which of the ids are of no job that has not ended, or of a step of one that has not begun. */
  private static List<String> unknown(SchedulerClient client, List<String> ids)
      throws ClientException {
    List<String> unknown = new ArrayList<>();
    for (String id : ids) {
      String job = id.replaceFirst("\\..*", "");
      List<Job> found;
      try {
        Selection live = Selection.of(Selection.Jobs.LIVE);
        found = List.copyOf(client.read(live.onlyJobs(List.of(job))).jobs().values());
      } catch (ClientException.Refused e) {
        found = List.of();
      }
      boolean pending = found.stream().allMatch(j -> j.state() == JobState.PENDING);
      if (found.isEmpty() || (id.contains(".") && pending)) {
        unknown.add(id);
      }
    }
    return unknown;
  }

  /** A user is one of this machine, or one who has a job: a simulated cluster has its own. */
  private static void checkUser(SchedulerClient client, @Nullable String user, Io io)
      throws ClientException, CommandFailure {
    if (user != null
        && !io.machine().hasUser(user)
        && !Users.hasJob(user, client.read(Selection.of(Selection.Jobs.LIVE)))) {
      throw new CommandFailure(1, "scancel: error: Invalid user name: " + user);
    }
  }

  /** Slurm takes a job that is not there, or no longer, as cancelled. */
  private static int refused(
      List<String> request, ClientException.Refused e, boolean verbose, boolean quiet, Io io) {
    boolean gone =
        e.name().equals("INVALID_JOB_ID")
            || e.name().equals("JOB_FINISHED")
            || e.name().equals("JOB_NOT_RUNNING");
    boolean step = !request.isEmpty() && request.getFirst().contains(".");
    if (step && e.name().equals("INVALID_JOB_ID")) {
      // As in Slurm the job is named here, not its step.
      io.err()
          .println(
              "scancel: error: Kill job error on job step id "
                  + request.getFirst().replaceFirst("\\..*", "")
                  + ": "
                  + e.slurmText());
      return Math.max(1, e.number() & 0xff);
    }
    String what =
        request.isEmpty() ? "" : (step ? " on job step id " : " on job id ") + request.getFirst();
    boolean own = e.name().startsWith("COMMAND_") && e.detail() != null;
    String detail = e.detail() == null ? "" : e.detail();
    boolean each = detail.startsWith("error: Kill job error on job id ");
    if ((!gone || verbose) && (!quiet || !gone)) {
      if (each) {
        detail.lines().forEach(line -> io.err().println("scancel: " + line));
      } else {
        io.err()
            .println(
                own
                    ? "scancel: error: " + detail.lines().findFirst().orElse("")
                    : "scancel: error: Kill job error" + what + ": " + e.slurmText());
      }
    }
    if (gone) {
      return 0;
    }
    // The exit code is what a byte holds of the error's number.
    return own ? 1 : Math.max(1, e.number() & 0xff);
  }

  private static List<String> jobs(List<String> operands) throws CommandFailure {
    List<String> jobs = new ArrayList<>();
    for (String operand : operands) {
      for (String id : JobIds.split(operand)) {
        try {
          JobId parsed = JobId.parse(id);
          int dot = id.indexOf('.');
          boolean noStep = dot >= 0 && !id.substring(dot + 1).matches("[0-9]+");
          if (parsed.job() == 0 || noStep) {
            throw new CommandFailure(1, "scancel: error: Invalid job id " + id);
          }
        } catch (NotationException e) {
          throw new CommandFailure(
              1, "scancel: error: Invalid job id " + id, Hint.of(String.valueOf(e.getMessage())));
        }
        jobs.add(id);
      }
    }
    return jobs;
  }

  private static SortedMap<String, String> filters(GetOpt.Parsed parsed, Io io)
      throws CommandFailure {
    SortedMap<String, String> filters = new TreeMap<>();
    for (String name : FILTERS) {
      String value = parsed.last(name);
      if (value == null && name.equals("name")) {
        value = parsed.last("jobname");
      }
      if (value == null) {
        value = io.nonEmpty("SCANCEL_" + name.toUpperCase(Locale.ROOT));
      }
      if (value != null) {
        filters.put(name, value);
      }
    }
    if (parsed.has("me")) {
      filters.put("user", Session.me(io));
    }
    String state = filters.get("state");
    if (state != null) {
      filters.put("state", state(state));
    }
    if (io.variable("SCANCEL_CRON") != null) {
      filters.put("cron", "");
    }
    String comment = parsed.last("admin-comment");
    if (comment != null) {
      filters.put("admin-comment", comment);
    }
    for (String reach : List.of("batch", "cron", "full")) {
      if (parsed.has(reach)) {
        filters.put(reach, "");
      }
    }
    return filters;
  }

  private static String state(String text) throws CommandFailure {
    for (JobState state : List.of(JobState.PENDING, JobState.RUNNING, JobState.SUSPENDED)) {
      if (state.name().equalsIgnoreCase(text) || state.code().equalsIgnoreCase(text)) {
        return state.name();
      }
    }
    throw new CommandFailure(
        1,
        "Invalid job state specified: " + text,
        "Valid job states are PENDING, RUNNING, and SUSPENDED");
  }
}
