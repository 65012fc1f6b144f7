package dev.yardmaster.cli;

import dev.yardmaster.client.ClientException;
import dev.yardmaster.client.SchedulerClient;
import dev.yardmaster.explain.Explanation;
import dev.yardmaster.explain.HistoryWords;
import dev.yardmaster.explain.JobHistory;
import dev.yardmaster.explain.Words;
import dev.yardmaster.model.SlurmError;
import dev.yardmaster.model.text.JobId;
import dev.yardmaster.model.text.NotationException;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** {@code yardmaster why JOB}: the explanation of a job in words, or as data. */
final class Why implements Command {
  private static final List<String> TABLE = List.of("at:", "history", "json", "h help");

  /** As it is called; "why" alone is no command. */
  private static final String NAME = "yardmaster why";

  private static final Pattern COMMA = Pattern.compile(",(?![^\\[]*\\])");

  private static final String USAGE =
      """
      Usage: yardmaster why [--at TIME | --history] [--json] JOB...
      Tells what holds a job back, which rules were applied, and what would let it start; of a job
      that has started, why it did so then and there.
        JOB        a job id as squeue shows it: 12, 14_3, 20+1, or several: 12,14_3; also of a job
                   that squeue no longer shows
        --at TIME  as it was at a moment of the past: 12:30, 2026-11-30T01:00, now-2hours; submit,
                   start or end of the job; or TIME#NUMBER as an earlier answer named it
        --history  what held it when, from its submission on
        --json     as data instead of words
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
    String time = parsed.last("at");
    if (time != null && parsed.has("history")) {
      throw new CommandFailure(
          1, NAME + ": --at and --history exclude each other; the history has all moments");
    }
    WhyMoment moment = moment(time, io);
    int exitCode = 0;
    try (SchedulerClient client = Session.open(NAME, io)) {
      boolean first = true;
      for (String job : jobs(parsed.operands())) {
        try {
          String answer =
              parsed.has("history")
                  ? history(client, job, parsed.has("json"), io)
                  : explanation(client, job, moment, parsed.has("json"), io);
          if (!first && !parsed.has("json")) {
            io.out().println();
          }
          first = false;
          io.out().println(answer);
        } catch (ClientException.Refused e) {
          boolean own = e.name().equals(SlurmError.NO_SUCH_MOMENT.name()) && e.detail() != null;
          io.err().println(NAME + ": " + job + ": " + (own ? e.detail() : words(job, e)));
          exitCode = 1;
        }
      }
    } catch (ClientException e) {
      throw new CommandFailure(1, NAME + ": " + Session.words(e));
    }
    String fault = io.out() instanceof ProcessOutput out ? out.fault() : null;
    if (fault != null) {
      throw new CommandFailure(1, NAME + ": the answer could not be written: " + fault);
    }
    return exitCode;
  }

  /** The jobs of lists such as {@code 12,14_[3,5]}: a comma in brackets is one of tasks. */
  private static List<String> jobs(List<String> operands) {
    return operands.stream()
        .flatMap(list -> COMMA.splitAsStream(list))
        .filter(job -> !job.isBlank())
        .toList();
  }

  /** Slurm's words, and of an id what is wrong with it. */
  private static String words(String job, ClientException.Refused e) {
    if (!e.name().equals(SlurmError.INVALID_JOB_ID.name())) {
      return e.slurmText();
    }
    try {
      JobId id = JobId.parse(job);
      String what =
          id.task() >= 0 || id.tasks() != null
              ? "no such task is"
              : id.het() >= 0 ? "no such component is" : "no such job is";
      return e.slurmText() + " (" + what + " known, nor was there one)";
    } catch (NotationException notAnId) {
      return e.slurmText() + " (write 12, 14_3 or 20+1)";
    }
  }

  private static @Nullable WhyMoment moment(@Nullable String time, Io io) throws CommandFailure {
    if (time == null) {
      return null;
    }
    try {
      return WhyMoment.parse(time, io.clock().instant(), io.zone());
    } catch (NotationException e) {
      throw new CommandFailure(1, NAME + ": --at: " + e.getMessage());
    }
  }

  private static String history(SchedulerClient client, String job, boolean json, Io io)
      throws ClientException {
    JobHistory history = client.history(job);
    return json
        ? WhyHistory.json(history)
        : new WhyHistory(io.zone(), io.clock().instant()).text(history);
  }

  private static String explanation(
      SchedulerClient client, String job, @Nullable WhyMoment moment, boolean json, Io io)
      throws ClientException, CommandFailure {
    Explanation explanation;
    if (moment == null) {
      explanation = client.explain(job);
    } else {
      WhyMoment when = moment.of(client, job);
      explanation = client.explain(job, when.at(), when.number());
    }
    if (json) {
      return ExplanationJson.of(explanation);
    }
    String ticket = Words.of(Locale.getDefault(), io.zone()).ticket(explanation).stripTrailing();
    if (explanation.moment() == 0) {
      return ticket;
    }
    String name = WhyMoment.name(explanation.at(), explanation.moment(), io.zone());
    return ticket
        + "\n\n"
        + HistoryWords.of(Locale.getDefault(), io.zone())
            .again(name, NAME + " " + explanation.displayId() + " --at " + name);
  }
}
