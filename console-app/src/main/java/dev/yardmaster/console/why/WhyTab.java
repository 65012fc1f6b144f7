package dev.yardmaster.console.why;

import dev.yardmaster.console.dock.EditorTab;
import dev.yardmaster.console.i18n.Texts;
import dev.yardmaster.console.shell.Activity;
import dev.yardmaster.console.shell.ConsoleContext;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import java.util.List;
import javafx.scene.Node;
import org.jspecify.annotations.Nullable;

/** The tab of the explanation; its title names the job and what is told of it. */
public final class WhyTab {
  private WhyTab() {}

  /** The tab, whose title follows the model. */
  public static EditorTab build(ConsoleContext context, WhyViewModel model, Node content) {
    Texts texts = context.texts();
    EditorTab tab =
        new EditorTab(
            Activity.WHY.id(),
            Activity.WHY.icon(),
            texts.get(WhyText.TAB_NONE),
            List.of(texts.get(Activity.WHY.text())),
            content);
    model.jobProperty().addListener((o, was, now) -> name(tab, texts, now));
    name(tab, texts, model.jobProperty().get());
    return tab;
  }

  private static void name(EditorTab tab, Texts texts, @Nullable Job job) {
    if (job == null) {
      return;
    }
    boolean pending = job.state() == JobState.PENDING;
    boolean ended = job.state().isFinished();
    WhyText title =
        pending ? WhyText.TAB_PENDING : ended ? WhyText.TAB_FINISHED : WhyText.TAB_RUNNING;
    WhyText place =
        pending ? WhyText.PLACE_PENDING : ended ? WhyText.PLACE_FINISHED : WhyText.PLACE_RUNNING;
    tab.titleProperty().set(texts.get(title, job.displayId()));
    tab.placeProperty()
        .set(List.of(texts.get(Activity.QUEUE.text()), job.displayId(), texts.get(place)));
  }
}
