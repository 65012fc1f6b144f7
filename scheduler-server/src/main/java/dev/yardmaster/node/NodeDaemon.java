package dev.yardmaster.node;

import dev.yardmaster.controller.Command;
import dev.yardmaster.controller.Effect;
import dev.yardmaster.controller.NodeLink;
import dev.yardmaster.controller.Reply;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobScript;
import dev.yardmaster.model.NodeSpec;
import dev.yardmaster.model.StepRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The daemon of one node (slurmd): starts batch scripts as processes of their users, watches them,
 * and reports. Everything it must not forget lies in its spool, so that it can be stopped and
 * started while jobs run. It knows nothing of the wire: whoever connects it calls {@link
 * #connected}, {@link #send} and {@link #heartbeat}.
 */
public final class NodeDaemon implements NodeLink, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(NodeDaemon.class);

  private volatile Setup setup;
  private final Users users = new Users();
  private final Confinement confinement;
  private final BatchLauncher launcher;
  private final StepRunner steps;
  private final RunScripts scripts;
  private final Pauses pauses;
  private final HealthCheck health;
  private final EndReports ends;
  private final MachineLoad load = new MachineLoad(Path.of("/"), Instant.now());
  private final UsageMeter meter;
  private final ScheduledExecutorService thread;
  private final SortedMap<Command.RunningJob, RunDirectory> runs =
      new TreeMap<>(
          Comparator.comparing(Command.RunningJob::jobId)
              .thenComparing(Command.RunningJob::restarts));

  private final Shims shims = new Shims();
  private final Terminations terminations;
  private final Set<Command.RunningJob> launching = new HashSet<>();
  private final Set<Command.RunningJob> ending = new HashSet<>();

  /** The way that is there, on which the node has not registered before it is {@link #reports}. */
  private @Nullable Reports connection;

  private @Nullable Reports reports;

  /**
   * What a node daemon is told at its start.
   *
   * @param spool directory of this node alone (SlurmdSpoolDir); created
   * @param detect whether to register what the machine has rather than what the configuration says
   */
  public record Setup(
      NodeSpec spec,
      String clusterName,
      Path spool,
      boolean detect,
      String version,
      NodeSettings settings) {
    /** One with Slurm's settings. */
    public Setup(NodeSpec spec, String clusterName, Path spool, boolean detect, String version) {
      this(spec, clusterName, spool, detect, version, NodeSettings.NONE);
    }
  }

  /**
   * The way to the controller; the stage completes with its answer, or fails with the connection.
   */
  @FunctionalInterface
  public interface Reports {
    CompletionStage<Reply> tell(Command command);
  }

  /**
   * Starts the daemon and finds the runs that an earlier one has left.
   *
   * @throws IOException when the spool cannot be used
   */
  public NodeDaemon(Setup setup) throws IOException {
    this.setup = setup;
    Files.createDirectories(setup.spool());
    Files.setPosixFilePermissions(setup.spool(), PosixFilePermissions.fromString("rwx--x--x"));
    Supplier<NodeSettings> settings = () -> this.setup.settings();
    confinement = new Confinement(setup);
    launcher = new BatchLauncher(() -> this.setup, users, confinement);
    thread =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("node-" + setup.spec().name()).daemon().factory());
    terminations = new Terminations(thread);
    Consumer<Runnable> work =
        task -> {
          if (!thread.isShutdown()) {
            thread.execute(task);
          }
        };
    meter =
        new UsageMeter(
            name(), () -> settings.get().gather(), said -> work.accept(() -> tell(said)));
    steps =
        new StepRunner(
            () -> this.setup, users, confinement, meter, work, this::tell, terminations::soon);
    scripts = new RunScripts(setup.spec().name(), setup.clusterName(), settings);
    ends =
        new EndReports(
            setup.spec().name(),
            thread,
            this::tell,
            (directory, status) -> confinement.status(directory, status, users),
            d -> meter.ended(d.run(), d.times()));
    pauses = new Pauses(thread, this::signal);
    health = new HealthCheck(setup.spec().name(), setup.spool(), settings);
    BiConsumer<RunDirectory, String> said = OwnerOutput.of(users);
    MemoryGuard.watch(
        name(),
        settings,
        thread,
        guard -> steps.guard(guard.scripts(runs.values(), shims::of, said)));
    for (RunDirectory directory : RunDirectory.all(setup.spool())) {
      adopt(directory);
    }
    steps.adopt();
  }

  /** Works with another setup of this node from now on; what has begun goes on as it began. */
  public void reconfigure(Setup next) {
    thread.execute(
        () -> {
          boolean same = next.detect() == setup.detect() && next.spec().equals(setup.spec());
          setup = next;
          if (!same && reports != null) {
            register(reports);
          }
        });
  }

  private String name() {
    return setup.spec().name();
  }

  private String marker(Command.RunningJob run) {
    return JobEnvironment.marker(run.jobId(), run.restarts(), setup.spool());
  }

  /** A run that an earlier daemon has started, or was about to. */
  private void adopt(RunDirectory directory) throws IOException {
    if (!directory.isOfThisBoot()) {
      directory.delete();
      return;
    }
    int shim = shims.of(directory);
    if (shim < 0 && directory.status().isEmpty() && processes(directory).isEmpty()) {
      if (directory.hasBegun()) {
        directory.saveLostStatus();
      } else {
        directory.delete();
        return;
      }
    }
    runs.put(directory.run(), directory);
    if (shim > 0) {
      ProcessHandle.of(shim).ifPresent(handle -> watch(directory.run(), handle));
    } else if (directory.status().isEmpty()) {
      directory.saveLostStatus();
    }
    if (directory.termination().isPresent()) {
      thread.execute(() -> terminations.goOn(ending(directory)));
    }
  }

  private Set<Integer> processes(RunDirectory directory) {
    return Processes.ofRun(marker(directory.run()), shims.of(directory));
  }

  /** A connection to the controller is there: registers, says again what was not heard. */
  public void connected(Reports way) {
    thread.execute(
        () -> {
          connection = way;
          // HealthCheckProgram may say that the node is not fit before the node says it is there.
          health.first().thenRunAsync(() -> register(way), thread);
        });
  }

  private void register(Reports way) {
    if (connection != way) {
      return;
    }
    reports = way;
    Hardware hardware = Hardware.of(setup);
    way.tell(hardware.registration(name(), setup.version(), here(), steps.steps(), load.measure()))
        .whenCompleteAsync(
            (reply, failure) -> {
              if (failure == null) {
                runs.values().forEach(ends::tell);
                steps.tellAgain();
              }
            },
            thread);
  }

  /** The runs that have something here, or are about to. */
  private List<Command.RunningJob> here() {
    Set<Command.RunningJob> here = new LinkedHashSet<>(runs.keySet());
    here.addAll(scripts.preparing());
    here.addAll(steps.runs());
    here.addAll(ending);
    return List.copyOf(here);
  }

  /** The connection is gone; jobs go on. */
  public void disconnected() {
    thread.execute(
        () -> {
          connection = null;
          reports = null;
        });
  }

  /** Says that the node is alive, and what it has of jobs. */
  public void heartbeat() {
    thread.execute(() -> tell(new Command.NodeHeartbeat(name(), here(), load.measure())));
  }

  private @Nullable CompletionStage<Reply> tell(Command command) {
    Reports way = reports;
    return way == null ? null : way.tell(command);
  }

  /** Takes what the controller wants done. */
  @Override
  public void send(Outgoing outgoing) {
    thread.execute(
        () -> {
          switch (outgoing.effect()) {
            case Effect.Launch launch -> launch(launch.job(), outgoing.script());
            case Effect.LaunchStep step -> launch(step);
            case Effect.SiteScript script -> prepare(script);
            case Effect.AttachStep attach -> steps.attach(attach);
            case Effect.HealthCheck check -> health.run(check.healthy());
            case Effect.SignalStep signal -> steps.signal(signal);
            case Effect.Signal signal -> signal(signal);
            case Effect.Pause pause -> pause(pause);
            case Effect.Notify say ->
                OwnerOutput.say(
                    users,
                    runs.get(new Command.RunningJob(say.jobId(), say.restarts())),
                    say.text());
            case Effect.Reconfigure reconfigure -> {}
            case Effect.Reboot reboot -> Rebooter.run(name(), reboot.program());
            case Effect.Power power -> {}
            case Effect.ControllerScript script -> {}
            case Effect.Terminate terminate -> terminate(terminate);
          }
        });
  }

  private void prepare(Effect.SiteScript script) {
    if (!script.epilog()) {
      afterProlog(script.job(), () -> {}, () -> {});
      return;
    }
    Command.RunningJob run = new Command.RunningJob(script.jobId(), script.restarts());
    SortedMap<String, String> environment = scripts.due(script.job(), script.restarts());
    RunDirectory directory = runs.get(run);
    if (directory != null && !environment.isEmpty()) {
      directory.saveEpilog(environment);
    }
  }

  /** Does the one thing or the other when Prolog of a run is over; at once where there is none. */
  private void afterProlog(Job job, Runnable then, Runnable refuse) {
    Command.RunningJob run = new Command.RunningJob(job.id(), job.restarts());
    if (!scripts.hasProlog()) {
      then.run();
      return;
    }
    scripts
        .prolog(job)
        .thenAcceptAsync(
            well -> {
              if (well) {
                then.run();
              } else {
                String text = "Prolog failure on node " + name();
                tell(new Command.LaunchFailed(name(), run.jobId(), run.restarts(), text, true));
                refuse.run();
              }
            },
            thread);
  }

  private void launch(Effect.LaunchStep step) {
    if (steps.expect(step)) {
      afterProlog(
          step.job(), () -> steps.launch(step), () -> steps.refuse(step, "Job prolog failed"));
    }
  }

  private void launch(Job job, @Nullable JobScript script) {
    Command.RunningJob run = new Command.RunningJob(job.id(), job.restarts());
    if (!runs.containsKey(run) && !ending.contains(run) && launching.add(run)) {
      afterProlog(job, () -> begin(job, script), () -> launching.remove(run));
    }
  }

  private void begin(Job job, @Nullable JobScript script) {
    Command.RunningJob run = new Command.RunningJob(job.id(), job.restarts());
    launching.remove(run);
    if (ending.contains(run)) {
      return;
    }
    RunDirectory directory = RunDirectory.of(setup.spool(), run);
    String refusal =
        script == null
            ? "the controller has no script for it"
            : users.refusal(job.owner().user(), job.owner().uid());
    if (refusal != null || script == null) {
      launchFailed(run, String.valueOf(refusal));
      return;
    }
    try {
      Process shim = launcher.launch(job, script, directory);
      runs.put(run, directory);
      watch(run, shim.toHandle());
    } catch (IOException e) {
      LOG.error("job {} cannot be launched: {}", job.displayId(), e.toString());
      directory.deleteQuietly();
      launchFailed(run, String.valueOf(e.getMessage()));
    }
  }

  private void launchFailed(Command.RunningJob run, String message) {
    tell(new Command.LaunchFailed(name(), run.jobId(), run.restarts(), message, false));
  }

  private void watch(Command.RunningJob run, ProcessHandle shim) {
    shims.add(run, shim);
    meter.addBatch(run, look -> look.ofRun(marker(run), (int) shim.pid()));
    shim.onExit().thenRunAsync(() -> ended(run), thread);
  }

  private void ended(Command.RunningJob run) {
    terminations.soon();
    RunDirectory directory = runs.get(run);
    if (directory != null) {
      ends.ended(directory);
    }
  }

  private void signal(Effect.Signal signal) {
    Command.RunningJob run = new Command.RunningJob(signal.jobId(), signal.restarts());
    RunDirectory directory = runs.get(run);
    if (signal.signal() == Processes.SIGCONT) {
      pauses.end(run);
    }
    if (directory != null && signal.batchOnly()) {
      Processes.signal(Processes.childOf(shims.of(directory)), signal.signal());
    } else {
      signal(run, signal.signal());
    }
  }

  /** Signals all that a run has here: its script, and the tasks of its steps. */
  private void signal(Command.RunningJob run, int signal) {
    RunDirectory directory = runs.get(run);
    if (directory != null) {
      processes(directory).forEach(pid -> Processes.signal(pid, signal));
    } else if (steps.knows(run)) {
      Processes.ofRun(marker(run), -1).forEach(pid -> Processes.signal(pid, signal));
    }
  }

  private void pause(Effect.Pause pause) {
    Command.RunningJob run = new Command.RunningJob(pause.jobId(), pause.restarts());
    RunDirectory directory = runs.get(run);
    boolean ends = directory != null && directory.termination().isPresent();
    if (!ends && !ending.contains(run)) {
      pauses.pause(run, pause);
    }
  }

  private void terminate(Effect.Terminate terminate) {
    Command.RunningJob run = new Command.RunningJob(terminate.jobId(), terminate.restarts());
    pauses.end(run);
    steps.toldToEnd(run);
    RunDirectory directory = runs.get(run);
    if (directory == null) {
      if (ending.add(run)) {
        Instant killAt = Instant.now().plusSeconds(terminate.killWaitSeconds());
        if (scripts.isPreparing(run)) {
          scripts.prepared(run).thenAcceptAsync(well -> endSteps(run, killAt), thread);
        } else {
          endSteps(run, killAt);
        }
      }
      return;
    }
    if (directory.termination().isPresent()) {
      return;
    }
    directory.saveTermination(
        new RunDirectory.Termination(Instant.now(), terminate.killWaitSeconds()));
    Terminations.Ending ending = ending(directory);
    if (terminate.message() == null || directory.status().isPresent()) {
      terminations.end(ending);
      return;
    }
    OwnerOutput.cancelled(users, directory, name(), terminate.message())
        .whenCompleteAsync((written, failure) -> terminations.end(ending), thread);
  }

  /** What the end of a run with a batch script waits for. */
  private Terminations.Ending ending(RunDirectory directory) {
    Runnable forget =
        () -> {
          runs.remove(directory.run());
          shims.forget(directory.run());
          meter.remove(directory.run(), StepRecord.BATCH);
          directory.deleteQuietly();
        };
    return new Terminations.Ending(
        marker(directory.run()),
        () -> shims.of(directory),
        directory.termination().map(RunDirectory.Termination::killAt).orElse(Instant.MIN),
        () -> steps.has(directory.run()),
        () -> {
          steps.forget(directory.run());
          finish(directory.run(), directory.epilog(), forget);
        });
  }

  /** Ends what a run without a batch script has here: the tasks of its steps. */
  private void endSteps(Command.RunningJob run, Instant killAt) {
    if (!steps.knows(run)) {
      finish(run, new TreeMap<>(), () -> {});
      return;
    }
    terminations.end(
        new Terminations.Ending(
            marker(run),
            () -> -1,
            killAt,
            () -> steps.has(run),
            () -> {
              steps.forget(run);
              finish(run, new TreeMap<>(), () -> {});
            }));
  }

  /** Nothing of a run is left: what remains to be done is Epilog. */
  private void finish(
      Command.RunningJob run, SortedMap<String, String> epilog, Runnable beforeItIsTold) {
    CompletableFuture<Boolean> over = scripts.epilog(run, epilog);
    if (over.isDone()) {
      gone(run, over.join(), beforeItIsTold);
    } else {
      over.thenAcceptAsync(well -> gone(run, well, beforeItIsTold), thread);
    }
  }

  private void gone(Command.RunningJob run, boolean well, Runnable beforeItIsTold) {
    ending.remove(run);
    confinement.over(run);
    beforeItIsTold.run();
    tell(new Command.RunGone(name(), run.jobId(), run.restarts(), Instant.now(), !well));
  }

  /** Stops the daemon; jobs go on, and the next daemon finds them. */
  @Override
  public void close() {
    thread.shutdownNow();
    scripts.close();
    health.close();
    meter.close();
    steps.close();
  }
}
