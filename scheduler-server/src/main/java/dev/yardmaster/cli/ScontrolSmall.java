package dev.yardmaster.cli;

import dev.yardmaster.client.ClientException;
import dev.yardmaster.client.ClusterView;
import dev.yardmaster.client.SchedulerClient;
import dev.yardmaster.client.Selection;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobFlag;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Node;
import dev.yardmaster.model.SlurmError;
import dev.yardmaster.model.text.HostList;
import dev.yardmaster.model.text.Instants;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The commands of scontrol(1) that neither show nor change much: those that set how the following
 * ones of a session are shown, which as the only one do nothing, and those about jobs on their way.
 */
final class ScontrolSmall {
  /** Commands that stand alone. */
  private static final Set<String> ALONE =
      Set.of("all", "details", "exit", "hide", "oneliner", "quiet", "quit", "verbose");

  private static final Set<String> ON_AND_OFF = Set.of("0", "1", "disable", "enable");
  private static final long POLL_MILLIS = 1000;

  private final @Nullable String cluster;
  private final Io io;

  ScontrolSmall(@Nullable String cluster, Io io) {
    this.cluster = cluster;
    this.io = io;
  }

  private static CommandFailure few(String keyword) {
    return new CommandFailure(1, "too few arguments for keyword:" + keyword);
  }

  private static CommandFailure many(String keyword) {
    return new CommandFailure(1, "too many arguments for keyword:" + keyword);
  }

  /**
   * Runs a command.
   *
   * @return its exit code; null when it is none of these
   */
  @Nullable Integer run(String keyword, List<String> words) throws CommandFailure {
    if (ALONE.contains(keyword) || keyword.equals("completing")) {
      if (!words.isEmpty()) {
        throw many(keyword);
      }
      return keyword.equals("completing") ? completing() : 0;
    }
    return switch (keyword) {
      case "cluster", "clusters" -> 0;
      case "errnumstr" -> errorText(words);
      case "fsdampeningfactor" -> new ScontrolSettings(cluster, io).dampening(words);
      case "getaddrs" -> addresses(keyword, words);
      case "notify" -> notifyJob(keyword, words);
      case "pidinfo" -> {
        throw new CommandFailure(
            1,
            words.isEmpty()
                ? "missing argument for keyword:pidinfo"
                : "Failed to locate job for requested pid");
      }
      case "power" -> power(keyword, words);
      case "schedloglevel" -> scheduleLog(keyword, words);
      case "setdebug" -> new ScontrolSettings(cluster, io).debug(words);
      case "setdebugflags" -> new ScontrolSettings(cluster, io).debugFlags(words);
      case "takeover" -> {
        throw new CommandFailure(
            1,
            words.isEmpty()
                ? "slurm_takeover error: Requested operation not supported on this system"
                : "takeover: invalid backup controller index (0)");
      }
      case "listpids" -> new ListPids(io).run(words);
      case "token" -> token(words);
      case "wait_job" -> waitFor(keyword, words);
      default -> null;
    };
  }

  private int token(List<String> words) throws CommandFailure {
    String user = "";
    int lifespan = 0;
    for (String word : words) {
      String lower = word.toLowerCase(Locale.ROOT);
      if (lower.startsWith("lifespan=")) {
        lifespan = lifespan(word.substring(word.indexOf('=') + 1));
      } else if (lower.startsWith("username=")) {
        user = word.substring(word.indexOf('=') + 1);
      } else {
        throw new CommandFailure(1, "Invalid option: `" + word + "`");
      }
    }
    try (SchedulerClient client = Session.open("scontrol", cluster, io)) {
      io.out().println("SLURM_JWT=" + client.token(user, lifespan));
      return 0;
    } catch (ClientException e) {
      throw new CommandFailure(
          1, "scontrol: error: slurm_fetch_token: error with request: " + Session.words(e));
    }
  }

  private static int lifespan(String text) throws CommandFailure {
    if (text.equalsIgnoreCase("infinite") || text.equalsIgnoreCase("unlimited")) {
      return Integer.MAX_VALUE - 1;
    }
    if (!text.matches("[+]?[0-9]{1,18}") || Long.parseLong(text) == 0) {
      throw new CommandFailure(
          1, "scontrol: error: Invalid numeric value \"" + text + "\" for lifespan.");
    }
    long seconds = Long.parseLong(text);
    if (seconds >= Integer.MAX_VALUE) {
      throw new CommandFailure(
          1, "scontrol: error: Numeric argument (" + seconds + ") too large for lifespan.");
    }
    return (int) seconds;
  }

  private int errorText(List<String> words) throws CommandFailure {
    if (words.size() != 1) {
      throw new CommandFailure(1, "one arguments required for keyword:errnumstr");
    }
    String number = words.getFirst();
    if (!number.matches("[0-9]{1,9}")) {
      throw new CommandFailure(1, "numeric arguments required for keyword:errnumstr");
    }
    for (SlurmError error : SlurmError.values()) {
      if (error.number() == Integer.parseInt(number) && error.number() >= 1000) {
        io.out().println(error.text());
        return 0;
      }
    }
    io.out().println("Unknown error " + number);
    return 0;
  }

  /** Where the daemons of nodes are. */
  private int addresses(String keyword, List<String> words) throws CommandFailure {
    if (words.size() != 1) {
      throw new CommandFailure(1, "one argument required for keyword:" + keyword);
    }
    HostList names;
    try {
      names = HostList.parse(words.getFirst());
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(1, "scontrol: error: " + e.getMessage());
    }
    try (SchedulerClient client = Session.open("scontrol", cluster, io)) {
      ClusterView view = client.read(Selection.NODES);
      for (String name : names) {
        Node node = view.nodes().get(name);
        if (node != null) {
          String address = node.spec().address();
          String shown = address.contains(":") ? "[" + address + "]" : address;
          io.out().println(name + ": " + shown + ":" + node.spec().port());
        }
      }
      return 0;
    } catch (ClientException e) {
      throw new CommandFailure(1, "scontrol: error: " + Session.words(e));
    }
  }

  private int notifyJob(String keyword, List<String> words) throws CommandFailure {
    if (words.size() < 2) {
      throw few(keyword);
    }
    String job = words.getFirst();
    if (!job.matches("[0-9].*")) {
      throw new CommandFailure(1, "Invalid job_id " + job + "job notify failure: No error");
    }
    String id = job.replaceFirst("\\..*$", "");
    try (SchedulerClient client = Session.open("scontrol", cluster, io)) {
      client.notifyJob(id, String.join(" ", words.subList(1, words.size())));
      return 0;
    } catch (ClientException e) {
      throw new CommandFailure(1, "job notify failure: " + Session.words(e));
    }
  }

  private static int power(String keyword, List<String> words) throws CommandFailure {
    if (words.size() < 2) {
      throw few(keyword);
    }
    String action = words.getFirst().toLowerCase(Locale.ROOT);
    if (!action.equals("up") && !action.equals("down")) {
      throw new CommandFailure(1, "unexpected argument: '" + words.getFirst() + "'");
    }
    throw new CommandFailure(1, "scontrol_power_nodes error:Invalid power action");
  }

  private static int scheduleLog(String keyword, List<String> words) throws CommandFailure {
    if (words.isEmpty()) {
      throw few(keyword);
    }
    String level = words.getFirst().toLowerCase(Locale.ROOT);
    throw new CommandFailure(
        1,
        ON_AND_OFF.contains(level)
            ? "slurm_set_schedlog_level error:Requested operation is presently disabled"
            : "invalid schedlog level: " + words.getFirst());
  }

  /** Lists the jobs that have ended and still hold nodes. */
  private int completing() throws CommandFailure {
    List<Job> jobs =
        view(null).jobs().values().stream()
            .filter(job -> job.has(JobFlag.COMPLETING) && job.ended() != null)
            .sorted(Comparator.comparingInt(Job::id))
            .toList();
    for (Job job : jobs) {
      JobFacts facts = new JobFacts(job, io.clock().instant(), io.zone());
      io.out()
          .println(
              "JobId=%d EndTime=%s CompletingTime=%s Nodes(COMPLETING)=%s"
                  .formatted(
                      job.id(),
                      facts.instant(job.ended(), "Unknown"),
                      job.ended() == null ? "Unknown" : Instants.format(job.ended(), io.zone()),
                      facts.nodes()));
    }
    return 0;
  }

  /** Waits until the nodes of a job are ready for it. */
  private int waitFor(String keyword, List<String> words) throws CommandFailure {
    if (words.isEmpty()) {
      throw few(keyword);
    }
    String id = words.getFirst();
    if (!id.matches("[0-9]{1,9}")) {
      throw new CommandFailure(1, "Invalid job_id " + id);
    }
    while (true) {
      Job job = view(id).jobs().get(Integer.parseInt(id));
      if (job == null) {
        throw new CommandFailure(1, "scontrol: Problem running job " + id);
      }
      if (job.state() == JobState.RUNNING) {
        return 0;
      }
      if (job.state() != JobState.PENDING) {
        throw new CommandFailure(1, "scontrol: Job " + id + " no longer running");
      }
      try {
        Thread.sleep(POLL_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return 130;
      }
    }
  }

  private ClusterView view(@Nullable String id) throws CommandFailure {
    try (SchedulerClient client = Session.open("scontrol", cluster, io)) {
      Selection all = Selection.of(Selection.Jobs.ALL);
      return client.read(id == null ? all : all.onlyJobs(List.of(id)));
    } catch (ClientException.Refused e) {
      return ClusterView.EMPTY;
    } catch (ClientException e) {
      throw new CommandFailure(1, "slurm_load_jobs error: " + Session.words(e));
    }
  }
}
