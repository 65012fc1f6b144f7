package dev.yardmaster.cli;

import dev.yardmaster.client.ClientException;
import dev.yardmaster.client.SchedulerClient;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The commands of scontrol that change something. */
final class ScontrolChange {
  /** What is changed may be named by the first letters of its word, as in {@code part=main}. */
  private static final int SHORTEST_ENTITY = 3;

  private static final String ONE_PARTITION =
      "\nNote, unless nodes are directly requested a reservation must exist in a single partition."
          + "\nIf no partition is requested the default partition is assumed.";

  /** What Slurm says last of an update that it refuses. */
  private static final String ABORTED = "Request aborted";

  private static final List<String> KEYWORDS =
      List.of(
          "cancel_reboot",
          "create",
          "delete",
          "help",
          "hold",
          "ping",
          "reboot",
          "reconfigure",
          "release",
          "requeue",
          "requeuehold",
          "resume",
          "show",
          "shutdown",
          "suspend",
          "top",
          "uhold",
          "update",
          "version",
          "write");

  /** Commands that cannot read Slurm's answer about a job that is not there. */
  private static final Set<String> UNREADABLE = Set.of("suspend", "resume");

  private final @Nullable String cluster;
  private final Io io;

  /**
   * @param cluster what -M names; null when it was not given
   */
  ScontrolChange(@Nullable String cluster, Io io) {
    this.cluster = cluster;
    this.io = io;
  }

  /** A request to the controller. */
  @FunctionalInterface
  private interface Request {
    List<String> send(SchedulerClient client) throws ClientException;
  }

  int run(String keyword, List<String> words) throws CommandFailure {
    String word = keyword.toLowerCase(Locale.ROOT);
    if (Scontrol.is(word, "update", 1)) {
      return UpdateCheck.asWritten(words, () -> update(words));
    } else if (Scontrol.is(word, "create", 2)) {
      return create(words);
    } else if (Scontrol.is(word, "delete", 1)) {
      return delete(words);
    } else if (Scontrol.is(word, "hold", 4)) {
      return jobs("hold", words, true, (client, job) -> client.holdJobs(job, false));
    } else if (Scontrol.is(word, "uhold", 5)) {
      return jobs("uhold", words, true, (client, job) -> client.holdJobs(job, true));
    } else if (Scontrol.is(word, "release", 3)) {
      return jobs("release", words, true, SchedulerClient::releaseJobs);
    } else if (Scontrol.is(word, "requeue", 3)) {
      return requeue("requeue", words, false);
    } else if (Scontrol.is(word, "requeuehold", 8)) {
      return requeue("requeuehold", words, true);
    } else if (Scontrol.is(word, "top", 3)) {
      return top(words);
    } else if (Scontrol.is(word, "cancel_reboot", 5)) {
      return cancelReboot(words);
    } else if (Scontrol.is(word, "reboot", 3) || word.equals("reboot_nodes")) {
      return reboot(words);
    } else if (Scontrol.is(word, "suspend", 2)) {
      return jobs("suspend", words, false, (client, job) -> client.suspendJobs(job, false));
    } else if (Scontrol.is(word, "resume", 3)) {
      return jobs("resume", words, false, (client, job) -> client.suspendJobs(job, true));
    } else if (Scontrol.is(word, "reconfigure", 3)) {
      return reconfigure(words);
    }
    String near = Hint.nearest(word, KEYWORDS);
    throw new CommandFailure(
        1,
        "invalid keyword: " + keyword,
        Hint.of(
            (near == null ? "" : "is '" + near + "' meant? ")
                + "scontrol --help lists the commands"));
  }

  /** One word too many is ignored, and more are complained of, before the files are read. */
  private int reconfigure(List<String> words) throws CommandFailure {
    if (words.size() > 1) {
      io.err().println("too many arguments for keyword:reconfigure");
    }
    int exitCode = send(SchedulerClient::reconfigure, e -> "slurm_reconfigure error:" + e);
    return words.size() > 1 ? 1 : exitCode;
  }

  private int send(Request request, UnaryOperator<String> message) throws CommandFailure {
    try (SchedulerClient client = Session.open("scontrol", cluster, io)) {
      request.send(client).forEach(notice -> io.err().println("scontrol: " + notice));
      return 0;
    } catch (ClientException e) {
      throw failure(e, message);
    }
  }

  /**
   * The lines of a failure: what the command checks itself in Slurm comes as it is, everything else
   * behind the command's own words. A line of the controller's own comes before them.
   */
  static CommandFailure failure(ClientException e, UnaryOperator<String> message) {
    List<String> lines = new ArrayList<>();
    if (e instanceof ClientException.Refused refused) {
      List<String> detail =
          refused.detail() == null ? List.of() : refused.detail().lines().toList();
      String first = detail.isEmpty() ? "" : detail.getFirst();
      if (refused.name().equals("COMMAND_TASKS")) {
        return new CommandFailure(1, detail);
      }
      boolean own = refused.name().startsWith("COMMAND_");
      boolean before = first.startsWith("error: ");
      if (before) {
        lines.add("scontrol: " + first);
      }
      lines.add(own && !first.isEmpty() ? first : message.apply(refused.slurmText()));
      if (!own && !before && !first.isEmpty()) {
        lines.add(Hint.of(first));
      }
      detail.stream().skip(1).forEach(line -> lines.add(Hint.of(line)));
    } else {
      lines.add(message.apply(Session.words(e)));
    }
    return new CommandFailure(1, lines);
  }

  /** Does something with each job by itself, so that one that fails does not keep the others. */
  private int jobs(String keyword, List<String> words, boolean twice, JobRequest request)
      throws CommandFailure {
    if (words.isEmpty()) {
      throw new CommandFailure(1, "too few arguments for keyword:" + keyword);
    }
    int exitCode = 0;
    try (SchedulerClient client = Session.open("scontrol", cluster, io)) {
      for (String word : words) {
        for (String job : NamedJobs.listed(keyword, word, client)) {
          try {
            request.send(client, job).forEach(n -> io.err().println("scontrol: " + n));
          } catch (ClientException e) {
            CommandFailure failure =
                failure(e, text -> words(text, job, UNREADABLE.contains(keyword)));
            failure.lines().forEach(this::complain);
            if (twice && job.indexOf('_') < 0 && !ofTasks(e)) {
              complain("slurm_suspend error:" + Session.words(e));
            }
            exitCode = 1;
          }
        }
      }
    }
    return exitCode;
  }

  private static boolean ofTasks(ClientException e) {
    return e instanceof ClientException.Refused refused && refused.name().equals("COMMAND_TASKS");
  }

  /** What is said of one job: of tasks before, of whole jobs behind. */
  private static String words(String text, String job, boolean unreadable) {
    int task = job.indexOf('_');
    if (task > 0) {
      String tasks = job.substring(task + 1);
      return job.substring(0, task + 1)
          + (tasks.startsWith("[") ? tasks : "[" + tasks + "]")
          + ": "
          + text;
    }
    boolean gone = text.equals("Invalid job id specified") && job.matches("[0-9]+");
    return (gone && unreadable ? "Unexpected message received" : text) + " for job " + job;
  }

  /**
   * Options stand before the jobs: Incomplete, which may be shortened, and State=SpecialExit. The
   * first word that is neither is a job, as are all behind it.
   */
  private int requeue(String keyword, List<String> words, boolean hold) throws CommandFailure {
    if (words.isEmpty()) {
      throw new CommandFailure(1, "too few arguments for keyword:" + keyword);
    }
    List<String> options =
        words.stream()
            .map(word -> word.toLowerCase(Locale.ROOT))
            .takeWhile(w -> "incomplete".startsWith(w) || w.matches("state=(se|specialexit).*"))
            .toList();
    boolean incomplete = options.stream().anyMatch("incomplete"::startsWith);
    // Without a hold there is no state to be held in, and Slurm reads over the word.
    boolean special = hold && options.stream().anyMatch(word -> word.startsWith("state="));
    List<String> jobs = words.subList(options.size(), words.size());
    return jobs.isEmpty()
        ? 0
        : jobs(
            keyword,
            jobs,
            false,
            (client, job) -> client.requeueJobs(job, hold, special, incomplete));
  }

  /** Their order matters, so the jobs go in one request. */
  private int top(List<String> words) throws CommandFailure {
    if (words.isEmpty()) {
      throw new CommandFailure(1, "too few arguments for keyword:top");
    }
    String jobs = String.join(",", words);
    return send(client -> client.topJobs(jobs), text -> text + " for job " + jobs);
  }

  @FunctionalInterface
  private interface JobRequest {
    List<String> send(SchedulerClient client, String job) throws ClientException;
  }

  private void complain(String line) {
    if (!Hint.is(line) || io.interactive()) {
      io.err().println(Hint.text(line));
    }
  }

  /** What a reboot may leave a node in. */
  private static final Set<String> NEXT_STATES = Set.of("DOWN", "RESUME");

  private int cancelReboot(List<String> words) throws CommandFailure {
    if (words.isEmpty()) {
      throw new CommandFailure(1, "missing argument for keyword:cancel_reboot");
    }
    return send(
        client -> client.updateNodes(String.join(",", words), Map.of("state", "CANCEL_REBOOT")),
        text -> "slurm_update error: " + text);
  }

  /** ASAP, nextstate= and reason= stand before the nodes. */
  private int reboot(List<String> words) throws CommandFailure {
    Map<String, String> fields = new LinkedHashMap<>(Map.of("state", "REBOOT"));
    List<String> nodes = new ArrayList<>();
    for (String word : words) {
      String option = word.toLowerCase(Locale.ROOT);
      String value = word.substring(word.indexOf('=') + 1);
      if (nodes.isEmpty() && option.equals("asap")) {
        fields.put("state", "REBOOT_ASAP");
      } else if (nodes.isEmpty() && option.startsWith("nextstate=")) {
        if (!NEXT_STATES.contains(value.toUpperCase(Locale.ROOT))) {
          throw new CommandFailure(1, "Invalid state: " + value + "\n Valid states: DOWN, RESUME");
        }
        fields.put("nextstate", value);
      } else if (nodes.isEmpty() && option.startsWith("reason=")) {
        fields.put("reason", value);
      } else {
        nodes.add(word);
      }
    }
    if (nodes.isEmpty()) {
      throw new CommandFailure(1, "Missing node list. Specify ALL|<NodeList>");
    }
    if (nodes.size() > 1) {
      throw new CommandFailure(1, "Multiple node lists specified");
    }
    return send(
        client -> client.updateNodes(String.join(",", nodes), fields),
        text ->
            "scontrol_reboot_nodes error:"
                + (text.startsWith("Invalid user id") ? "Permission denied" : text));
  }

  private int update(List<String> words) throws CommandFailure {
    if (words.isEmpty()) {
      throw new CommandFailure(1, "too few arguments for update keyword");
    }
    // A reservation has fields that stand without a value, such as skip.
    boolean reservation = fields(words).keySet().stream().anyMatch(ScontrolChange::isReservation);
    Map<String, String> fields = fields(reservation ? words : UpdateCheck.pairs(words));
    String job = NamedJobs.of(take(fields, "jobid", "job"), fields, cluster, io);
    String node = take(fields, "nodename", "node", "nodes");
    // Jobs and reservations have a field "partition" too, so it names what is updated only alone.
    if (job != null) {
      Map<String, String> changes = JobFieldNames.whole(fields);
      FieldCheck.user(changes.remove("userid"), io.machine());
      UpdateCheck.checkChanges(changes);
      FieldCheck.known(changes, words);
      FieldCheck.job(changes, io.clock().instant(), io.zone());
      return updateJobs(job, changes);
    } else if (reservation) {
      if (node != null) {
        fields.put("nodes", node);
      }
      FieldCheck.reservation(fields, "update", io.clock().instant(), io.zone());
      UpdateCheck.checkCounts(fields);
      UpdateCheck.checkReservationFlags(fields, "update");
      ReservationPeople people = new ReservationPeople(cluster, io, "slurm_update error: ");
      people.checkUsers(fields, "Invalid user id");
      people.checkGroups(fields);
      send(client -> client.saveReservation(false, fields), text -> "slurm_update error: " + text);
      io.out().println("Reservation updated.");
      return 0;
    } else if (node != null) {
      if (fields.containsKey("partition") || fields.containsKey("partitionname")) {
        // scontrol update partition=x nodes=…: the nodes are a field of the partition.
        fields.put("nodes", node);
      } else {
        UpdateCheck.checkChanges(fields);
        Map<String, String> changes = NodeFields.of(fields);
        UpdateCheck.checkNodes(changes);
        return send(
            client -> client.updateNodes(node, changes), text -> "slurm_update error: " + text);
      }
    }
    String partition = take(fields, "partitionname", "partition");
    if (partition == null) {
      throw new CommandFailure(
          1,
          "No valid entity in update command",
          "Input line must include \"NodeName\", \"PartitionName\", \"Reservation\", \"JobId\", or"
              + " \"SlurmctldDebug\"");
    }
    if (fields.isEmpty()) {
      throw new CommandFailure(1, "scontrol: error: No changes specified");
    }
    FieldCheck.partition(fields);
    UpdateCheck.checkPartition(fields);
    return send(
        client -> client.updatePartition(partition, fields), text -> "slurm_update error: " + text);
  }

  private int updateJobs(String jobs, Map<String, String> fields) throws CommandFailure {
    int exitCode = 0;
    try (SchedulerClient client = Session.open("scontrol", cluster, io)) {
      for (String job : JobIds.split(jobs)) {
        try {
          List<String> refused = client.updateJobs(job, fields);
          refused.forEach(this::complain);
          exitCode = refused.isEmpty() ? exitCode : 1;
        } catch (ClientException.Refused e) {
          failure(e, text -> words(text, job, false)).lines().stream()
              .filter(line -> !Hint.text(line).equals(ABORTED))
              .forEach(this::complain);
          if (e.name().startsWith("COMMAND_") && !e.name().equals("COMMAND_TASKS")) {
            complain(ABORTED);
          }
          exitCode = 1;
        } catch (ClientException e) {
          throw failure(e, text -> "slurm_update error: " + text);
        }
      }
    }
    return exitCode;
  }

  private int create(List<String> words) throws CommandFailure {
    if (words.isEmpty()) {
      throw new CommandFailure(1, "too few arguments for create keyword");
    }
    Map<String, String> fields = fields(words);
    String name = take(fields, "reservationname", "reservation");
    boolean reservation = name != null;
    if (name != null) {
      fields.put("reservationname", name);
    }
    String partition = reservation ? null : take(fields, "partitionname", "partition");
    if (partition != null) {
      FieldCheck.partition(fields);
      UpdateCheck.checkPartition(fields);
      return send(
          client -> client.createPartition(partition, fields),
          text -> "Error creating the partition: " + text);
    }
    if (!reservation) {
      throw new CommandFailure(1, "scontrol: error: Invalid creation entity: " + words.getFirst());
    }
    alias(fields, "reservation", "reservationname");
    FieldCheck.reservation(fields, "created", io.clock().instant(), io.zone());
    UpdateCheck.checkReservation(fields, io.clock().instant(), io.zone());
    ReservationPeople people =
        new ReservationPeople(cluster, io, "Error creating the reservation: ");
    people.checkUsers(fields, "Unspecified error");
    people.checkGroups(fields);
    send(
        client -> {
          List<String> notices = client.saveReservation(true, fields);
          io.out().println("Reservation created: " + created(notices, fields));
          return List.of();
        },
        text ->
            "Error creating the reservation: "
                + text
                + (text.equals("Requested nodes are busy") && !fields.containsKey("nodes")
                    ? ONE_PARTITION
                    : ""));
    return 0;
  }

  /** The name given, or the one that the controller made up and gives as its first notice. */
  private static String created(List<String> notices, Map<String, String> fields) {
    String name = fields.getOrDefault("reservationname", "");
    return name.isEmpty() && !notices.isEmpty()
        ? notices.getFirst().replaceFirst("^Reservation created: ", "")
        : name;
  }

  private int delete(List<String> words) throws CommandFailure {
    if (words.isEmpty()) {
      throw new CommandFailure(1, "too few arguments for delete keyword");
    }
    if (words.size() == 1 && words.getFirst().indexOf('=') < 0) {
      throw new CommandFailure(
          1, "scontrol: error: Proper format is 'delete <ENTITY>=<ID>' or 'delete <ENTITY> <ID>'");
    }
    Map<String, String> fields =
        fields(
            words.size() == 2 && words.getFirst().indexOf('=') < 0
                ? List.of(words.getFirst() + "=" + words.get(1))
                : words);
    String partition = take(fields, "partitionname", "partition");
    if (partition != null) {
      return send(
          client -> client.deletePartition(partition),
          text -> "delete_partition " + words.getFirst() + ": " + text);
    }
    String name = take(fields, "reservationname", "reservation");
    if (name == null) {
      throw new CommandFailure(1, "Invalid deletion entity: " + words.getFirst());
    }
    return send(
        client -> client.deleteReservation(name),
        text -> "delete_reservation " + words.getFirst() + ": " + text);
  }

  /** Splits {@code key=value} at the first "="; a word without one is a field without a value. */
  static Map<String, String> fields(List<String> words) {
    Map<String, String> fields = new LinkedHashMap<>();
    for (String word : words) {
      int equals = word.indexOf('=');
      String key = equals < 0 ? word : word.substring(0, equals);
      if (key.endsWith("+") || key.endsWith("-")) {
        // Flags+=X adds to a list; the sign belongs to the value.
        fields.put(
            key.substring(0, key.length() - 1).toLowerCase(Locale.ROOT),
            key.charAt(key.length() - 1) + "=" + word.substring(equals + 1));
      } else {
        fields.put(key.toLowerCase(Locale.ROOT), equals < 0 ? "" : word.substring(equals + 1));
      }
    }
    return fields;
  }

  private static @Nullable String take(Map<String, String> fields, String... keys) {
    for (String key : keys) {
      String value = fields.remove(key);
      if (value != null) {
        return value;
      }
    }
    for (String key : List.copyOf(fields.keySet())) {
      if (key.length() >= SHORTEST_ENTITY && keys[0].startsWith(key)) {
        return fields.remove(key);
      }
    }
    return null;
  }

  private static boolean isReservation(String key) {
    return key.length() >= SHORTEST_ENTITY && "reservationname".startsWith(key);
  }

  private static void alias(Map<String, String> fields, String from, String to) {
    String value = fields.remove(from);
    // The bare word of "create reservation ReservationName=x" has no value and takes none away.
    if (value != null && (!value.isEmpty() || !fields.containsKey(to))) {
      fields.put(to, value);
    }
  }
}
