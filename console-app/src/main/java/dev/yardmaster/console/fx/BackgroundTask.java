package dev.yardmaster.console.fx;

import java.util.concurrent.CancellationException;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import javafx.beans.property.ReadOnlyLongProperty;
import javafx.beans.property.ReadOnlyLongWrapper;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import org.jspecify.annotations.Nullable;

/**
 * One piece of background work that was started by {@link Tasks}. Its properties change, and its
 * callbacks run, on the JavaFX thread only (in tests with {@link Tasks#sameThread()}: on the
 * caller's).
 *
 * <p>Exactly one callback is called, once: success, failure, or none at all after a cancel.
 */
public final class BackgroundTask<T> {
  /** Where a task is. */
  public enum State {
    RUNNING,
    DONE,
    FAILED,
    CANCELLED
  }

  private static final long MIN_PROGRESS_GAP_NANOS = 50_000_000;

  private final String title;
  private final Executor delivery;
  private final ReadOnlyObjectWrapper<State> state = new ReadOnlyObjectWrapper<>(State.RUNNING);
  private final ReadOnlyLongWrapper done = new ReadOnlyLongWrapper();
  private final ReadOnlyLongWrapper total = new ReadOnlyLongWrapper();
  private volatile boolean cancelled;
  private volatile @Nullable Thread worker;
  private @Nullable T result;
  private @Nullable Throwable failure;
  private Consumer<T> onSuccess = value -> {};
  private Consumer<Throwable> onFailure = Tasks::report;

  BackgroundTask(String title, Executor delivery) {
    this.title = title;
    this.delivery = delivery;
  }

  /** What the work is, in the user's words. */
  public String title() {
    return title;
  }

  /** Calls back with the result, at once if it is there already. */
  public BackgroundTask<T> onSuccess(Consumer<T> callback) {
    onSuccess = callback;
    T value = result;
    if (state.get() == State.DONE && value != null) {
      callback.accept(value);
    }
    return this;
  }

  /** Calls back with what went wrong, at once if it did already; without this it is logged. */
  public BackgroundTask<T> onFailure(Consumer<Throwable> callback) {
    onFailure = callback;
    if (state.get() == State.FAILED && failure != null) {
      callback.accept(failure);
    }
    return this;
  }

  /** Asks the work to stop. Its result, if it still comes, is dropped. */
  public void cancel() {
    if (state.get() != State.RUNNING) {
      return;
    }
    cancelled = true;
    state.set(State.CANCELLED);
    Thread running = worker;
    if (running != null) {
      running.interrupt();
    }
  }

  public ReadOnlyObjectProperty<State> stateProperty() {
    return state.getReadOnlyProperty();
  }

  /** Units finished. */
  public ReadOnlyLongProperty doneProperty() {
    return done.getReadOnlyProperty();
  }

  /** Units in all; 0 while that is not known. */
  public ReadOnlyLongProperty totalProperty() {
    return total.getReadOnlyProperty();
  }

  void perform(BackgroundWork<T> work) {
    worker = Thread.currentThread();
    try {
      T value = work.run(new Reporter());
      delivery.execute(() -> succeed(value));
    } catch (InterruptedException | CancellationException e) {
      delivery.execute(this::cancel);
    } catch (Exception | Error e) {
      delivery.execute(() -> fail(e));
    } finally {
      worker = null;
    }
  }

  private void succeed(T value) {
    if (state.get() == State.RUNNING) {
      result = value;
      state.set(State.DONE);
      onSuccess.accept(value);
    }
  }

  private void fail(Throwable cause) {
    if (state.get() == State.RUNNING) {
      failure = cause;
      state.set(State.FAILED);
      onFailure.accept(cause);
    }
  }

  private final class Reporter implements Progress {
    private long lastNanos = System.nanoTime() - MIN_PROGRESS_GAP_NANOS;

    @Override
    public void update(long unitsDone, long unitsTotal) {
      long now = System.nanoTime();
      if (now - lastNanos < MIN_PROGRESS_GAP_NANOS && unitsDone != unitsTotal) {
        return;
      }
      lastNanos = now;
      delivery.execute(
          () -> {
            done.set(unitsDone);
            total.set(unitsTotal);
          });
    }

    @Override
    public boolean isCancelled() {
      return cancelled;
    }
  }
}
