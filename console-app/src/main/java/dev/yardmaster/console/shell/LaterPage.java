package dev.yardmaster.console.shell;

import dev.yardmaster.console.i18n.Texts;
import dev.yardmaster.console.kit.EmptyState;
import dev.yardmaster.console.kit.NextStep;
import java.util.List;

/** What an activity shows in a version that does not have its view yet. */
final class LaterPage {
  private LaterPage() {}

  static EmptyState build(Activity activity, Texts texts, NextStep queue, NextStep search) {
    List<NextStep> steps = activity == Activity.QUEUE ? List.of(search) : List.of(queue, search);
    return new EmptyState(
        activity.icon(),
        texts.get(ShellText.LATER_TITLE, texts.get(activity.text())),
        texts.get(activity.later()),
        steps.getFirst(),
        steps.subList(1, steps.size()).toArray(NextStep[]::new));
  }
}
