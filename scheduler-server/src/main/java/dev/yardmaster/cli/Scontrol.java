package dev.yardmaster.cli;

import dev.yardmaster.client.ClientException;
import dev.yardmaster.client.ClusterView;
import dev.yardmaster.client.SchedulerClient;
import dev.yardmaster.client.Selection;
import dev.yardmaster.model.JobScript;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** scontrol(1): shows and changes the controller's state. */
final class Scontrol implements Command {
  private static final List<String> TABLE =
      List.of(
          "a all",
          "M cluster:",
          "d details",
          "federation",
          "F future",
          "h help",
          "hide",
          "json::",
          "local",
          "o oneliner",
          "Q quiet",
          "sibling",
          "u uid:",
          "usage",
          "v verbose",
          "V version",
          "yaml::");

  /** What holds for the rest of a dialogue. */
  private static final Set<String> SETTINGS =
      Set.of("all", "details", "hide", "oneliner", "quiet", "verbose");

  @Override
  public int run(List<String> arguments, Io io) throws CommandFailure {
    GetOpt.Parsed parsed = new GetOpt("scontrol", 1, false, TABLE).parse(arguments);
    List<String> words = parsed.operands();
    if (parsed.has("version")) {
      io.out().println(SlurmVersion.line());
      return 0;
    }
    if (parsed.has("help") || parsed.has("usage")) {
      io.out().println(usage());
      return 0;
    }
    String user = parsed.last("uid");
    if (user != null && !user.matches("[0-9]{1,10}") && !io.machine().hasUser(user)) {
      // Slurm's exit code is 0 here.
      throw new CommandFailure(0, "scontrol: error: --uid=\"" + user + "\" invalid");
    }
    if (words.isEmpty()) {
      List<GetOpt.Given> options = new ArrayList<>(parsed.options());
      return new Shell("scontrol", io).run(line -> command(options, line, io));
    }
    return command(parsed, io);
  }

  /** A command of a dialogue; some say how the following ones are answered. */
  private static int command(List<GetOpt.Given> options, List<String> words, Io io)
      throws CommandFailure {
    String keyword = words.getFirst().toLowerCase(Locale.ROOT);
    if (words.size() == 1 && SETTINGS.contains(keyword)) {
      options.removeIf(given -> keyword.equals("hide") && given.name().equals("all"));
      options.add(new GetOpt.Given(keyword, ""));
      return 0;
    }
    return command(new GetOpt.Parsed(List.copyOf(options), words), io);
  }

  private static int command(GetOpt.Parsed parsed, Io io) throws CommandFailure {
    List<String> words = parsed.operands();
    String keyword = words.getFirst().toLowerCase(Locale.ROOT);
    List<String> rest = words.subList(1, words.size());
    if (is(keyword, "show", 3)) {
      return new ScontrolShow(parsed, io).run(rest);
    }
    if (is(keyword, "version", 4)) {
      if (!rest.isEmpty()) {
        io.err().println("too many arguments for version keyword");
      }
      io.out().println(SlurmVersion.line());
      return rest.isEmpty() ? 0 : 1;
    }
    if (is(keyword, "help", 2)) {
      if (!rest.isEmpty()) {
        io.err().println("too many arguments for keyword:help");
      }
      io.out().println(usage());
      return rest.isEmpty() ? 0 : 1;
    }
    if (is(keyword, "ping", 3)) {
      if (!rest.isEmpty()) {
        throw new CommandFailure(1, "too many arguments for keyword:ping");
      }
      ScontrolControllers controllers = new ScontrolControllers(parsed.last("cluster"), io);
      DataDocument.check("scontrol", parsed, 253, io);
      return DataDocument.isAsked(parsed)
          ? controllers.pingData(parsed.has("yaml"), DataDocument.command("scontrol", parsed))
          : controllers.ping();
    }
    if (is(keyword, "takeover", 8)) {
      return new ScontrolControllers(parsed.last("cluster"), io).takeOver(rest);
    }
    if (is(keyword, "write", 5)) {
      return write(rest, parsed.last("cluster"), io);
    }
    if (is(keyword, "listjobs", 5) || is(keyword, "liststeps", 5)) {
      return list(is(keyword, "liststeps", 5), parsed.last("cluster"), io);
    }
    Integer small = new ScontrolSmall(parsed.last("cluster"), io).run(keyword, rest);
    if (small != null) {
      return small;
    }
    if (is(keyword, "shutdown", 8) && !rest.isEmpty()) {
      String what = rest.getFirst().toLowerCase(Locale.ROOT);
      if (!what.equals("slurmctld") && !what.equals("controller")) {
        throw new CommandFailure(1, "invalid shutdown argument:" + rest.getFirst());
      }
    }
    if (is(keyword, "shutdown", 8)) {
      return new ScontrolControllers(parsed.last("cluster"), io).shutdown(rest);
    }
    Integer other = new ScontrolOther(parsed.last("cluster"), io).run(keyword, rest);
    return other != null
        ? other
        : new ScontrolChange(parsed.last("cluster"), io).run(words.getFirst(), rest);
  }

  /** Whether a word is at least {@code least} letters of a keyword, as Slurm accepts it. */
  static boolean is(String word, String keyword, int least) {
    return word.length() >= Math.min(least, keyword.length())
        && keyword.startsWith(word.toLowerCase(Locale.ROOT));
  }

  private static String usage() {
    return """
    Usage: scontrol [-d] [-o] [-V] COMMAND
      show job|node|partition|reservation [NAME], show config|license|step|daemons
      show hostnames|hostlist|hostlistsorted LIST
      update job|node|partition|reservation=NAME FIELD=VALUE...
      create reservation|partition=NAME FIELD=VALUE..., delete reservation|partition=NAME
      reboot [ASAP] [nextstate=RESUME|DOWN] [reason=TEXT] NODES, cancel_reboot NODES
      hold, uhold, release, requeue, requeuehold, suspend, resume, top JOBS
      write batch_script JOB [FILE]
      write config [FILE]
      ping, reconfigure, shutdown, takeover [INDEX], version
    The commands are those of scontrol(1).\
    """;
  }

  private static int list(boolean steps, @Nullable String cluster, Io io) throws CommandFailure {
    try (SchedulerClient client = Session.open("scontrol", cluster, io)) {
      new StepText(false, io).list(client, steps).forEach(io.out()::println);
      return 0;
    } catch (ClientException e) {
      throw new CommandFailure(1, "slurm_load_jobs error: " + Session.words(e));
    }
  }

  /** Slurm's exit code is 0 where the file cannot be written. */
  private static int writeConfig(List<String> words, @Nullable String cluster, Io io)
      throws CommandFailure {
    if (words.size() > 1) {
      throw new CommandFailure(1, "too many arguments for keyword:write");
    }
    String conf = io.nonEmpty("SLURM_CONF");
    String usual = conf == null ? "/etc/slurm/slurm.conf" : conf;
    try (SchedulerClient client = Session.open("scontrol", cluster, io)) {
      ClusterView view = client.read(Selection.NODES);
      ConfigList config = new ConfigList(client.config(), client.info(), view.nodes().size(), io);
      new ConfigFile(io).write(words.isEmpty() ? usual : words.getFirst(), config, view);
      return 0;
    } catch (ClientException e) {
      throw new CommandFailure(1, "slurm_load_ctl_conf error: " + Session.words(e));
    }
  }

  private static int write(List<String> words, @Nullable String cluster, Io io)
      throws CommandFailure {
    if (!words.isEmpty() && is(words.getFirst(), "config", 6)) {
      return writeConfig(words.subList(1, words.size()), cluster, io);
    }
    if (words.size() == 1 && is(words.getFirst(), "batch_script", 5)) {
      return 0; // As in Slurm, which says nothing.
    }
    if (words.size() < 2 || !is(words.get(0), "batch_script", 5)) {
      throw new CommandFailure(
          1,
          words.isEmpty()
              ? "too few arguments for keyword:write"
              : "invalid write argument:" + words.getFirst(),
          Hint.of("write scontrol write batch_script JOB [FILE], or write config [FILE]"));
    }
    String job = words.get(1);
    if (!job.matches("[0-9].*")) {
      throw new CommandFailure(
          1, "scontrol: fatal: Bad job/step specified: " + job + ": JobID can not be zero");
    }
    JobScript script;
    try (SchedulerClient client = Session.open("scontrol", cluster, io)) {
      script = client.script(job);
    } catch (ClientException e) {
      // Slurm's exit code is 0 here.
      throw new CommandFailure(0, "job script retrieval failed: " + Session.words(e));
    }
    String target =
        words.size() > 2 ? words.get(2) : "slurm-" + job.replaceFirst("\\..*", "") + ".sh";
    if (target.equals("-")) {
      io.out().print(script.script());
      return 0;
    }
    Path file = io.directory().resolve(target);
    try {
      Files.write(file, script.script().getBytes(StandardCharsets.UTF_8));
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    } catch (IOException e) {
      // Slurm's exit code is 0 here too.
      String reason =
          e instanceof NoSuchFileException ? "No such file or directory" : e.getMessage();
      throw new CommandFailure(0, "failed to open file `" + target + "`: " + reason);
    }
    io.out()
        .println("batch script for job " + job.replaceFirst("\\..*", "") + " written to " + target);
    return 0;
  }
}
