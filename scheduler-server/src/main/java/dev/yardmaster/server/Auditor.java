package dev.yardmaster.server;

import dev.yardmaster.controller.Command;
import dev.yardmaster.controller.Reply;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.journal.Outage;
import dev.yardmaster.model.Identity;
import dev.yardmaster.security.AuditLog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes down what people change, before they are told that it is done, on a thread of its own.
 * Submissions are not among it: the journal and accounting keep them with their owner.
 */
final class Auditor implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Auditor.class);

  /** So many lines may wait for the disk to have room; those after them are lost. */
  private static final int ROOM = 10_000;

  /** What could not be written is tried again after so many seconds. */
  private static final long RETRY_SECONDS = 5;

  private final @Nullable AuditLog log;
  private final InstantSource clock;
  private final ScheduledThreadPoolExecutor thread =
      new ScheduledThreadPoolExecutor(1, Thread.ofPlatform().name("audit").daemon().factory());
  private final Deque<AuditLog.Entry> unwritten = new ArrayDeque<>();
  private final Outage outage = new Outage(LOG);
  private boolean isRetryDue;

  private Auditor(@Nullable AuditLog log, InstantSource clock) {
    this.log = log;
    this.clock = clock;
    this.thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  /** One that writes nothing down. */
  static Auditor none() {
    return new Auditor(null, InstantSource.system());
  }

  /**
   * One that goes on with the log of a state directory.
   *
   * @throws IOException when that cannot be used
   */
  static Auditor in(Path stateDirectory, InstantSource clock) throws IOException {
    return new Auditor(AuditLog.open(stateDirectory), clock);
  }

  /** Whether a command is one that is written down. */
  boolean takes(Command command) {
    return log != null
        && !(command instanceof Command.Submit
            || command instanceof Command.SubmitHet
            || command instanceof Command.TestOnly
            || command instanceof Command.NotifyJob
            || command instanceof Command.CreateStep
            || command instanceof Command.SignalStep);
  }

  /**
   * Writes a command down, then goes on.
   *
   * @param before what it is about as it was, and {@code after} the state with its effect
   * @param then done afterwards, on another thread
   */
  void note(
      Command command,
      Identity who,
      String from,
      Map<String, Object> before,
      ClusterState after,
      Reply reply,
      Runnable then) {
    thread.execute(
        () -> {
          try {
            add(command, who, from, before, after, reply);
          } finally {
            then.run();
          }
        });
  }

  private void add(
      Command command,
      Identity who,
      String from,
      Map<String, Object> before,
      ClusterState after,
      Reply reply) {
    AuditedState.Change change = AuditedState.between(before, AuditedState.of(command, after));
    add(words(command), who, from, change, reason(command), reply);
  }

  private void add(
      String words,
      Identity who,
      String from,
      AuditedState.Change change,
      String reason,
      Reply reply) {
    if (log != null) {
      unwritten.add(
          new AuditLog.Entry(
              clock.instant().toString(),
              who.user(),
              who.uid(),
              from,
              words,
              change.before(),
              change.after(),
              reason,
              reply instanceof Reply.Refused refused ? refused.error().name() : "done"));
      write(log);
    }
  }

  /** Writes down what is no command of the controller; completes when that is done. */
  CompletableFuture<?> note(String what, Identity who, String from, Reply reply) {
    AuditedState.Change none = new AuditedState.Change("", "");
    return CompletableFuture.runAsync(() -> add(what, who, from, none, "", reply), thread);
  }

  /** Writes all that is not written yet, in its order; where that fails, again in a while. */
  private void write(AuditLog to) {
    try {
      while (!unwritten.isEmpty()) {
        to.write(unwritten.getFirst());
        unwritten.removeFirst();
      }
      outage.isOver("audit.log is complete again");
    } catch (UncheckedIOException e) {
      if (unwritten.size() > ROOM) {
        unwritten.removeLast();
      }
      outage.happens(
          e.getMessage() + ", " + unwritten.size() + " of its lines wait: " + e.getCause());
      if (!isRetryDue && !thread.isShutdown()) {
        isRetryDue = true;
        thread.schedule(
            () -> {
              isRetryDue = false;
              write(to);
            },
            RETRY_SECONDS,
            TimeUnit.SECONDS);
      }
    }
  }

  /** The command and what it was given, but for who gave it. */
  private static String words(Command command) {
    List<String> words = new ArrayList<>(List.of(command.getClass().getSimpleName()));
    if (command instanceof Record record) {
      for (RecordComponent component : record.getClass().getRecordComponents()) {
        Object value = AuditedState.value(component, record);
        if (!(value instanceof Identity) && value != null) {
          words.add(component.getName() + "=" + value);
        }
      }
    }
    return String.join(" ", words);
  }

  private static String reason(Command command) {
    SortedMap<String, String> fields =
        switch (command) {
          case Command.UpdateNodes c -> c.fields();
          case Command.UpdateJob c -> c.fields();
          case Command.SaveReservation c -> c.fields();
          default -> null;
        };
    if (fields == null) {
      return "";
    }
    return fields.entrySet().stream()
        .filter(
            f -> f.getKey().equalsIgnoreCase("reason") || f.getKey().equalsIgnoreCase("comment"))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElse("");
  }

  /** Ends when everything is written. */
  @Override
  public void close() throws IOException {
    if (log != null) {
      thread.execute(() -> write(log));
    }
    thread.shutdown();
    try {
      thread.awaitTermination(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (log != null) {
      log.close();
    }
  }
}
