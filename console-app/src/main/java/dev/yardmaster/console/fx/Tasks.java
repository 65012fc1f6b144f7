package dev.yardmaster.console.fx;

import java.util.concurrent.Executor;
import java.util.logging.Level;
import java.util.logging.Logger;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.collections.FXCollections;
import javafx.collections.ObservableList;

/**
 * Starts background work and lists what the user should see of it. Work runs on virtual threads;
 * results come back on the JavaFX thread.
 */
public final class Tasks {
  private static final Logger LOG = Logger.getLogger(Tasks.class.getName());

  private final Executor workers;
  private final Executor delivery;
  private final ObservableList<BackgroundTask<?>> running = FXCollections.observableArrayList();
  private final ObservableList<BackgroundTask<?>> visible =
      FXCollections.unmodifiableObservableList(running);

  private Tasks(Executor workers, Executor delivery) {
    this.workers = workers;
    this.delivery = delivery;
  }

  /** For the running console. */
  public static Tasks onVirtualThreads() {
    return new Tasks(work -> Thread.ofVirtual().name("console-task").start(work), Fx::run);
  }

  /**
   * For tests of view-models: everything happens in the caller's thread before the call returns.
   */
  public static Tasks sameThread() {
    return new Tasks(Runnable::run, Runnable::run);
  }

  /** Starts short work that the user need not see, such as sorting a table. */
  public <T> BackgroundTask<T> quietly(BackgroundWork<T> work) {
    BackgroundTask<T> task = new BackgroundTask<>("", delivery);
    workers.execute(() -> task.perform(work));
    return task;
  }

  /** Starts work that is listed with its title, progress and a way to cancel it. */
  public <T> BackgroundTask<T> start(String title, BackgroundWork<T> work) {
    BackgroundTask<T> task = new BackgroundTask<>(title, delivery);
    ReadOnlyObjectProperty<BackgroundTask.State> state = task.stateProperty();
    running.add(task);
    state.addListener((o, was, now) -> running.remove(task));
    workers.execute(() -> task.perform(work));
    return task;
  }

  /** The listed work that is not finished, the oldest first. */
  public ObservableList<BackgroundTask<?>> running() {
    return visible;
  }

  /** Logs what went wrong in work that nobody waits for. */
  public static void report(Throwable failure) {
    LOG.log(Level.WARNING, "background work failed", failure);
  }
}
