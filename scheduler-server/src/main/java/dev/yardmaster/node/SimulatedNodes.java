package dev.yardmaster.node;

import dev.yardmaster.controller.Command;
import dev.yardmaster.controller.Controller;
import dev.yardmaster.controller.Effect;
import dev.yardmaster.controller.NodeLink;
import dev.yardmaster.controller.NodeLinks;
import dev.yardmaster.controller.VirtualRun;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.engine.state.Event;
import dev.yardmaster.model.ClusterConfig;
import dev.yardmaster.model.ExitCode;
import dev.yardmaster.model.GresDevices;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Node;
import dev.yardmaster.model.NodeMeasure;
import dev.yardmaster.model.NodeSpec;
import dev.yardmaster.model.NodeUse;
import dev.yardmaster.model.Partition;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * All nodes of a cluster without a process: a run ends after its {@link Job#simulatedRuntime()}, or
 * after a part of its time limit that only depends on its id and a seed. In virtual time they take
 * part in a {@link VirtualRun}; afterwards {@link #goLive} lets them go on with the clock.
 */
public final class SimulatedNodes implements VirtualRun.Participant, AutoCloseable {
  private static final Duration WITHOUT_LIMIT = Duration.ofHours(1);

  /** How long a reboot takes. */
  private static final Duration BOOT = Duration.ofSeconds(20);

  /** What it tells of its operating system. */
  private static final String SYSTEM = "Simulated";

  private static final int SIGKILL = 9;
  private static final int SIGTERM = 15;
  private static final int SIGCONT = 18;

  private ClusterConfig config;
  private final InstantSource clock;
  private final long seed;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Map<Command.RunningJob, Run> running = new HashMap<>();

  /** How much of a stopped run is left. */
  private final Map<Command.RunningJob, Duration> stopped = new HashMap<>();

  private final PriorityQueue<Run> byEnd =
      new PriorityQueue<>(
          Comparator.comparing(Run::end)
              .thenComparing(run -> run.id().jobId())
              .thenComparing(run -> run.id().restarts()));
  private final SortedMap<String, Instant> booting = new TreeMap<>();
  private final Deque<Command> reports = new ArrayDeque<>();
  private @Nullable Thread thread;
  private @Nullable NodeLinks connected;

  private record Run(Command.RunningJob id, String node, Instant end) {}

  public SimulatedNodes(ClusterConfig config, InstantSource clock, long seed) {
    this.config = config;
    this.clock = clock;
    this.seed = seed;
  }

  /** Connects every node of the configuration; each registers with what the files say it has. */
  public void attachTo(NodeLinks links) {
    Instant boot = now();
    lock.lock();
    try {
      connected = links;
      for (NodeSpec spec : config.nodes()) {
        links.attach(spec.name(), this::perform);
        reports.add(registration(spec, boot));
      }
    } finally {
      lock.unlock();
    }
  }

  /** Nodes that a reconfigure made, or brought back, register as daemons that begin then. */
  private void appear(ClusterState state) {
    Instant boot = now();
    lock.lock();
    try {
      NodeLinks links = connected;
      config = state.config();
      for (NodeSpec spec : config.nodes()) {
        Node node = state.node(spec.name());
        if (links != null && node != null && node.status().registered() == null) {
          links.attach(spec.name(), this::perform);
          reports.add(registration(spec, boot));
        }
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private List<NodeSpec> nodes() {
    lock.lock();
    try {
      return config.nodes();
    } finally {
      lock.unlock();
    }
  }

  private Command registration(NodeSpec spec, Instant boot) {
    TreeMap<String, Long> gres = new TreeMap<>();
    for (GresDevices devices : spec.gres()) {
      gres.merge(devices.name(), devices.count(), Long::sum);
    }
    return new Command.NodeRegistered(
        spec.name(),
        spec.cpus(),
        spec.sockets(),
        spec.coresPerSocket(),
        spec.threadsPerCore(),
        spec.realMemoryMib(),
        spec.tmpDiskMib(),
        Immutable.sortedMap(gres),
        boot,
        "simulated",
        List.of(),
        List.of(),
        new NodeMeasure(0, spec.realMemoryMib(), SYSTEM, boot, null));
  }

  private void perform(NodeLink.Outgoing outgoing) {
    lock.lock();
    try {
      switch (outgoing.effect()) {
        case Effect.Launch launch -> launch(launch.node(), launch.job());
        case Effect.Signal signal -> {
          Run run = running.get(new Command.RunningJob(signal.jobId(), signal.restarts()));
          if (run != null && signal.signal() == SIGCONT) {
            go(run);
          } else if (run != null && (signal.signal() == SIGKILL || signal.signal() == SIGTERM)) {
            end(run, new ExitCode(0, signal.signal()), now());
          }
        }
        case Effect.Notify _,
            Effect.SiteScript _,
            Effect.AttachStep _,
            Effect.HealthCheck _,
            Effect.Reconfigure _ -> {}
        case Effect.Pause pause -> {
          Run run = running.get(new Command.RunningJob(pause.jobId(), pause.restarts()));
          if (run != null) {
            stop(run);
          }
        }
        case Effect.LaunchStep step ->
            reports.add(
                new Command.StepEnded(
                    step.node(),
                    step.jobId(),
                    step.restarts(),
                    step.step().stepId(),
                    ExitCode.OK,
                    now()));
        case Effect.SignalStep signal -> {}
        case Effect.ControllerScript script -> {}
        case Effect.Reboot reboot -> booting.put(reboot.node(), now().plus(BOOT));
        case Effect.Power power -> {
          if (power.up()) {
            booting.put(power.node(), now().plus(BOOT));
          } else {
            booting.remove(power.node());
          }
        }
        case Effect.Terminate terminate -> {
          stopped.remove(new Command.RunningJob(terminate.jobId(), terminate.restarts()));
          running.remove(new Command.RunningJob(terminate.jobId(), terminate.restarts()));
          reports.add(
              new Command.RunGone(
                  terminate.node(), terminate.jobId(), terminate.restarts(), now()));
        }
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void stop(Run run) {
    byEnd.remove(run);
    stopped.putIfAbsent(run.id(), Duration.between(now(), run.end()));
  }

  private void go(Run run) {
    Duration left = stopped.remove(run.id());
    if (left != null) {
      Run again = new Run(run.id(), run.node(), now().plus(left));
      running.put(run.id(), again);
      byEnd.add(again);
    }
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.SECONDS);
  }

  private void launch(String node, Job job) {
    Command.RunningJob id = new Command.RunningJob(job.id(), job.restarts());
    Run run = new Run(id, node, now().plus(runtime(job).minus(job.worked(now()))));
    if (running.putIfAbsent(id, run) == null) {
      byEnd.add(run);
      if (job.state() == JobState.SUSPENDED) {
        stop(run);
      }
    }
  }

  private Duration runtime(Job job) {
    if (job.simulatedRuntime() != null) {
      return job.simulatedRuntime();
    }
    if (job.timeLimitMinutes() == Partition.UNLIMITED) {
      return WITHOUT_LIMIT;
    }
    double part = 0.2 + 0.75 * new SplittableRandom(seed * 31 + job.id()).nextDouble();
    return Duration.ofSeconds(Math.max(1, Math.round(60 * job.timeLimitMinutes() * part)));
  }

  private void end(Run run, ExitCode exit, Instant at) {
    if (running.remove(run.id(), run)) {
      reports.add(
          new Command.ScriptEnded(run.node(), run.id().jobId(), run.id().restarts(), exit, at));
    }
  }

  @Override
  public @Nullable Instant next() {
    lock.lock();
    try {
      if (!reports.isEmpty()) {
        return Instant.MIN;
      }
      Run run = byEnd.peek();
      while (run != null && running.get(run.id()) != run) {
        byEnd.poll();
        run = byEnd.peek();
      }
      Instant booted = booting.values().stream().min(Instant::compareTo).orElse(null);
      Instant end = run == null ? null : run.end();
      return end == null || booted != null && booted.isBefore(end) ? booted : end;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public List<Command> advance(Instant now) {
    lock.lock();
    try {
      Run run = byEnd.peek();
      while (run != null && !run.end().isAfter(now)) {
        byEnd.poll();
        end(run, ExitCode.OK, run.end());
        run = byEnd.peek();
      }
      for (NodeSpec spec : nodes()) {
        Instant up = booting.get(spec.name());
        if (up != null && !up.isAfter(now)) {
          booting.remove(spec.name());
          reports.add(registration(spec, up));
        }
      }
      List<Command> said = new ArrayList<>();
      for (Command report : reports) {
        // In virtual time a node that registers yesterday was not booted today.
        said.add(
            report instanceof Command.NodeRegistered registered
                    && registered.bootTime().isAfter(now)
                ? withBoot(registered, now)
                : report);
      }
      reports.clear();
      return said;
    } finally {
      lock.unlock();
    }
  }

  /** From now on time is that of the clock, and reports go to a live controller. */
  public void goLive(Controller controller, Duration heartbeat) {
    Thread live =
        Thread.ofPlatform()
            .name("simulated-nodes")
            .daemon()
            .unstarted(() -> live(controller, heartbeat));
    thread = live;
    begin(controller.state());
    controller.follow(
        new Controller.Follower() {
          @Override
          public void start(ClusterState state, long sequence) {}

          @Override
          public void next(List<Event> events, ClusterState after, long sequence) {
            if (events.stream().anyMatch(e -> e instanceof Event.ConfigApplied)) {
              appear(after);
            }
          }
        });
    live.start();
  }

  /**
   * Nodes are not booted when the server that simulates them starts again: what ran goes on, while
   * a node that tells of a new boot has lost it.
   */
  @Override
  public void begin(ClusterState state) {
    lock.lock();
    try {
      List<Command> told = new ArrayList<>(reports);
      reports.clear();
      for (Command report : told) {
        Node node = report instanceof Command.NodeRegistered r ? state.node(r.node()) : null;
        Instant boot = node == null ? null : node.status().bootTime();
        reports.add(
            boot != null && report instanceof Command.NodeRegistered registered
                ? withBoot(registered, boot)
                : report);
      }
    } finally {
      lock.unlock();
    }
  }

  private static Command withBoot(Command.NodeRegistered report, Instant boot) {
    return new Command.NodeRegistered(
        report.node(),
        report.cpus(),
        report.sockets(),
        report.coresPerSocket(),
        report.threadsPerCore(),
        report.realMemoryMib(),
        report.tmpDiskMib(),
        report.gres(),
        boot,
        report.version(),
        report.jobs(),
        report.steps(),
        report.measure());
  }

  private void live(Controller controller, Duration heartbeat) {
    Instant nextBeat = clock.instant().plus(heartbeat);
    while (!Thread.currentThread().isInterrupted()) {
      for (Command command : advance(clock.instant())) {
        controller.handle(command);
      }
      if (!clock.instant().isBefore(nextBeat)) {
        nextBeat = clock.instant().plus(heartbeat);
        beat(controller);
      }
      if (!sleepUntil(nextBeat)) {
        return;
      }
    }
  }

  /** The load of a simulated node is what its jobs hold. */
  private static void beat(Controller controller) {
    ClusterState state = controller.state();
    for (NodeUse use :
        NodeUse.of(state.nodesInOrder(), state.jobs().values(), List.of(), state.time())) {
      NodeSpec spec = use.node().spec();
      NodeMeasure measure =
          new NodeMeasure(
              100 * use.cpus(),
              Math.max(0, spec.realMemoryMib() - use.memoryMib()),
              SYSTEM,
              use.node().status().bootTime(),
              null);
      controller.handle(new Command.NodeHeartbeat(spec.name(), List.of(), measure));
    }
  }

  private boolean sleepUntil(Instant latest) {
    lock.lock();
    try {
      Instant next = next();
      Instant until = next == null || next.isAfter(latest) ? latest : next;
      if (until.equals(Instant.MIN)) {
        return true;
      }
      long millis = Duration.between(clock.instant(), until).toMillis() + 1;
      if (millis > 0) {
        changed.await(millis, TimeUnit.MILLISECONDS);
      }
      return true;
    } catch (InterruptedException e) {
      return false;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    Thread live = thread;
    if (live != null) {
      live.interrupt();
    }
  }
}
