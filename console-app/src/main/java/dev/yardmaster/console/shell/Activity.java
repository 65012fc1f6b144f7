package dev.yardmaster.console.shell;

import dev.yardmaster.console.i18n.TextKey;
import dev.yardmaster.console.kit.Icon;
import java.util.Locale;
import java.util.Optional;

/** What the user came to do: the entries of the activity bar, in their order. */
public enum Activity {
  OVERVIEW(ShellText.OVERVIEW, ShellText.OVERVIEW_LATER, Icon.OVERVIEW),
  QUEUE(ShellText.QUEUE, ShellText.QUEUE_LATER, Icon.QUEUE),
  WHY(ShellText.WHY, ShellText.WHY_LATER, Icon.WHY),
  TOPOLOGY(ShellText.TOPOLOGY, ShellText.TOPOLOGY_LATER, Icon.TOPOLOGY),
  TIMELINE(ShellText.TIMELINE, ShellText.TIMELINE_LATER, Icon.TIMELINE),
  RESERVATIONS(ShellText.RESERVATIONS, ShellText.RESERVATIONS_LATER, Icon.RESERVATIONS),
  POLICY(ShellText.POLICY, ShellText.POLICY_LATER, Icon.POLICY),
  ACCOUNTING(ShellText.ACCOUNTING, ShellText.ACCOUNTING_LATER, Icon.ACCOUNTING),
  TRAINING(ShellText.TRAINING, ShellText.TRAINING_LATER, Icon.TRAINING);

  private final TextKey text;
  private final TextKey later;
  private final Icon icon;

  Activity(TextKey text, TextKey later, Icon icon) {
    this.text = text;
    this.later = later;
    this.icon = icon;
  }

  /** Its name. */
  public TextKey text() {
    return text;
  }

  /** What it will bring, for versions that do not have it yet. */
  public TextKey later() {
    return later;
  }

  public Icon icon() {
    return icon;
  }

  /** The first part of the ids of its tabs: {@code why} of {@code why/4711}. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The activity that a tab belongs to, by the first part of its id. */
  public static Optional<Activity> ofTab(String tabId) {
    int slash = tabId.indexOf('/');
    String first = slash < 0 ? tabId : tabId.substring(0, slash);
    for (Activity activity : values()) {
      if (activity.id().equals(first)) {
        return Optional.of(activity);
      }
    }
    return Optional.empty();
  }
}
