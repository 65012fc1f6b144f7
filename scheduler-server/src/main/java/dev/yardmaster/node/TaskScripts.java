package dev.yardmaster.node;

/**
 * The shell text that runs TaskProlog and TaskEpilog around a task, with the rights of its user
 * (slurm.conf(5)); what the first prints changes the task's environment.
 */
final class TaskScripts {
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
