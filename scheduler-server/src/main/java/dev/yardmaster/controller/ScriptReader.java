package dev.yardmaster.controller;

import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.JobScript;
import dev.yardmaster.model.JobSubmission;
import dev.yardmaster.model.SlurmError;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The script of a submission and the environment it will start with. */
final class ScriptReader {
  private ScriptReader() {}

  /**
   * Checks the script as sbatch does and applies --wrap and --export.
   *
   * @throws Refusal with the words of sbatch for a text that is no script
   */
  static JobScript read(JobSubmission submission, Options options) {
    return new JobScript(
        text(submission, options), submission.arguments(), environment(submission, options));
  }

  private static String text(JobSubmission submission, Options options) {
    String wrapped = options.get("wrap");
    String script = submission.script();
    if (script.isEmpty() && wrapped != null) {
      return "#!/bin/sh\n# This script was created by sbatch --wrap.\n\n" + wrapped + "\n";
    }
    if (script.isBlank()) {
      throw new Refusal(SlurmError.COMMAND_VALUE, "Batch script is empty!");
    }
    if (script.indexOf('\0') >= 0) {
      throw new Refusal(
          SlurmError.COMMAND_VALUE,
          "The Slurm controller does not allow scripts that\ncontain a NULL character.");
    }
    if (!script.startsWith("#!")) {
      throw new Refusal(
          SlurmError.COMMAND_VALUE,
          """
          This does not look like a batch script.  The first
          line must start with #! followed by the path to an interpreter.
          For instance: #!/bin/sh\
          """);
    }
    if (script.contains("\r\n")) {
      throw new Refusal(
          SlurmError.COMMAND_VALUE,
          """
          Batch script contains DOS line breaks (\\r\\n)
          instead of expected UNIX line breaks (\\n).\
          """);
    }
    return script;
  }

  /** sbatch(1), --export: ALL, NIL, NONE, or names with or without values. */
  private static SortedMap<String, String> environment(JobSubmission submission, Options options) {
    SortedMap<String, String> given = submission.environment();
    String export = options.text("export", "ALL");
    if (export.equalsIgnoreCase("ALL") || export.isEmpty()) {
      return Immutable.sortedMap(given);
    }
    SortedMap<String, String> kept = new TreeMap<>();
    if (export.equalsIgnoreCase("NIL")) {
      return Immutable.sortedMap(kept);
    }
    for (Map.Entry<String, String> entry : given.entrySet()) {
      if (entry.getKey().startsWith("SLURM_")) {
        kept.put(entry.getKey(), entry.getValue());
      }
    }
    if (export.equalsIgnoreCase("NONE")) {
      return Immutable.sortedMap(kept);
    }
    for (String part : export.split(",", -1)) {
      int equals = part.indexOf('=');
      String value = equals < 0 ? given.get(part) : part.substring(equals + 1);
      if (part.equalsIgnoreCase("ALL")) {
        given.forEach(kept::putIfAbsent);
      } else if (value != null) {
        kept.put(equals < 0 ? part : part.substring(0, equals), value);
      }
    }
    return Immutable.sortedMap(kept);
  }
}
