package dev.yardmaster.console.why;

import dev.yardmaster.console.i18n.Texts;
import dev.yardmaster.console.kit.EmptyState;
import dev.yardmaster.console.kit.ErrorState;
import dev.yardmaster.console.kit.Icon;
import dev.yardmaster.console.kit.Labels;
import dev.yardmaster.console.kit.LoadingState;
import dev.yardmaster.console.kit.NextStep;
import dev.yardmaster.console.shell.ConsoleContext;
import dev.yardmaster.console.why.WhyViewModel.Content;
import javafx.scene.Node;
import javafx.scene.control.Label;
import javafx.scene.control.ScrollPane;
import javafx.scene.layout.BorderPane;
import javafx.scene.layout.VBox;
import org.jspecify.annotations.Nullable;

/** The explanation of the selected job. Binds to {@link WhyViewModel} only. */
public final class WhyView extends BorderPane {
  private final ConsoleContext context;
  private final Texts texts;
  private final WhyViewModel model;
  private final Runnable openQueue;
  private final ScrollPane scroll = new ScrollPane();
  private final Label asOf = Labels.muted("");
  private final WaitingPage waiting;
  private final RanPage ran;
  private final LifeCard life;
  private @Nullable Content shown;

  /**
   * A view.
   *
   * @param openQueue opens the queue
   */
  public WhyView(ConsoleContext context, WhyViewModel model, Runnable openQueue) {
    this.context = context;
    this.texts = context.texts();
    this.model = model;
    this.openQueue = openQueue;
    getStyleClass().add("why");
    asOf.textProperty().bind(model.asOfProperty());
    waiting = new WaitingPage(context, model, asOf);
    ran = new RanPage(context, model, asOf);
    life = new LifeCard(texts, model.life());
    scroll.setFitToWidth(true);
    model.contentProperty().addListener(o -> show());
    show();
  }

  private void show() {
    Content content = model.contentProperty().get();
    if (content.equals(shown)) {
      return;
    }
    shown = content;
    switch (content) {
      case Content.Waiting w -> setPage(waiting.build(w.page(), true));
      case Content.Past past -> setPage(waiting.build(past.page(), past.waits()));
      case Content.Ran r -> setPage(ran.build(r.page()));
      case Content.None n -> setCenter(none());
      case Content.Gone gone -> setCenter(gone(gone.job()));
      case Content.Loading loading -> setCenter(loading(loading));
      case Content.Failed failed -> setCenter(failed(failed));
    }
  }

  /** The place that the user scrolled to stays when the same page is written anew. */
  private void setPage(VBox page) {
    double at = getCenter() == scroll ? scroll.getVvalue() : 0;
    // The answer comes first.
    page.getChildren().add(1, life);
    page.getStyleClass().add("page");
    scroll.setContent(page);
    setCenter(scroll);
    scroll.applyCss();
    scroll.layout();
    scroll.setVvalue(at);
  }

  private Node none() {
    return new EmptyState(
        Icon.WHY,
        texts.get(WhyText.NONE_TITLE),
        texts.get(WhyText.NONE_TEXT),
        new NextStep(texts.get(WhyText.NONE_STEP), openQueue));
  }

  private Node gone(String job) {
    return new EmptyState(
        Icon.HISTORY,
        texts.get(WhyText.GONE_TITLE, job),
        texts.get(WhyText.GONE_TEXT),
        new NextStep(texts.get(WhyText.GONE_LAST), model.life()::last),
        new NextStep(texts.get(WhyText.QUEUE_STEP), openQueue));
  }

  private Node loading(Content.Loading loading) {
    return new LoadingState(
        texts.get(WhyText.LOADING_TITLE, loading.job()),
        texts.get(WhyText.LOADING_TEXT),
        loading.task(),
        context.texts());
  }

  private Node failed(Content.Failed failed) {
    return new ErrorState(
        texts.get(WhyText.FAILED_TITLE, failed.job()),
        texts.get(WhyText.FAILED_TEXT),
        failed.problem(),
        new NextStep(texts.get(WhyText.FAILED_STEP), model::askAgain),
        new NextStep(texts.get(WhyText.QUEUE_STEP), openQueue));
  }
}
