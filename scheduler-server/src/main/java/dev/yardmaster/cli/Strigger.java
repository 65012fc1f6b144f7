package dev.yardmaster.cli;

import dev.yardmaster.client.ClientException;
import dev.yardmaster.client.Credential;
import dev.yardmaster.client.SchedulerClient;
import dev.yardmaster.model.Trigger;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** strigger(1): programs that the controller starts when something happens. */
final class Strigger implements Command {
  private static final List<String> TABLE =
      List.of(
          "a primary_slurmctld_failure",
          "A primary_slurmctld_resumed_operation",
          "b primary_slurmctld_resumed_control",
          "B backup_slurmctld_failure",
          "c backup_slurmctld_resumed_operation",
          "C backup_slurmctld_assumed_control",
          "d down",
          "D drained",
          "e primary_slurmctld_acct_buffer_full",
          "f fini",
          "F fail",
          "g primary_slurmdbd_failure",
          "G primary_slurmdbd_resumed_operation",
          "h primary_database_failure",
          "H primary_database_resumed_operation",
          "i id:",
          "I idle",
          "j jobid:",
          "M clusters|cluster:",
          "n node::",
          "N noheader",
          "o offset:",
          "p program:",
          "Q quiet",
          "r reconfig",
          "t time",
          "u up",
          "v verbose",
          "V version",
          "burst_buffer",
          "clear",
          "draining",
          "flags:",
          "get",
          "help",
          "R resume",
          "set",
          "usage",
          "user:");

  /** What is looked for with {@code --get} on nodes alone. */
  private static final List<String> OF_NODES =
      List.of("down", "drained", "draining", "fail", "idle", "resume", "up");

  @Override
  public int run(List<String> arguments, Io io) throws CommandFailure {
    GetOpt.Parsed parsed = new GetOpt("strigger", 1, false, TABLE).parse(arguments);
    if (Usage.answers(
        parsed,
        """
        Usage: strigger --set WHAT... --program=PROGRAM
               strigger --get [OPTION...]
               strigger --clear --id=ID|--jobid=ID|--user=NAME
        Sets, lists and clears programs that the controller starts when something happens.
        """,
        "strigger(1)",
        TABLE,
        null,
        io)) {
      return 0;
    }
    String job = job(parsed.last("jobid"));
    String user = user(parsed.last("user"), io);
    String flags = parsed.last("flags");
    if (flags != null && !flags.toLowerCase(Locale.ROOT).startsWith("perm")) {
      throw error("Invalid flags " + flags);
    }
    SortedSet<String> kinds = new TreeSet<>();
    parsed.options().stream()
        .map(GetOpt.Given::name)
        .filter(Trigger.KINDS::contains)
        .forEach(kinds::add);
    check(parsed, kinds, job, io);
    try (SchedulerClient client = Session.open("strigger", parsed.last("cluster"), io)) {
      if (parsed.has("set")) {
        return set(client, parsed, kinds, job);
      }
      return parsed.has("get")
          ? get(client, parsed, kinds, job, user, io)
          : clear(client, parsed, job, user);
    }
  }

  private static CommandFailure error(String text) {
    return new CommandFailure(1, "strigger: error: " + text);
  }

  private static String job(@Nullable String text) throws CommandFailure {
    if (text == null) {
      return "";
    }
    String digits = text.strip().replaceFirst("[^0-9].*$", "");
    if (digits.isEmpty() || digits.matches("0+") || digits.length() > 9) {
      throw error("Invalid jobid " + text);
    }
    return Integer.toString(Integer.parseInt(digits));
  }

  private static String user(@Nullable String name, Io io) throws CommandFailure {
    if (name == null) {
      return "";
    }
    Credential user = io.machine().find(name);
    if (user == null) {
      throw error("Invalid user " + name);
    }
    return user.user();
  }

  private static void check(GetOpt.Parsed parsed, SortedSet<String> kinds, String job, Io io)
      throws CommandFailure {
    long modes = List.of("set", "get", "clear").stream().filter(parsed::has).count();
    if (modes != 1) {
      throw error("You must use exactly one of the following options: --set, --get or --clear");
    }
    if (parsed.has("clear")
        && number(parsed.last("id")) == 0
        && job.isEmpty()
        && !parsed.has("user")) {
      throw error("You must specify a --id, --jobid, or --user to clear");
    }
    if (parsed.has("set") && kinds.isEmpty()) {
      throw error("You must specify a trigger");
    }
    String program = parsed.last("program");
    if (parsed.has("set") && program == null) {
      throw error("You must specify a --program value");
    }
    if (job.isEmpty() && (kinds.contains("fini") || kinds.contains("time"))) {
      throw error("You must specify a --jobid value");
    }
    if (program == null) {
      return;
    }
    if (!program.startsWith("/")) {
      throw error("The --program value must start with \"/\"");
    }
    if (!io.machine().exists(Path.of(program.replaceFirst("\\s.*", "")))) {
      throw error("Invalid --program value, file not found");
    }
  }

  /** As atoi(3) reads it. */
  private static int number(@Nullable String text) {
    String digits = text == null ? "" : text.strip().replaceFirst("^([-+]?[0-9]{0,9}).*$", "$1");
    return digits.matches("[-+]?[0-9]+") ? Integer.parseInt(digits) : 0;
  }

  private static int set(
      SchedulerClient client, GetOpt.Parsed parsed, SortedSet<String> kinds, String job)
      throws CommandFailure {
    Trigger.Resource of = Trigger.Resource.NODE;
    String node = parsed.last("node");
    String resource = node == null || node.isEmpty() ? "*" : node;
    if (!job.isEmpty()) {
      of = Trigger.Resource.JOB;
      resource = job;
    } else if (kinds.contains("burst_buffer")) {
      of = Trigger.Resource.OTHER;
      resource = "";
    }
    for (Trigger.Resource other :
        List.of(Trigger.Resource.SLURMCTLD, Trigger.Resource.SLURMDBD, Trigger.Resource.DATABASE)) {
      of = kinds.stream().anyMatch(kind -> kind.contains("_" + other + "_")) ? other : of;
    }
    Trigger trigger =
        new Trigger(
            0,
            of,
            resource,
            kinds,
            number(parsed.last("offset")),
            "",
            parsed.has("flags"),
            String.valueOf(parsed.last("program")));
    try {
      client.triggers("set", trigger.fields());
      return 0;
    } catch (ClientException e) {
      throw new CommandFailure(1, "slurm_set_trigger: " + Session.words(e));
    }
  }

  private static int clear(SchedulerClient client, GetOpt.Parsed parsed, String job, String user)
      throws CommandFailure {
    Map<String, String> which = new TreeMap<>();
    int id = number(parsed.last("id"));
    if (id != 0) {
      which.put("id", Integer.toString(id));
    }
    if (!job.isEmpty()) {
      which.put("job", job);
    }
    if (!user.isEmpty()) {
      which.put("user", user);
    }
    try {
      client.triggers("clear", which);
    } catch (ClientException e) {
      if (!parsed.has("quiet")) {
        throw new CommandFailure(1, "slurm_clear_trigger: " + Session.words(e));
      }
    }
    return 0;
  }

  private static int get(
      SchedulerClient client,
      GetOpt.Parsed parsed,
      SortedSet<String> kinds,
      String job,
      String user,
      Io io)
      throws CommandFailure {
    List<Trigger> all = new ArrayList<>();
    try {
      client.triggers("get", Map.of()).forEach(line -> all.add(Trigger.parse(line)));
    } catch (ClientException e) {
      throw new CommandFailure(1, "slurm_get_triggers: " + Session.words(e));
    }
    if (parsed.has("verbose")) {
      io.err().println("strigger: Read " + all.size() + " trigger records");
    }
    int id = number(parsed.last("id"));
    boolean head = !parsed.has("noheader");
    for (Trigger trigger : all) {
      boolean wanted =
          kinds.stream().allMatch(kind -> isOf(trigger, kind))
              && (!parsed.has("node") || trigger.of() == Trigger.Resource.NODE)
              && (id == 0 || id == trigger.id())
              && (user.isEmpty() || user.equals(trigger.user()))
              && (job.isEmpty()
                  || trigger.of() == Trigger.Resource.JOB && trigger.resource().equals(job));
      if (wanted) {
        if (head) {
          io.out()
              .println(
                  "TRIG_ID RES_TYPE   RES_ID TYPE                                OFFSET USER    "
                      + " FLAGS PROGRAM");
          head = false;
        }
        io.out().println(line(trigger));
      }
    }
    return 0;
  }

  private static boolean isOf(Trigger trigger, String kind) {
    boolean known = !kind.equals("reconfig") && !kind.equals("burst_buffer");
    boolean node = !OF_NODES.contains(kind) || trigger.of() == Trigger.Resource.NODE;
    return !known && !kind.equals("burst_buffer")
        || node && trigger.kinds().size() == 1 && trigger.kinds().contains(kind);
  }

  private static String line(Trigger t) {
    return "%7d %-9s %7s %-35s %6d %-8s %-5s %s"
        .formatted(
            t.id(),
            t.of(),
            t.resource().isEmpty() ? JobFacts.NULL : t.resource(),
            t.kinds().size() == 1 ? t.kinds().first() : "unknown",
            t.offset(),
            t.user(),
            t.permanent() ? "PERM" : "",
            t.program());
  }
}
