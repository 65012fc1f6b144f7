package dev.yardmaster.cli;

import dev.yardmaster.client.ClientException;
import dev.yardmaster.client.SchedulerClient;
import dev.yardmaster.client.StepListener;
import dev.yardmaster.client.StepSetup;
import dev.yardmaster.model.ExitCode;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobStep;
import dev.yardmaster.model.StepProgram;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** One step from its request to the end of its last task. */
final class StepSession implements AutoCloseable {
  private static final long CONNECT_MILLIS = 10_000;
  private static final long FIRST_PAUSE = 50;
  private static final long LONGEST_PAUSE = 2_000;
  private static final long INTERRUPT_TWICE = 1_000;
  private static final long ASK_MILLIS = 500;
  private static final int BUFFER = 1 << 15;

  private final SchedulerClient client;
  private final Map<String, String> options;
  private final List<String> command;
  private final Io io;
  private final AtomicReference<@Nullable String> signal = new AtomicReference<>();
  private volatile @Nullable JobStep step;
  private volatile boolean forced;
  private final AtomicReference<@Nullable StepRun> run = new AtomicReference<>();
  private final StepFiles files;
  private @Nullable StepListener listener;
  private @Nullable Terminal terminal;
  private volatile StepEnds ends = new StepEnds(0, false, 0);
  private boolean gaveUpWaiting;
  private long lastInterrupt;
  private long lastAsked;

  StepSession(SchedulerClient client, Map<String, String> options, List<String> command, Io io) {
    this.client = client;
    this.options = options;
    this.command = command;
    this.io = io;
    this.files = new StepFiles(io, options);
  }

  /** Whether a signal ended the step. */
  boolean wasForced() {
    return forced;
  }

  /** The terminal that its first task is to run on looks as this one. */
  void show(Terminal seen) {
    terminal = seen;
    options.put("pty", seen.size().toString());
  }

  /** A signal has come. */
  void signalled(String name) {
    signal.set(name);
  }

  /**
   * Runs the step.
   *
   * @return how its tasks ended
   */
  ExitCode run(Job job) throws CommandFailure {
    JobStep started = start(job);
    return finish(started, 0, started.tasks());
  }

  /** Asks for the step; its nodes begin with it. */
  JobStep start(Job job) throws CommandFailure {
    try {
      ends = StepEnds.of(client, options);
      listener = new StepListener(new Late(run), Session.controllers(io).getFirst().endpoint());
      JobStep started = create(job, listener);
      step = started;
      return started;
    } catch (IOException e) {
      throw new CommandFailure(1, "srun: error: " + e.getMessage());
    } catch (ClientException e) {
      throw new CommandFailure(1, "srun: error: " + e.text());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailure(1, "srun: error: interrupted");
    }
  }

  /** Tells the nodes what the step is among others; they wait for it. */
  void setUp(StepSetup setup) {
    Objects.requireNonNull(listener, "not started").setUp(setup);
  }

  /**
   * Waits for the end of the step that was started.
   *
   * @param firstTask the number of its first task among all that run together
   * @param allTasks how many run together
   * @return how its tasks ended
   */
  ExitCode finish(JobStep started, int firstTask, int allTasks) throws CommandFailure {
    try (InputStream input = input()) {
      String out = options.getOrDefault("output", "");
      String err = options.getOrDefault("error", "");
      var toOut = files.of(out, io.out(), started);
      StepRun tasks =
          new StepRun(
              terminal == null ? io.err() : returning(io.err()),
              options.containsKey("label"),
              toOut,
              err.isEmpty() && !out.isEmpty() && !out.equals("all")
                  ? toOut
                  : files.of(err, io.err(), started),
              this::firstFailure);
      tasks.isPart(firstTask, allTasks);
      Map<Integer, String> places = new HashMap<>();
      started.layout().forEach(n -> n.tasks().forEach(t -> places.put(t, n.node())));
      tasks.expect(places);
      Late.give(run, tasks);
      StepListener nodes = Objects.requireNonNull(listener, "not started");
      Terminal seen = terminal;
      if (seen != null) {
        seen.onResize(() -> nodes.resize(seen.size().rows(), seen.size().columns()));
        seen.raw();
      }
      feed(input, tasks, nodes);
      await(tasks, started);
      tasks.complain();
      io.out().flush();
      if (tasks.wereEnded() && !gaveUpWaiting && !forced) {
        io.err().println("srun: Force Terminated StepId=" + started.displayId());
      }
      return tasks.exit();
    } catch (IOException e) {
      throw new CommandFailure(1, "srun: error: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new ExitCode(1, 0);
    }
  }

  /** On a terminal that is raw a new line does not return to its begin by itself. */
  private static PrintStream returning(PrintStream to) {
    OutputStream with =
        new OutputStream() {
          @Override
          public void write(int b) {
            if (b == '\n') {
              to.write('\r');
            }
            to.write(b);
          }
        };
    return new PrintStream(with, true, StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    if (terminal != null) {
      terminal.restore();
    }
    if (listener != null) {
      listener.close();
    }
    files.close();
  }

  /** What comes before the step is known waits until it is. */
  private record Late(AtomicReference<@Nullable StepRun> run) implements StepListener.Output {
    static void give(AtomicReference<@Nullable StepRun> run, StepRun tasks) {
      synchronized (run) {
        run.set(tasks);
        run.notifyAll();
      }
    }

    private StepRun tasks() {
      synchronized (run) {
        StepRun tasks = run.get();
        while (tasks == null) {
          try {
            run.wait();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
          }
          tasks = run.get();
        }
        return tasks;
      }
    }

    @Override
    public void connected(String node) {
      tasks().connected(node);
    }

    @Override
    public void written(int task, boolean error, byte[] bytes) {
      tasks().written(task, error, bytes);
    }

    @Override
    public void exited(String node, int task, ExitCode exit) {
      tasks().exited(node, task, exit);
    }

    @Override
    public boolean lost(String node) {
      return tasks().lost(node);
    }
  }

  private InputStream input() throws CommandFailure {
    String name = options.getOrDefault("input", "all");
    if (name.equals("none") || name.matches("-[0-9]{1,9}")) {
      return InputStream.nullInputStream();
    }
    if (name.equals("all") || name.matches("[0-9]{1,9}")) {
      return new Shielded(io.in());
    }
    try {
      return Files.newInputStream(io.directory().resolve(name));
    } catch (IOException e) {
      throw new CommandFailure(
          1, "srun: error: Could not open stdin file: No such file or directory");
    }
  }

  /** The standard input of this process, which a step that ends leaves open. */
  private static final class Shielded extends InputStream {
    private final InputStream from;

    Shielded(InputStream from) {
      this.from = from;
    }

    @Override
    public int read() throws IOException {
      return from.read();
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      return from.read(bytes, offset, length);
    }
  }

  private JobStep create(Job job, StepListener listener)
      throws CommandFailure, InterruptedException {
    SortedMap<String, String> sent = new TreeMap<>(options);
    List.of("error", "export", "immediate", "input", "jobid", "label", "output", "quiet")
        .forEach(sent::remove);
    String directory = options.get("chdir");
    StepProgram program =
        new StepProgram(
            command,
            environment(),
            directory == null
                ? io.directory().toString()
                : io.directory().resolve(directory).toString(),
            listener.host(),
            listener.port(),
            listener.key());
    boolean told = false;
    for (long pause = FIRST_PAUSE; ; pause = Math.min(LONGEST_PAUSE, 2 * pause)) {
      try {
        JobStep created = client.createStep(Integer.toString(job.id()), sent, program);
        if (told) {
          io.err().println("srun: Step created for StepId=" + created.displayId());
        }
        return created;
      } catch (ClientException.Refused e) {
        boolean busy = e.name().equals("NODES_BUSY") && !options.containsKey("immediate");
        if (!busy || signal.get() != null) {
          throw refused(job, e);
        }
        if (!told) {
          told = true;
          io.err()
              .println(
                  "srun: Job "
                      + job.id()
                      + " step creation temporarily disabled, retrying (Requested nodes are busy)");
        }
        Thread.sleep(pause);
      } catch (ClientException e) {
        throw refused(job, e);
      }
    }
  }

  private static CommandFailure refused(Job job, ClientException e) {
    return Submissions.failure(
        "srun", e, "srun: error: Unable to create step for job " + job.id() + ": ");
  }

  /** What the tasks see of this process's environment (srun(1), --export). */
  private SortedMap<String, String> environment() {
    String export = options.getOrDefault("export", "ALL");
    TreeMap<String, String> environment = new TreeMap<>();
    List<String> words = List.of(export.split(",", -1));
    if (words.contains("ALL")) {
      environment.putAll(io.environment());
    } else {
      io.environment()
          .forEach(
              (name, value) -> {
                if (name.startsWith("SLURM_") || name.startsWith("SPANK_")) {
                  environment.put(name, value);
                }
              });
    }
    for (String word : words) {
      int equals = word.indexOf('=');
      String value = equals < 0 ? io.variable(word) : word.substring(equals + 1);
      if (value != null && !word.equals("ALL") && !word.equals("NONE")) {
        environment.put(equals < 0 ? word : word.substring(0, equals), value);
      }
    }
    if (terminal != null) {
      environment.put("SLURM_PTY_WIN_ROW", Integer.toString(terminal.size().rows()));
      environment.put("SLURM_PTY_WIN_COL", Integer.toString(terminal.size().columns()));
    }
    return Immutable.sortedMap(environment);
  }

  private void feed(InputStream input, StepRun tasks, StepListener listener) {
    String name = options.getOrDefault("input", "all");
    int task = name.matches("[0-9]{1,9}") ? Integer.parseInt(name) : -1;
    Thread.ofPlatform()
        .name("input")
        .daemon()
        .start(
            () -> {
              byte[] buffer = new byte[BUFFER];
              try {
                tasks.awaitConnected();
                int length = input.read(buffer);
                while (length >= 0) {
                  listener.input(task, buffer, length);
                  length = input.read(buffer);
                }
              } catch (IOException e) {
                // It is at its end for the tasks in either case.
                listener.endInput();
                return;
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
              listener.endInput();
            });
  }

  private void await(StepRun tasks, JobStep started) throws InterruptedException {
    long begin = System.nanoTime();
    while (!tasks.await(FIRST_PAUSE)) {
      long waited = (System.nanoTime() - begin) / 1_000_000;
      if (waited > CONNECT_MILLIS) {
        for (String node : tasks.missing()) {
          io.err()
              .println(
                  "srun: error: Task launch for StepId="
                      + started.displayId()
                      + " failed on node "
                      + node
                      + ": Communication connection failure");
          tasks.giveUp(node);
        }
      }
      leaveThoseGone(tasks, started);
      endWhenOthersWait(tasks, started);
      String name = signal.getAndSet(null);
      if (name != null) {
        obey(name, tasks, started);
      }
    }
  }

  /**
   * A node whose daemon is restarted comes back; when the controller has no such step any more,
   * what the node had of it is over.
   */
  private void leaveThoseGone(StepRun tasks, JobStep started) {
    long now = System.nanoTime();
    if (tasks.away().isEmpty() || now - lastAsked < ASK_MILLIS * 1_000_000) {
      return;
    }
    lastAsked = now;
    try {
      if (client.steps().stream().noneMatch(s -> s.displayId().equals(started.displayId()))) {
        for (String node : tasks.away()) {
          tasks.giveUp(node);
          Objects.requireNonNull(listener, "not started").giveUp(node);
        }
      }
    } catch (ClientException e) {
      // The controller may be restarted as well; the step goes on meanwhile.
      return;
    }
  }

  /** WaitTime, --wait: so many seconds after the first task has ended the others are killed. */
  private void endWhenOthersWait(StepRun tasks, JobStep started) {
    long seconds = ends.waitSeconds();
    if (seconds == 0 || gaveUpWaiting || tasks.sinceFirstExit() < 1000 * seconds) {
      return;
    }
    gaveUpWaiting = true;
    tasks.complain();
    String id = "srun: StepId=" + started.displayId() + " ";
    io.err().println("srun: First task exited " + seconds + "s ago");
    say(id, tasks.running(), "running");
    say(id, tasks.ended(false), "exited abnormally");
    say(id, tasks.ended(true), "exited");
    io.err().println("srun: Terminating StepId=" + started.displayId());
    io.err()
        .println(
            "srun: Job step aborted: Waiting up to "
                + ends.abortSeconds()
                + " seconds for job step to finish.");
    send(started, "KILL");
  }

  private void say(String id, List<Integer> tasks, String what) {
    if (!tasks.isEmpty()) {
      io.err().println(id + StepRun.tasks(tasks) + ": " + what);
    }
  }

  /** Ctrl-C twice within a second goes to the tasks; other signals end the step. */
  private void obey(String name, StepRun tasks, JobStep started) {
    long now = System.nanoTime() / 1_000_000;
    boolean twice = now - lastInterrupt < INTERRUPT_TWICE;
    if (name.equals("INT") && !twice && !options.containsKey("quit-on-interrupt")) {
      lastInterrupt = now;
      io.err().println("srun: interrupt (one more within 1 sec to abort)");
      io.err()
          .println(
              "srun: StepId="
                  + started.displayId()
                  + " "
                  + StepRun.tasks(tasks.running())
                  + ": running");
      return;
    }
    if (name.equals("INT")) {
      io.err().println("srun: sending Ctrl-C to StepId=" + started.displayId());
      send(started, "INT");
    } else {
      io.err().println("srun: forcing job termination");
      forced = true;
      send(started, "");
    }
  }

  /** KillOnBadExit, --kill-on-bad-exit: with the first task that fails all others end. */
  private void firstFailure() {
    JobStep started = step;
    StepRun tasks = run.get();
    if (started != null && tasks != null && ends.onBadExit()) {
      tasks.complain();
      io.err().println("srun: Terminating StepId=" + started.displayId());
      send(started, "");
    }
  }

  private void send(JobStep started, String name) {
    try {
      client.signalStep(started.displayId(), name);
    } catch (ClientException e) {
      io.err()
          .println(
              "srun: error: Unable to signal StepId="
                  + started.displayId()
                  + ": "
                  + Session.words(e));
    }
  }
}
