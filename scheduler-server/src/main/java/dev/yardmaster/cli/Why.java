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

  @Override
  public int run(List<String> arguments, Io io) throws CommandFailure {
    GetOpt.Parsed parsed = new GetOpt("why", 1, false, TABLE).parse(arguments);
    if (parsed.has("help") || parsed.operands().isEmpty()) {
      io.out().println("Usage: yardmaster why JOB... [--json]");
      return parsed.has("help") ? 0 : 1;
    }
    int exitCode = 0;
    try (SchedulerClient client = Session.open("why", io)) {
      for (String job : parsed.operands()) {
        try {
          print(client.explain(job), parsed.has("json"), io);
        } catch (ClientException.Refused e) {
          io.err().println("why: " + job + ": " + e.slurmText());
          exitCode = 1;
        }
      }
    } catch (ClientException e) {
      throw new CommandFailure(1, "why: " + Session.words(e));
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
