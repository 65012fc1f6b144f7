package dev.yardmaster.cli;

import dev.yardmaster.client.Credential;
import dev.yardmaster.model.JobFlag;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Qos;
import dev.yardmaster.model.RecordQuery;
import dev.yardmaster.model.text.HostList;
import dev.yardmaster.model.text.Instants;
import dev.yardmaster.model.text.JobId;
import dev.yardmaster.model.text.NotationException;
import dev.yardmaster.model.text.TimeLimits;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What a command line of sacct(1) asks for. */
final class SacctOptions {
  static final List<String> TABLE =
      List.of(
          "a allusers",
          "A accounts:",
          "X allocations",
          "array",
          "b brief",
          "B batch-script",
          "c completion",
          "C constraints:",
          "delimiter:",
          "D duplicates",
          "env-vars",
          "E endtime:",
          "expand-patterns",
          "federation",
          "f file:",
          "F flags:",
          "g gid|group:",
          "e helpformat",
          "help-fields",
          "helpreason",
          "helpstate",
          "h help",
          "i nnodes:",
          "I ncpus:",
          "j jobs:",
          "json::",
          "k timelimit-min:",
          "K timelimit-max:",
          "local",
          "l long",
          "L allclusters",
          "M cluster|clusters:",
          "name:",
          "N nodelist:",
          "noconvert",
          "n noheader",
          "o fields|format:",
          "p parsable",
          "P parsable2",
          "q qos:",
          "r partition:",
          "R reason:",
          "s state:",
          "S starttime:",
          "T truncate",
          "t deprecated-allocations",
          "units:",
          "u uid|user:",
          "use-local-uid",
          "U usage",
          "v verbose",
          "V version",
          "W wckeys:",
          "whole-hetjob::",
          "x associations:",
          "yaml::");

  private static final Pattern RANGE = Pattern.compile("([0-9]+)([kKmM]?)(?:-([0-9]+)([kKmM]?))?");

  private static final Set<String> FLAGS =
      Set.of("SchedSubmit", "SchedMain", "SchedBackfill", "StartReceived");

  private final GetOpt.Parsed parsed;
  private final Io io;
  private final Instant now;

  SacctOptions(GetOpt.Parsed parsed, Io io) {
    this.parsed = parsed;
    this.io = io;
    this.now = io.clock().instant().truncatedTo(ChronoUnit.SECONDS);
  }

  GetOpt.Parsed parsed() {
    return parsed;
  }

  Instant now() {
    return now;
  }

  boolean has(String option) {
    return parsed.has(option);
  }

  @Nullable String last(String option) {
    return parsed.last(option);
  }

  /** Whether only jobs are listed, not their steps. */
  boolean withoutSteps() {
    return has("allocations") || has("deprecated-allocations");
  }

  private List<String> list(String option) {
    List<String> items = new ArrayList<>();
    for (GetOpt.Given given : parsed.options()) {
      if (given.name().equals(option)) {
        items.addAll(Formats.list(given.value()));
      }
    }
    return items;
  }

  /** The ids of jobs, with the steps that are meant. */
  List<JobId> jobs() throws CommandFailure {
    List<JobId> jobs = new ArrayList<>();
    for (String id : ids()) {
      try {
        if (id.matches("[0-9]+_\\[.*")) {
          throw new NotationException("job id", id, 0, "tasks in brackets", "name each task");
        }
        jobs.add(JobId.parse(id));
      } catch (NotationException e) {
        throw new CommandFailure(
            1,
            "sacct: fatal: Bad job/step specified: "
                + id
                + (id.matches("[0-9].*") ? ": " + JobIds.wrong(id) : ""));
      }
    }
    return jobs;
  }

  /** Commas within brackets part nothing. */
  private List<String> ids() {
    List<String> ids = new ArrayList<>();
    for (GetOpt.Given given : parsed.options()) {
      if (given.name().equals("jobs")) {
        for (String id : given.value().split(",(?![^\\[]*\\])", -1)) {
          if (!id.isBlank()) {
            ids.add(id.strip());
          }
        }
      }
    }
    return ids;
  }

  /**
   * The query that all this comes to.
   *
   * @param qos those that there are
   */
  RecordQuery query(List<JobId> jobs, Collection<Qos> qos) throws CommandFailure {
    List<String> states = states();
    Instant start = time("starttime");
    Instant end = time("endtime");
    if (!states.isEmpty()) {
      start = start == null && jobs.isEmpty() ? now : start;
      end = start != null && end == null ? start : end;
    } else if (jobs.isEmpty() && start == null) {
      ZonedDateTime today = now.atZone(io.zone());
      start = today.with(LocalTime.MIDNIGHT).toInstant();
    }
    end = end == null ? now : end;
    // The window has its last second in it where that is all of it, or the present.
    end = end.equals(start) || end.equals(now) ? end.plusSeconds(1) : end;
    if (start != null && start.isAfter(end)) {
      throw error(
          "Start time (%s) requested is after end time (%s)."
              .formatted(Instants.format(start, io.zone()), Instants.format(end, io.zone())));
    }
    int[] nodes = range("nnodes", "node range");
    int[] cpus = range("ncpus", "cpu range");
    List<RecordQuery.Wanted> wanted = new ArrayList<>();
    for (JobId id : jobs) {
      wanted.addAll(wanted(id));
    }
    RecordQuery query =
        RecordQuery.window(start, end)
            .with(q -> q.jobs(wanted).states(states).duplicates(has("duplicates")));
    List<Integer> users = users(!jobs.isEmpty());
    List<Integer> groups = groups();
    List<Integer> qosIds = qos(qos);
    List<String> reasons = reasons();
    List<String> hosts = hosts();
    List<String> flags = flags();
    List<Integer> associations =
        list("associations").stream()
            .filter(a -> a.matches("[0-9]{1,9}"))
            .map(Integer::valueOf)
            .toList();
    long least = minutes("timelimit-min");
    long most = minutes("timelimit-max");
    Boolean whole = wholeHet();
    return query.with(
        q ->
            q.users(users)
                .groups(groups)
                .accounts(list("accounts"))
                .associations(associations)
                .partitions(list("partition"))
                .qos(qosIds)
                .names(list("name"))
                .wckeys(list("wckeys"))
                .reasons(reasons)
                .constraints(list("constraints"))
                .nodes(hosts)
                .flags(flags)
                .minNodes(nodes[0])
                .maxNodes(nodes[1])
                .minCpus(cpus[0])
                .maxCpus(cpus[1])
                .minMinutes(least)
                .maxMinutes(most)
                .wholeHet(whole));
  }

  private static CommandFailure error(String text) {
    return new CommandFailure(1, "sacct: error: " + text);
  }

  private static CommandFailure fatal(String text) {
    return new CommandFailure(1, "sacct: fatal: " + text);
  }

  private static List<RecordQuery.Wanted> wanted(JobId id) {
    int job = id.job() > Integer.MAX_VALUE ? -1 : (int) id.job();
    if (id.tasks() != null) {
      List<RecordQuery.Wanted> tasks = new ArrayList<>();
      id.tasks()
          .iterator()
          .forEachRemaining((int t) -> tasks.add(new RecordQuery.Wanted(job, t, null)));
      return tasks;
    }
    Integer task = id.task() >= 0 ? id.task() : null;
    Integer offset = id.het() >= 0 ? id.het() : null;
    return List.of(new RecordQuery.Wanted(job, task, offset));
  }

  private @Nullable Instant time(String option) throws CommandFailure {
    String text = last(option);
    if (text == null || text.isEmpty()) {
      return null;
    }
    try {
      return Instants.parsePast(text, now, io.zone());
    } catch (NotationException e) {
      throw new CommandFailure(1, TimeFault.message(text));
    }
  }

  private List<String> states() throws CommandFailure {
    List<String> states = new ArrayList<>();
    for (String name : list("state")) {
      String state = state(name);
      if (state == null) {
        throw fatal(
            (isFlag(name)
                    ? "job state %s is not supported / accounted"
                    : "unrecognized job state value '%s'")
                .formatted(name));
      }
      states.add(state);
    }
    return states;
  }

  private static @Nullable String state(String name) {
    String upper = name.toUpperCase(Locale.ROOT);
    for (JobState state : JobState.values()) {
      if (state.name().equals(upper) || state.code().equals(upper)) {
        return state.name();
      }
    }
    for (JobFlag flag : List.of(JobFlag.REQUEUED, JobFlag.RESIZING, JobFlag.REVOKED)) {
      if (flag.name().equals(upper) || flag.code().equals(upper)) {
        return flag.name();
      }
    }
    return upper.equals("CANCELED") ? JobState.CANCELLED.name() : null;
  }

  private static boolean isFlag(String name) {
    String upper = name.toUpperCase(Locale.ROOT);
    for (JobFlag flag : JobFlag.values()) {
      if (flag.name().equals(upper) || flag.code().equals(upper)) {
        return true;
      }
    }
    return false;
  }

  /** Whose jobs are meant; nobody's in particular where all are. */
  private List<Integer> users(boolean jobs) throws CommandFailure {
    boolean all = has("allusers");
    List<Integer> users = new ArrayList<>();
    for (GetOpt.Given given : parsed.options()) {
      if (given.name().equals("user")) {
        all = given.value().equals("-1");
        require(given);
        for (String name : all ? List.<String>of() : Formats.list(given.value())) {
          users.add(uid(name));
        }
      } else if (given.name().equals("allusers")) {
        all = true;
      }
    }
    int own = Session.uid(io);
    if (all || users.isEmpty() && (jobs || has("nodelist") || own == 0)) {
      return List.of();
    }
    return users.isEmpty() ? List.of(own) : users;
  }

  /** A list of users or groups that names none ends the command without a word. */
  private static void require(GetOpt.Given given) throws CommandFailure {
    if (Formats.list(given.value()).isEmpty()) {
      throw new CommandFailure(1, List.of());
    }
  }

  /** Ids have 32 bits. */
  private static boolean isTooLarge(String name) {
    return name.matches("[0-9]{10,}")
        && (name.length() > 10 || Long.parseLong(name) > 0xFFFF_FFFFL);
  }

  private int uid(String name) throws CommandFailure {
    if (name.matches("[0-9]{1,9}")) {
      return Integer.parseInt(name);
    }
    Credential user = isTooLarge(name) ? null : io.machine().find(name);
    if (user == null) {
      throw error("Invalid user id: " + name);
    }
    return user.uid();
  }

  private List<Integer> groups() throws CommandFailure {
    List<Integer> groups = new ArrayList<>();
    for (GetOpt.Given given : parsed.options()) {
      if (given.name().equals("group")) {
        require(given);
      }
    }
    for (String name : list("group")) {
      if (name.matches("[0-9]{1,9}")) {
        groups.add(Integer.valueOf(name));
        continue;
      }
      Integer gid = isTooLarge(name) ? null : io.machine().groupId(name);
      if (gid == null) {
        throw error("Invalid group id: " + name);
      }
      groups.add(gid);
    }
    return groups;
  }

  private List<Integer> qos(Collection<Qos> known) throws CommandFailure {
    List<Integer> ids = new ArrayList<>();
    for (String given : list("qos")) {
      // A sign means how, not which.
      String name = given.replaceFirst("^[-+]", "");
      Qos found =
          known.stream().filter(q -> q.name().equalsIgnoreCase(name)).findFirst().orElse(null);
      if (found == null) {
        String all = String.join(",", known.stream().map(Qos::name).toList());
        throw new CommandFailure(
            1,
            "sacct: error: You gave a bad qos '" + name + "'. Valid QOS's are " + all,
            "sacct: fatal: problem processing qos list");
      }
      ids.add(found.id());
    }
    return ids;
  }

  private List<String> reasons() throws CommandFailure {
    List<String> reasons = new ArrayList<>();
    for (String name : list("reason")) {
      reasons.add(
          ReasonNames.all().stream()
              .filter(name::equalsIgnoreCase)
              .findFirst()
              .orElseThrow(() -> fatal("unrecognized job reason value '" + name + "'")));
    }
    return reasons;
  }

  private List<String> hosts() throws CommandFailure {
    String text = last("nodelist");
    try {
      return text == null ? List.of() : HostList.parse(text).stream().toList();
    } catch (NotationException e) {
      throw error("Invalid node list: " + text);
    }
  }

  private List<String> flags() throws CommandFailure {
    List<String> flags = new ArrayList<>();
    for (String name : list("flags")) {
      String found = FLAGS.stream().filter(f -> f.equalsIgnoreCase(name)).findFirst().orElse(null);
      if (found == null) {
        throw error("str_2_job_flags: Invalid job flag " + name);
      }
      flags.add(found);
    }
    return flags;
  }

  private int[] range(String option, String wrong) throws CommandFailure {
    String text = last(option);
    if (text == null) {
      return new int[] {0, 0};
    }
    if (text.isEmpty()) {
      return new int[] {0, 0};
    }
    Matcher range = RANGE.matcher(text);
    if (!range.matches()) {
      throw error("Invalid numeric value \"" + text + "\" for requested " + wrong + ".");
    }
    if (range.group(1).length() > 10) {
      throw error(
          "Numeric argument (" + range.group(1) + ") too large for requested " + wrong + ".");
    }
    int least = scaled(range.group(1), range.group(2));
    int most = range.group(3) == null ? 0 : scaled(range.group(3), range.group(4));
    return new int[] {least, most};
  }

  private static int scaled(String digits, String unit) {
    long factor = unit.equalsIgnoreCase("k") ? 1024 : unit.equalsIgnoreCase("m") ? 1 << 20 : 1;
    long number = digits.length() > 9 ? Integer.MAX_VALUE : Long.parseLong(digits) * factor;
    return (int) Math.min(Integer.MAX_VALUE, number);
  }

  private long minutes(String option) throws CommandFailure {
    String text = last(option);
    if (text == null) {
      return 0;
    }
    try {
      return TimeLimits.parseMinutes(text);
    } catch (NotationException e) {
      throw fatal("Invalid time limit specification");
    }
  }

  private @Nullable Boolean wholeHet() throws CommandFailure {
    String text = last("whole-hetjob");
    if (text == null) {
      return null;
    }
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "", "yes", "y" -> true;
      case "no", "n" -> false;
      default ->
          throw error("Invalid --whole-hetjob value \"" + text + "\". Valid values: [yes|no].");
    };
  }
}
