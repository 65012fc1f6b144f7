package dev.yardmaster.cli;

import dev.yardmaster.client.ClientException;
import dev.yardmaster.client.SchedulerClient;
import dev.yardmaster.explain.Explanation;
import dev.yardmaster.explain.Words;
import java.util.List;
import java.util.Locale;

/** {@code yardmaster why JOB}: the explanation of a job in words, or as data. */
final class Why implements Command {
  private static final List<String> TABLE = List.of("json", "h help");

  /** As it is called; "why" alone is no command. */
  private static final String NAME = "yardmaster why";

  private static final String USAGE =
      """
      Usage: yardmaster why [--json] JOB...
      Tells what holds a job back, which rules were applied, and what would let it start.
        JOB     a job id as squeue shows it: 12, 14_3
        --json  as data instead of words
      It asks the controller that SLURM_CONF names.\
      """;

  @Override
  public int run(List<String> arguments, Io io) throws CommandFailure {
    GetOpt.Parsed parsed = new GetOpt(NAME, 1, false, TABLE).parse(arguments);
    if (parsed.has("help")) {
      io.out().println(USAGE);
      return 0;
    }
    if (parsed.operands().isEmpty()) {
      throw new CommandFailure(
          1,
          NAME + ": which job? Its id is missing",
          "Try \"" + NAME + " --help\" for more information");
    }
    int exitCode = 0;
    try (SchedulerClient client = Session.open(NAME, io)) {
      boolean first = true;
      for (String job : parsed.operands()) {
        try {
          Explanation explanation = client.explain(job);
          if (!first && !parsed.has("json")) {
            io.out().println();
          }
          first = false;
          print(explanation, parsed.has("json"), io);
        } catch (ClientException.Refused e) {
          io.err().println(NAME + ": " + job + ": " + e.slurmText());
          exitCode = 1;
        }
      }
    } catch (ClientException e) {
      throw new CommandFailure(1, NAME + ": " + Session.words(e));
    }
    return exitCode;
  }

  private static void print(Explanation explanation, boolean json, Io io) {
    if (json) {
      io.out().println(ExplanationJson.of(explanation));
    } else {
      io.out()
          .println(Words.of(Locale.getDefault(), io.zone()).ticket(explanation).stripTrailing());
    }
  }
}
