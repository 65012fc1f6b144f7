package dev.yardmaster.controller;

import dev.yardmaster.engine.gate.Admittance;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.model.ArrayInfo;
import dev.yardmaster.model.Hold;
import dev.yardmaster.model.Identity;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.IndexSet;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobBatch;
import dev.yardmaster.model.JobOwner;
import dev.yardmaster.model.JobScript;
import dev.yardmaster.model.JobSubmission;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.Reason;
import dev.yardmaster.model.Reservation;
import dev.yardmaster.model.ReservationFlag;
import dev.yardmaster.model.SlurmError;
import dev.yardmaster.model.text.ArraySpec;
import dev.yardmaster.model.text.Dependency;
import dev.yardmaster.model.text.Instants;
import dev.yardmaster.model.text.MailTypes;
import dev.yardmaster.model.text.NotationException;
import dev.yardmaster.model.text.TimeLimits;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Turns what a user typed into a job: every option of sbatch(1) is known, each value is checked,
 * and the defaults of the cluster and the partition are applied.
 */
final class SubmissionReader {
  private static final int MAX_NICE = 2_147_483_645;
  private static final int MAX_TEXT = 4096;
  private static final Pattern SOMEBODY =
      Pattern.compile("([^:]+):([0-9]{1,9}):([^:]+):([0-9]{1,9})");
  private final ClusterState state;
  private final Settings settings;
  private final ZoneId zone;
  private final Instant now;

  SubmissionReader(ClusterState state, Settings settings, ZoneId zone, Instant now) {
    this.state = state;
    this.settings = settings;
    this.zone = zone;
    this.now = now;
  }

  /**
   * A job ready to be accepted.
   *
   * @param script null for a job without a batch script
   */
  record Read(Job job, @Nullable JobScript script, List<String> notices) {}

  /**
   * Reads a submission.
   *
   * @param id the id the job will have
   * @throws Refusal naming the option, its value and what would be right
   */
  Read read(JobSubmission submission, Identity by, int id) {
    OptionNames.check(submission.options().keySet());
    Options options = new Options(submission.options());
    List<String> notices = new ArrayList<>();
    checkWords(options, by);
    boolean batch = !submission.script().isEmpty() || options.has("wrap");
    Lengths.checkScript(submission.script(), state.config().scheduling());
    Lengths.checkLine(submission.submitLine(), state.config().scheduling());
    boolean external = options.has("external");
    if (external && batch) {
      throw new Refusal(
          SlurmError.INVALID_EXTERNAL_JOB,
          "\nnothing is launched for --external: leave the script out");
    }
    JobScript script = batch ? ScriptReader.read(submission, options) : null;
    AskedPartitions asked = new AskedPartitions(state);
    List<String> partitions = asked.names(options);
    Partition first = asked.partition(partitions.getFirst());
    long limit = options.minutes("time", defaultTime(first));
    long timeMin = options.minutes("time-min", 0);
    if (timeMin != 0 && limit != Partition.UNLIMITED && (timeMin < 0 || timeMin > limit)) {
      throw new Refusal(SlurmError.INVALID_TIME_MIN);
    }
    Instant begin = instant(options, "begin", null);
    Instant deadline =
        deadline(options, begin, timeMin != 0 ? timeMin : limit, options.has("time"));
    Dependency dependency = dependency(options, by);
    Hold hold = options.has("hold") ? Hold.USER : Hold.NONE;
    boolean later = begin != null && begin.isAfter(now);
    JobOwner owner = owner(options, forWhom(options, by), first.name());
    ArrayInfo array = array(options, id);
    Job job =
        Job.waiting(
                id,
                name(submission, options),
                owner,
                partitions,
                new RequestReader(
                        options, state, first, asked.leastNodes(partitions, owner), notices)
                    .read(),
                batchOf(submission, options, batch),
                limit,
                now)
            .with(
                j ->
                    j.array(array)
                        .comment(line(options, "comment"))
                        .dependency(dependency)
                        .timeMinMinutes(timeMin)
                        .begin(later ? begin : null)
                        .deadline(deadline)
                        .requeue(requeue(options))
                        .nice(nice(options, by))
                        .directPriority(directPriority(options, by))
                        .hold(hold)
                        .reason(firstReason(hold, dependency, later))
                        .priority(hold == Hold.NONE ? 1 : 0)
                        .eligible(hold != Hold.NONE || dependency != null || later ? null : now)
                        .accrues(null)
                        .limitOpen(!options.has("time") && first.defaultTimeMinutes() == null));
    Job inReservation = job.withReservation(reservation(options, by, job));
    return new Read(inReservation, withArray(script, job.array()), notices);
  }

  /** The extent of the whole array, which its single tasks do not know (sbatch(1)). */
  private static @Nullable JobScript withArray(
      @Nullable JobScript script, @Nullable ArrayInfo array) {
    if (script == null || array == null) {
      return script;
    }
    int[] tasks = array.waiting().stream().toArray();
    int step = tasks.length > 1 ? tasks[1] - tasks[0] : 1;
    for (int i = 1; i < tasks.length; i++) {
      step = tasks[i] - tasks[i - 1] == step ? step : 1;
    }
    TreeMap<String, String> environment = new TreeMap<>(script.environment());
    environment.put("SLURM_ARRAY_TASK_COUNT", Integer.toString(tasks.length));
    environment.put("SLURM_ARRAY_TASK_MIN", Integer.toString(tasks[0]));
    environment.put("SLURM_ARRAY_TASK_MAX", Integer.toString(tasks[tasks.length - 1]));
    environment.put("SLURM_ARRAY_TASK_STEP", Integer.toString(step));
    return new JobScript(script.script(), script.arguments(), Immutable.sortedMap(environment));
  }

  /** Options whose words are checked though the controller itself has no use for them. */
  private void checkWords(Options options, Identity by) {
    for (String option : List.of("uid", "gid")) {
      if (options.has(option) && !by.isRoot()) {
        throw new Refusal(SlurmError.COMMAND_LINE, "--" + option + " only permitted by root user");
      }
    }
    if (options.has("gid")) {
      throw new Refusal(SlurmError.NOT_SUPPORTED, "--gid is not supported yet");
    }
    String clusters = options.get("clusters");
    if (clusters != null && !clusters.equals(state.config().clusterName())) {
      throw new Refusal(
          SlurmError.COMMAND_VALUE,
          "'%s' can't be reached now, or it is an invalid entry for --cluster.  Use 'sacctmgr list clusters' to see available clusters."
              .formatted(clusters));
    }
    Lengths.check(options);
    options.oneOf("open-mode", "a", "append", "t", "truncate");
    options.oneOf("kill-on-invalid-dep", "yes", "no");
    String mail = options.get("mail-type");
    if (mail != null && MailTypes.parse(mail) == null) {
      throw options.invalid("mail-type", "it takes END, FAIL, ALL and the like");
    }
    StepOptions.check(options, state.config());
    boolean off = state.config().setting("PreemptMode").orElse("OFF").equalsIgnoreCase("OFF");
    if (off && options.text("signal", "").matches("[RB]*R[RB]*:.*")) {
      throw new Refusal(
          SlurmError.PREEMPTION_REQUIRED,
          "\n--signal=" + options.get("signal") + ": R needs PreemptMode in slurm.conf");
    }
  }

  private static long defaultTime(Partition partition) {
    Long given = partition.defaultTimeMinutes();
    return given != null ? given : partition.maxTimeMinutes();
  }

  private @Nullable Instant instant(Options options, String option, @Nullable Instant before) {
    String value = options.get(option);
    if (value == null) {
      return null;
    }
    try {
      return before == null
          ? Instants.parse(value, now, zone)
          : Instants.parseAfter(value, before, now, zone);
    } catch (NotationException e) {
      throw options.invalid(option, e.getMessage());
    }
  }

  private @Nullable Instant deadline(
      Options options, @Nullable Instant begin, long minutes, boolean limited) {
    Instant deadline = instant(options, "deadline", begin);
    if (deadline == null) {
      return null;
    }
    Instant earliest = begin == null || begin.isBefore(now) ? now : begin;
    if (limited && minutes != TimeLimits.UNLIMITED) {
      earliest = earliest.plusSeconds(60 * minutes);
    }
    if (!deadline.isAfter(now) || deadline.isBefore(earliest)) {
      boolean least = deadline.isAfter(now) && options.has("time-min");
      throw new Refusal(
          least ? SlurmError.INVALID_TIME_MIN : SlurmError.INVALID_TIME_LIMIT,
          "\n--deadline=" + options.get("deadline") + " leaves no time to run");
    }
    return deadline;
  }

  private @Nullable Dependency dependency(Options options, Identity by) {
    String value = options.get("dependency");
    return value == null || value.isEmpty() ? null : Dependencies.read(value, state, -1);
  }

  private @Nullable String reservation(Options options, Identity by, Job job) {
    String name = options.get("reservation");
    if (name == null || name.isEmpty()) {
      return null;
    }
    Reservation chosen = null;
    for (String one : name.split(",")) {
      Reservation reservation = usable(one, by, job);
      if (chosen == null || isSooner(reservation, chosen)) {
        chosen = reservation;
      }
    }
    return chosen == null ? null : chosen.name();
  }

  /** Of a list, a job uses the reservation that begins first. */
  private boolean isSooner(Reservation r, Reservation other) {
    return !other.isActive(now) && r.at(now).start().isBefore(other.at(now).start());
  }

  private Reservation usable(String name, Identity by, Job job) {
    Reservation reservation = state.reservations().get(name);
    if (reservation == null) {
      throw new Refusal(SlurmError.INVALID_RESERVATION, "\nno reservation is called " + name);
    }
    if (reservation.has(ReservationFlag.TIME_FLOAT)) {
      throw new Refusal(
          SlurmError.RESERVATION_ACCESS, "\nno job ever comes to the start of " + name);
    }
    if (!settings.isAdministrator(by) && !Admittance.admits(state, reservation, job.owner())) {
      throw new Refusal(SlurmError.RESERVATION_ACCESS, "\nreservation " + name);
    }
    return reservation;
  }

  private @Nullable ArrayInfo array(Options options, int id) {
    if ("".equals(options.get("array"))) {
      return null;
    }
    ArraySpec spec =
        options.read("array", null, SubmissionReader::arraySpec, SlurmError.INVALID_ARRAY);
    if (spec == null) {
      return null;
    }
    if (spec.tasks().last() >= settings.maxArraySize()) {
      throw new Refusal(
          SlurmError.INVALID_ARRAY,
          "\n--array=%s: the largest task is %d (MaxArraySize=%d)"
              .formatted(
                  options.get("array"), settings.maxArraySize() - 1, settings.maxArraySize()));
    }
    String most = state.config().scheduling().parameters().getOrDefault("max_array_tasks", "");
    if (most.matches("[0-9]{1,9}") && spec.tasks().size() > Integer.parseInt(most)) {
      throw new Refusal(
          SlurmError.INVALID_ARRAY,
          "\n--array=%s: %d tasks, at most %s are allowed (max_array_tasks)"
              .formatted(options.get("array"), spec.tasks().size(), most));
    }
    BitSet tasks = new BitSet();
    spec.tasks().stream().forEach(tasks::set);
    return new ArrayInfo(id, null, IndexSet.of(tasks), spec.throttle());
  }

  /** A negative limit is none, as Slurm reads it. */
  private static ArraySpec arraySpec(String text) {
    return ArraySpec.parse(text.replaceFirst("%-[0-9]+$", ""));
  }

  private static String name(JobSubmission submission, Options options) {
    String name = options.get("job-name");
    if (name == null) {
      String command = submission.command();
      String file = command.substring(command.lastIndexOf('/') + 1);
      String otherwise = options.has("external") ? "external" : "sbatch";
      name = !file.isEmpty() ? file : options.has("wrap") ? "wrap" : otherwise;
    }
    return limited(name, "job-name");
  }

  private static String line(Options options, String option) {
    return limited(options.text(option, ""), option);
  }

  private static String limited(String text, String option) {
    if (text.length() > MAX_TEXT) {
      throw new Refusal(
          SlurmError.COMMAND_VALUE,
          "--%s has %d characters, at most %d are allowed"
              .formatted(option, text.length(), MAX_TEXT));
    }
    return text;
  }

  /** Root submits for others with --uid, which the client resolves to USER:UID:GROUP:GID. */
  private static Identity forWhom(Options options, Identity by) {
    String user = options.get("uid");
    if (user == null) {
      return by;
    }
    Matcher parts = SOMEBODY.matcher(user);
    if (!parts.matches()) {
      throw options.invalid("uid", user + " is not USER:UID:GROUP:GID");
    }
    return new Identity(
        parts.group(1),
        Integer.parseInt(parts.group(2)),
        parts.group(3),
        Integer.parseInt(parts.group(4)));
  }

  private JobOwner owner(Options options, Identity by, String partition) {
    String enforced = state.config().setting("AccountingStorageEnforce").orElse("none");
    if (!enforced.equalsIgnoreCase("none") && !enforced.equals("0")) {
      if ("".equals(options.get("account"))) {
        throw new Refusal(SlurmError.INVALID_ACCOUNT, "\n--account: it has no name");
      }
      if ("".equals(options.get("qos"))) {
        throw new Refusal(SlurmError.INVALID_QOS, "\n--qos: it has no name");
      }
    }
    JobOwner asked =
        new JobOwner(
            by.user(),
            by.uid(),
            by.group(),
            by.gid(),
            line(options, "account"),
            line(options, "qos"),
            line(options, "wckey"));
    JobOwner charged = Owners.resolve(state, asked, partition, settings.isAdministrator(by));
    String wckey = WorkloadKeys.ofSubmission(state, charged.user(), charged.wckey());
    return new JobOwner(
        charged.user(),
        charged.uid(),
        charged.group(),
        charged.gid(),
        charged.account(),
        charged.qos(),
        wckey);
  }

  private static JobBatch batchOf(JobSubmission submission, Options options, boolean batch) {
    String mode = options.text("open-mode", "");
    return new JobBatch(
        batch,
        submission.command(),
        submission.submitLine(),
        options.text("chdir", submission.workDir()),
        line(options, "input"),
        line(options, "output"),
        line(options, "error"),
        mode.isEmpty() ? "" : mode.substring(0, 1).toLowerCase(java.util.Locale.ROOT),
        submission.submitHost(),
        options.text("signal", ""),
        options.text("kill-on-invalid-dep", "").toLowerCase(java.util.Locale.ROOT),
        shown(options));
  }

  /** What decides nothing and is only shown. */
  private static SortedMap<String, String> shown(Options options) {
    TreeMap<String, String> shown = new TreeMap<>();
    for (String option : OptionNames.SHOWN) {
      if (options.has(option)) {
        shown.put(option, line(options, option));
      }
    }
    if (shown.containsKey("delay-boot")) {
      shown.put(
          "delay-boot",
          Long.toString(Math.max(0, options.read("delay-boot", 0L, TimeLimits::requestSeconds))));
    }
    return shown;
  }

  private boolean requeue(Options options) {
    if (options.has("no-requeue")) {
      return options.has("requeue");
    }
    return options.has("requeue") || settings.jobRequeue();
  }

  private int nice(Options options, Identity by) {
    String value = options.get("nice");
    if (value == null) {
      return 0;
    }
    return Fields.nice(value.isEmpty() ? "100" : value, MAX_NICE, settings.isAdministrator(by));
  }

  /** A user's own --priority is taken and not used, as Slurm does. */
  private @Nullable Long directPriority(Options options, Identity by) {
    String value = options.get("priority");
    if (value == null || !settings.isAdministrator(by)) {
      return null;
    }
    if (!value.matches("[0-9]{1,10}") || Long.parseLong(value) > 0xFFFF_FFFDL) {
      throw new Refusal(
          SlurmError.COMMAND_LINE,
          "Invalid --priority specification\n--priority takes a number from 0 to 4294967293");
    }
    return Long.parseLong(value);
  }

  private static Reason firstReason(Hold hold, @Nullable Dependency dependency, boolean later) {
    if (hold != Hold.NONE) {
      return Reason.JOB_HELD_USER;
    }
    return later ? Reason.BEGIN_TIME : dependency != null ? Reason.DEPENDENCY : Reason.NONE;
  }
}
