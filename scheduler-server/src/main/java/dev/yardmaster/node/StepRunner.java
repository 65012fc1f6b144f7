package dev.yardmaster.node;

import dev.yardmaster.client.StepChannel;
import dev.yardmaster.client.StepSetup;
import dev.yardmaster.controller.Command;
import dev.yardmaster.controller.Effect;
import dev.yardmaster.model.ExitCode;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.NodeSpec;
import dev.yardmaster.model.StepProgram;
import dev.yardmaster.model.StepUsage;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the tasks of steps as processes of their users and carries their streams to srun. Other than
 * a batch script a step ends with its srun, and with the daemon.
 */
final class StepRunner {
  private static final Logger LOG = LoggerFactory.getLogger(StepRunner.class);
  private static final int LAST_WORDS_MILLIS = 10_000;
  private static final int BUFFER = 1 << 15;
  private static final int LAUNCH_FAILED = 1;

  private final NodeSpec node;
  private final String cluster;
  private final Path spool;
  private final Users users;
  private final Supplier<NodeDaemon.Setup> present;
  private final UsageMeter meter;
  private final Consumer<Command> tell;
  private final Map<Key, Running> running = new ConcurrentHashMap<>();
  private final Set<Command.RunningJob> known = ConcurrentHashMap.newKeySet();

  private record Key(int jobId, int restarts, int stepId) {}

  /** The tasks of a step on this node. */
  private static final class Running {
    private final List<StepTask> tasks = new ArrayList<>();
    private final List<StepChannel> attached = new CopyOnWriteArrayList<>();
    private boolean ending;
    private long memoryMib;
    private Consumer<String> complain = line -> {};

    /** Also to those who have attached themselves; one that reads no more is left. */
    void copy(StepChannel.Kind kind, int task, byte[] bytes, int length) {
      for (StepChannel other : attached) {
        try {
          other.send(kind, task, bytes, length);
        } catch (IOException e) {
          attached.remove(other);
          other.close();
        }
      }
    }

    synchronized void add(StepTask task) {
      tasks.add(task);
    }

    synchronized Set<Integer> processes() {
      Set<Integer> pids = new HashSet<>();
      for (StepTask each : tasks) {
        Process task = each.process();
        task.descendants().forEach(child -> pids.add((int) child.pid()));
        if (task.isAlive()) {
          pids.add((int) task.pid());
        }
      }
      return pids;
    }
  }

  /**
   * @param present what the daemon works with, of which settings may change
   * @param tell takes what the controller is to hear
   */
  StepRunner(
      Supplier<NodeDaemon.Setup> present, Users users, UsageMeter meter, Consumer<Command> tell) {
    NodeDaemon.Setup setup = present.get();
    this.node = setup.spec();
    this.cluster = setup.clusterName();
    this.spool = setup.spool();
    this.users = users;
    this.present = present;
    this.meter = meter;
    this.tell = tell;
  }

  /** Whether a run has had steps here. */
  boolean knows(Command.RunningJob run) {
    return known.contains(run);
  }

  /** Whether a run has steps here that have not ended. */
  boolean has(Command.RunningJob run) {
    return running.keySet().stream()
        .anyMatch(k -> k.jobId() == run.jobId() && k.restarts() == run.restarts());
  }

  /** Holds all steps against the memory that their jobs may have here. */
  void guard(MemoryGuard memory) {
    running.forEach(
        (key, step) ->
            memory.step(
                key.jobId() + "." + key.stepId(), step.processes(), step.memoryMib, step.complain));
  }

  /** Nothing of a run is left. */
  void forget(Command.RunningJob run) {
    known.remove(run);
  }

  void launch(Effect.LaunchStep launch) {
    Key key = new Key(launch.jobId(), launch.restarts(), launch.step().stepId());
    Running step = new Running();
    known.add(new Command.RunningJob(launch.jobId(), launch.restarts()));
    if (running.putIfAbsent(key, step) == null) {
      Thread.ofPlatform()
          .name("step-" + launch.step().displayId())
          .daemon()
          .start(() -> run(launch, key, step));
    }
  }

  /** Brings the output of a step also to somebody else, and their input to its tasks. */
  void attach(Effect.AttachStep attach) {
    Running step = running.get(new Key(attach.jobId(), attach.restarts(), attach.stepId()));
    if (step == null) {
      return;
    }
    Thread.ofPlatform()
        .name("attach-" + attach.jobId() + "." + attach.stepId())
        .daemon()
        .start(() -> serve(attach, step));
  }

  private void serve(Effect.AttachStep attach, Running step) {
    StepProgram to = attach.program();
    try (StepChannel channel = StepChannel.connect(to.host(), to.port(), to.key(), node.name())) {
      step.attached.add(channel);
      StepChannel.Frame frame = channel.receive();
      while (frame != null) {
        if (frame.kind() != StepChannel.Kind.IN_END) {
          for (StepTask task : List.copyOf(step.tasks)) {
            give(frame, task);
          }
        }
        frame = channel.receive();
      }
      step.attached.remove(channel);
    } catch (IOException e) {
      LOG.debug("who was attached has gone: {}", e.toString());
    }
  }

  /** Says to srun why a step does not start here, and to the controller that it is over. */
  void refuse(Effect.LaunchStep launch, String why) {
    Thread.ofPlatform()
        .name("step-" + launch.step().displayId())
        .daemon()
        .start(
            () -> {
              StepProgram to = launch.program();
              try (StepChannel channel =
                  StepChannel.connect(to.host(), to.port(), to.key(), node.name())) {
                refuse(launch, channel, why);
                channel.finish();
                while (channel.receive() != null) {
                  // Until srun has read it all.
                  continue;
                }
              } catch (IOException e) {
                LOG.warn("step {}: {}", launch.step().displayId(), e.toString());
              }
              tell.accept(
                  new Command.StepEnded(
                      node.name(),
                      launch.jobId(),
                      launch.restarts(),
                      launch.step().stepId(),
                      new ExitCode(LAUNCH_FAILED, 0),
                      Instant.now()));
            });
  }

  private ExitCode refuse(Effect.LaunchStep launch, StepChannel channel, String why)
      throws IOException {
    for (int task : numbers(launch)) {
      byte[] text = ("error: " + why + "\n").getBytes(StandardCharsets.UTF_8);
      channel.send(StepChannel.Kind.ERR, task, text);
      channel.sendExit(task, LAUNCH_FAILED, 0);
    }
    return new ExitCode(LAUNCH_FAILED, 0);
  }

  private List<Integer> numbers(Effect.LaunchStep launch) throws IOException {
    return launch.step().layout().stream()
        .filter(n -> n.node().equals(node.name()))
        .findFirst()
        .orElseThrow(() -> new IOException(node.name() + " has no task of the step"))
        .tasks();
  }

  private void run(Effect.LaunchStep launch, Key key, Running step) {
    StepProgram program = launch.program();
    ExitCode worst = new ExitCode(LAUNCH_FAILED, 0);
    try (StepChannel channel =
        StepChannel.connect(program.host(), program.port(), program.key(), node.name())) {
      worst = tasks(launch, step, channel);
    } catch (IOException e) {
      LOG.warn("step {}: {}", launch.step().displayId(), e.toString());
    } finally {
      end(step, Processes.SIGKILL);
      running.remove(key);
      step.attached.forEach(StepChannel::close);
      Command.RunningJob of = new Command.RunningJob(key.jobId(), key.restarts());
      StepUsage usage = meter.usage(of, key.stepId());
      meter.remove(of, key.stepId());
      tell.accept(
          new Command.StepEnded(
              node.name(), of.jobId(), of.restarts(), key.stepId(), worst, Instant.now(), usage));
    }
  }

  private ExitCode tasks(Effect.LaunchStep launch, Running step, StepChannel channel)
      throws IOException {
    List<Integer> numbers = numbers(launch);
    Job job = launch.job();
    String refusal = users.refusal(job.owner().user(), job.owner().uid());
    if (refusal != null) {
      return refuse(launch, channel, refusal);
    }
    step.memoryMib = MemoryGuard.limitMib(job, node.name());
    step.complain = MemoryGuard.errorsOf(channel, numbers.getFirst());
    StepSetup setup = setup(launch, channel);
    List<Thread> waiting = new ArrayList<>();
    ExitCode[] exits = new ExitCode[numbers.size()];
    for (int local = 0; local < numbers.size(); local++) {
      int place = local;
      int task = numbers.get(local);
      StepTask started = start(launch, local, setup.firstTask() + task, setup);
      step.add(started);
      waiting.add(
          Thread.ofPlatform()
              .name("task-" + task)
              .daemon()
              .start(() -> exits[place] = carry(started, task, channel, step)));
    }
    meter.add(
        new Command.RunningJob(launch.jobId(), launch.restarts()),
        launch.step().stepId(),
        look -> processes(look, step, numbers));
    Thread input =
        Thread.ofPlatform().name("input").daemon().start(() -> input(channel, step, numbers));
    ExitCode worst = ExitCode.OK;
    try {
      for (Thread thread : waiting) {
        thread.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    for (ExitCode exit : exits) {
      worst = exit != null && weight(exit) > weight(worst) ? exit : worst;
    }
    try {
      channel.finish();
      input.join(LAST_WORDS_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return worst;
  }

  private static Map<Integer, Set<Integer>> processes(
      Processes.Look look, Running step, List<Integer> numbers) {
    Map<Integer, Set<Integer>> found = new HashMap<>();
    for (int i = 0; i < numbers.size(); i++) {
      found.put(numbers.get(i), look.under((int) step.tasks.get(i).process().pid()));
    }
    return found;
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

  private static int weight(ExitCode exit) {
    return exit.signal() != 0 ? 128 + exit.signal() : exit.code();
  }

  private StepTask start(Effect.LaunchStep launch, int local, int number, StepSetup setup)
      throws IOException {
    Job job = launch.job();
    NodeDaemon.Setup now = present.get();
    Map<String, String> environment =
        StepEnvironment.of(launch, local, now.spec(), cluster, setup, now.settings().gpus());
    environment.put(JobEnvironment.MARKER, JobEnvironment.marker(job.id(), job.restarts(), spool));
    List<String> command = new ArrayList<>(users.as(job.owner().uid(), job.owner().gid()));
    String workDir = launch.program().workDir();
    String size = launch.options().get("pty");
    PseudoTerminal terminal =
        size != null && number == 0 ? PseudoTerminal.open(job.owner().uid(), users.ownUid()) : null;
    if (terminal != null && size != null) {
      // Before anything runs there, which would take it for a change.
      StepTask.resize(terminal, size);
      command.add("setsid");
      environment.put(TaskScripts.TERMINAL, terminal.device().toString());
    }
    command.addAll(
        List.of(
            "/bin/sh",
            "-c",
            TaskScripts.launch(terminal != null, present.get().settings().taskProlog()),
            "sh",
            workDir.isEmpty() ? "/tmp" : workDir,
            environment.getOrDefault("PATH", "")));
    command.addAll(launch.program().arguments());
    ProcessBuilder builder = new ProcessBuilder(command).directory(new File("/"));
    builder.environment().clear();
    environment.forEach(
        (name, value) -> {
          if (!name.isEmpty() && name.indexOf('=') < 0 && value.indexOf('\0') < 0) {
            builder.environment().put(name, value);
          }
        });
    if (size != null && terminal == null) {
      // Only the first task has the terminal (srun(1), --pty).
      builder.redirectInput(new File("/dev/null"));
      builder.redirectOutput(ProcessBuilder.Redirect.DISCARD);
      builder.redirectError(ProcessBuilder.Redirect.DISCARD);
    }
    return new StepTask(builder.start(), terminal);
  }

  /** Carries what a task writes until it has ended and its streams are closed. */
  private static ExitCode carry(StepTask started, int task, StepChannel channel, Running step) {
    Process process = started.process();
    Thread errors =
        Thread.ofPlatform()
            .daemon()
            .start(() -> pump(process.getErrorStream(), StepChannel.Kind.ERR, task, channel, step));
    pump(process.getInputStream(), StepChannel.Kind.OUT, task, channel, step);
    if (started.terminal() != null) {
      pump(started.terminal().output(), StepChannel.Kind.OUT, task, channel, step);
    }
    ExitCode exit = new ExitCode(0, Processes.SIGKILL);
    try {
      errors.join();
      int status = process.waitFor();
      started.close();
      exit = status > 128 && status < 193 ? new ExitCode(0, status - 128) : new ExitCode(status, 0);
      byte[] how = (exit.code() + " " + exit.signal()).getBytes(StandardCharsets.US_ASCII);
      step.copy(StepChannel.Kind.EXIT, task, how, how.length);
      channel.sendExit(task, exit.code(), exit.signal());
    } catch (IOException e) {
      LOG.debug("task {}: nobody hears how it ended: {}", task, e.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return exit;
  }

  private static void pump(
      InputStream from, StepChannel.Kind kind, int task, StepChannel to, Running step) {
    byte[] buffer = new byte[BUFFER];
    boolean heard = true;
    try (from) {
      int length = from.read(buffer);
      while (length >= 0) {
        step.copy(kind, task, buffer, length);
        if (heard) {
          try {
            to.send(kind, task, buffer, length);
          } catch (IOException e) {
            heard = false;
          }
        }
        length = from.read(buffer);
      }
    } catch (IOException e) {
      LOG.debug("task {}: {}", task, e.toString());
    }
  }

  /** Gives the tasks what srun sends, until it has gone: then they go too. */
  private void input(StepChannel channel, Running step, List<Integer> numbers) {
    try {
      StepChannel.Frame frame = channel.receive();
      while (frame != null) {
        for (int i = 0; i < numbers.size(); i++) {
          if (frame.task() < 0 || frame.task() == numbers.get(i)) {
            give(frame, step.tasks.get(i));
          }
        }
        frame = channel.receive();
      }
    } catch (IOException e) {
      LOG.debug("the connection to srun is gone: {}", e.toString());
    }
    if (step.tasks.stream().anyMatch(task -> task.terminal() != null)) {
      // A shell that somebody types to heeds nothing less.
      end(step, Processes.SIGHUP);
    }
    end(step, Processes.SIGTERM);
  }

  private static void give(StepChannel.Frame frame, StepTask task) {
    OutputStream to = task.input();
    try {
      if (frame.kind() == StepChannel.Kind.WINDOW) {
        task.resize(frame.text());
      } else if (frame.kind() == StepChannel.Kind.IN) {
        to.write(frame.bytes());
        to.flush();
      } else if (frame.kind() == StepChannel.Kind.IN_END) {
        to.close();
      }
    } catch (IOException e) {
      // The task reads no more; that is its own affair.
      LOG.debug("input is not read: {}", e.toString());
    }
  }

  private static void end(Running step, int signal) {
    for (int pid : step.processes()) {
      Processes.signal(pid, Processes.SIGCONT);
      Processes.signal(pid, signal);
    }
  }

  void signal(Effect.SignalStep signal) {
    Running step = running.get(new Key(signal.jobId(), signal.restarts(), signal.stepId()));
    if (step == null) {
      return;
    }
    step.processes().forEach(pid -> Processes.signal(pid, signal.signal()));
    if (signal.killWaitSeconds() > 0 && !step.ending) {
      step.ending = true;
      Thread.ofPlatform().daemon().start(() -> killLater(step, signal.killWaitSeconds()));
    }
  }

  private static void killLater(Running step, long seconds) {
    try {
      Thread.sleep(1000 * seconds);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    end(step, Processes.SIGKILL);
  }
}
