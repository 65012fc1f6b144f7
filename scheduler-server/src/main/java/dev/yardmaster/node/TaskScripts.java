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
  private static final String BECOME = "exec \"$@\"";

  private static final String LAUNCH =
      """
      umask 0022
      cd "$1" 2>/dev/null || {
        echo "error: couldn't chdir to \\`$1': No such file or directory: going to /tmp instead" >&2
        cd /tmp
      }
      ym_path=$2
      shift 2
      ym_program=
      case $1 in
        */*) ym_program=$1 ;;
        *)
          ym_rest=$ym_path:
          while [ -n "$ym_rest" ] && [ -z "$ym_program" ]; do
            ym_one=${ym_rest%%:*}
            ym_rest=${ym_rest#*:}
            [ -n "$ym_one" ] && [ -f "$ym_one/$1" ] && [ -x "$ym_one/$1" ] && ym_program=$ym_one/$1
          done ;;
      esac
      if [ -z "$ym_program" ] || [ ! -e "$ym_program" ]; then
        echo "error: execve(): $1: No such file or directory" >&2
        exit 2
      fi
      if [ -d "$ym_program" ] || [ ! -x "$ym_program" ]; then
        echo "error: execve(): $1: Permission denied" >&2
        exit 13
      fi
      shift
      export SLURM_TASK_PID=$$
      set -- "$ym_program" "$@"
      unset ym_path ym_one ym_rest ym_program
      exec "$@"
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
   * @param prolog TaskProlog; empty for none
   * @param odd what of its environment only env(1) can set
   */
  static String launch(String prolog, String odd) {
    String before =
        prolog.isEmpty() ? "" : "export SLURM_TASK_PID=$$\n" + prolog(prolog, "TaskProlog");
    return before + (odd.isEmpty() ? LAUNCH : LAUNCH.replace(BECOME, "exec env" + odd + " \"$@\""));
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
