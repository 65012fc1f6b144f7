package dev.yardmaster.node;

import dev.yardmaster.model.Job;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The shell texts that start a job. The launch script runs with the rights of the job's user, so
 * that working directory and output are what that user may use.
 */
final class LaunchScript {
  /** Slurm's signal number for a job whose output cannot be opened; see exit code 0:53. */
  static final int OUTPUT_FAILED = 53;

  /**
   * How a command has ended: its exit code in {@code code} becomes a signal where it was one, which
   * the shell has said in the file {@code said}.
   */
  static final String HOW =
      """
      signal=0
      if [ $code -gt 128 ] && [ $code -lt 193 ]; then
        silent=" 130 141 "
        [ -n "$BASH_VERSION" ] && silent=" 130 141 143 "
        case "$silent" in
          *" $code "*) signal=$((code - 128)) ;;
          *) [ -s "$said" ] && signal=$((code - 128)) ;;
        esac
        [ $signal -gt 0 ] && code=0
      fi
      """;

  /** Moves a shell into control groups: one that cannot be entered lets nothing begin. */
  static final String ENTER =
      """
      [ "$groups" = - ] || for group in $groups; do
        echo 0 >"$group/cgroup.procs" || exit 1
      done
      """;

  /**
   * Runs the launch script in a session of its own and keeps how it ended, whatever happens to the
   * daemon. A shell tells a death by signal from an exit code above 128 only by what it prints,
   * which no redirection of the command itself may take.
   */
  static final String SHIM =
      """
      # shim DIRECTORY GROUPS COMMAND...: runs COMMAND in control groups and leaves
      # "CODE SIGNAL TIME" in DIRECTORY/status.
      run=$1
      said=$run/killed
      groups=$2
      shift 2
      exec < /dev/null > /dev/null 2> "$said" 3> "$run/error"
      if [ "$groups" = - ]; then
        setsid "$@"
      else
        (
      """
          + ENTER
          + """
              exec setsid "$@"
            )
          fi
          code=$?
          times > "$run/times"
          """
          + HOW
          + """
          echo "$code $signal $(date +%s)" > "$run/status.new"
          mv "$run/status.new" "$run/status"
          [ -e "$run/after" ] && setsid "$@" after
          """;

  /** What bash does not let a script set. */
  private static final Set<String> UNCHANGEABLE =
      Set.of("BASHOPTS", "BASH_VERSINFO", "EUID", "PPID", "SHELLOPTS", "UID");

  private LaunchScript() {}

  /**
   * The text that the job's user runs.
   *
   * @param script the copy of the batch script
   * @param environment everything the script gets to see
   * @param settings of which TaskProlog and TaskEpilog count; the second runs when the text is
   *     given the word after
   */
  static String text(
      Job job,
      Path script,
      List<String> arguments,
      Map<String, String> environment,
      String node,
      NodeSettings settings) {
    StringBuilder text = new StringBuilder();
    text.append("exec 2>&3 3>&-\numask 0022\n");
    String odd = exports(environment, text);
    text.append(TaskScripts.epilog(settings.taskEpilog()));
    text.append("export SLURM_TASK_PID=$$\n");
    String workDir = job.batch().workDir().isEmpty() ? "/tmp" : job.batch().workDir();
    text.append("ym_dir=").append(quoted(workDir)).append('\n');
    text.append("ym_note=\n");
    text.append("cd \"$ym_dir\" 2>/dev/null || { ym_note=1; cd /tmp; }\n");
    String in = file(job.batch().stdinPattern(), job, node, workDir);
    String out =
        file(OutputPattern.orDefault(job.batch().stdoutPattern(), job), job, node, workDir);
    String error = file(job.batch().stderrPattern(), job, node, workDir);
    String clear = job.batch().openMode().equals("a") ? ">>" : ">";
    open(text, "<", in.isEmpty() ? "/dev/null" : in, "<", "");
    open(text, clear, out, ">>", "1");
    if (error.isEmpty() || error.equals(out)) {
      text.append("exec 2>&1\n");
    } else {
      open(text, clear, error, ">>", "2");
    }
    text.append("[ -n \"$ym_note\" ] && echo \"error: couldn't chdir to \\`$ym_dir':")
        .append(" No such file or directory: going to /tmp instead\" >&2\n");
    text.append("unset ym_dir ym_note\n");
    text.append(TaskScripts.prolog(settings.taskProlog(), "TaskProlog"));
    text.append("exec ");
    if (!odd.isEmpty()) {
      text.append("env").append(odd).append(' ');
    }
    text.append(quoted(script.toString()));
    arguments.forEach(argument -> text.append(' ').append(quoted(argument)));
    return text.append('\n').toString();
  }

  /**
   * Adds what sets an environment.
   *
   * @return what a shell cannot set, as arguments of env(1)
   */
  static String exports(Map<String, String> environment, StringBuilder text) {
    StringBuilder odd = new StringBuilder();
    environment.forEach(
        (name, value) -> {
          if (name.isEmpty() || name.indexOf('=') >= 0 || value.indexOf('\0') >= 0) {
            return;
          }
          if (name.matches("[A-Za-z_][A-Za-z0-9_]*") && !UNCHANGEABLE.contains(name)) {
            text.append("export ").append(name).append('=').append(quoted(value)).append('\n');
          } else {
            odd.append(' ').append(quoted(name + "=" + value));
          }
        });
    return odd.toString();
  }

  /** Tries a file in a subshell first: a failed exec would end the shell without a word of ours. */
  private static void open(StringBuilder text, String probe, String file, String mode, String fd) {
    text.append("( : ")
        .append(probe)
        .append(' ')
        .append(quoted(file))
        .append(" ) || kill -")
        .append(OUTPUT_FAILED)
        .append(" $$\n");
    text.append("exec ").append(fd).append(mode).append(' ').append(quoted(file)).append('\n');
  }

  private static String file(String pattern, Job job, String node, String workDir) {
    if (pattern.isEmpty()) {
      return "";
    }
    String name = OutputPattern.expand(pattern, job, node);
    return name.startsWith("/") ? name : workDir + "/" + name;
  }

  /** The file that messages about the job go to. */
  static String errorFile(Job job, String node) {
    String pattern =
        job.batch().stderrPattern().isEmpty()
            ? OutputPattern.orDefault(job.batch().stdoutPattern(), job)
            : job.batch().stderrPattern();
    String workDir = job.batch().workDir().isEmpty() ? "/tmp" : job.batch().workDir();
    return file(pattern, job, node, workDir);
  }

  static String quoted(String text) {
    return "'" + text.replace("'", "'\\''") + "'";
  }

  /** What the daemon itself gives a shell: nothing of the user's. */
  static SortedMap<String, String> plainEnvironment() {
    return new TreeMap<>(
        Map.of("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"));
  }
}
