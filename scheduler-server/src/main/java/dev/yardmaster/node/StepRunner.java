package dev.yardmaster.node;

import dev.yardmaster.client.StepChannel;
import dev.yardmaster.client.StepSetup;
import dev.yardmaster.controller.Command;
import dev.yardmaster.controller.Effect;
import dev.yardmaster.controller.Reply;
import dev.yardmaster.model.ExitCode;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobStep;
import dev.yardmaster.model.NodeSpec;
import dev.yardmaster.model.StepProgram;
import dev.yardmaster.model.StepUsage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the tasks of steps as processes of their users, each under a keeper that outlives the daemon
 * (ADR 19). A step ends with its srun; a daemon that starts goes on with those that it finds.
 */
final class StepRunner implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(StepRunner.class);
  private static final int LAUNCH_FAILED = 1;

  private final NodeSpec node;
  private final String cluster;
  private final Path spool;
  private final Users users;
  private final Confinement confinement;
  private final Supplier<NodeDaemon.Setup> present;
  private final UsageMeter meter;
  private final StepScripts scripts;
  private final Consumer<Runnable> later;
  private final Function<Command, @Nullable CompletionStage<Reply>> way;
  private final Runnable settled;
  private final int bell = Posix.bell();
  private final Map<StepDirectory.Key, RunningStep> running = new ConcurrentHashMap<>();

  /** All that the controller does not know to have ended. */
  private final Set<StepDirectory.Key> here = ConcurrentHashMap.newKeySet();

  private final Map<StepDirectory.Key, Command.StepEnded> ended = new ConcurrentHashMap<>();

  /** Who wants to look on at steps that are about to begin. Guarded by itself. */
  private final Map<StepDirectory.Key, List<Effect.AttachStep>> early = new HashMap<>();

  private final Set<Command.RunningJob> known = ConcurrentHashMap.newKeySet();

  /**
   * @param present what the daemon works with, of which settings may change
   * @param later does something on the daemon's thread
   * @param way to the controller, for use on that thread; null comes of it while there is none
   * @param settled told on that thread when the controller has heard the end of a step
   * @throws IOException when the spool cannot be used
   */
  StepRunner(
      Supplier<NodeDaemon.Setup> present,
      Users users,
      Confinement confinement,
      UsageMeter meter,
      Consumer<Runnable> later,
      Function<Command, @Nullable CompletionStage<Reply>> way,
      Runnable settled)
      throws IOException {
    NodeDaemon.Setup setup = present.get();
    this.node = setup.spec();
    this.cluster = setup.clusterName();
    this.spool = setup.spool();
    this.users = users;
    this.confinement = confinement;
    this.present = present;
    this.meter = meter;
    this.later = later;
    this.way = way;
    this.settled = settled;
    this.scripts = new StepScripts(spool, users);
  }

  /** Goes on with the steps that an earlier daemon has left. */
  void adopt() throws IOException {
    for (StepDirectory directory : StepDirectory.all(spool)) {
      StepDirectory.Facts facts = directory.facts();
      if (facts == null) {
        directory.delete();
        continue;
      }
      StepDirectory.Key key = directory.key();
      known.add(key.run());
      here.add(key);
      on("step-" + key.displayId(), () -> goOn(directory, facts));
    }
  }

  private static void on(String name, Runnable work) {
    Thread.ofPlatform().name(name).daemon().start(work);
  }

  /** Whether a run has had steps here. */
  boolean knows(Command.RunningJob run) {
    return known.contains(run);
  }

  /** Whether a run has steps here that the controller does not know to have ended. */
  boolean has(Command.RunningJob run) {
    return here.stream().anyMatch(key -> key.run().equals(run));
  }

  /** The runs that have such steps here. */
  Set<Command.RunningJob> runs() {
    return here.stream().map(StepDirectory.Key::run).collect(Collectors.toSet());
  }

  /** The steps that the controller does not know to have ended. */
  List<Command.RunningStep> steps() {
    return here.stream()
        .map(key -> new Command.RunningStep(key.jobId(), key.restarts(), key.stepId()))
        .toList();
  }

  /** Says again how steps have ended, where nobody has heard it. */
  void tellAgain() {
    ended.keySet().forEach(this::tell);
  }

  /** Holds all steps against the memory that their jobs may have here. */
  void guard(MemoryGuard memory) {
    running.forEach(
        (key, step) ->
            memory.step(key.displayId(), step.processes(), step.memoryMib(), step::complain));
  }

  /** A run is ended: so are its steps. */
  void toldToEnd(Command.RunningJob run) {
    running.forEach(
        (key, step) -> {
          if (key.run().equals(run)) {
            step.toldToEnd();
          }
        });
  }

  /** Nothing of a run is left. */
  void forget(Command.RunningJob run) {
    known.remove(run);
  }

  private static StepDirectory.Key key(Effect.LaunchStep launch) {
    return new StepDirectory.Key(launch.jobId(), launch.restarts(), launch.step().stepId());
  }

  /**
   * A step is about to be launched.
   *
   * @return whether it is not known yet
   */
  boolean expect(Effect.LaunchStep launch) {
    known.add(key(launch).run());
    return here.add(key(launch));
  }

  void launch(Effect.LaunchStep launch) {
    on("step-" + launch.step().displayId(), () -> begin(launch));
  }

  /** Brings the output of a step also to somebody else, and their input to its tasks. */
  void attach(Effect.AttachStep attach) {
    StepDirectory.Key key =
        new StepDirectory.Key(attach.jobId(), attach.restarts(), attach.stepId());
    synchronized (early) {
      if (here.contains(key) && !running.containsKey(key) && !ended.containsKey(key)) {
        early.computeIfAbsent(key, k -> new ArrayList<>()).add(attach);
        return;
      }
    }
    on("attach-" + attach.jobId() + "." + attach.stepId(), () -> serve(attach, running.get(key)));
  }

  /** A step runs, or is over: those who were there before it are let in. */
  private void letIn(StepDirectory.Key key) {
    List<Effect.AttachStep> waiting;
    synchronized (early) {
      waiting = early.remove(key);
    }
    if (waiting != null) {
      waiting.forEach(this::attach);
    }
  }

  /** Whoever waits for a node where the step is over learns that nothing comes from there. */
  private void serve(Effect.AttachStep attach, @Nullable RunningStep step) {
    StepProgram to = attach.program();
    try (StepChannel channel = StepChannel.connect(to.host(), to.port(), to.key(), node.name())) {
      if (step != null) {
        step.attach(channel);
      }
    } catch (IOException e) {
      LOG.debug("who was attached has gone: {}", e.toString());
    }
  }

  /** Says to srun why a step does not start here, and to the controller that it is over. */
  void refuse(Effect.LaunchStep launch, String why) {
    on("step-" + launch.step().displayId(), () -> over(launch, why));
  }

  private void over(Effect.LaunchStep launch, String why) {
    StepChannel channel = RunningStep.connect(launch.program(), node.name());
    if (channel != null) {
      over(launch, channel, why);
    }
    over(key(launch), new ExitCode(LAUNCH_FAILED, 0));
  }

  private void over(Effect.LaunchStep launch, StepChannel channel, String why) {
    try (channel) {
      for (int task : tasks(launch)) {
        byte[] text = ("error: " + why + "\n").getBytes(StandardCharsets.UTF_8);
        channel.send(StepChannel.Kind.ERR, task, text);
        channel.sendExit(task, LAUNCH_FAILED, 0);
      }
      channel.finish();
      while (channel.receive() != null) {
        // Until srun has read it all.
        continue;
      }
    } catch (IOException e) {
      LOG.warn("step {}: {}", launch.step().displayId(), e.toString());
    }
  }

  private List<Integer> tasks(Effect.LaunchStep launch) {
    return launch.step().layout().stream()
        .filter(n -> n.node().equals(node.name()))
        .findFirst()
        .map(JobStep.OnNode::tasks)
        .orElse(List.of());
  }

  private void begin(Effect.LaunchStep launch) {
    Job job = launch.job();
    StepDirectory.Key key = key(launch);
    StepChannel channel = RunningStep.connect(launch.program(), node.name());
    if (channel == null) {
      LOG.warn("step {}: its srun cannot be reached", key.displayId());
      over(key, new ExitCode(LAUNCH_FAILED, 0));
      return;
    }
    String refusal = users.refusal(job.owner().user(), job.owner().uid());
    if (refusal != null) {
      over(launch, channel, refusal);
      over(key, new ExitCode(LAUNCH_FAILED, 0));
      return;
    }
    StepDirectory directory = StepDirectory.of(spool, key);
    List<StepTask> tasks = new ArrayList<>();
    try {
      StepSetup setup = setup(launch, channel);
      String size = launch.options().get("pty");
      // Only the first task has the terminal (srun(1), --pty).
      int terminal = size == null ? -1 : tasks(launch).indexOf(-setup.firstTask());
      StepDirectory.Facts facts =
          new StepDirectory.Facts(
              tasks(launch), launch.program(), MemoryGuard.limitMib(job, node.name()), terminal);
      directory.create(facts);
      String groups = confinement.step(launch);
      List<Path> texts = new ArrayList<>();
      for (int place = 0; place < facts.tasks().size(); place++) {
        texts.add(prepare(launch, setup, directory, place, size != null && place != terminal));
        tasks.add(new StepTask(directory, place, facts.tasks().get(place)));
      }
      RunningStep step = running(directory, facts, tasks, channel);
      for (int place = 0; place < tasks.size(); place++) {
        StepTask task = tasks.get(place);
        scripts
            .start(
                directory,
                place,
                texts.get(place),
                job.owner().uid(),
                job.owner().gid(),
                place == terminal ? size : null,
                groups)
            .onExit()
            .thenRun(task::keeperIsGone);
      }
      carry(directory, step);
    } catch (IOException e) {
      LOG.warn("step {}: {}", key.displayId(), e.toString());
      over(launch, channel, String.valueOf(e.getMessage()));
      tasks.forEach(StepTask::close);
      running.remove(key);
      over(key, new ExitCode(LAUNCH_FAILED, 0));
    }
  }

  private RunningStep running(
      StepDirectory directory,
      StepDirectory.Facts facts,
      List<StepTask> tasks,
      @Nullable StepChannel channel) {
    StepDirectory.Key key = directory.key();
    RunningStep step =
        new RunningStep(
            directory,
            node.name(),
            facts,
            tasks,
            channel,
            bell,
            () -> confinement.outOfMemory(key),
            () -> Processes.ofRun(JobEnvironment.marker(key, spool), -1));
    running.put(key, step);
    letIn(key);
    meter.add(key.run(), key.stepId(), step::processes);
    return step;
  }

  private void goOn(StepDirectory directory, StepDirectory.Facts facts) {
    List<StepTask> tasks = new ArrayList<>();
    try {
      for (int place = 0; place < facts.tasks().size(); place++) {
        StepTask task = new StepTask(directory, place, facts.tasks().get(place));
        tasks.add(task);
        if (directory.keepers(place).isEmpty()
            && Processes.withArgument(directory.path().toString()) < 0) {
          task.keeperIsGone();
        }
      }
      StepChannel channel = RunningStep.connect(facts.to(), node.name());
      carry(directory, running(directory, facts, tasks, channel));
    } catch (IOException e) {
      LOG.warn("step {}: {}", directory.key().displayId(), e.toString());
      tasks.forEach(StepTask::close);
      over(directory.key(), new ExitCode(0, Processes.SIGKILL));
    }
  }

  /** Until the end of a step, or of the daemon. */
  private void carry(StepDirectory directory, RunningStep step) {
    StepDirectory.Key key = directory.key();
    ExitCode worst = step.carry();
    running.remove(key);
    if (worst != null) {
      step.release();
      over(key, worst);
    }
    step.leave();
    step.closePipes();
  }

  private void over(StepDirectory.Key key, ExitCode worst) {
    confinement.over(key);
    StepUsage usage = meter.usage(key.run(), key.stepId());
    meter.remove(key.run(), key.stepId());
    ended.put(
        key,
        new Command.StepEnded(
            node.name(), key.jobId(), key.restarts(), key.stepId(), worst, Instant.now(), usage));
    letIn(key);
    later.accept(() -> tell(key));
  }

  private void tell(StepDirectory.Key key) {
    Command.StepEnded end = ended.get(key);
    CompletionStage<Reply> answer = end == null ? null : way.apply(end);
    if (answer != null) {
      answer.thenAccept(
          reply -> {
            if (reply instanceof Reply.Done && !running.containsKey(key)) {
              StepDirectory.of(spool, key).delete();
              ended.remove(key);
              here.remove(key);
              later.accept(settled);
            }
          });
    }
  }

  private static StepSetup setup(Effect.LaunchStep launch, StepChannel channel) throws IOException {
    if (!launch.options().containsKey(StepSetup.OPTION)) {
      return StepSetup.NONE;
    }
    StepChannel.Frame frame = channel.receive();
    if (frame == null) {
      throw new IOException("srun has gone before the step began");
    }
    return StepSetup.of(frame);
  }

  /**
   * Writes all that a task needs.
   *
   * @param silent whether nothing of what it writes is wanted, and it has no input
   * @return the text that its user runs
   */
  private Path prepare(
      Effect.LaunchStep launch, StepSetup setup, StepDirectory directory, int place, boolean silent)
      throws IOException {
    Job job = launch.job();
    NodeDaemon.Setup now = present.get();
    Map<String, String> environment =
        StepEnvironment.of(launch, place, now.spec(), cluster, setup, now.settings().gpus());
    environment.put(JobEnvironment.MARKER, JobEnvironment.marker(directory.key(), spool));
    String text =
        StepScripts.launch(
            environment, launch.program().workDir(), launch.program().arguments(), now.settings());
    int uid = job.owner().uid();
    boolean changeOwner = users.ownUid() != uid;
    directory.makePipes(place, uid, changeOwner);
    if (!now.settings().taskEpilog().isEmpty()) {
      directory.runsEpilogOfTask(place);
    }
    return directory.saveLaunch(
        place, silent ? "exec </dev/null >/dev/null 2>&1\n" + text : text, uid, changeOwner);
  }

  void signal(Effect.SignalStep signal) {
    RunningStep step =
        running.get(new StepDirectory.Key(signal.jobId(), signal.restarts(), signal.stepId()));
    if (step == null) {
      return;
    }
    step.signal(signal.signal());
    if (signal.killWaitSeconds() > 0 && step.beginsToEnd()) {
      on("kill-" + signal.jobId(), () -> killLater(step, signal.killWaitSeconds()));
    }
  }

  private static void killLater(RunningStep step, long seconds) {
    try {
      Thread.sleep(1000 * seconds);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    step.end(Processes.SIGKILL);
  }

  /** Stops; the steps go on, and the next daemon finds them. */
  @Override
  public void close() {
    running.values().forEach(RunningStep::stop);
    Posix.ring(bell);
  }
}
