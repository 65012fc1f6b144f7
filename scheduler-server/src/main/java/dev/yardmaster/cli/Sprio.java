package dev.yardmaster.cli;

import dev.yardmaster.client.ClientException;
import dev.yardmaster.client.ClusterView;
import dev.yardmaster.client.SchedulerClient;
import dev.yardmaster.client.Selection;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.text.JobId;
import dev.yardmaster.model.text.NotationException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** sprio(1): what the priorities of waiting jobs are made of. */
final class Sprio implements Command {
  private static final List<String> TABLE =
      List.of(
          "M clusters:",
          "federation",
          "help",
          "h noheader",
          "j jobs:",
          "local",
          "l long",
          "n norm",
          "o format:",
          "p partition:",
          "sibling",
          "S sort:",
          "usage",
          "u user:",
          "v verbose",
          "V version",
          "w weights");

  private static final String LONG =
      "%.15i %9r %.8u %.8o %.10Y %.10S %.10A %.10B %.10F %.10J %.10P %.10n %.10Q %.11N %.20T";

  @Override
  public int run(List<String> arguments, Io io) throws CommandFailure {
    GetOpt.Parsed parsed = new GetOpt("sprio", 1, false, TABLE).parse(arguments);
    if (Usage.answers(
        parsed,
        "Usage: sprio [OPTION...]\n" + "Lists what the priorities of waiting jobs are made of.",
        "sprio(1)",
        TABLE,
        null,
        io)) {
      return 0;
    }
    if (!parsed.operands().isEmpty()) {
      throw new CommandFailure(
          1,
          "sprio: error: Unrecognized option: " + parsed.operands().getFirst(),
          "Usage: sprio [-j jid[s]] [-u user_name[s]] [-o format] [-p partitions]",
          "   [--federation] [--local] [--sibling] [--usage] [-hlnvVw]",
          Hint.of("job ids are given with -j"));
    }
    if (parsed.has("long") && parsed.has("format")) {
      throw new CommandFailure(
          1,
          "sprio: fatal: Options -o(--format) and -l(--long) are mutually exclusive. Please remove"
              + " one and retry.");
    }
    try (SchedulerClient client = Session.open("sprio", parsed.last("clusters"), io)) {
      Map<String, String> config = client.config();
      PriorityColumns columns = new PriorityColumns(config);
      List<String> problems = new ArrayList<>();
      Layout<PriorityColumns.Row> layout =
          Formats.percent(format(parsed, columns), columns.letters()::get, problems, false);
      problems.forEach(
          p -> io.err().println("sprio: error: Invalid job format specification: " + p));
      PriorityRows rows = new PriorityRows(config);
      List<Job> jobs = parsed.has("weights") ? List.of() : jobs(client, rows, parsed, io);
      if (parsed.has("jobs") && jobs.isEmpty() && all(client, rows, parsed, io).isEmpty()) {
        io.out().println("Unable to find jobs matching user/id(s) specified");
        return 0;
      }
      if (!parsed.has("noheader")) {
        io.out().println(layout.header());
      }
      if (parsed.has("weights")) {
        io.out().println(layout.line(new PriorityColumns.Row.Weights()));
      }
      jobs.forEach(job -> io.out().println(layout.line(new PriorityColumns.Row.Of(job))));
      return 0;
    } catch (ClientException e) {
      throw new CommandFailure(1, "sprio: error: " + Session.words(e));
    }
  }

  private static String format(GetOpt.Parsed parsed, PriorityColumns columns) {
    String given = parsed.last("format");
    if (given != null) {
      return given;
    }
    if (parsed.has("long")) {
      return LONG;
    }
    String standard = parsed.has("norm") ? columns.normalized() : columns.standard();
    // Whose jobs they are is told where users were asked for.
    return parsed.has("user") ? standard.replaceFirst("%9r ", "%9r %.8u ") : standard;
  }

  /** The jobs that have a priority now, whoever and whichever was asked for. */
  private static List<Job> all(
      SchedulerClient client, PriorityRows rows, GetOpt.Parsed parsed, Io io)
      throws ClientException, CommandFailure {
    List<GetOpt.Given> options =
        parsed.options().stream()
            .filter(given -> !List.of("jobs", "user", "partition").contains(given.name()))
            .toList();
    return jobs(client, rows, new GetOpt.Parsed(options, List.of()), io);
  }

  private static List<Job> jobs(
      SchedulerClient client, PriorityRows rows, GetOpt.Parsed parsed, Io io)
      throws ClientException, CommandFailure {
    String named = parsed.last("jobs");
    List<String> ids = named == null ? List.of() : JobIds.split(named);
    for (String id : ids) {
      try {
        JobId.parse(id);
      } catch (NotationException e) {
        throw new CommandFailure(1, "sprio: error: Invalid job id: " + id);
      }
    }
    ClusterView view =
        client.read(
            Selection.of(rows.notOnlyWaiting() ? Selection.Jobs.ALL : Selection.Jobs.LIVE)
                .withNodes()
                .withPartitions()
                .onlyJobs(ids));
    Instant now = io.clock().instant();
    String given = parsed.last("user");
    List<String> users = given == null ? null : Users.known("sprio", Formats.list(given), view, io);
    String partitions = parsed.last("partition");
    List<Job> jobs = new ArrayList<>();
    for (Job job : view.jobs().values()) {
      if (rows.lists(job, now)
          && (users == null
              || users.contains(job.owner().user())
              || users.contains(Integer.toString(job.owner().uid())))) {
        for (Job row : rows.rows(job, view)) {
          if (partitions == null || Formats.list(partitions).contains(row.partition())) {
            jobs.add(row);
          }
        }
      }
    }
    String sort = parsed.last("sort");
    if (sort != null) {
      jobs.sort(PriorityColumns.order(sort));
    }
    return jobs;
  }
}
