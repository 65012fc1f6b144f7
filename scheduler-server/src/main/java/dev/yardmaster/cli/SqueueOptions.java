package dev.yardmaster.cli;

import dev.yardmaster.model.JobFlag;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.text.HostList;
import dev.yardmaster.model.text.JobId;
import dev.yardmaster.model.text.NotationException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What squeue was asked.
 *
 * @param help text to print instead of a list; null when there is none
 * @param clusters what -M names; null when it was not given
 * @param iterateSeconds 0 to list once
 */
record SqueueOptions(
    @Nullable String help,
    @Nullable String clusters,
    boolean noHeader,
    boolean longListing,
    boolean start,
    boolean steps,
    boolean perTask,
    boolean json,
    boolean yaml,
    int iterateSeconds,
    List<String> jobIds,
    @Nullable String format,
    @Nullable String names,
    Comparator<JobFacts> order,
    JobFilter filter) {
  private static final List<String> TABLE =
      List.of(
          "A account:",
          "a all",
          "r array",
          "array-unique",
          "M clusters:",
          "expand-patterns",
          "federation",
          "o format:",
          "O Format:",
          "help",
          "hide",
          "i iterate:",
          "j jobs::",
          "json::",
          "L licenses:",
          "local",
          "l long",
          "me",
          "n name:",
          "w nodelist:",
          "notme",
          "h noheader",
          "only-job-state",
          "p partition:",
          "P priority",
          "q qos:",
          "R reservation:",
          "sibling",
          "S sort:",
          "start",
          "s steps::",
          "t states:",
          "usage",
          "u user:",
          "v verbose",
          "V version",
          "yaml::");

  /** States that are listed when none are asked for. */
  private static final Set<JobState> LIVE =
      EnumSet.of(JobState.PENDING, JobState.RUNNING, JobState.SUSPENDED);

  static SqueueOptions read(List<String> arguments, Io io) throws CommandFailure {
    GetOpt.Parsed parsed = new GetOpt("squeue", 1, false, TABLE).parse(arguments);
    List<String> operands = new ArrayList<>(parsed.operands());
    String ids = idsOrOperand(parsed, "jobs", operands);
    String stepIds = idsOrOperand(parsed, "steps", operands);
    if (!operands.isEmpty()) {
      throw new CommandFailure(
          1,
          "squeue: error: Unrecognized option: " + operands.getFirst(),
          Hint.of("job ids are given with -j"));
    }
    boolean steps = parsed.has("steps");
    boolean start = parsed.has("start");
    String sort = value(parsed, "sort", io.nonEmpty("SQUEUE_SORT"));
    if (sort == null) {
      sort = steps ? "P,i" : start ? "S" : "P,t,-p";
    }
    String names = value(parsed, "Format", io.nonEmpty("SQUEUE_FORMAT2"));
    String format = parsed.last("format");
    if (format == null && names == null && !parsed.has("long") && !start) {
      format = io.nonEmpty("SQUEUE_FORMAT");
    } else if (format != null) {
      names = null;
    }
    return new SqueueOptions(
        help(parsed),
        parsed.last("clusters"),
        parsed.has("noheader"),
        parsed.has("long"),
        start,
        steps,
        parsed.has("array") || io.variable("SQUEUE_ARRAY") != null,
        parsed.has("json"),
        parsed.has("yaml"),
        iterate(parsed.last("iterate")),
        ids == null ? (stepIds == null ? List.of() : jobs(stepIds)) : jobs(ids),
        format,
        names,
        JobOrder.parse(sort),
        filter(parsed, io));
  }

  boolean needsFinished() {
    return filter.all() || !LIVE.containsAll(filter.states());
  }

  private static @Nullable String idsOrOperand(
      GetOpt.Parsed parsed, String option, List<String> operands) {
    String ids = parsed.last(option);
    if (ids != null && ids.isEmpty()) {
      return operands.isEmpty() ? null : operands.removeFirst();
    }
    return ids;
  }

  private static @Nullable String help(GetOpt.Parsed parsed) {
    if (parsed.has("version")) {
      return SlurmVersion.line();
    }
    if (parsed.has("help") || parsed.has("usage")) {
      return Usage.of("Usage: squeue [OPTION...]\nLists jobs.", "squeue(1)", TABLE);
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
    for (String id : JobIds.split(text)) {
      ids.add(checked(id));
    }
    return ids;
  }

  private static String checked(String id) throws CommandFailure {
    try {
      return JobId.parse(id.strip()).withoutStep().toString();
    } catch (NotationException e) {
      throw new CommandFailure(1, "squeue: error: Invalid job id: " + id);
    }
  }

  private static JobFilter filter(GetOpt.Parsed parsed, Io io) throws CommandFailure {
    Set<JobState> states = EnumSet.noneOf(JobState.class);
    Set<JobFlag> flags = EnumSet.noneOf(JobFlag.class);
    String given = value(parsed, "states", io.nonEmpty("SQUEUE_STATES"));
    boolean all = given != null && states(given, states, flags);
    if (given == null) {
      states.addAll(LIVE);
      flags.add(JobFlag.COMPLETING);
    }
    List<String> users = list(value(parsed, "user", io.nonEmpty("SQUEUE_USERS")));
    if (parsed.has("me")) {
      users = List.of(Session.me(io));
    }
    return new JobFilter(
        all,
        states,
        flags,
        parsed.has("all") || io.variable("SQUEUE_ALL") != null,
        parsed.has("start") && given == null,
        users,
        parsed.has("notme") ? List.of(Session.me(io)) : null,
        list(value(parsed, "account", io.nonEmpty("SQUEUE_ACCOUNT"))),
        list(value(parsed, "partition", io.nonEmpty("SQUEUE_PARTITION"))),
        list(value(parsed, "name", io.nonEmpty("SQUEUE_NAMES"))),
        list(value(parsed, "qos", io.nonEmpty("SQUEUE_QOS"))),
        list(parsed.last("reservation")),
        list(value(parsed, "licenses", io.nonEmpty("SQUEUE_LICENSES"))),
        nodes(parsed.last("nodelist")));
  }

  private static @Nullable List<String> list(@Nullable String text) {
    return text == null ? null : Formats.list(text);
  }

  private static @Nullable HostList nodes(@Nullable String text) throws CommandFailure {
    try {
      return text == null ? null : HostList.parse(text);
    } catch (NotationException e) {
      throw new CommandFailure(1, "squeue: error: Invalid node list: " + text);
    }
  }

  /** Adds what a list of states names; true when it names all. */
  private static boolean states(String text, Set<JobState> states, Set<JobFlag> flags)
      throws CommandFailure {
    for (String word : Formats.list(text)) {
      if (word.equalsIgnoreCase("all")) {
        return true;
      }
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
            "squeue: error: Valid job states include: " + validStates());
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
