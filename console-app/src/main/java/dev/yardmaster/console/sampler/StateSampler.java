package dev.yardmaster.console.sampler;

import dev.yardmaster.console.fx.BackgroundTask;
import dev.yardmaster.console.i18n.Texts;
import dev.yardmaster.console.kit.DisconnectedState;
import dev.yardmaster.console.kit.EmptyState;
import dev.yardmaster.console.kit.ErrorState;
import dev.yardmaster.console.kit.Icon;
import dev.yardmaster.console.kit.Labels;
import dev.yardmaster.console.kit.LoadingState;
import dev.yardmaster.console.kit.NextStep;
import dev.yardmaster.console.kit.StaleBanner;
import dev.yardmaster.console.shell.ConsoleContext;
import java.util.concurrent.CountDownLatch;
import javafx.scene.Node;
import javafx.scene.control.ScrollPane;
import javafx.scene.layout.GridPane;
import javafx.scene.layout.Priority;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;

/** A page with every state that a pane can show instead of content. */
public final class StateSampler {
  private final ConsoleContext context;
  private final Texts texts;
  private final LoadingState loading;

  public StateSampler(ConsoleContext context) {
    this.context = context;
    texts = context.texts();
    loading = loading();
  }

  /** Whether the state that appears after a pause is there. */
  public boolean complete() {
    return loading.isVisible();
  }

  /** The page. */
  public Node build() {
    GridPane grid = new GridPane();
    grid.getStyleClass().add("state-grid");
    grid.addRow(0, framed(empty()), framed(loading));
    grid.addRow(1, framed(disconnected()), framed(error()));
    VBox page =
        new VBox(
            Labels.answer(texts.get(SamplerText.STATES)),
            Labels.wrapping(texts.get(SamplerText.STATES_LEAD), "lead"),
            new StaleBanner(texts.get(SamplerText.STALE_TEXT), step(SamplerText.STALE_STEP)),
            grid);
    page.getStyleClass().add("page");
    ScrollPane scroll = new ScrollPane(page);
    scroll.setFitToWidth(true);
    return scroll;
  }

  private EmptyState empty() {
    return new EmptyState(
        Icon.EMPTY,
        texts.get(SamplerText.EMPTY_TITLE),
        texts.get(SamplerText.EMPTY_TEXT),
        step(SamplerText.EMPTY_STEP));
  }

  private LoadingState loading() {
    CountDownLatch never = new CountDownLatch(1);
    BackgroundTask<Boolean> task =
        context
            .tasks()
            .quietly(
                progress -> {
                  progress.update(42_000, 100_000);
                  never.await();
                  return true;
                });
    return new LoadingState(
        texts.get(SamplerText.LOADING_TITLE), texts.get(SamplerText.LOADING_TEXT), task, texts);
  }

  private DisconnectedState disconnected() {
    return new DisconnectedState(
        texts.get(SamplerText.DISCONNECTED_TITLE),
        texts.get(SamplerText.DISCONNECTED_TEXT),
        step(SamplerText.DISCONNECTED_STEP));
  }

  private ErrorState error() {
    return new ErrorState(
        texts.get(SamplerText.ERROR_TITLE),
        texts.get(SamplerText.ERROR_TEXT),
        "slurm.conf:41: SchedulerParameters=bf_window=-3",
        step(SamplerText.ERROR_STEP),
        step(SamplerText.OTHER_STEP));
  }

  private NextStep step(SamplerText label) {
    return new NextStep(texts.get(label), () -> {});
  }

  private static StackPane framed(Node state) {
    StackPane frame = new StackPane(state);
    frame.getStyleClass().addAll("card", "state-frame");
    GridPane.setHgrow(frame, Priority.ALWAYS);
    return frame;
  }
}
