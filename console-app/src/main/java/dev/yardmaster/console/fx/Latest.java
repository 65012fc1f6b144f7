package dev.yardmaster.console.fx;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs work of which only the newest matters, such as a search while the user types: starting the
 * next cancels the one before, and an older result never replaces a newer one.
 */
public final class Latest {
  private final Tasks tasks;
  private @Nullable BackgroundTask<?> current;

  public Latest(Tasks tasks) {
    this.tasks = tasks;
  }

  /** Starts {@code work}, dropping what was started before; to be called on one thread. */
  public <T> BackgroundTask<T> run(BackgroundWork<T> work, Consumer<T> onSuccess) {
    BackgroundTask<?> before = current;
    if (before != null) {
      before.cancel();
    }
    BackgroundTask<T> task = tasks.quietly(work);
    current = task;
    return task.onSuccess(onSuccess);
  }
}
