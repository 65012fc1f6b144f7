package dev.yardmaster.cli;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The commands by name. Naming one loads its class and no other. */
public final class Cli {
  private Cli() {}

  /** Whether a command of this name exists. */
  public static boolean knows(String name) {
    return find(name) != null;
  }

  /**
   * Runs a command.
   *
   * @return its exit code
   */
  public static int run(String name, List<String> arguments, Io io) {
    Command command = find(name);
    int exitCode;
    if (command == null) {
      io.err().println(name + ": not a command of Yardmaster");
      exitCode = 1;
    } else {
      try {
        exitCode = command.run(arguments, io);
      } catch (CommandFailure e) {
        io.out().flush();
        for (String said : e.lines()) {
          for (String line : said.split("\n", -1)) {
            if (!Hint.is(line) || io.interactive()) {
              io.err().println(Hint.text(line));
            }
          }
        }
        exitCode = e.exitCode();
      }
    }
    io.out().flush();
    return exitCode;
  }

  private static @Nullable Command find(String name) {
    return switch (name) {
      case "sacct" -> new Sacct();
      case "sacctmgr" -> new Sacctmgr();
      case "salloc" -> new Salloc();
      case "sbatch" -> new Sbatch();
      case "sbcast" -> new Sbcast();
      case "scancel" -> new Scancel();
      case "scontrol" -> new Scontrol();
      case "scrontab" -> new Scrontab();
      case "sdiag" -> new Sdiag();
      case "sinfo" -> new Sinfo();
      case "sprio" -> new Sprio();
      case "squeue" -> new Squeue();
      case "sreport" -> new Sreport();
      case "srun" -> new Srun();
      case "sshare" -> new Sshare();
      case "sattach" -> new Sattach();
      case "sstat" -> new Sstat();
      case "strigger" -> new Strigger();
      case "why" -> new Why();
      default -> null;
    };
  }
}
