package dev.yardmaster.node;

import dev.yardmaster.client.StepChannel;
import dev.yardmaster.client.StepChannel.Kind;
import dev.yardmaster.model.ExitCode;
import dev.yardmaster.model.StepProgram;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tasks of a step on this node while they run: their output goes to srun, and what srun sends
 * goes to them. When the connection breaks it is made anew; when srun is not there any more the
 * tasks are told to end.
 */
final class RunningStep {
  private static final Logger LOG = LoggerFactory.getLogger(RunningStep.class);
  private static final int BUFFER = 1 << 16;
  private static final int LAST_WORDS_MILLIS = 10_000;

  /** How long it is waited for the output of processes that were killed. */
  private static final int KILLED_MILLIS = 5_000;

  private static final int KEEPER_MILLIS = 10_000;

  private final StepDirectory directory;
  private final String node;
  private final StepDirectory.Facts facts;
  private final List<StepTask> tasks;
  private final int bell;
  private final LongSupplier outOfMemory;
  private final Supplier<Set<Integer>> left;
  private final List<StepChannel> attached = new CopyOnWriteArrayList<>();

  /** Whether nobody can attach himself any more. Guarded by attached. */
  private boolean detached;

  /** The way to srun; null when it is gone. Guarded by this. */
  private @Nullable StepChannel channel;

  private final Thread inputs = Thread.ofPlatform().name("input").daemon().unstarted(this::input);

  private volatile boolean over;
  private volatile boolean stopped;
  private ExitCode firstFailure = ExitCode.OK;
  private boolean ending;
  private boolean inputIsOver;
  private boolean lackedMemory;

  /**
   * @param channel where srun is; null when it could not be reached
   * @param bell rings when the daemon stops
   * @param outOfMemory how many of its processes the kernel has killed for want of memory
   * @param left finds what is left of the step when its tasks have ended
   */
  RunningStep(
      StepDirectory directory,
      String node,
      StepDirectory.Facts facts,
      List<StepTask> tasks,
      @Nullable StepChannel channel,
      int bell,
      LongSupplier outOfMemory,
      Supplier<Set<Integer>> left) {
    this.directory = directory;
    this.node = node;
    this.facts = facts;
    this.tasks = List.copyOf(tasks);
    this.channel = channel;
    this.bell = bell;
    this.outOfMemory = outOfMemory;
    this.left = left;
  }

  long memoryMib() {
    return facts.memoryMib();
  }

  /** The processes of each task. */
  Map<Integer, Set<Integer>> processes(Processes.Look look) {
    Map<Integer, Set<Integer>> found = new HashMap<>();
    tasks.forEach(task -> found.put(task.number(), task.processes(look)));
    return found;
  }

  Set<Integer> processes() {
    Processes.Look look = Processes.look();
    Set<Integer> all = new HashSet<>();
    tasks.forEach(task -> all.addAll(task.processes(look)));
    return all;
  }

  void signal(int signal) {
    if (signal == Processes.SIGTERM || signal == Processes.SIGKILL) {
      toldToEnd();
    }
    processes().forEach(pid -> Processes.signal(pid, signal));
  }

  /** What its tasks end with from now on is not their own. */
  void toldToEnd() {
    tasks.forEach(StepTask::toldToEnd);
  }

  /** Signals also what is stopped. */
  void end(int signal) {
    toldToEnd();
    for (int pid : processes()) {
      Processes.signal(pid, Processes.SIGCONT);
      Processes.signal(pid, signal);
    }
  }

  /** Whether this is the first time that it is asked to end. */
  synchronized boolean beginsToEnd() {
    boolean first = !ending;
    ending = true;
    return first;
  }

  /** A line among the errors of its first task. */
  void complain(String line) {
    byte[] text = (line + "\n").getBytes(StandardCharsets.UTF_8);
    send(Kind.ERR, tasks.getFirst().number(), text, text.length);
  }

  /**
   * Brings its output also to somebody else, and their input to its tasks, until they leave;
   * returns at once when there is no more output to come.
   */
  void attach(StepChannel other) throws IOException {
    synchronized (attached) {
      if (detached) {
        return;
      }
      attached.add(other);
    }
    StepChannel.Frame frame = other.receive();
    while (frame != null) {
      if (frame.kind() != Kind.IN_END) {
        for (StepTask task : tasks) {
          give(frame, task);
        }
      }
      frame = other.receive();
    }
    attached.remove(other);
  }

  private void detach() {
    synchronized (attached) {
      detached = true;
      attached.forEach(StepChannel::close);
    }
  }

  /** The daemon stops; the tasks go on. */
  void stop() {
    stopped = true;
    detach();
    synchronized (this) {
      notifyAll();
    }
  }

  /**
   * Carries everything until the tasks have ended.
   *
   * @return the worst of their exit codes; null when the daemon stops before
   */
  @Nullable ExitCode carry() {
    inputs.start();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment buffer = arena.allocate(BUFFER);
      for (StepTask task : tasks) {
        if (task.exit() != null) {
          announce(task, buffer);
        }
      }
      while (tasks.stream().anyMatch(task -> task.exit() == null)) {
        if (!await(-1)) {
          return null;
        }
        tasks.forEach(task -> look(task, buffer));
      }
      over = true;
      drain(buffer);
    }
    return exit();
  }

  /**
   * What Slurm says of a step on a node: the signal of the first task that one ended; else the
   * higher exit code of the first that failed and of the last. Tasks that were told to end do not
   * count, unless all were.
   */
  private @Nullable ExitCode exit() {
    if (lackedMemory) {
      return new ExitCode(0, ExitCode.OUT_OF_MEMORY);
    }
    ExitCode found = null;
    for (StepTask task : tasks) {
      ExitCode exit = task.exit();
      if (exit == null || task.wasToldToEnd()) {
        continue;
      }
      if (exit.signal() != 0 && exit.signal() != ExitCode.OUT_OF_MEMORY) {
        return exit;
      }
      if (exit.signal() == ExitCode.OUT_OF_MEMORY) {
        found = exit;
      } else if (found == null || found.signal() != ExitCode.OUT_OF_MEMORY) {
        found = ExitCode.highest(firstFailure, exit);
      }
    }
    return found == null ? tasks.getFirst().exit() : found;
  }

  /** Waits for something to read; false when the daemon stops. */
  private boolean await(int millis) {
    int[] all = new int[3 * tasks.size() + 1];
    for (int i = 0; i < tasks.size(); i++) {
      System.arraycopy(tasks.get(i).awaited(), 0, all, 3 * i, 3);
    }
    all[all.length - 1] = bell;
    return Posix.poll(all, Posix.IN, millis)[all.length - 1] == 0 && !stopped;
  }

  private void look(StepTask task, MemorySegment buffer) {
    boolean before = task.exit() != null;
    task.pump(buffer, before, this::take);
    if (before || !task.look(buffer)) {
      return;
    }
    announce(task, buffer);
  }

  /** What a task wrote comes before the word that it has ended. */
  private void announce(StepTask task, MemorySegment buffer) {
    task.pump(buffer, true, this::take);
    ExitCode exit = task.exit();
    if (exit != null) {
      firstFailure = firstFailure.isOk() ? exit : firstFailure;
      ExitCode said = lacksMemory() ? new ExitCode(0, ExitCode.OUT_OF_MEMORY) : exit;
      byte[] how = (said.code() + " " + said.signal()).getBytes(StandardCharsets.US_ASCII);
      copy(Kind.EXIT, task.number(), how, how.length);
      send(Kind.EXIT, task.number(), how, how.length);
    }
  }

  /** Whether the kernel has killed some of it for want of memory, which is told once. */
  private boolean lacksMemory() {
    long killed = outOfMemory.getAsLong();
    if (killed > 0 && !lackedMemory) {
      lackedMemory = true;
      String text = Confinement.killed(killed, directory.key().displayId());
      complain(CancelLine.message(CancelLine.time(Instant.now()), text));
    }
    return lackedMemory;
  }

  /** All tasks have ended: what they left behind is killed, and what it wrote still counts. */
  private void drain(MemorySegment buffer) {
    long until = System.nanoTime() + KILLED_MILLIS * 1_000_000L;
    boolean killed = false;
    while (true) {
      boolean some = false;
      for (StepTask task : tasks) {
        some |= task.pump(buffer, true, this::take);
      }
      if (some) {
        continue;
      }
      if (tasks.stream().noneMatch(StepTask::isOpen) || System.nanoTime() > until) {
        return;
      }
      if (!killed) {
        killed = true;
        left.get().forEach(pid -> Processes.signal(pid, Processes.SIGKILL));
      }
      if (!await(KILLED_MILLIS)) {
        return;
      }
    }
  }

  /** Lets srun read what was sent, and leaves it. */
  void leave() {
    StepChannel way = way();
    try {
      if (way != null) {
        way.finish();
        inputs.join(LAST_WORDS_MILLIS);
      }
    } catch (IOException e) {
      LOG.debug("srun has gone: {}", e.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      if (way != null) {
        way.close();
      }
      detach();
    }
  }

  /** How it ended is kept elsewhere: the keepers of its tasks may go. */
  void release() {
    try {
      for (StepTask task : tasks) {
        task.release();
      }
    } catch (IOException e) {
      LOG.warn("step {}: {}", directory.key().displayId(), e.toString());
    }
  }

  void closePipes() {
    if (!stopped) {
      tasks.forEach(task -> task.awaitKeeper(KEEPER_MILLIS));
    }
    // Nobody writes to them any more.
    if (!inputs.isAlive()) {
      tasks.forEach(StepTask::close);
    }
  }

  private void take(Kind kind, int task, MemorySegment bytes) {
    byte[] copy = bytes.toArray(ValueLayout.JAVA_BYTE);
    copy(kind, task, copy, copy.length);
    send(kind, task, copy, copy.length);
  }

  /** Also to those who have attached themselves; one that reads no more is left. */
  private void copy(Kind kind, int task, byte[] bytes, int length) {
    for (StepChannel other : attached) {
      try {
        other.send(kind, task, bytes, length);
      } catch (IOException e) {
        attached.remove(other);
        other.close();
      }
    }
  }

  private synchronized @Nullable StepChannel way() {
    return channel;
  }

  /** Sends to srun, also over the next connection; drops it when srun is gone. */
  private void send(Kind kind, int task, byte[] bytes, int length) {
    StepChannel way = way();
    while (way != null) {
      try {
        way.send(kind, task, bytes, length);
        return;
      } catch (IOException e) {
        way = after(way);
      }
    }
  }

  /** The connection that follows one that broke; null when none does. */
  private synchronized @Nullable StepChannel after(StepChannel broken) {
    broken.close();
    try {
      while (channel == broken && !stopped && !inputIsOver) {
        wait();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
    return channel == broken ? null : channel;
  }

  private synchronized void changed(@Nullable StepChannel next) {
    channel = next;
    notifyAll();
  }

  /** Gives the tasks what srun sends, until it has gone: then they go too. */
  private void input() {
    try {
      carryInput();
    } finally {
      synchronized (this) {
        inputIsOver = true;
        notifyAll();
      }
    }
  }

  private void carryInput() {
    StepChannel way = way();
    while (way != null) {
      receive(way);
      if (over || stopped) {
        return;
      }
      way.close();
      way = connect();
      changed(way);
    }
    if (facts.terminal() >= 0) {
      // A shell that somebody types to heeds nothing less.
      end(Processes.SIGHUP);
    }
    end(Processes.SIGTERM);
  }

  private void receive(StepChannel way) {
    try {
      StepChannel.Frame frame = way.receive();
      while (frame != null) {
        for (StepTask task : tasks) {
          if (frame.task() < 0 || frame.task() == task.number()) {
            give(frame, task);
          }
        }
        if (frame.kind() == Kind.IN) {
          way.send(Kind.GOT, frame.task(), new byte[0]);
        }
        frame = way.receive();
      }
    } catch (IOException e) {
      LOG.debug("the connection to srun is gone: {}", e.toString());
    }
  }

  private @Nullable StepChannel connect() {
    return connect(facts.to(), node);
  }

  /** The way to the srun of a step; null when it is not there. */
  static @Nullable StepChannel connect(StepProgram to, String node) {
    try {
      return StepChannel.connect(to.host(), to.port(), to.key(), node);
    } catch (IOException e) {
      LOG.debug("srun is gone: {}", e.toString());
      return null;
    }
  }

  private static void give(StepChannel.Frame frame, StepTask task) {
    try {
      if (frame.kind() == Kind.WINDOW) {
        task.resize(frame.text());
      } else if (frame.kind() == Kind.IN) {
        task.give(frame.bytes());
      } else if (frame.kind() == Kind.IN_END) {
        task.endInput();
      }
    } catch (IOException e) {
      // The task reads no more; that is its own affair.
      LOG.debug("input is not read: {}", e.toString());
    }
  }
}
