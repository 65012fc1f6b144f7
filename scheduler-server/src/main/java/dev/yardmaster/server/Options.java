package dev.yardmaster.server;

import dev.yardmaster.cli.Io;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;

/** Runs a part whose options picocli reads, with bad ones answered in one line. */
final class Options {
  private Options() {}

  /**
   * Runs it.
   *
   * @return what it returns; 0 after {@code --help}, 1 after a bad option
   */
  static int execute(String name, Callable<Integer> part, List<String> arguments, Io io) {
    CommandLine line = new CommandLine(part).setCommandName("yardmaster " + name);
    line.setParameterExceptionHandler(
        (problem, ignored) -> {
          io.err()
              .println(
                  name
                      + ": error: "
                      + String.valueOf(problem.getMessage()).replace('\n', ' ')
                      + "; yardmaster "
                      + name
                      + " --help tells the options");
          return 1;
        });
    if (arguments.contains("--help") || arguments.contains("-h")) {
      line.usage(io.out());
      io.out().flush();
      return 0;
    }
    return line.execute(arguments.toArray(String[]::new));
  }
}
