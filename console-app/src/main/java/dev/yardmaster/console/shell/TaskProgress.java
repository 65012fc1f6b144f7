package dev.yardmaster.console.shell;

import dev.yardmaster.console.fx.BackgroundTask;
import dev.yardmaster.console.i18n.Formats;
import javafx.scene.control.ProgressBar;

/** How the progress of a background task is shown. */
final class TaskProgress {
  private TaskProgress() {}

  static ProgressBar bar(BackgroundTask<?> task) {
    ProgressBar bar = new ProgressBar();
    Runnable follow =
        () -> {
          long total = task.totalProperty().get();
          bar.setProgress(
              total == 0
                  ? ProgressBar.INDETERMINATE_PROGRESS
                  : (double) task.doneProperty().get() / total);
        };
    task.doneProperty().addListener(o -> follow.run());
    task.totalProperty().addListener(o -> follow.run());
    follow.run();
    return bar;
  }

  static String count(BackgroundTask<?> task, ConsoleContext context) {
    long total = task.totalProperty().get();
    Formats formats = context.formats();
    return total == 0
        ? ""
        : formats.count(task.doneProperty().get()) + " / " + formats.count(total);
  }
}
