package dev.yardmaster.node;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Brings runs to their end: SIGCONT and SIGTERM to all that they have here, SIGKILL after KillWait,
 * and a word when nothing is left. Runs that end together are looked at together, as each look
 * reads all processes of the machine. Used by the thread of its daemon alone.
 */
final class Terminations {
  private static final Duration LOOK_AGAIN = Duration.ofMillis(100);

  /**
   * A run that is to end.
   *
   * @param marker what its processes have in their environment
   * @param shim the process that keeps its exit status; -1 when it has gone or there is none
   * @param killAt when what is left is killed
   * @param busy whether something besides processes keeps it
   * @param over called once nothing is left
   */
  record Ending(
      String marker, IntSupplier shim, Instant killAt, BooleanSupplier busy, Runnable over) {}

  private final ScheduledExecutorService thread;
  private final List<Ending> fresh = new ArrayList<>();
  private final List<Ending> told = new ArrayList<>();
  private @Nullable ScheduledFuture<?> next;

  Terminations(ScheduledExecutorService thread) {
    this.thread = thread;
  }

  /** Asks a run to end. */
  void end(Ending ending) {
    fresh.add(ending);
    soon();
  }

  /** Goes on with the end of a run that was asked before, by an earlier daemon. */
  void goOn(Ending ending) {
    told.add(ending);
    soon();
  }

  /** A process has ended: what waits for it need not wait for the next look. */
  void soon() {
    if (!fresh.isEmpty() || !told.isEmpty()) {
      plan(0);
    }
  }

  private void plan(long millis) {
    if (thread.isShutdown()) {
      return;
    }
    ScheduledFuture<?> planned = next;
    if (planned != null && !planned.isDone()) {
      if (planned.getDelay(TimeUnit.MILLISECONDS) <= millis) {
        return;
      }
      planned.cancel(false);
    }
    next = thread.schedule(this::look, millis, TimeUnit.MILLISECONDS);
  }

  private void look() {
    next = null;
    Processes.Look look = Processes.look();
    Instant now = Instant.now();
    for (Ending ending : List.copyOf(told)) {
      int shim = ending.shim.getAsInt();
      Set<Integer> left = look.ofRun(ending.marker, shim);
      if (left.isEmpty() && shim < 0 && !ending.busy.getAsBoolean()) {
        told.remove(ending);
        ending.over.run();
      } else if (!now.isBefore(ending.killAt)) {
        Confinement.kill(ending.marker);
        left.forEach(pid -> Processes.signal(pid, Processes.SIGKILL));
      }
    }
    for (Ending ending : fresh) {
      for (int pid : look.ofRun(ending.marker, ending.shim.getAsInt())) {
        Processes.signal(pid, Processes.SIGCONT);
        Processes.signal(pid, Processes.SIGTERM);
      }
    }
    boolean asked = !fresh.isEmpty();
    told.addAll(fresh);
    fresh.clear();
    if (!told.isEmpty()) {
      plan(asked ? LOOK_AGAIN.toMillis() / 10 : LOOK_AGAIN.toMillis());
    }
  }
}
