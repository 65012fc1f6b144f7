package dev.yardmaster.controller;

import dev.yardmaster.engine.Decision;
import dev.yardmaster.engine.Engine;
import dev.yardmaster.engine.Pass;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.engine.state.Event;
import dev.yardmaster.model.ClusterConfig;
import dev.yardmaster.model.ExitCode;
import dev.yardmaster.model.Identity;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.Node;
import dev.yardmaster.model.NodeSpec;
import dev.yardmaster.model.SlurmError;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/** A controller's core on a bench: no thread, no store, time by hand, effects collected. */
final class Bench {
  final NodeLinks links = new NodeLinks();
  final List<Effect> effects = new ArrayList<>();
  final List<Event> events = new ArrayList<>();
  private final ZoneId zone;
  private ClusterConfig config;
  Core core;
  Instant now;

  Bench() {
    this(TestCluster.config());
  }

  Bench(ClusterConfig config) {
    this(config, ZoneOffset.UTC, TestCluster.NOW);
  }

  Bench(ClusterConfig config, ZoneId zone, Instant start) {
    this.zone = zone;
    this.now = start;
    this.config = config;
    core = newCore(ClusterState.initial(config, now));
    take(core.takeOver(now));
  }

  private Core newCore(ClusterState state) {
    return new Core(state, new EngineAdmission(), links, () -> config, zone, now);
  }

  /** With all nodes registered and idle. */
  static Bench ready() {
    return ready(Map.of());
  }

  static Bench ready(Map<String, String> settings) {
    Bench bench = new Bench(TestCluster.config(6, settings));
    bench.config.nodes().forEach(n -> bench.register(n.name()));
    return bench;
  }

  /** The same state under a new controller. */
  void restart() {
    effects.clear();
    core = newCore(core.state());
    take(core.takeOver(now));
  }

  void reconfigure(ClusterConfig fresh) {
    config = fresh;
  }

  Reply handle(Command command) {
    Core.Outcome outcome = core.handle(command, now);
    take(outcome);
    return Objects.requireNonNull(outcome.reply());
  }

  private void take(Core.Outcome outcome) {
    effects.addAll(outcome.turn().effects());
    events.addAll(outcome.turn().events());
  }

  void register(String node, Command.RunningJob... runs) {
    links.attach(node, effect -> {});
    NodeSpec spec = Objects.requireNonNull(core.state().node(node)).spec();
    handle(
        new Command.NodeRegistered(
            node,
            spec.cpus(),
            spec.sockets(),
            spec.coresPerSocket(),
            spec.threadsPerCore(),
            spec.realMemoryMib(),
            spec.tmpDiskMib(),
            Immutable.sortedMap(Map.of("gpu", 8L)),
            TestCluster.NOW.minusSeconds(86_400),
            "0.1",
            List.of(runs)));
  }

  /** Lets time pass, with all nodes alive but those named. */
  void pass(long seconds, String... silent) {
    now = now.plusSeconds(seconds);
    List<String> quiet = List.of(silent);
    for (Node node : core.state().nodes().values()) {
      if (!quiet.contains(node.name()) && node.status().registered() != null) {
        core.handle(new Command.NodeHeartbeat(node.name(), runsOn(node.name())), now);
      }
    }
    due();
  }

  private List<Command.RunningJob> runsOn(String node) {
    return core.state().jobs().values().stream()
        .filter(j -> node.equals(Runs.batchHost(j)) && j.holdsResources())
        .map(j -> new Command.RunningJob(j.id(), Runs.presentRun(j)))
        .toList();
  }

  void due() {
    take(core.due(now));
  }

  /** One scheduling step. */
  void schedule() {
    ClusterState seen = core.state();
    propose(seen, decide(seen));
  }

  List<Decision> decide(ClusterState seen) {
    return Engine.step(seen, now, EnumSet.allOf(Pass.class)).decisions();
  }

  void propose(ClusterState seen, List<Decision> decisions) {
    Proposals.Open open = new Proposals.Open(seen, decisions);
    while (!open.isDone()) {
      take(core.accept(open, 1, now));
    }
  }

  /** Submits as alice; returns the id. */
  int submit(String... options) {
    return submit(TestCluster.ALICE, options);
  }

  int submit(Identity by, String... options) {
    Reply reply = handle(new Command.Submit(by, TestCluster.submission(options)));
    if (reply instanceof Reply.Submitted submitted) {
      return submitted.jobId();
    }
    throw new AssertionError(reply);
  }

  /** Submits and starts. */
  int run(String... options) {
    int id = submit(options);
    schedule();
    return id;
  }

  Job job(int id) {
    return Objects.requireNonNull(core.state().job(id), () -> "job " + id);
  }

  Node node(String name) {
    return Objects.requireNonNull(core.state().node(name), name);
  }

  String host(int id) {
    return Objects.requireNonNull(Runs.batchHost(job(id)));
  }

  Reply end(int id, int code, int signal) {
    return end(id, job(id).restarts(), code, signal);
  }

  Reply end(int id, int restarts, int code, int signal) {
    return handle(new Command.ScriptEnded(host(id), id, restarts, new ExitCode(code, signal), now));
  }

  /** Every node of a job says that nothing is left of a run. */
  void gone(int id, int restarts) {
    List<String> names =
        Objects.requireNonNull(job(id).allocation()).shares().stream().map(s -> s.node()).toList();
    names.forEach(n -> handle(new Command.RunGone(n, id, restarts, now)));
  }

  Reply update(Identity by, int id, String... fields) {
    return handle(new Command.UpdateJob(by, Integer.toString(id), fields(fields)));
  }

  static SortedMap<String, String> fields(String... fields) {
    TreeMap<String, String> map = new TreeMap<>();
    for (String field : fields) {
      String[] parts = field.split("=", 2);
      map.put(parts[0], parts.length == 1 ? "" : parts[1]);
    }
    return map;
  }

  Reply cancel(Identity by, String... jobs) {
    return handle(new Command.CancelJobs(by, List.of(jobs), Immutable.sortedMap(), ""));
  }

  Reply nodes(Identity by, String nodes, String... fields) {
    return handle(new Command.UpdateNodes(by, nodes, fields(fields)));
  }

  static SlurmError error(Reply reply) {
    if (reply instanceof Reply.Refused refused) {
      return refused.error();
    }
    throw new AssertionError("not refused: " + reply);
  }
}
