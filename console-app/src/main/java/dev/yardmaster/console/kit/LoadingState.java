package dev.yardmaster.console.kit;

import dev.yardmaster.console.fx.BackgroundTask;
import dev.yardmaster.console.i18n.Formats;
import dev.yardmaster.console.i18n.Texts;
import java.time.ZoneId;
import javafx.animation.PauseTransition;
import javafx.scene.control.Label;
import javafx.scene.control.ProgressBar;
import javafx.util.Duration;

/**
 * Content is on its way. Nothing is shown for the first 200 ms, so that quick work does not
 * flicker; then a bar with a count and a way to cancel.
 */
public final class LoadingState extends StatePane {
  private static final Duration QUIET = Duration.millis(200);

  private final Texts texts;
  private final Formats formats;
  private final ProgressBar bar = new ProgressBar();
  private final Label count = Labels.muted("");

  /** A loading state of something that tells no progress, with a way out. */
  public LoadingState(String title, String text, NextStep step, Texts texts) {
    super(Icon.CLOCK, Tone.ACCENT, title, text);
    this.texts = texts;
    formats = new Formats(texts.locale(), ZoneId.systemDefault());
    bar.setProgress(ProgressBar.INDETERMINATE_PROGRESS);
    add(bar);
    addSteps(step);
    showAfterQuiet();
  }

  /** A loading state that follows {@code task}. */
  public LoadingState(String title, String text, BackgroundTask<?> task, Texts texts) {
    super(Icon.CLOCK, Tone.ACCENT, title, text);
    this.texts = texts;
    formats = new Formats(texts.locale(), ZoneId.systemDefault());
    task.doneProperty().addListener(o -> follow(task));
    task.totalProperty().addListener(o -> follow(task));
    follow(task);
    add(bar);
    add(count);
    addSteps(new NextStep(texts.get(KitText.CANCEL), task::cancel));
    showAfterQuiet();
  }

  private void showAfterQuiet() {
    setVisible(false);
    PauseTransition quiet = new PauseTransition(QUIET);
    quiet.setOnFinished(e -> setVisible(true));
    quiet.play();
  }

  private void follow(BackgroundTask<?> task) {
    long done = task.doneProperty().get();
    long total = task.totalProperty().get();
    bar.setProgress(total == 0 ? ProgressBar.INDETERMINATE_PROGRESS : (double) done / total);
    count.setText(
        total == 0 ? "" : texts.get(KitText.OF, formats.count(done), formats.count(total)));
  }
}
