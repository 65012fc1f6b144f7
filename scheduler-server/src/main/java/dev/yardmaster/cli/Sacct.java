package dev.yardmaster.cli;

import dev.yardmaster.client.ClientException;
import dev.yardmaster.client.SchedulerClient;
import dev.yardmaster.model.ArrayInfo;
import dev.yardmaster.model.ClusterInfo;
import dev.yardmaster.model.JobRecord;
import dev.yardmaster.model.JobScript;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Qos;
import dev.yardmaster.model.RecordQuery;
import dev.yardmaster.model.StepRecord;
import dev.yardmaster.model.text.JobId;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** sacct(1): what accounting keeps of jobs and their steps. */
final class Sacct implements Command {
  private static final String BRIEF = "jobid,state,exitcode";
  private static final String STANDARD = "jobid,jobname,partition,account,alloccpus,state,exitcode";
  private static final String LONG =
      "jobid,jobidraw,jobname,partition,maxvmsize,maxvmsizenode,maxvmsizetask,avevmsize,maxrss,"
          + "maxrssnode,maxrsstask,averss,maxpages,maxpagesnode,maxpagestask,avepages,mincpu,"
          + "mincpunode,mincputask,avecpu,ntasks,alloccpus,elapsed,state,exitcode,avecpufreq,"
          + "reqcpufreqmin,reqcpufreqmax,reqcpufreqgov,reqmem,consumedenergy,maxdiskread,"
          + "maxdiskreadnode,maxdiskreadtask,avediskread,maxdiskwrite,maxdiskwritenode,"
          + "maxdiskwritetask,avediskwrite,reqtres,alloctres,tresusageinave,tresusageinmax,"
          + "tresusageinmaxn,tresusageinmaxt,tresusageinmin,tresusageinminn,tresusageinmint,"
          + "tresusageintot,tresusageoutmax,tresusageoutmaxn,tresusageoutmaxt,tresusageoutave,"
          + "tresusageouttot";
  private static final String LINE = "-".repeat(80);

  @Override
  public int run(List<String> arguments, Io io) throws CommandFailure {
    SacctOptions options = new SacctOptions(parse(arguments), io);
    if (answers(options, io)) {
      return 0;
    }
    check(options);
    List<JobId> jobs = options.jobs();
    List<PrintFields.Field<SacctRow>> columns = chosen(options, io);
    if (DataDocument.isAsked(options.parsed())) {
      String parser = options.last(options.has("json") ? "json" : "yaml");
      DataDocument.check("sacct", parser == null ? "" : parser, options.has("json"), io);
    }
    try (SchedulerClient client = Session.open("sacct", io)) {
      Collection<Qos> qos =
          options.has("qos") ? client.accounting().accounting().qos().values() : List.of();
      RecordQuery query = options.query(jobs, qos);
      String clusters = options.has("allclusters") ? null : options.last("clusters");
      boolean own =
          clusters == null
              || clusters.equalsIgnoreCase("all")
              || Formats.list(clusters).contains(client.info().cluster());
      List<JobRecord> records = own ? client.records(query) : List.of();
      if (DataDocument.isAsked(options.parsed())) {
        ClusterInfo info = client.info();
        List<String> command = new ArrayList<>(List.of("sacct"));
        command.addAll(arguments);
        DataDocument.print(
            options.has("yaml"),
            command,
            info.cluster(),
            io,
            to ->
                new SacctJson(
                        to, info.trackedTres().stream().sorted().toList(), options.now(), io.zone())
                    .jobs(records));
      } else if (options.has("batch-script") || options.has("env-vars")) {
        scripts(options, client, records, io);
      } else {
        print(options, jobs, query, columns, records, io);
      }
      return 0;
    } catch (ClientException e) {
      throw new CommandFailure(1, "sacct: error: " + Session.words(e));
    }
  }

  /** What getopt says is all that is said. */
  private static GetOpt.Parsed parse(List<String> arguments) throws CommandFailure {
    try {
      return new GetOpt("sacct", 1, false, SacctOptions.TABLE).parse(arguments);
    } catch (CommandFailure e) {
      throw new CommandFailure(
          1, e.lines().stream().filter(line -> !line.startsWith("Try ")).toList());
    }
  }

  private static boolean answers(SacctOptions options, Io io) {
    if (options.has("version")) {
      io.out().println(SlurmVersion.line());
    } else if (options.has("help")) {
      io.out()
          .println(
              Usage.of(
                  """
                  Usage: sacct [OPTION...]
                  Lists jobs and their steps as accounting keeps them.
                  """,
                  "sacct(1)",
                  SacctOptions.TABLE));
    } else if (options.has("usage")) {
      io.out().println("Usage: sacct [options]\n\tUse --help for help");
    } else if (options.has("helpformat") || options.has("help-fields")) {
      SacctColumns.help().forEach(io.out()::println);
    } else if (options.has("helpstate")) {
      words(List.of(JobState.values()).stream().map(JobState::name).toList(), 4, 19, io);
    } else if (options.has("helpreason")) {
      words(ReasonNames.all(), 2, 39, io);
    } else {
      return false;
    }
    return true;
  }

  private static void words(List<String> words, int columns, int width, Io io) {
    String cell = "%-" + width + "s";
    for (int i = 0; i < words.size(); i += columns) {
      io.out()
          .println(
              String.join(
                  " ",
                  words.subList(i, Math.min(words.size(), i + columns)).stream()
                      .map(word -> String.format(Locale.ROOT, cell, word))
                      .toList()));
    }
  }

  private static void check(SacctOptions options) throws CommandFailure {
    boolean script = options.has("batch-script");
    boolean environment = options.has("env-vars");
    if ((script || environment) && !options.has("jobs")) {
      throw fatal(
          "When requesting "
              + (environment ? "job environment" : "job scripts")
              + " you must also request specific jobs with the '-j' option.");
    }
    if (script && environment) {
      throw fatal("Options --batch-script and --env-vars are mutually exclusive");
    }
    if (options.has("long") && options.has("format")) {
      throw fatal(
          "Options -o(--format) and -l(--long) are mutually exclusive. Please remove one and"
              + " retry.");
    }
    String file = options.last("file");
    if (file != null && !Files.isRegularFile(Path.of(file))) {
      throw new CommandFailure(1, file + " is not a valid file");
    }
    if (file != null || options.has("completion")) {
      throw new CommandFailure(1, "Slurm job completion is disabled");
    }
    if (!options.parsed().operands().isEmpty()) {
      List<String> lines = new ArrayList<>(List.of("sacct: error: Unknown arguments:"));
      options.parsed().operands().forEach(word -> lines.add("sacct: error:  " + word));
      throw new CommandFailure(1, lines);
    }
  }

  private static CommandFailure fatal(String text) {
    return new CommandFailure(1, "sacct: fatal: " + text);
  }

  private static List<PrintFields.Field<SacctRow>> chosen(SacctOptions options, Io io)
      throws CommandFailure {
    List<PrintFields.Field<SacctRow>> known =
        new SacctColumns(io.zone(), amounts(options), options.has("expand-patterns")).all();
    Map<String, PrintFields.Field<SacctRow>> chosen = new LinkedHashMap<>();
    List<String> order = new ArrayList<>();
    for (String item : Formats.list(format(options, io))) {
      String text = item.stripLeading();
      int percent = text.indexOf('%');
      String name = percent < 0 ? text : text.substring(0, percent);
      List<PrintFields.Field<SacctRow>> meant = named(known, name);
      if (meant.isEmpty()) {
        throw field(name);
      }
      for (PrintFields.Field<SacctRow> field : meant) {
        // A width holds for all places where the column stands.
        PrintFields.Field<SacctRow> before = chosen.getOrDefault(field.option(), field);
        chosen.put(
            field.option(),
            percent < 0
                ? before
                : new PrintFields.Field<>(
                    field.option(),
                    field.head(),
                    width(text.substring(percent + 1)),
                    field.text()));
        order.add(field.option());
      }
    }
    return order.stream().flatMap(name -> Stream.ofNullable(chosen.get(name))).toList();
  }

  private static CommandFailure field(String name) {
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "allocgres" -> fatal("AllocGRES has been removed, please use AllocTRES");
      case "reqgres" -> fatal("ReqGRES has been removed, please use ReqTRES");
      default -> new CommandFailure(1, "sacct: error: Invalid field requested: \"" + name + "\"");
    };
  }

  /** The first column that begins so, or all of them. */
  private static List<PrintFields.Field<SacctRow>> named(
      List<PrintFields.Field<SacctRow>> known, String name) {
    if ("ALL".regionMatches(true, 0, name, 0, name.length()) && name.length() <= 3) {
      return known;
    }
    for (PrintFields.Field<SacctRow> field : known) {
      if (field.option().regionMatches(true, 0, name, 0, name.length())) {
        return List.of(field);
      }
    }
    return List.of();
  }

  private static int width(String text) {
    return text.matches("-?[0-9]{1,5}.*")
        ? Integer.parseInt(text.replaceFirst("^(-?[0-9]{1,5}).*", "$1"))
        : 0;
  }

  private static String format(SacctOptions options, Io io) {
    List<String> parts = new ArrayList<>();
    for (GetOpt.Given given : options.parsed().options()) {
      if (given.name().equals("format")) {
        parts.add(given.value());
      }
    }
    if (options.has("brief")) {
      parts.add(BRIEF);
    }
    if (options.has("long")) {
      parts.add(LONG);
    }
    String variable = io.nonEmpty("SACCT_FORMAT");
    return parts.isEmpty() ? variable == null ? STANDARD : variable : String.join(",", parts);
  }

  private static Amounts amounts(SacctOptions options) throws CommandFailure {
    String unit = options.last("units");
    if (unit == null) {
      return new Amounts(null, options.has("noconvert"));
    }
    if (unit.isEmpty()) {
      throw new CommandFailure(
          1, "sacct: error: Invalid unit type '", "sacct: fatal: Invalid unit type");
    }
    char letter = unit.charAt(0);
    if (Amounts.UNITS.indexOf(letter) < 0) {
      throw new CommandFailure(
          1,
          "sacct: error: Invalid unit type '"
              + letter
              + "'. Possible options are '"
              + Amounts.UNITS
              + "'",
          "sacct: fatal: Invalid unit type");
    }
    return new Amounts(letter, options.has("noconvert"));
  }

  private static void scripts(
      SacctOptions options, SchedulerClient client, List<JobRecord> records, Io io)
      throws ClientException {
    boolean script = options.has("batch-script");
    String kept = client.config().getOrDefault("AccountingStoreFlags", "");
    boolean isKept =
        Formats.list(kept.toLowerCase(Locale.ROOT)).contains(script ? "job_script" : "job_env");
    for (JobRecord record : records) {
      String id = new SacctRow(record, null, null, options.now(), null).id();
      if (!options.has("noheader")) {
        io.out()
            .println(
                script
                    ? "Batch Script for " + id
                    : "Environment used for " + id + " (must be batch to display)");
        io.out().println(LINE);
      }
      io.out().print(isKept ? text(client, record, script) : "NONE\n");
    }
  }

  private static String text(SchedulerClient client, JobRecord record, boolean script) {
    try {
      JobScript kept = client.script(Integer.toString(record.job().id()));
      if (script) {
        return kept.script();
      }
      StringBuilder lines = new StringBuilder();
      kept.environment().forEach((name, value) -> lines.append(name + "=" + value + "\n"));
      return lines.toString();
    } catch (ClientException e) {
      return "NONE\n";
    }
  }

  private static void print(
      SacctOptions options,
      List<JobId> jobs,
      RecordQuery query,
      List<PrintFields.Field<SacctRow>> columns,
      List<JobRecord> records,
      Io io) {
    SacctRow.Window window =
        options.has("truncate") ? new SacctRow.Window(query.start(), query.end()) : null;
    String delimiter = options.last("delimiter");
    PrintFields<SacctRow> table =
        PrintFields.of(
            columns, Sshare.style(options.parsed()), delimiter == null ? "|" : delimiter);
    if (!options.has("noheader")) {
      table.header().forEach(io.out()::println);
    }
    for (JobRecord record : records) {
      for (SacctRow row : rows(options, jobs, query, record, window)) {
        io.out().println(table.line(row));
      }
    }
  }

  /** The job, unless only steps of it are asked for, and its steps. */
  private static List<SacctRow> rows(
      SacctOptions options,
      List<JobId> jobs,
      RecordQuery query,
      JobRecord record,
      SacctRow.@Nullable Window window) {
    List<SacctRow> rows = new ArrayList<>();
    List<JobId> meant = jobs.stream().filter(id -> means(id, record)).toList();
    if (!jobs.isEmpty() && meant.isEmpty()) {
      // As in Slurm a task that waits has no record of its own, and that of its array is not asked.
      return rows;
    }
    boolean whole = meant.isEmpty() || meant.stream().anyMatch(id -> id.step() == null);
    ArrayInfo array = record.job().array();
    if (options.withoutSteps() || whole) {
      if (options.has("array") && array != null && array.taskId() == null) {
        for (int task : array.waiting().stream().toArray()) {
          rows.add(new SacctRow(record, null, task, options.now(), window));
        }
      } else {
        rows.add(new SacctRow(record, null, null, options.now(), window));
      }
    }
    if (!options.withoutSteps()) {
      record.steps().stream()
          .sorted(Comparator.comparingInt(StepRecord::id))
          .filter(step -> isInWindow(step, query))
          .filter(step -> whole || meant.stream().anyMatch(id -> step.idText().equals(id.step())))
          .forEach(step -> rows.add(new SacctRow(record, step, null, options.now(), window)));
    }
    return rows;
  }

  private static boolean isInWindow(StepRecord step, RecordQuery query) {
    return !step.started().isAfter(query.end())
        && (step.ended() == null || query.start() == null || !step.ended().isBefore(query.start()));
  }

  private static boolean means(JobId id, JobRecord record) {
    ArrayInfo array = record.job().array();
    Integer task = array == null ? null : array.taskId();
    boolean job =
        id.job() == record.job().id()
            || id.job() == record.arrayJobId()
            || id.job() == record.hetJobId();
    return job && (id.task() < 0 || task != null && task == id.task());
  }
}
