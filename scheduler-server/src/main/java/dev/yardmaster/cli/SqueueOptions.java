package dev.yardmaster.cli;

import dev.yardmaster.model.JobFlag;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.text.AccountingNames;
import dev.yardmaster.model.text.HostList;
import dev.yardmaster.model.text.JobId;
import dev.yardmaster.model.text.NotationException;
import dev.yardmaster.model.text.TimeLimits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What squeue was asked.
 *
 * @param help text to print instead of a list; null when there is none
 * @param clusters what -M names; null when it was not given
 * @param iterateSeconds 0 to list once
 * @param perPartition whether a pending job has a row for each partition it may go to (-P)
 * @param expands whether patterns of files are filled in
 * @param raw whether amounts of memory stay in MiB
 * @param steps the steps that are listed, as JOB[_TASK].STEP; null for jobs, empty for all steps
 * @param jobIds null for all jobs
 */
record SqueueOptions(
    @Nullable String help,
    @Nullable String clusters,
    boolean noHeader,
    boolean longListing,
    boolean start,
    boolean perTask,
    boolean perPartition,
    boolean onlyState,
    boolean expands,
    boolean raw,
    boolean json,
    boolean yaml,
    int iterateSeconds,
    @Nullable List<String> jobIds,
    @Nullable List<String> steps,
    @Nullable String format,
    @Nullable String names,
    String sort,
    JobFilter filter) {
  private static final List<String> TABLE =
      List.of(
          "A accounts:",
          "U old-account:",
          "a all",
          "r array",
          "M cluster|clusters:",
          "expand-patterns",
          "federation",
          "o format:",
          "O Format:",
          "help",
          "helpformat",
          "helpFormat",
          "helpstate",
          "hide",
          "i iterate:",
          "j jobs::",
          "json::",
          "L licenses:",
          "local",
          "l long",
          "me",
          "n name:",
          "noconvert",
          "w node|nodes|nodelist:",
          "notme",
          "h noheader",
          "only-job-state",
          "p partitions:",
          "P priority",
          "q qos:",
          "R reservation:",
          "running-over:",
          "running-under:",
          "sib|sibling",
          "S sort:",
          "start",
          "s steps::",
          "t states:",
          "usage",
          "u users|user:",
          "v verbose",
          "V version",
          "yaml::");

  /** What may be asked together with the state alone. */
  private static final Set<String> WITH_STATE =
      Set.of(
          "only-job-state",
          "jobs",
          "states",
          "clusters",
          "federation",
          "local",
          "sibling",
          "array",
          "expand-patterns",
          "format",
          "Format",
          "iterate",
          "noheader",
          "noconvert",
          "sort",
          "verbose",
          "json",
          "yaml");

  private static final Pattern STEP =
      Pattern.compile("([1-9][0-9]{0,9}(?:_[0-9]{1,9})?)\\.([0-9]{0,9})[^.]*");

  /** States that are listed when none are asked for. */
  private static final Set<JobState> LIVE =
      EnumSet.of(JobState.PENDING, JobState.RUNNING, JobState.SUSPENDED);

  static SqueueOptions read(List<String> arguments, Io io) throws CommandFailure {
    GetOpt.Parsed parsed = new GetOpt("squeue", 1, false, TABLE).parse(arguments);
    String help = help(parsed);
    if (help != null) {
      return of(parsed, help, null, null, null, null, JobFilter.ALL, io);
    }
    List<String> operands = new ArrayList<>(parsed.operands());
    String ids = idsOrOperand(parsed, "jobs", operands);
    List<String> jobIds = ids == null ? null : jobs(ids);
    String stepIds = idsOrOperand(parsed, "steps", operands);
    List<String> steps = stepIds != null ? steps(stepIds) : parsed.has("steps") ? List.of() : null;
    if (!operands.isEmpty()) {
      throw new CommandFailure(
          1,
          "squeue: error: Unrecognized option: " + operands.getFirst(),
          "Usage: squeue [-A account] [--clusters names] [-i seconds] [--job jobid]",
          "              [-n name] [-o format] [--only-job-state] [-p partitions]",
          "              [--qos qos] [--reservation reservation] [--sort fields] [--start]",
          "              [--step step_id] [-t states] [-u user_name] [--usage]",
          "              [-L licenses] [-w nodes] [--federation] [--local] [--sibling]",
          "              [--expand-patterns] [--json=data_parser] [--yaml=data_parser]",
          "              [--running-over=time] [--running-under=time] [-ahjlrsv]",
          Hint.of("job ids are given with -j"));
    }
    JobFilter filter = filter(parsed, io);
    String names = parsed.last("Format");
    String format = parsed.last("format");
    checkTogether(parsed, io);
    boolean own =
        format != null
            || names != null
            || parsed.has("long")
            || parsed.has("start")
            || parsed.has("steps");
    if (!own) {
      format = io.nonEmpty("SQUEUE_FORMAT");
      names = format == null ? io.nonEmpty("SQUEUE_FORMAT2") : null;
    }
    return of(parsed, null, jobIds, steps, format, names, filter, io);
  }

  private static SqueueOptions of(
      GetOpt.Parsed parsed,
      @Nullable String help,
      @Nullable List<String> jobIds,
      @Nullable List<String> steps,
      @Nullable String format,
      @Nullable String names,
      JobFilter filter,
      Io io)
      throws CommandFailure {
    boolean start = parsed.has("start");
    String sort = value(parsed, "sort", io.nonEmpty("SQUEUE_SORT"));
    if (sort == null) {
      sort = steps != null ? "P,i" : start ? "S" : "P,t,-p";
    }
    return new SqueueOptions(
        help,
        parsed.last("clusters"),
        parsed.has("noheader"),
        parsed.has("long"),
        start,
        parsed.has("array") || io.variable("SQUEUE_ARRAY") != null,
        parsed.has("priority") || io.variable("SQUEUE_PRIORITY") != null,
        parsed.has("only-job-state"),
        parsed.has("expand-patterns"),
        parsed.has("noconvert"),
        parsed.has("json"),
        parsed.has("yaml"),
        iterate(parsed.last("iterate")),
        jobIds,
        steps,
        format,
        names,
        sort,
        filter);
  }

  boolean needsFinished() {
    return filter.all() || !LIVE.containsAll(filter.states());
  }

  /** Options that exclude each other. */
  private static void checkTogether(GetOpt.Parsed parsed, Io io) throws CommandFailure {
    String first = null;
    for (GetOpt.Given given : parsed.options()) {
      String name = given.name();
      if (!name.equalsIgnoreCase("format")) {
        continue;
      }
      if (first != null && !first.equals(name)) {
        throw new CommandFailure(
            1,
            name.equals("Format")
                ? "squeue: error: -O (--Format) is incompatible with -o (--format)"
                : "squeue: error: -o (--format) is incompatible with -O (--Format)");
      }
      first = name;
    }
    if (parsed.has("long") && parsed.has("format")) {
      throw new CommandFailure(
          1,
          "squeue: fatal: Options -o(--format) and -l(--long) are mutually exclusive. Please remove"
              + " one and retry.");
    }
    if (parsed.has("only-job-state")
        && !parsed.options().stream().allMatch(given -> WITH_STATE.contains(given.name()))) {
      throw new CommandFailure(
          1,
          "squeue: fatal: Option --only-job-state only works alone, with -j (--jobs) and/or -t"
              + " (--states) parameters, parameters for cluster/federation selection, and the"
              + " printing options.");
    }
    if (parsed.has("jobs") && parsed.has("steps") && "".equals(parsed.last("jobs"))) {
      throw new CommandFailure(1, "squeue: error: Incompatible options --jobs and --steps");
    }
    String data = value(parsed, "json", parsed.last("yaml"));
    if (data != null && !data.isEmpty()) {
      DataDocument.check("squeue", data, parsed.has("json"), io);
    }
  }

  /** What an option lists; the next word when nothing is attached to it, null for neither. */
  private static @Nullable String idsOrOperand(
      GetOpt.Parsed parsed, String option, List<String> operands) {
    String ids = parsed.last(option);
    if (ids == null || !operands.isEmpty()) {
      return ids == null ? null : operands.removeFirst();
    }
    return ids.isEmpty() ? null : ids;
  }

  private static @Nullable String help(GetOpt.Parsed parsed) {
    for (GetOpt.Given given : parsed.options()) {
      List<String> columns = parsed.has("steps") ? ColumnHelp.STEPS : ColumnHelp.JOBS;
      String text =
          switch (given.name()) {
            case "version" -> SlurmVersion.line();
            case "help", "usage" ->
                Usage.of("Usage: squeue [OPTION...]\nLists jobs.", "squeue(1)", TABLE);
            case "helpstate" -> validStates().replace(',', '\n');
            case "helpformat" -> ColumnHelp.letters(columns);
            case "helpFormat" -> ColumnHelp.names(columns);
            default -> null;
          };
      if (text != null) {
        return text;
      }
    }
    return null;
  }

  private static @Nullable String value(
      GetOpt.Parsed parsed, String option, @Nullable String otherwise) {
    String given = parsed.last(option);
    return given == null ? otherwise : given;
  }

  private static int iterate(@Nullable String text) throws CommandFailure {
    if (text == null) {
      return 0;
    }
    int seconds = Formats.seconds(text);
    if (seconds == 0) {
      throw new CommandFailure(1, "squeue: error: --iterate=" + text);
    }
    return seconds;
  }

  private static List<String> jobs(String text) throws CommandFailure {
    List<String> ids = new ArrayList<>();
    for (String id : Formats.list(text)) {
      try {
        if (id.strip().equals("0")) {
          throw new CommandFailure(1, "squeue: error: Invalid job id: " + id);
        }
        // A list of tasks is no job id here: an array is listed whole, or one task of it.
        ids.add(JobId.parse(id.replace('[', '?').strip()).withoutStep().toString());
      } catch (NotationException e) {
        throw new CommandFailure(1, "squeue: error: Invalid job id: " + id);
      }
    }
    return ids;
  }

  private static List<String> steps(String text) throws CommandFailure {
    List<String> ids = new ArrayList<>();
    for (String id : Formats.list(text)) {
      Matcher parts = STEP.matcher(id);
      if (!parts.matches()) {
        int dot = id.indexOf('.');
        throw new CommandFailure(
            1, "squeue: error: Invalid job_step id: " + (dot < 0 ? id + ".??" : id));
      }
      // A step that is not a number is read as the first, as by strtol(3).
      String step = parts.group(2);
      ids.add(parts.group(1) + "." + (step.isEmpty() ? "0" : step));
    }
    return ids;
  }

  private static JobFilter filter(GetOpt.Parsed parsed, Io io) throws CommandFailure {
    Set<JobState> states = EnumSet.noneOf(JobState.class);
    Set<JobFlag> flags = EnumSet.noneOf(JobFlag.class);
    String given = value(parsed, "states", io.nonEmpty("SQUEUE_STATES"));
    boolean start = parsed.has("start") && !parsed.has("steps");
    boolean all = given != null && states(given, states, flags);
    if (given == null && start) {
      states.add(JobState.PENDING);
    } else if (given == null) {
      states.addAll(LIVE);
      flags.add(JobFlag.COMPLETING);
    }
    List<String> users = list(value(parsed, "user", io.nonEmpty("SQUEUE_USERS")));
    if (parsed.has("me")) {
      users = List.of(Session.me(io));
    }
    List<String> partitions = list(value(parsed, "partitions", io.nonEmpty("SQUEUE_PARTITION")));
    long over = seconds(parsed.last("running-over"));
    long under = seconds(parsed.last("running-under"));
    if (under > 0 && over > under) {
      throw new CommandFailure(
          1,
          "squeue: fatal: --running-over=%s and --running-under=%s will return 0 jobs."
              .formatted(TimeLimits.format(over), TimeLimits.format(under)));
    }
    return new JobFilter(
        all,
        states,
        flags,
        partitions != null || parsed.has("all") || io.variable("SQUEUE_ALL") != null,
        users,
        parsed.has("notme") ? List.of(Session.me(io)) : null,
        names(
            value(parsed, "accounts", value(parsed, "old-account", io.nonEmpty("SQUEUE_ACCOUNT")))),
        partitions,
        list(value(parsed, "name", io.nonEmpty("SQUEUE_NAMES"))),
        names(value(parsed, "qos", io.nonEmpty("SQUEUE_QOS"))),
        list(parsed.last("reservation")),
        list(value(parsed, "licenses", io.nonEmpty("SQUEUE_LICENSES"))),
        nodes(parsed.last("nodelist")),
        over,
        under);
  }

  private static long seconds(@Nullable String text) throws CommandFailure {
    if (text == null) {
      return 0;
    }
    try {
      long seconds = TimeLimits.parseSeconds(text);
      if (seconds > 0) {
        return seconds;
      }
      if (seconds == TimeLimits.UNLIMITED) {
        return Long.MAX_VALUE;
      }
    } catch (NotationException e) {
      // Said as Slurm says it, below.
    }
    throw new CommandFailure(1, "squeue: fatal: Invalid time limit specification");
  }

  private static @Nullable List<String> list(@Nullable String text) {
    return text == null ? null : Formats.list(text);
  }

  private static @Nullable List<String> names(@Nullable String text) {
    return text == null ? null : AccountingNames.fold(Formats.list(text));
  }

  private static @Nullable HostList nodes(@Nullable String text) throws CommandFailure {
    try {
      return text == null ? null : HostList.parse(text);
    } catch (NotationException e) {
      throw new CommandFailure(1, "squeue: error: '" + text + "' invalid entry for --nodelist");
    }
  }

  /** Adds what a list of states names; true when it names all. */
  private static boolean states(String text, Set<JobState> states, Set<JobFlag> flags)
      throws CommandFailure {
    if (text.equalsIgnoreCase("all")) {
      return true;
    }
    for (String word : Formats.list(text)) {
      JobState state = state(word);
      JobFlag flag = flag(word);
      if (state != null) {
        states.add(state);
      } else if (flag != null) {
        flags.add(flag);
      } else {
        throw new CommandFailure(
            1,
            "squeue: error: Invalid job state specified: " + word,
            "squeue: error: Valid job states include: " + validStates(),
            "");
      }
    }
    return false;
  }

  private static String validStates() {
    String states =
        Arrays.stream(JobState.values())
            .map(state -> state.name().toLowerCase(Locale.ROOT))
            .collect(Collectors.joining(","));
    return states
        + ",completing,configuring,expediting,resizing,resv_del_hold,requeued,requeue_fed,"
        + "requeue_hold,revoked,signaling,special_exit,stage_out,stopped";
  }

  private static @Nullable JobState state(String word) {
    for (JobState state : JobState.values()) {
      if (state.name().equalsIgnoreCase(word) || state.code().equalsIgnoreCase(word)) {
        return state;
      }
    }
    return null;
  }

  private static @Nullable JobFlag flag(String word) {
    for (JobFlag flag : JobFlag.values()) {
      if (flag.name().equalsIgnoreCase(word) || flag.code().equalsIgnoreCase(word)) {
        return flag;
      }
    }
    return null;
  }
}
