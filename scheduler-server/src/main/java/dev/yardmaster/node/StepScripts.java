package dev.yardmaster.node;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The shell texts around a task of a step. Its keeper is a shell that outlives the node daemon: it
 * holds the pipes of the task open and keeps how it ended until a daemon has heard it. What the
 * task's user may decide (environment, working directory, command) is in a text of its own, which
 * runs with the user's rights.
 */
final class StepScripts {
  private static final String KEEPER_FILE = "keeper";
  private static final String ON_TERMINAL_FILE = "on-terminal";

  /**
   * A pipe that is opened for both directions needs nobody at its other end. The input is kept open
   * by a process of its own, which ends when there is no more input: a task that reads it sees its
   * end then, and not when a daemon dies. The output stays in its pipe until a daemon says that it
   * was read.
   */
  private static final String KEEPER =
      """
      # keeper DIRECTORY PLACE GROUPS COMMAND...: runs COMMAND in control groups as a task whose
      # pipes are in DIRECTORY.
      cd "$1" || exit 1
      n=$2
      groups=$3
      shift 3
      said=$n.killed
      exec </dev/null >/dev/null 2>"$said" 4<>"$n.in" 9<>"$n.end"
      ( exec 9>&-; read -r more <>"$n.no-more" ) &
      echo "$$ $!" >"$n.pid"
      exec 3<"$n.in" 4>&- 5<>"$n.out" 6<>"$n.err" 7<"$n.out" 8<"$n.err"
      echo >&9
      (
      """
          + LaunchScript.ENTER
          + """
            exec setsid "$@" <&3 >"$n.out" 2>"$n.err" 3<&- 5>&- 6>&- 7<&- 8<&- 9>&-
          )
          code=$?
          """
          + LaunchScript.HOW
          + """
          if [ -s "$n.how" ]; then
            read -r code signal <"$n.how"
          elif [ -e "$n.after" ]; then
            setsid "$@" after 3<&- 5>&- 6>&- 7<&- 8<&- 9>&-
          fi
          exec 3<&- 5>&- 6>&-
          echo "$code $signal" >"$n.status"
          echo 1<>"$n.no-more"
          echo "$code $signal" >&9
          read -r heard <>"$n.read"
          """;

  /** What runs on a terminal that script(1) has made: the signals of its keys are not for it. */
  private static final String ON_TERMINAL =
      """
      # on-terminal DIRECTORY PLACE UID ROWS COLUMNS COMMAND...
      n=$1/$2
      said=$n.said
      [ "$4" = 0 ] || stty rows "$4" cols "$5"
      terminal=$(tty)
      [ "$3" = - ] || chown "$3" "$terminal"
      echo "$terminal" >"$n.tty"
      shift 5
      trap : HUP INT QUIT TERM TSTP
      exec 4>&2 2>"$said"
      "$@" 2>&4 4>&-
      code=$?
      """
          + LaunchScript.HOW
          + """
          [ -e "$n.after" ] && setsid "$@" after
          echo "$code $signal" >"$n.how"
          """;

  private final Path spool;
  private final Users users;

  /**
   * @throws IOException when the spool cannot be used
   */
  StepScripts(Path spool, Users users) throws IOException {
    this.spool = spool;
    this.users = users;
    Files.writeString(spool.resolve(KEEPER_FILE), KEEPER);
    Files.writeString(spool.resolve(ON_TERMINAL_FILE), ON_TERMINAL);
  }

  /** What a task's user runs. */
  static String launch(
      Map<String, String> environment,
      String workDir,
      List<String> arguments,
      NodeSettings settings) {
    StringBuilder text = new StringBuilder();
    String odd = LaunchScript.exports(environment, text);
    text.append(TaskScripts.epilog(settings.taskEpilog()));
    text.append("set -- ")
        .append(LaunchScript.quoted(workDir.isEmpty() ? "/tmp" : workDir))
        .append(' ')
        .append(LaunchScript.quoted(environment.getOrDefault("PATH", "")));
    arguments.forEach(argument -> text.append(' ').append(LaunchScript.quoted(argument)));
    return text.append('\n').append(TaskScripts.launch(settings.taskProlog(), odd)).toString();
  }

  /**
   * Starts a task under its keeper; its pipes are there.
   *
   * @param launch the text that its user runs
   * @param size {@code ROWS COLUMNS} of the terminal it runs on; null for none
   * @param groups the control groups that it runs in; {@code -} for none
   * @return its keeper
   */
  Process start(
      StepDirectory step,
      int place,
      Path launch,
      int uid,
      int gid,
      @Nullable String size,
      String groups)
      throws IOException {
    List<String> task = new ArrayList<>(users.as(uid, gid));
    task.addAll(List.of("/bin/sh", launch.toString()));
    List<String> command = new ArrayList<>(Users.apart());
    command.add("/bin/sh");
    command.add(spool.resolve(KEEPER_FILE).toString());
    command.addAll(List.of(step.path().toString(), Integer.toString(place), groups));
    if (size == null) {
      command.addAll(task);
    } else {
      command.addAll(List.of("script", "-qef", "-E", "always", "-c"));
      command.add(onTerminal(step, place, uid, size, task));
      command.add("/dev/null");
    }
    ProcessBuilder builder = new ProcessBuilder(command).directory(Path.of("/").toFile());
    builder.environment().clear();
    builder.environment().putAll(LaunchScript.plainEnvironment());
    Path nothing = Path.of("/dev/null");
    builder.redirectInput(nothing.toFile());
    builder.redirectOutput(nothing.toFile());
    builder.redirectError(nothing.toFile());
    return builder.start();
  }

  private String onTerminal(
      StepDirectory step, int place, int uid, String size, List<String> task) {
    String[] numbers =
        size.matches("[0-9]{1,5} [0-9]{1,5}") ? size.split(" ") : new String[] {"0", "0"};
    List<String> words = new ArrayList<>(List.of("exec", "/bin/sh"));
    words.add(LaunchScript.quoted(spool.resolve(ON_TERMINAL_FILE).toString()));
    words.add(LaunchScript.quoted(step.path().toString()));
    words.add(Integer.toString(place));
    words.add(users.ownUid() == uid ? "-" : Integer.toString(uid));
    words.addAll(List.of(numbers));
    task.forEach(word -> words.add(LaunchScript.quoted(word)));
    return String.join(" ", words);
  }
}
