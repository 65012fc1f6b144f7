package dev.yardmaster.node;

/**
 * The shell text that runs TaskProlog and TaskEpilog around a task, with the rights of its user
 * (slurm.conf(5)); what the first prints changes the task's environment.
 */
final class TaskScripts {
  /**
   * What a task's shell does before it becomes the task: $1 is the working directory, $2 where to
   * look for the command, the rest the command. The exit codes are those of exec(3).
   */
  private static final String LAUNCH =
      """
      umask 0022
      cd "$1" 2>/dev/null || {
        echo "error: couldn't chdir to \\`$1': No such file or directory: going to /tmp instead" >&2
        cd /tmp
      }
      path=$2
      shift 2
      program=
      case $1 in
        */*) program=$1 ;;
        *)
          rest=$path:
          while [ -n "$rest" ] && [ -z "$program" ]; do
            one=${rest%%:*}
            rest=${rest#*:}
            [ -n "$one" ] && [ -f "$one/$1" ] && [ -x "$one/$1" ] && program=$one/$1
          done ;;
      esac
      if [ -z "$program" ] || [ ! -e "$program" ]; then
        echo "error: execve(): $1: No such file or directory" >&2
        exit 2
      fi
      if [ -d "$program" ] || [ ! -x "$program" ]; then
        echo "error: execve(): $1: Permission denied" >&2
        exit 13
      fi
      shift
      export SLURM_TASK_PID=$$
      unset path one rest
      exec "$program" "$@"
      """;

  /** Before it: makes the terminal that a variable names its own, as the leader of a session. */
  static final String TERMINAL = "YARDMASTER_TERMINAL";

  private static final String ON_TERMINAL =
      """
      exec 0<>"$YARDMASTER_TERMINAL" 1>&0 2>&0
      unset YARDMASTER_TERMINAL
      """;

  private static final String PROLOG =
      """
      ym_said=$(%1$s) || {
        ym_code=$?
        echo "error: %2$s failed status=$ym_code" >&2
        exit $ym_code
      }
      while IFS= read -r ym_line; do
        case $ym_line in
          'export '*=*)
            ym_name=${ym_line#export }
            ym_value=${ym_name#*=}
            ym_name=${ym_name%%%%=*}
            ym_name=$(printf %%s "$ym_name" | tr -d '[:blank:]')
            case $ym_name in
              *[!A-Za-z0-9_]*|[0-9]*|'') ;;
              *) export "$ym_name=$ym_value" ;;
            esac ;;
          'unset '*)
            ym_name=$(printf %%s "${ym_line#unset }" | tr -d '[:blank:]')
            case $ym_name in
              *[!A-Za-z0-9_]*|[0-9]*|'') ;;
              *) unset "$ym_name" ;;
            esac ;;
          'print '*) printf '%%s\\n' "${ym_line#print }" ;;
        esac
      done <<YARDMASTER_END
      $ym_said
      YARDMASTER_END
      unset ym_said ym_line ym_name ym_value ym_code
      """;

  private static final String EPILOG =
      """
      if [ "$1" = after ]; then
        exec >/dev/null 2>&1
        exec %s
      fi
      """;

  private TaskScripts() {}

  /**
   * What a task of a step runs before it becomes the task.
   *
   * @param onTerminal whether {@link #TERMINAL} names one that becomes its own
   * @param prolog TaskProlog; empty for none
   */
  static String launch(boolean onTerminal, String prolog) {
    String before =
        prolog.isEmpty() ? "" : "export SLURM_TASK_PID=$$\n" + prolog(prolog, "TaskProlog");
    return (onTerminal ? ON_TERMINAL : "") + before + LAUNCH;
  }

  /** The text that is a task's last when it is given the word after; its output is dropped. */
  static String epilog(String program) {
    return program.isEmpty() ? "" : EPILOG.formatted(LaunchScript.quoted(program));
  }

  /**
   * The text that comes before a task.
   *
   * @param program its path; empty for none
   * @param what as a failure calls it
   */
  static String prolog(String program, String what) {
    return program.isEmpty() ? "" : PROLOG.formatted(LaunchScript.quoted(program), what);
  }
}
