package dev.yardmaster.server;

import dev.yardmaster.cli.Cli;
import dev.yardmaster.cli.Io;
import java.util.Arrays;
import java.util.List;

/**
 * Entry point of everything but the console. The first argument names the part; a Slurm command
 * loads its own classes and nothing of the server, because each call is a process of its own.
 */
public final class Main {
  private static final String REHEARSAL = "rehearse";

  private Main() {}

  public static void main(String[] arguments) {
    List<String> words = Arrays.asList(arguments);
    boolean command = !words.isEmpty() && (Cli.knows(words.getFirst()) || isRehearsal(words));
    if (command) {
      QuickStart.prepare();
    }
    int exitCode = run(words, Io.ofProcess());
    // A command has nothing left to wait for, so the threads of its connection are not wound down.
    if (command || exitCode != 0) {
      System.exit(exitCode);
    }
  }

  /**
   * Runs a part.
   *
   * @return its exit code
   */
  static int run(List<String> arguments, Io io) {
    if (arguments.isEmpty()) {
      io.err().println("yardmaster: say what to start: server, node, up, or a Slurm command");
      return 1;
    }
    String name = arguments.getFirst();
    List<String> rest = arguments.subList(1, arguments.size());
    if (Cli.knows(name)) {
      return Cli.run(name, rest, io);
    }
    return switch (name) {
      case REHEARSAL -> rehearse(rest, io);
      case "server" -> ServerCommand.run(rest, io);
      case "node" -> NodeCommand.run(rest, io);
      case "audit" -> AuditCommand.run(rest, io);
      case "certificates" -> CertificatesCommand.run(rest, io);
      case "up" -> UpCommand.run(rest, io);
      case "--version", "-V", "version" -> {
        io.out()
            .println("Yardmaster " + Versions.product() + ", following Slurm " + Versions.SLURM);
        io.out().flush();
        yield 0;
      }
      default -> {
        io.err()
            .println(
                "yardmaster: unknown command '"
                    + name
                    + "'; there are server, node, up and the"
                    + " Slurm commands");
        yield 1;
      }
    };
  }

  private static boolean isRehearsal(List<String> words) {
    return words.getFirst().equals(REHEARSAL);
  }

  /** Runs commands one after the other, each argument one of them, so that one cache fits all. */
  private static int rehearse(List<String> lines, Io io) {
    for (String line : lines) {
      List<String> words = Arrays.asList(line.split(" ", -1));
      if (Cli.knows(words.getFirst())) {
        Cli.run(words.getFirst(), words.subList(1, words.size()), io);
      }
    }
    return 0;
  }
}
