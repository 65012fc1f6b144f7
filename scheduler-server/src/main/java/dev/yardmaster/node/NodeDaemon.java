package dev.yardmaster.node;

import dev.yardmaster.controller.Command;
import dev.yardmaster.controller.Effect;
import dev.yardmaster.controller.NodeLink;
import dev.yardmaster.controller.Reply;
import dev.yardmaster.model.ExitCode;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobScript;
import dev.yardmaster.model.NodeSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
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
  private static final Duration STOP_AFTER = Duration.ofMillis(100);

  /** How often a paused run is looked at again. */
  private static final int STOP_AGAIN = 4;

  private static final String SHIM_FILE = "shim";

  private final Setup setup;
  private final Users users = new Users();
  private final StepRunner steps;
  private final ScheduledExecutorService thread;
  private final SortedMap<Command.RunningJob, RunDirectory> runs =
      new TreeMap<>(
          Comparator.comparing(Command.RunningJob::jobId)
              .thenComparing(Command.RunningJob::restarts));

  /** What keeps the exit status of each run, where this daemon has started or found it. */
  private final Map<Command.RunningJob, ProcessHandle> shims = new HashMap<>();

  private final Terminations terminations;

  /** Runs whose processes are to stay stopped. */
  private final Set<Command.RunningJob> paused = new HashSet<>();

  private final Set<Command.RunningJob> ending = new HashSet<>();
  private @Nullable Reports reports;

  /**
   * What a node daemon is told at its start.
   *
   * @param spool directory of this node alone (SlurmdSpoolDir); created
   * @param detect whether to register what the machine has rather than what the configuration says
   */
  public record Setup(
      NodeSpec spec, String clusterName, Path spool, boolean detect, String version) {}

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
    Files.writeString(setup.spool().resolve(SHIM_FILE), LaunchScript.SHIM);
    thread =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("node-" + setup.spec().name()).daemon().factory());
    terminations = new Terminations(thread);
    steps =
        new StepRunner(
            setup.spec(),
            setup.clusterName(),
            setup.spool(),
            users,
            command -> {
              if (!thread.isShutdown()) {
                thread.execute(() -> tell(command));
              }
            });
    for (RunDirectory directory : RunDirectory.all(setup.spool())) {
      adopt(directory);
    }
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
    int shim = shim(directory);
    if (shim < 0 && directory.status().isEmpty() && processes(directory).isEmpty()) {
      if (directory.hasBegun()) {
        directory.saveStatus(lostStatus());
      } else {
        directory.delete();
        return;
      }
    }
    runs.put(directory.run(), directory);
    if (shim > 0) {
      ProcessHandle.of(shim).ifPresent(handle -> watch(directory.run(), handle));
    } else if (directory.status().isEmpty()) {
      directory.saveStatus(lostStatus());
    }
    if (directory.termination().isPresent()) {
      thread.execute(() -> terminations.goOn(ending(directory)));
    }
  }

  /** Nobody could note how the script ended: its shim was killed. */
  private static RunDirectory.Status lostStatus() {
    return new RunDirectory.Status(new ExitCode(0, Processes.SIGKILL), Instant.now());
  }

  /** The process that keeps the exit status of a run; -1 when it has gone. */
  private int shim(RunDirectory directory) {
    ProcessHandle known = shims.get(directory.run());
    if (known != null) {
      return known.isAlive() ? (int) known.pid() : -1;
    }
    return Processes.withArgument(directory.path().toString());
  }

  private Set<Integer> processes(RunDirectory directory) {
    Command.RunningJob run = directory.run();
    return Processes.ofRun(marker(run), shim(directory));
  }

  /** A connection to the controller is there: registers, and says again what was not heard. */
  public void connected(Reports way) {
    thread.execute(
        () -> {
          reports = way;
          Hardware hardware =
              setup.detect() ? Hardware.detected(setup.spec()) : Hardware.configured(setup.spec());
          way.tell(
                  new Command.NodeRegistered(
                      name(),
                      hardware.cpus(),
                      hardware.sockets(),
                      hardware.coresPerSocket(),
                      hardware.threadsPerCore(),
                      hardware.realMemoryMib(),
                      hardware.tmpDiskMib(),
                      hardware.gres(),
                      hardware.bootTime(),
                      setup.version(),
                      List.copyOf(runs.keySet())))
              .whenCompleteAsync(
                  (reply, failure) -> {
                    if (failure == null) {
                      runs.values().forEach(this::reportEnd);
                    }
                  },
                  thread);
        });
  }

  /** The connection is gone; jobs go on. */
  public void disconnected() {
    thread.execute(() -> reports = null);
  }

  /** Says that the node is alive, and what it has of jobs. */
  public void heartbeat() {
    thread.execute(() -> tell(new Command.NodeHeartbeat(name(), List.copyOf(runs.keySet()))));
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
            case Effect.LaunchStep step -> steps.launch(step);
            case Effect.SignalStep signal -> steps.signal(signal);
            case Effect.Signal signal -> signal(signal);
            case Effect.Pause pause -> pause(pause);
            case Effect.Notify say -> {
              RunDirectory run = runs.get(new Command.RunningJob(say.jobId(), say.restarts()));
              if (run != null) {
                write(run, CancelLine.message(CancelLine.time(Instant.now()), say.text()));
              }
            }
            case Effect.Reboot reboot -> Rebooter.run(name(), reboot.program());
            case Effect.Power power -> {}
            case Effect.Terminate terminate -> terminate(terminate);
          }
        });
  }

  private void launch(Job job, @Nullable JobScript script) {
    Command.RunningJob run = new Command.RunningJob(job.id(), job.restarts());
    if (runs.containsKey(run)) {
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
      SortedMap<String, String> environment =
          JobEnvironment.of(job, script, setup.spec(), setup.clusterName());
      environment.put(JobEnvironment.MARKER, marker(run));
      String text =
          LaunchScript.text(job, directory.script(), script.arguments(), environment, name());
      directory.create(
          job,
          script,
          text,
          new RunDirectory.Owner(
              job.owner().uid(), job.owner().gid(), LaunchScript.errorFile(job, name())),
          users.ownUid() != job.owner().uid());
      Process shim = start(directory, job);
      runs.put(run, directory);
      watch(run, shim.toHandle());
    } catch (IOException e) {
      LOG.error("job {} cannot be launched: {}", job.displayId(), e.toString());
      deleteQuietly(directory);
      launchFailed(run, String.valueOf(e.getMessage()));
    }
  }

  private Process start(RunDirectory directory, Job job) throws IOException {
    List<String> command = new ArrayList<>();
    command.add("setsid");
    command.add("/bin/sh");
    command.add(setup.spool().resolve(SHIM_FILE).toString());
    command.add(directory.path().toString());
    command.addAll(users.as(job.owner().uid(), job.owner().gid()));
    command.add("/bin/sh");
    command.add(directory.launchScript().toString());
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.directory(Path.of("/").toFile());
    builder.environment().clear();
    builder.environment().putAll(LaunchScript.plainEnvironment());
    Path nothing = Path.of("/dev/null");
    builder.redirectInput(nothing.toFile());
    builder.redirectOutput(nothing.toFile());
    builder.redirectError(nothing.toFile());
    return builder.start();
  }

  private void launchFailed(Command.RunningJob run, String message) {
    tell(new Command.LaunchFailed(name(), run.jobId(), run.restarts(), message));
  }

  private void watch(Command.RunningJob run, ProcessHandle shim) {
    shims.put(run, shim);
    shim.onExit().thenRunAsync(() -> ended(run), thread);
  }

  private void ended(Command.RunningJob run) {
    terminations.soon();
    RunDirectory directory = runs.get(run);
    if (directory == null) {
      return;
    }
    try {
      if (directory.status().isEmpty()) {
        directory.saveStatus(lostStatus());
      }
      reportEnd(directory);
    } catch (IOException e) {
      LOG.error("the end of {} cannot be kept: {}", run, e.toString());
    }
  }

  /**
   * Reports an end until it is heard; a controller that does not know the run any more has heard.
   */
  private void reportEnd(RunDirectory directory) {
    RunDirectory.Status status = directory.status().orElse(null);
    if (status == null || directory.isAcknowledged()) {
      return;
    }
    CompletionStage<Reply> answer =
        tell(
            new Command.ScriptEnded(
                name(),
                directory.run().jobId(),
                directory.run().restarts(),
                status.exit(),
                status.at(),
                status.exit().isOk() ? "" : directory.launchError()));
    if (answer != null) {
      answer.whenCompleteAsync(
          (reply, failure) -> {
            if (reply instanceof Reply.Done && runs.containsKey(directory.run())) {
              acknowledge(directory);
            }
          },
          thread);
    }
  }

  private static void acknowledge(RunDirectory directory) {
    try {
      directory.acknowledge();
    } catch (IOException e) {
      LOG.warn("{}: {}", directory.path(), e.toString());
    }
  }

  private void signal(Effect.Signal signal) {
    Command.RunningJob run = new Command.RunningJob(signal.jobId(), signal.restarts());
    RunDirectory directory = runs.get(run);
    if (signal.signal() == Processes.SIGCONT) {
      paused.remove(run);
    }
    if (directory != null && signal.batchOnly()) {
      Processes.signal(Processes.childOf(shim(directory)), signal.signal());
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
    if (ends || ending.contains(run)) {
      return;
    }
    paused.add(run);
    signal(run, Processes.SIGTSTP);
    thread.schedule(() -> stop(run, 0), pause.graceSeconds(), TimeUnit.SECONDS);
  }

  /** Stops what a paused run has; a little later again, for what was just being started. */
  private void stop(Command.RunningJob run, int times) {
    if (!paused.contains(run)) {
      return;
    }
    signal(run, Processes.SIGSTOP);
    if (times < STOP_AGAIN) {
      thread.schedule(
          () -> stop(run, times + 1), STOP_AFTER.toMillis() << times, TimeUnit.MILLISECONDS);
    }
  }

  private void terminate(Effect.Terminate terminate) {
    Command.RunningJob run = new Command.RunningJob(terminate.jobId(), terminate.restarts());
    paused.remove(run);
    RunDirectory directory = runs.get(run);
    if (directory == null) {
      if (!steps.knows(run)) {
        gone(run);
      } else if (ending.add(run)) {
        endSteps(run, Instant.now().plusSeconds(terminate.killWaitSeconds()));
      }
      return;
    }
    if (directory.termination().isPresent()) {
      return;
    }
    try {
      directory.saveTermination(
          new RunDirectory.Termination(Instant.now(), terminate.killWaitSeconds()));
    } catch (IOException e) {
      LOG.warn("{}: {}", directory.path(), e.toString());
    }
    Terminations.Ending ending = ending(directory);
    if (terminate.message() == null || directory.status().isPresent()) {
      terminations.end(ending);
      return;
    }
    String now = CancelLine.time(Instant.now());
    write(directory, CancelLine.text(directory.run().jobId(), name(), now, terminate.message()))
        .whenCompleteAsync((written, failure) -> terminations.end(ending), thread);
  }

  /** What the end of a run with a batch script waits for. */
  private Terminations.Ending ending(RunDirectory directory) {
    return new Terminations.Ending(
        marker(directory.run()),
        () -> shim(directory),
        directory.termination().map(RunDirectory.Termination::killAt).orElse(Instant.MIN),
        () -> false,
        () -> {
          runs.remove(directory.run());
          shims.remove(directory.run());
          deleteQuietly(directory);
          gone(directory.run());
        });
  }

  /** Ends what a run without a batch script has here: the tasks of its steps. */
  private void endSteps(Command.RunningJob run, Instant killAt) {
    terminations.end(
        new Terminations.Ending(
            marker(run),
            () -> -1,
            killAt,
            () -> steps.has(run),
            () -> {
              ending.remove(run);
              steps.forget(run);
              gone(run);
            }));
  }

  private CompletableFuture<?> write(RunDirectory directory, String line) {
    return directory
        .owner()
        .<CompletableFuture<?>>map(owner -> OwnerOutput.append(users, owner, line))
        .orElseGet(() -> CompletableFuture.completedFuture(null));
  }

  private void gone(Command.RunningJob run) {
    tell(new Command.RunGone(name(), run.jobId(), run.restarts(), Instant.now()));
  }

  private static void deleteQuietly(RunDirectory directory) {
    try {
      directory.delete();
    } catch (IOException e) {
      LOG.warn("{} cannot be deleted: {}", directory.path(), e.toString());
    }
  }

  /** Stops the daemon; jobs go on, and the next daemon finds them. */
  @Override
  public void close() {
    thread.shutdownNow();
  }
}
