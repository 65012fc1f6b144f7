package dev.yardmaster.cli;

import dev.yardmaster.client.ClientException;
import dev.yardmaster.client.ClusterView;
import dev.yardmaster.client.SchedulerClient;
import dev.yardmaster.client.Selection;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.Node;
import dev.yardmaster.model.NodeUse;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.Reservation;
import dev.yardmaster.model.text.HostList;
import dev.yardmaster.model.text.JobId;
import dev.yardmaster.model.text.NotationException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** scontrol show. */
final class ScontrolShow {
  private static final List<String> DATA =
      List.of(
          "jobs",
          "jobid",
          "nodes",
          "nodename",
          "partitions",
          "partitionname",
          "reservations",
          "reservationname",
          "licenses",
          "steps",
          "config");

  private static final List<String> ENTITIES =
      List.of(
          "aliases",
          "config",
          "daemons",
          "hostlist",
          "hostlistsorted",
          "hostnames",
          "job",
          "licenses",
          "node",
          "partition",
          "reservation",
          "step",
          "topology");

  private final boolean oneLine;
  private final boolean detail;
  private final boolean future;
  private final boolean hidden;
  private final @Nullable String cluster;
  private final GetOpt.Parsed options;
  private final List<String> command;
  private final boolean data;
  private final boolean yaml;
  private final Io io;

  ScontrolShow(GetOpt.Parsed options, Io io) {
    this.cluster = options.last("cluster");
    this.oneLine = options.has("oneliner");
    this.detail = options.has("details");
    this.hidden = options.has("all");
    this.future = options.has("future") || io.variable("SCONTROL_FUTURE") != null;
    this.options = options;
    this.command = DataDocument.command("scontrol", options);
    this.data = DataDocument.isAsked(options);
    this.yaml = options.has("yaml");
    this.io = io;
  }

  int run(List<String> words) throws CommandFailure {
    if (words.isEmpty()) {
      throw new CommandFailure(1, "too few arguments for keyword:show");
    }
    String entity = words.getFirst().toLowerCase(Locale.ROOT);
    checkCount(entity, words.size());
    String name = words.size() > 1 ? words.get(1) : null;
    int equals = entity.indexOf('=');
    if (equals > 0) {
      name = words.getFirst().substring(equals + 1);
      entity = entity.substring(0, equals);
    }
    boolean noHosts = name == null && io.nonEmpty("SLURM_JOB_NODELIST") == null;
    if (noHosts && Scontrol.is(entity, "hostnames", 5)) {
      io.err().println("scontrol: error: host list is empty");
      return 0;
    } else if (name == null
        && (Scontrol.is(entity, "hostlist", 5) || Scontrol.is(entity, "hostlistsorted", 9))) {
      throw new CommandFailure(1, "invalid encode argument");
    } else if (Scontrol.is(entity, "hostnames", 5)) {
      return hostNames(name, "\n");
    } else if (entity.equals("hostnamestr")) {
      return hostNames(name, ",");
    } else if (Scontrol.is(entity, "hostlist", 5)) {
      io.out().println(HostList.of(hosts(name).expand()));
      return 0;
    } else if (Scontrol.is(entity, "hostlistsorted", 9)) {
      io.out().println(HostList.fold(hosts(name).expand()));
      return 0;
    }
    try (SchedulerClient client = Session.open("scontrol", cluster, io)) {
      if (Scontrol.is(entity, "topology", 1)) {
        topology(client, words.subList(1, words.size()));
        return 0;
      }
      if (Scontrol.is(entity, "assoc_mgr", 2) || Scontrol.is(entity, "cache", 2)) {
        return new AssocMgr(oneLine, io).show(client, words.subList(1, words.size()));
      }
      return controllerEntity(client, entity, name);
    } catch (ClientException e) {
      throw new CommandFailure(1, loadError(entity) + " error: " + Session.words(e));
    }
  }

  /** Most things are shown by one name at most. */
  private static void checkCount(String entity, int words) throws CommandFailure {
    boolean several =
        Scontrol.is(entity, "assoc_mgr", 2)
            || Scontrol.is(entity, "bbstat", 2)
            || Scontrol.is(entity, "dwstat", 2)
            || Scontrol.is(entity, "topology", 4);
    if (words > (Scontrol.is(entity, "daemons", 1) ? 1 : 2) && !several) {
      throw new CommandFailure(1, "too many arguments for keyword:show");
    }
  }

  /** Slurm's exit code is 0 whatever it finds. */
  private void topology(SchedulerClient client, List<String> words)
      throws ClientException, CommandFailure {
    TopologyText.Lines found = TopologyText.of(client.topologies(), TopologyText.Asked.of(words));
    if (found == null) {
      io.err().println("slurm_load_topo error: Requested topology configuration is not available");
      return;
    }
    found.lines().forEach(io.out()::println);
    if (!found.error().isEmpty()) {
      io.err().println("scontrol: error: " + found.error());
    }
  }

  private static String loadError(String entity) {
    return switch (entity.charAt(0)) {
      case 'n' -> "slurm_load_node";
      case 'p' -> "slurm_load_partitions";
      case 'r' -> "slurm_load_reservations";
      case 'c' -> "slurm_load_ctl_conf";
      default -> "slurm_load_jobs";
    };
  }

  private int controllerEntity(SchedulerClient client, String entity, @Nullable String name)
      throws ClientException, CommandFailure {
    if (data && DATA.stream().anyMatch(known -> Scontrol.is(entity, known, 1))) {
      DataDocument.check("scontrol", options, Scontrol.is(entity, "partitions", 2) ? 255 : 1, io);
    }
    if (Scontrol.is(entity, "jobs", 1) || entity.equals("jobid")) {
      jobs(client, name);
    } else if (Scontrol.is(entity, "nodes", 1) || entity.equals("nodename")) {
      nodes(client, name);
    } else if (Scontrol.is(entity, "partitions", 2) || entity.equals("partitionname")) {
      partitions(client, name);
    } else if (Scontrol.is(entity, "reservations", 1) || entity.equals("reservationname")) {
      reservations(client, name);
    } else if (Scontrol.is(entity, "config", 1)) {
      config(client);
    } else if (Scontrol.is(entity, "licenses", 2)) {
      if (data) {
        new ScontrolData(yaml, command, io).licenses(client, name);
      } else {
        Licenses.show(client, name, oneLine, io);
      }
    } else if (Scontrol.is(entity, "steps", 2) || entity.equals("stepid")) {
      List<String> texts = new StepText(oneLine, io).show(client, name);
      if (data) {
        new ScontrolData(yaml, command, io).steps(client, name);
      } else {
        texts.forEach(this::print);
      }
    } else if (Scontrol.is(entity, "daemons", 1)) {
      daemons(client);
    } else if (Scontrol.is(entity, "aliases", 1)) {
      String host = name == null ? Submissions.hostName() : name;
      String aliases =
          client.read(Selection.NODES).nodes().values().stream()
              .filter(node -> node.spec().hostname().equals(host))
              .map(Node::name)
              .collect(Collectors.joining(" "));
      if (!aliases.isEmpty()) {
        io.out().println(aliases);
      }
    } else if (Scontrol.is(entity, "topoconf", 5)
        || Scontrol.is(entity, "burstbuffer", 2)
        || entity.equals("bb")
        || Scontrol.is(entity, "federations", 1)) {
      // There are none: nothing is printed.
      return 0;
    } else if (entity.equals("bbstat") || entity.equals("dwstat")) {
      return 0;
    } else {
      String near = Hint.nearest(entity, ENTITIES);
      throw new CommandFailure(
          1,
          "invalid entity:" + entity + " for keyword:show",
          Hint.of(
              near == null
                  ? "there are " + String.join(", ", ENTITIES)
                  : "is '" + near + "' meant?"));
    }
    return 0;
  }

  private void print(ClusterView view, DataDocument.Body body) {
    DataDocument.print(yaml, command, view, io, body);
  }

  private void print(String text) {
    io.out().println(text);
    if (!oneLine) {
      io.out().println();
    }
  }

  private void jobs(SchedulerClient client, @Nullable String name)
      throws ClientException, CommandFailure {
    List<String> ids = name == null ? List.of() : List.of(name);
    if (name != null) {
      try {
        if (!JobId.parse(name).withoutStep().toString().equals(name)) {
          throw new CommandFailure(1, "scontrol_print_job error: Invalid job id specified");
        }
      } catch (NotationException e) {
        throw new CommandFailure(1, "scontrol_print_job error: Invalid job id specified");
      }
    }
    Selection jobsAsked = Selection.of(Selection.Jobs.ALL).withPartitions();
    ClusterView view =
        client.read((detail || data ? jobsAsked.withNodes() : jobsAsked).onlyJobs(ids));
    if (view.jobs().isEmpty()) {
      if (name != null) {
        String whole = name.replaceFirst("[_+].*", "");
        boolean part =
            !whole.equals(name)
                && !client.read(jobsAsked.onlyJobs(List.of(whole))).jobs().isEmpty();
        throw new CommandFailure(
            1,
            part
                ? "Job " + name + " not found"
                : "slurm_load_jobs error: Invalid job id specified");
      }
      if (!data) {
        io.out().println("No jobs in the system");
        return;
      }
    }
    Instant now = io.clock().instant();
    if (data) {
      List<JobFacts> rows = new ArrayList<>();
      view.jobs().values().forEach(job -> rows.add(new JobFacts(job, now, io.zone())));
      rows.sort(Comparator.comparingInt(row -> row.job().id()));
      ToIntFunction<Job> associations = Squeue.associations(client, true);
      print(view, document -> JobJson.write(document, view, rows, associations));
      return;
    }
    JobText text = new JobText(new TresText(view), oneLine, detail);
    List<Job> jobs = new ArrayList<>(view.jobs().values());
    Map<Integer, Integer> places = JobOrder.places(jobs, name != null);
    jobs.sort(
        Comparator.comparingInt((Job job) -> places.getOrDefault(job.id(), 0))
            .thenComparingInt(Job::id));
    jobs.forEach(job -> print(text.of(new JobFacts(job, now, io.zone()))));
  }

  private void nodes(SchedulerClient client, @Nullable String name)
      throws ClientException, CommandFailure {
    ClusterView view = client.read(Selection.NODES);
    // Nodes that the cluster may have one day are told of to whom asks for them.
    List<NodeUse> uses =
        NodeUse.of(
            NodeFilter.visible(view.nodes().values(), future),
            view.jobs().values(),
            view.reservations().values(),
            io.clock().instant());
    if (data) {
      List<String> named =
          name == null || name.equalsIgnoreCase("ALL") ? null : hosts(name).expand();
      List<NodeUse> shown =
          uses.stream().filter(u -> named == null || named.contains(u.node().name())).toList();
      print(view, document -> new EntityJson(view).nodes(document, shown));
      return;
    }
    NodeText text = new NodeText(view, io.zone(), oneLine, detail);
    if (name == null || name.equalsIgnoreCase("ALL")) {
      uses.forEach(use -> print(text.of(use)));
      return;
    }
    Map<String, NodeUse> byName = new HashMap<>();
    uses.forEach(use -> byName.put(use.node().name(), use));
    boolean missing = false;
    for (String node : hosts(name)) {
      NodeUse use = byName.get(node);
      if (use == null) {
        io.out().println("Node " + node + " not found");
        missing = true;
      } else {
        print(text.of(use));
      }
    }
    if (missing) {
      throw new CommandFailure(1);
    }
  }

  private void partitions(SchedulerClient client, @Nullable String name)
      throws ClientException, CommandFailure {
    ClusterView view =
        client.read(new Selection(Selection.Jobs.NONE, true, true, false, List.of()));
    if (data) {
      List<Partition> shown =
          view.partitions().values().stream()
              .filter(p -> name == null || name.equals(p.name()))
              .toList();
      print(view, document -> new EntityJson(view).partitions(document, shown));
      return;
    }
    PartitionText text = new PartitionText(view, oneLine);
    if (name == null) {
      boolean all = hidden || Session.uid(io) == 0;
      for (Partition partition : view.partitions().values()) {
        if (all || !partition.hidden()) {
          print(text.of(partition));
        }
      }
      return;
    }
    Partition partition = view.partitions().get(name);
    if (partition == null) {
      throw new CommandFailure(1, "Partition " + name + " not found");
    }
    print(text.of(partition));
  }

  private void reservations(SchedulerClient client, @Nullable String name)
      throws ClientException, CommandFailure {
    ClusterView view =
        client.read(new Selection(Selection.Jobs.NONE, true, false, true, List.of()));
    if (data) {
      List<Reservation> shown =
          ReservationList.inOrder(view).stream()
              .filter(r -> name == null || name.equals(r.name()))
              .toList();
      print(view, document -> new EntityJson(view).reservations(document, shown));
      return;
    }
    ReservationText text = new ReservationText(view, io.zone(), io.clock().instant(), oneLine);
    if (name == null) {
      if (view.reservations().isEmpty()) {
        io.out().println("No reservations in the system");
      }
      ReservationList.inOrder(view).forEach(reservation -> print(text.of(reservation)));
      return;
    }
    Reservation reservation = view.reservations().get(name);
    if (reservation == null) {
      throw new CommandFailure(1, "Reservation " + name + " not found");
    }
    print(text.of(reservation));
  }

  private void config(SchedulerClient client) throws ClientException, CommandFailure {
    Instant now = io.clock().instant();
    ClusterView view = client.read(Selection.NODES);
    ConfigList list = new ConfigList(client.config(), client.info(), view.nodes().size(), io);
    if (data) {
      if (DataDocument.isOlder(options)) {
        // As in Slurm, whose older parsers know no configuration.
        throw new CommandFailure(244, List.of());
      }
      print(view, document -> list.write(document, now));
    } else {
      list.print(now, io);
    }
  }

  private void daemons(SchedulerClient client) throws ClientException {
    String host = client.info().host();
    boolean node =
        client.read(Selection.NODES).nodes().values().stream()
            .anyMatch(n -> n.spec().hostname().equals(host));
    io.out().println(node ? "slurmctld slurmd" : "slurmctld");
  }

  private int hostNames(@Nullable String text, String joint) throws CommandFailure {
    try {
      io.out().println(String.join(joint, hosts(text).expand()));
    } catch (CommandFailure e) {
      // As in Slurm a list that cannot be read is told of, and no failure.
      throw text == null ? e : new CommandFailure(0, e.lines());
    }
    return 0;
  }

  /** A host list as given, of the present job when none is, or of standard input for "-". */
  private HostList hosts(@Nullable String text) throws CommandFailure {
    String list = text;
    if (list == null) {
      list = io.nonEmpty("SLURM_JOB_NODELIST");
    }
    if (list == null) {
      list = io.nonEmpty("SLURM_NODELIST");
    }
    if (list == null) {
      throw new CommandFailure(1, "Unable to get list of hostnames from environment");
    }
    try {
      if (list.equals("-")) {
        list =
            new String(io.in().readAllBytes(), StandardCharsets.UTF_8)
                .strip()
                .replaceAll("\\s+", ",");
      }
      return HostList.parse(list);
    } catch (IOException | NotationException e) {
      throw new CommandFailure(
          1, "Invalid hostlist: " + list, Hint.of(String.valueOf(e.getMessage())));
    }
  }
}
