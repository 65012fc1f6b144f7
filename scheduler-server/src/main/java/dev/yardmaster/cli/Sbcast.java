package dev.yardmaster.cli;

import dev.yardmaster.client.ClientException;
import dev.yardmaster.client.SchedulerClient;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** sbcast(1): a file for all nodes of a job. */
final class Sbcast implements Command {
  private static final String NAME = "sbcast";
  private static final List<String> TABLE =
      List.of(
          "C compress::",
          "exclude:",
          "F fanout:",
          "f force",
          "help",
          "j jobid:",
          "Z no-allocation",
          "w nodelist:",
          "p preserve",
          "send-libs::",
          "s size:",
          "t timeout:",
          "treewidth:",
          "usage",
          "v verbose",
          "V version");

  @Override
  public int run(List<String> arguments, Io io) throws CommandFailure {
    GetOpt.Parsed parsed = new GetOpt(NAME, 1, false, TABLE).parse(arguments);
    if (Usage.answers(
        parsed,
        """
        Usage: sbcast [OPTION...] SOURCE DEST
        Copies a file to all nodes of a job.
        """,
        "sbcast(1)",
        TABLE,
        "Usage: sbcast [--exclude] [-CfFjpvV] [--send-libs] SOURCE DEST",
        io)) {
      return 0;
    }
    checkValues(parsed, io);
    List<String> names = parsed.operands();
    if (names.size() != 2) {
      throw new CommandFailure(
          1,
          "Need two file names, have " + names.size() + " names",
          "Try \"sbcast --help\" for more information");
    }
    for (String later : List.of("no-allocation", "send-libs")) {
      String value = parsed.last(later);
      if (value != null && !value.equalsIgnoreCase("no")) {
        throw new CommandFailure(
            1, NAME + ": --" + later + ": not available yet in this version of Yardmaster");
      }
    }
    String id = parsed.last("jobid");
    String job = id == null ? io.nonEmpty("SLURM_JOB_ID") : id;
    if (job == null) {
      throw error(
          1,
          "Need a job id to run this command.  Run from within a Slurm job or use the --jobid"
              + " option.");
    }
    if (!job.matches("[0-9].*")) {
      throw new CommandFailure(
          1, "sbcast: fatal: Bad job/step specified: " + job + ": JobID can not be zero");
    }
    try (SchedulerClient client = Session.open(NAME, io)) {
      String to = target(names.get(1), client, io);
      return send(parsed, names.getFirst(), to, jobs(client, job, id != null), client, io);
    } catch (ClientException e) {
      throw error(255, "Slurm job " + job + " lookup error: " + Session.words(e));
    }
  }

  private static CommandFailure error(int exitCode, String text) {
    return new CommandFailure(exitCode, "sbcast: error: " + text);
  }

  /** What is wrong here is told of, and does no harm. */
  private static void checkValues(GetOpt.Parsed parsed, Io io) {
    String compress =
        parsed.has("compress") ? parsed.last("compress") : io.variable("SBCAST_COMPRESS");
    if (compress != null && !compress.toLowerCase(Locale.ROOT).matches("lz4|none|")) {
      io.err()
          .println(
              "sbcast: error: Compression type '"
                  + compress
                  + "' unknown, disabling compression support.");
    }
    String size = parsed.has("size") ? parsed.last("size") : io.variable("SBCAST_SIZE");
    if (size != null && !size.matches("[0-9]+[kKmM]?")) {
      io.err().println("size specification is invalid, ignored");
    }
  }

  /** A name that is not absolute is one in the directory of BcastParameters, or in this one. */
  private static String target(String name, SchedulerClient client, Io io)
      throws ClientException, CommandFailure {
    if (name.endsWith("/")) {
      throw error(1, "Target filename cannot be a directory.");
    }
    return name.startsWith("/") ? name : directory(client, io) + "/" + name;
  }

  /** Where copies go that name no directory. */
  static String directory(SchedulerClient client, Io io) throws ClientException {
    String parameters = client.config().getOrDefault("BcastParameters", "");
    return Stream.of(parameters.split(","))
        .filter(word -> word.toLowerCase(Locale.ROOT).startsWith("destdir="))
        .map(word -> word.substring(8))
        .findFirst()
        .orElse(io.directory().toString());
  }

  /** The job, or all components of one. */
  private static List<Job> jobs(SchedulerClient client, String id, boolean given)
      throws CommandFailure, ClientException {
    String why = "Invalid job id specified";
    List<Job> jobs = List.of();
    if (!id.contains(".")) {
      jobs = Allocation.components(client, id);
      if (jobs.isEmpty() && given && id.indexOf('+') < 0) {
        throw error(1, "Failed to load JobId=" + id + ": '" + why + "'");
      }
      for (Job job : jobs) {
        if (job.state() != JobState.RUNNING) {
          why =
              job.state() == JobState.PENDING
                  ? "Job is pending execution"
                  : "Job/step already completing or completed";
        }
      }
    }
    if (jobs.isEmpty() || jobs.stream().anyMatch(job -> job.state() != JobState.RUNNING)) {
      throw error(255, "Slurm job " + id + " lookup error: " + why);
    }
    return jobs;
  }

  private static int send(
      GetOpt.Parsed parsed, String source, String to, List<Job> jobs, SchedulerClient client, Io io)
      throws CommandFailure {
    Path from = io.directory().resolve(source);
    if (!Files.exists(from)) {
      throw error(255, "Can't open `" + source + "`: No such file or directory");
    }
    if (Files.isDirectory(from)) {
      throw error(255, "Can't mmap file `" + source + "`, No such device.");
    }
    if (!Files.isReadable(from)) {
      throw error(255, "Can't open `" + source + "`: Permission denied");
    }
    boolean force = parsed.has("force") || io.variable("SBCAST_FORCE") != null;
    boolean preserve = parsed.has("preserve") || io.variable("SBCAST_PRESERVE") != null;
    @Nullable String nodes = parsed.last("nodelist");
    int worst = 0;
    for (Job job : jobs) {
      Broadcast.Copy copy = new Broadcast.Copy(from, to, force, preserve, nodes);
      worst = Math.max(worst, new Broadcast(NAME, client, io).copy(job, copy));
    }
    return worst;
  }
}
