package dev.yardmaster.golden;

import dev.yardmaster.client.StepChannel;
import dev.yardmaster.controller.Command;
import dev.yardmaster.controller.Effect;
import dev.yardmaster.controller.NodeLink;
import dev.yardmaster.controller.NodeLinks;
import dev.yardmaster.controller.VirtualRun;
import dev.yardmaster.model.ClusterConfig;
import dev.yardmaster.model.ExitCode;
import dev.yardmaster.model.GresDevices;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobBatch;
import dev.yardmaster.model.JobScript;
import dev.yardmaster.model.JobStep;
import dev.yardmaster.model.NodeSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Nodes on which a job takes as long, and ends in the way, that its script says: {@code sleep},
 * {@code exit} and {@code kill} are understood.
 */
final class ScriptedNodes implements VirtualRun.Participant {
  private static final Pattern SLEEP = Pattern.compile("\\bsleep ([0-9]+)");
  private static final Pattern SLEEP_OF_TASK =
      Pattern.compile("sleep \\$\\(\\(SLURM_ARRAY_TASK_ID\\*([0-9]+)\\)\\)");
  private static final Pattern LOOP = Pattern.compile("\\$\\(seq ([0-9]+)\\)");
  private static final Pattern EXIT = Pattern.compile("\\bexit ([0-9]+)");
  private static final Pattern EXIT_OF_TASK =
      Pattern.compile("exit \\$\\(\\(SLURM_ARRAY_TASK_ID==([0-9]+)\\)\\)");
  private static final Pattern TRAP = Pattern.compile("trap ([\"'])(.*?)\\1 ([A-Z0-9]+)");
  private static final Map<Integer, String> SIGNALS =
      Map.of(1, "HUP", 10, "USR1", 12, "USR2", 15, "TERM");
  private static final int SIGKILL = 9;

  /** A folder that no machine has; Slurm says so of a file in it by a signal. */
  private static final String NO_FOLDER = "/nonexistent/";

  private static final int OUTPUT_FAILED = 53;

  /** A program that takes so many MiB, which the kernel kills where it got less. */
  private static final Pattern TAKES = Pattern.compile("bytearray\\(([0-9]+)\\*1024\\*1024\\)");

  private static final int OUT_OF_MEMORY = 125;

  /** How long a script takes that does nothing, with its start and end. */
  private static final long SHORTEST_MILLIS = 400;

  private final InstantSource clock;
  private final Map<Command.RunningJob, Run> runs = new LinkedHashMap<>();
  private final List<Command> reports = new ArrayList<>();

  /** Ends of scripts that were killed: after what other nodes say, one after the other. */
  private final Deque<Command> slow = new ArrayDeque<>();

  /** Runs that do not hear SIGTERM, which are killed when KillWait is over. */
  private final Map<Effect.Terminate, Instant> dying = new LinkedHashMap<>();

  private record Run(
      Command.RunningJob id, String node, String script, Instant end, ExitCode exit) {}

  ScriptedNodes(InstantSource clock) {
    this.clock = clock;
  }

  /** Connects nodes; each registers with what the configuration says it has. */
  void register(ClusterConfig config, Collection<String> names, NodeLinks links) {
    for (NodeSpec spec : config.nodes()) {
      if (names.contains(spec.name())) {
        links.attach(spec.name(), this::perform);
        reports.add(registration(spec, clock.instant()));
      }
    }
  }

  private static Command registration(NodeSpec spec, Instant boot) {
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
        "26.11.0-0rc1",
        List.of());
  }

  private void perform(NodeLink.Outgoing outgoing) {
    switch (outgoing.effect()) {
      case Effect.Launch launch -> launch(launch.node(), launch.job(), outgoing.script());
      case Effect.Signal signal -> signal(signal);
      case Effect.Pause pause -> {}
      case Effect.Notify say -> {}
      case Effect.SiteScript script -> {}
      case Effect.AttachStep attach -> {}
      case Effect.HealthCheck check -> {}
      case Effect.Reconfigure reconfigure -> {}
      case Effect.LaunchStep step -> launch(step);
      case Effect.SignalStep signal -> {}
      case Effect.Reboot reboot -> {}
      case Effect.Power power -> {}
      case Effect.ControllerScript script -> {}
      case Effect.Terminate terminate -> terminate(terminate);
    }
  }

  private void terminate(Effect.Terminate order) {
    Command.RunningJob id = new Command.RunningJob(order.jobId(), order.restarts());
    Run run = runs.get(id);
    if (run != null && run.node().equals(order.node())) {
      runs.remove(id);
      if (order.killWaitSeconds() > 0 && "".equals(trapped(run.script(), "TERM"))) {
        dying.put(order, clock.instant().plusSeconds(order.killWaitSeconds()));
        return;
      }
      slow.add(gone(order));
      return;
    }
    if (!dying.containsKey(order)) {
      reports.add(gone(order));
    }
  }

  private Command gone(Effect.Terminate order) {
    return new Command.RunGone(order.node(), order.jobId(), order.restarts(), clock.instant());
  }

  /** What a script does at a signal; null when nothing but what every program does. */
  private static @Nullable String trapped(String script, String signal) {
    Matcher trap = TRAP.matcher(script);
    while (trap.find()) {
      if (trap.group(3).equals(signal)) {
        return trap.group(2);
      }
    }
    return null;
  }

  private void launch(String node, Job job, @Nullable JobScript script) {
    Command.RunningJob id = new Command.RunningJob(job.id(), job.restarts());
    if (runs.containsKey(id)) {
      return;
    }
    String text = script == null ? "" : script.script();
    Instant begin = job.started() == null ? clock.instant() : job.started();
    runs.put(
        id,
        new Run(
            id,
            node,
            text,
            begin.plusMillis(Math.max(SHORTEST_MILLIS, 1000 * seconds(text, job))),
            exit(text, job)));
  }

  private static long seconds(String script, Job job) {
    Matcher ofTask = SLEEP_OF_TASK.matcher(script);
    if (ofTask.find() && job.array() != null && job.array().taskId() != null) {
      return Long.parseLong(ofTask.group(1)) * job.array().taskId();
    }
    Matcher loop = LOOP.matcher(script);
    long times = loop.find() ? Long.parseLong(loop.group(1)) : 1;
    long seconds = 0;
    Matcher sleep = SLEEP.matcher(script);
    while (sleep.find()) {
      seconds += times * Long.parseLong(sleep.group(1));
    }
    return seconds;
  }

  private static ExitCode exit(String script, Job job) {
    JobBatch files = job.batch();
    if (Stream.of(files.stdinPattern(), files.stdoutPattern(), files.stderrPattern())
        .anyMatch(file -> file.startsWith(NO_FOLDER))) {
      return new ExitCode(0, OUTPUT_FAILED);
    }
    Matcher takes = TAKES.matcher(script);
    if (takes.find() && Long.parseLong(takes.group(1)) > job.request().memory().mib()) {
      return new ExitCode(0, OUT_OF_MEMORY);
    }
    if (script.contains("kill -SEGV")) {
      return new ExitCode(0, 11);
    }
    if (script.contains("kill -TERM")) {
      return new ExitCode(0, 15);
    }
    Matcher ofTask = EXIT_OF_TASK.matcher(script);
    if (ofTask.find()) {
      Integer task = job.array() == null ? null : job.array().taskId();
      boolean fails = task != null && task == Integer.parseInt(ofTask.group(1));
      return new ExitCode(fails ? 1 : 0, 0);
    }
    Matcher exit = EXIT.matcher(script);
    return exit.find() && !script.contains("trap ")
        ? new ExitCode(Integer.parseInt(exit.group(1)), 0)
        : ExitCode.OK;
  }

  /** A step ends at once, in the way that its command says. */
  private void launch(Effect.LaunchStep launch) {
    List<String> arguments = launch.program().arguments();
    String text = String.join(" ", arguments);
    Matcher exit = EXIT.matcher(text);
    boolean unknown =
        arguments.getFirst().equals("/nonexistent")
            || !launch.program().environment().containsKey("PATH");
    int code = unknown ? 2 : exit.find() ? Integer.parseInt(exit.group(1)) : 0;
    Thread.ofVirtual().start(() -> tell(launch, code));
    reports.add(
        new Command.StepEnded(
            launch.node(),
            launch.jobId(),
            launch.restarts(),
            launch.step().stepId(),
            new ExitCode(code, 0),
            clock.instant()));
  }

  private static void tell(Effect.LaunchStep launch, int code) {
    try (StepChannel channel =
        StepChannel.connect(
            launch.program().host(),
            launch.program().port(),
            launch.program().key(),
            launch.node())) {
      for (JobStep.OnNode node : launch.step().layout()) {
        if (node.node().equals(launch.node())) {
          for (int task : node.tasks()) {
            channel.sendExit(task, code, 0);
          }
        }
      }
      channel.finish();
      while (channel.receive() != null) {
        // Until srun has read everything and closes.
        continue;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void signal(Effect.Signal signal) {
    Run run = runs.get(new Command.RunningJob(signal.jobId(), signal.restarts()));
    if (run == null) {
      return;
    }
    String name = SIGNALS.getOrDefault(signal.signal(), "");
    String handler = trapped(run.script(), name);
    if (handler != null && !handler.isEmpty()) {
      Matcher exit = EXIT.matcher(handler);
      if (exit.find()) {
        end(run, new ExitCode(Integer.parseInt(exit.group(1)), 0));
      }
    } else if (handler == null && (signal.signal() == SIGKILL || !name.isEmpty())) {
      end(run, new ExitCode(0, signal.signal()));
    }
  }

  private void end(Run run, ExitCode exit) {
    if (runs.remove(run.id(), run)) {
      reports.add(
          new Command.ScriptEnded(
              run.node(), run.id().jobId(), run.id().restarts(), exit, clock.instant()));
    }
  }

  @Override
  public @Nullable Instant next() {
    return reports.isEmpty() && slow.isEmpty()
        ? Stream.concat(runs.values().stream().map(Run::end), dying.values().stream())
            .min(Instant::compareTo)
            .orElse(null)
        : Instant.MIN;
  }

  @Override
  public List<Command> advance(Instant now) {
    for (Run run : List.copyOf(runs.values())) {
      if (!run.end().isAfter(now) && runs.remove(run.id(), run)) {
        reports.add(
            new Command.ScriptEnded(
                run.node(), run.id().jobId(), run.id().restarts(), run.exit(), run.end()));
      }
    }
    for (Map.Entry<Effect.Terminate, Instant> kill : List.copyOf(dying.entrySet())) {
      if (!kill.getValue().isAfter(now)) {
        dying.remove(kill.getKey());
        reports.add(gone(kill.getKey()));
      }
    }
    if (reports.isEmpty() && !slow.isEmpty()) {
      return List.of(slow.remove());
    }
    List<Command> said = List.copyOf(reports);
    reports.clear();
    return said;
  }
}
