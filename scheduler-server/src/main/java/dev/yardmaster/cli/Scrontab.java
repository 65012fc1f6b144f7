package dev.yardmaster.cli;

import dev.yardmaster.client.ClientException;
import dev.yardmaster.client.Credential;
import dev.yardmaster.client.SchedulerClient;
import dev.yardmaster.model.Crontab;
import dev.yardmaster.model.CrontabUpdate;
import dev.yardmaster.model.Identity;
import dev.yardmaster.model.SlurmError;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** scrontab(1): sets, edits, lists and removes the crontab of a user. */
final class Scrontab implements Command {
  private static final String USAGE =
      """
      usage:	scrontab [-u user] file
      	scrontab [-u user] [ -e | -l | -r | -v]
      	-e	Edit user's crontab (default action if stdin is a TTY)
      	-l	List user's crontab
      	-r	Delete user's crontab
      	-u	User to edit crontab for
      """;

  /** What somebody without a crontab begins with. */
  private static final String EXAMPLE =
      """
      # Jobs that recur: a line for each, with when it runs and what.
      #
      # minute hour day-of-month month day-of-week command
      # 30 6 * * mon-fri $HOME/bin/report
      #
      # Times are those of the controller. Options of sbatch stand in #SCRON lines
      # before the line that they are for, as in "#SCRON --time=10 -p main".
      # @hourly, @daily, @weekly, @monthly and @yearly stand for the five times.
      # NAME=VALUE is put in place of $NAME in the commands that follow.
      """;

  private static final List<String> TABLE = List.of("e e", "l l", "r r", "u u:", "v v");

  private enum Action {
    EDIT,
    LIST,
    REMOVE,
    INSTALL
  }

  @Override
  public int run(List<String> arguments, Io io) throws CommandFailure {
    GetOpt.Parsed parsed;
    try {
      parsed = new GetOpt("scrontab", 1, false, TABLE).parse(arguments);
    } catch (CommandFailure e) {
      throw usage();
    }
    if (arguments.stream().anyMatch(word -> word.startsWith("--") && word.length() > 2)) {
      throw usage();
    }
    if (parsed.has("e") && io.machine().terminal(0) == null) {
      throw fatal("Standard input is not a TTY");
    }
    Identity owner = owner(parsed.last("u"), io);
    Action action = action(parsed, io);
    String file = parsed.operands().isEmpty() ? "-" : parsed.operands().getFirst();
    try (SchedulerClient client = Session.open("scrontab", io)) {
      String enabled = client.config().getOrDefault("ScronParameters", "");
      if (!enabled.toLowerCase(Locale.ROOT).contains("enable")) {
        throw fatal("scrontab is disabled on this cluster");
      }
      return switch (action) {
        case LIST -> list(client, owner, io);
        case REMOVE -> remove(client, owner);
        case INSTALL -> install(client, owner, text(file, io), io);
        case EDIT -> edit(client, owner, io);
      };
    } catch (ClientException e) {
      throw new CommandFailure(1, "scrontab: error: " + Session.words(e));
    }
  }

  private static Action action(GetOpt.Parsed parsed, Io io) throws CommandFailure {
    boolean asked = parsed.has("e") || parsed.has("l") || parsed.has("r");
    if (parsed.operands().size() > (asked ? 0 : 1)) {
      throw usage();
    }
    if (parsed.has("r")) {
      return Action.REMOVE;
    }
    if (parsed.has("l")) {
      return Action.LIST;
    }
    boolean edits = parsed.has("e");
    return edits || parsed.operands().isEmpty() && io.machine().terminal(0) != null
        ? Action.EDIT
        : Action.INSTALL;
  }

  private static Identity owner(@Nullable String user, Io io) throws CommandFailure {
    if (user == null) {
      return Session.identity(io);
    }
    Credential found = io.machine().find(user);
    if (found == null) {
      throw fatal("Could not find user " + user);
    }
    return new Identity(found.user(), found.uid(), found.group(), found.gid());
  }

  private static String text(String file, Io io) throws CommandFailure {
    try {
      return new String(
          file.equals("-")
              ? io.in().readAllBytes()
              : io.machine().read(io.directory().resolve(file)),
          StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw fatal("failed to open " + file);
    }
  }

  /** The crontab with its disabled lines marked; null when there is none. */
  private static @Nullable String present(SchedulerClient client, Identity owner)
      throws ClientException, CommandFailure {
    try {
      return client.crontab(owner.user()).shown();
    } catch (ClientException.Refused e) {
      if (e.name().equals(SlurmError.JOB_SCRIPT_MISSING.name())) {
        return null;
      }
      throw fatal("slurm_request_crontab failed: " + e.slurmText());
    }
  }

  private static int list(SchedulerClient client, Identity owner, Io io)
      throws ClientException, CommandFailure {
    String text = present(client, owner);
    io.out().print(text == null ? "no crontab for " + owner.user() + "\n" : text);
    return text == null ? 1 : 0;
  }

  private static int remove(SchedulerClient client, Identity owner)
      throws ClientException, CommandFailure {
    try {
      client.saveCrontab(new CrontabUpdate(owner, null, List.of()));
      return 0;
    } catch (ClientException.Refused e) {
      throw fatal("slurm_remove_crontab failed: " + e.slurmText());
    }
  }

  private static int install(SchedulerClient client, Identity owner, String text, Io io)
      throws ClientException {
    Attempted attempted = attempt(client, owner, text, io);
    attempted.said().forEach(io.out()::println);
    return attempted.bad() == null ? 0 : 1;
  }

  /**
   * @param bad the lines that were refused; null when the crontab is in force
   * @param said what is wrong with them
   */
  private record Attempted(@Nullable String bad, List<String> said) {}

  private static Attempted attempt(SchedulerClient client, Identity owner, String text, Io io)
      throws ClientException {
    CrontabFile file = CrontabFile.read(text, home(owner, io), io);
    file.errors().forEach(error -> io.err().println("scrontab: error: " + error));
    String bad = file.bad();
    if (bad != null) {
      return new Attempted(bad, List.of("There are errors in your crontab."));
    }
    try {
      List<String> notices = client.saveCrontab(new CrontabUpdate(owner, text, file.jobs()));
      notices.forEach(notice -> io.err().println("scrontab: " + notice));
      return new Attempted(null, List.of());
    } catch (ClientException.Refused e) {
      List<String> detail = e.detail() == null ? List.of() : e.detail().lines().toList();
      String lines = detail.isEmpty() || detail.getFirst().isEmpty() ? "(null)" : detail.getFirst();
      String message = detail.size() < 2 || detail.get(1).isEmpty() ? "(null)" : detail.get(1);
      if (io.interactive()) {
        detail.stream().skip(2).forEach(line -> io.err().println(Hint.text(Hint.of(line))));
      }
      return new Attempted(
          lines,
          List.of(
              "There was an issue with the job submission on lines " + lines,
              "The error code return was: " + e.slurmText(),
              "The error message was: " + message));
    }
  }

  private static String home(Identity owner, Io io) {
    String own = io.nonEmpty("HOME");
    String known = Getent.home(owner.user());
    return known.isEmpty() ? Objects.requireNonNullElse(own, "/") : known;
  }

  private static int edit(SchedulerClient client, Identity owner, Io io)
      throws ClientException, CommandFailure {
    String before = present(client, owner);
    String text = edited(before == null ? EXAMPLE : before, io);
    while (!text.equals(before)) {
      Attempted attempted = attempt(client, owner, text, io);
      String bad = attempted.bad();
      if (bad == null) {
        return 0;
      }
      if (!again(attempted.said(), io)) {
        return 0;
      }
      before = bad.startsWith("(") ? text : Crontab.marked(text, List.of(bad), "#BAD: ");
      text = edited(before, io);
    }
    io.err().println("scrontab: No modification made");
    return 0;
  }

  /** Asks until the answer is yes or no. */
  private static boolean again(List<String> said, Io io) {
    InputStream in = io.in();
    try {
      while (true) {
        said.forEach(io.out()::println);
        io.out().println("The failed line(s) is commented out with #BAD:");
        io.out().print("Do you want to retry the edit? (y/n) ");
        io.out().flush();
        int answer = in.read();
        if (answer < 0 || answer == 'n') {
          return false;
        }
        if (answer == 'y' || answer == 'Y') {
          return true;
        }
      }
    } catch (IOException e) {
      return false;
    }
  }

  /** The text as an editor leaves it: VISUAL, EDITOR, or vi. */
  private static String edited(String text, Io io) throws CommandFailure {
    String visual = io.nonEmpty("VISUAL");
    String editor = visual != null ? visual : io.nonEmpty("EDITOR");
    Path folder = Path.of(Objects.requireNonNullElse(io.variable("TMPDIR"), "/tmp"));
    Path file;
    try {
      file = Files.createTempFile(folder, "scrontab-", "");
    } catch (IOException e) {
      throw fatal("error creating temp crontab file '" + folder + "/scrontab-XXXXXX': " + why(e));
    }
    try {
      Files.writeString(file, text);
      List<String> command = new ArrayList<>();
      command.add(editor == null ? "vi" : editor);
      command.add(file.toString());
      int code = io.machine().start(command, io.environment(), io.directory()).join();
      if (code != 0) {
        throw fatal("editor returned non-zero exit code");
      }
      return Files.readString(file);
    } catch (IOException e) {
      throw fatal("editor returned non-zero exit code");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw fatal("interrupted");
    } finally {
      delete(file);
    }
  }

  private static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      // What is left over in the folder for temporary files is nobody's loss.
      return;
    }
  }

  private static String why(IOException e) {
    return e instanceof java.nio.file.NoSuchFileException
        ? "No such file or directory"
        : String.valueOf(e.getMessage());
  }

  private static CommandFailure fatal(String what) {
    return new CommandFailure(1, "scrontab: fatal: " + what);
  }

  private static CommandFailure usage() {
    return new CommandFailure(1, USAGE.stripTrailing());
  }
}
