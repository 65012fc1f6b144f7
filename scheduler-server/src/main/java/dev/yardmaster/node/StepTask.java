package dev.yardmaster.node;

import dev.yardmaster.client.StepChannel;
import dev.yardmaster.model.ExitCode;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A task of a step as the daemon sees it: the pipes that lead to it, its keeper, and how it ended.
 * The thread of its step reads; another one may write its input.
 */
final class StepTask implements AutoCloseable {
  private static final int ROOM_MILLIS = 100;

  private final StepDirectory step;
  private final int place;
  private final int number;
  private final int out;
  private final int err;
  private final int end;
  private final int noMore;
  private final Object giving = new Object();
  private int in;
  private boolean hasBegun;
  private boolean inputEnds;
  private int read = -1;
  private boolean outOpen = true;
  private boolean errOpen = true;
  private volatile @Nullable ExitCode exit;
  private volatile boolean keeperGone;
  private volatile boolean endsByOrder;

  /**
   * Opens the pipes of a task, before its keeper begins or when a daemon finds it again.
   *
   * @param place among the tasks of its node, from 0
   * @param number among those of its step
   */
  StepTask(StepDirectory step, int place, int number) throws IOException {
    this.step = step;
    this.place = place;
    this.number = number;
    in = Posix.open(step.pipe(place, StepDirectory.Pipe.IN), Posix.READ_WRITE);
    noMore = Posix.open(step.pipe(place, StepDirectory.Pipe.NO_MORE), Posix.READ_WRITE);
    out = Posix.open(step.pipe(place, StepDirectory.Pipe.OUT), Posix.READ_ONLY);
    err = Posix.open(step.pipe(place, StepDirectory.Pipe.ERR), Posix.READ_ONLY);
    end = Posix.open(step.pipe(place, StepDirectory.Pipe.END), Posix.READ_ONLY);
    hasBegun = !step.keepers(place).isEmpty();
    // An earlier daemon may have heard it and not have come further.
    exit = step.status(place).orElse(null);
  }

  int number() {
    return number;
  }

  /** What can be read of it, or tells of its end: -1 for what needs no look any more. */
  int[] awaited() {
    return new int[] {outOpen ? out : -1, errOpen ? err : -1, exit == null ? end : -1};
  }

  /** It is told to end; it counts where it has not ended before. */
  void toldToEnd() {
    endsByOrder |= exit == null;
  }

  boolean wasToldToEnd() {
    return endsByOrder;
  }

  /** How it ended; null while it runs. */
  @Nullable ExitCode exit() {
    return exit;
  }

  /** Whether something may still come of what it writes. */
  boolean isOpen() {
    return outOpen || errOpen;
  }

  /** Takes what it has written, once. */
  interface Output {
    void take(StepChannel.Kind kind, int task, MemorySegment bytes);
  }

  /**
   * Takes some of what it has written by now.
   *
   * @param over whether it has ended: then the end of a pipe is its end
   * @return whether there was something
   */
  boolean pump(MemorySegment buffer, boolean over, Output to) {
    boolean some = false;
    if (outOpen) {
      int length = length(out, buffer);
      some = take(length, StepChannel.Kind.OUT, buffer, to);
      outOpen = length > 0 || length < 0 || !over;
    }
    if (errOpen) {
      int length = length(err, buffer);
      some |= take(length, StepChannel.Kind.ERR, buffer, to);
      errOpen = length > 0 || length < 0 || !over;
    }
    return some;
  }

  private static int length(int pipe, MemorySegment buffer) {
    try {
      return Posix.read(pipe, buffer);
    } catch (IOException e) {
      return 0;
    }
  }

  private boolean take(int length, StepChannel.Kind kind, MemorySegment buffer, Output to) {
    if (length > 0) {
      to.take(kind, number, buffer.asSlice(0, length));
    }
    return length > 0;
  }

  /**
   * Something happened to its keeper: it has written how the task ended, or is gone without a word.
   *
   * @return whether the task is over
   */
  boolean look(MemorySegment buffer) {
    if (exit != null) {
      return true;
    }
    int length = length(end, buffer);
    if (length < 0) {
      return false;
    }
    boolean begun = length > 0 || !step.keepers(place).isEmpty();
    if (begun) {
      begun();
    }
    // Who is gone has written it before; what is not written was a keeper that somebody killed.
    Optional<ExitCode> status = step.status(place);
    if (status.isEmpty() && (length > 0 || !begun && !keeperGone)) {
      return false;
    }
    exit = status.orElse(new ExitCode(0, Processes.SIGKILL));
    return true;
  }

  /** Its keeper is gone, whatever it has written before. */
  void keeperIsGone() {
    keeperGone = true;
    try {
      // Whoever waits for a word of it is woken by an end that nobody holds any more.
      Posix.close(Posix.open(step.pipe(place, StepDirectory.Pipe.END), Posix.WRITE_ONLY));
    } catch (IOException e) {
      // Nobody waits any more.
      return;
    }
  }

  /** All that the task itself has here: what its keeper has started, and what that has. */
  Set<Integer> processes(Processes.Look look) {
    List<Integer> keepers = step.keepers(place);
    if (keepers.isEmpty()) {
      return new HashSet<>();
    }
    Set<Integer> all = new HashSet<>(look.under(keepers.getFirst()));
    keepers.forEach(all::remove);
    return all;
  }

  /** Gives it input; waits while it does not read, until it ends. */
  void give(byte[] bytes) throws IOException {
    // Whoever gives waits for those that gave before, and nobody else does: a task that ends
    // without
    // reading is looked at meanwhile.
    synchronized (giving) {
      int at = 0;
      while (at < bytes.length && exit == null) {
        int pipe;
        int written;
        synchronized (this) {
          pipe = in;
          if (pipe < 0) {
            return;
          }
          written = Posix.write(pipe, bytes, at, bytes.length - at);
        }
        at += written;
        if (written == 0) {
          Posix.poll(new int[] {pipe}, Posix.OUT, ROOM_MILLIS);
        }
      }
    }
  }

  /** There is no more input. */
  synchronized void endInput() throws IOException {
    inputEnds = true;
    closeInput();
  }

  /** Its keeper holds the input open by itself now. */
  private synchronized void begun() {
    hasBegun = true;
    try {
      closeInput();
    } catch (IOException e) {
      // It is at its end in either case.
      return;
    }
  }

  private void closeInput() throws IOException {
    if (hasBegun && inputEnds && in >= 0) {
      Posix.close(in);
      in = -1;
      Posix.write(noMore, new byte[] {'\n'}, 0, 1);
    }
  }

  /** Takes {@code ROWS COLUMNS}, where it has a terminal. */
  void resize(String size) throws IOException {
    var terminal = step.terminal(place);
    if (terminal.isPresent() && size.matches("[0-9]{1,5} [0-9]{1,5}")) {
      String[] numbers = size.split(" ");
      Posix.resize(terminal.get(), Integer.parseInt(numbers[0]), Integer.parseInt(numbers[1]));
    }
  }

  /** All that it wrote was read: its keeper need not hold it any longer. */
  void release() throws IOException {
    if (read < 0) {
      read = Posix.open(step.pipe(place, StepDirectory.Pipe.READ), Posix.READ_WRITE);
      Posix.write(read, new byte[] {'\n'}, 0, 1);
    }
  }

  /** Waits until the keeper is gone, at most so long. */
  void awaitKeeper(int millis) {
    long until = System.nanoTime() + millis * 1_000_000L;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment buffer = arena.allocate(64);
      long left = millis;
      while (left > 0 && length(end, buffer) != 0) {
        Posix.poll(new int[] {end}, Posix.IN, (int) left);
        left = (until - System.nanoTime()) / 1_000_000;
      }
    }
  }

  @Override
  public synchronized void close() {
    for (int pipe : new int[] {in, noMore, out, err, end, read}) {
      if (pipe >= 0) {
        Posix.close(pipe);
      }
    }
    in = -1;
  }
}
