package dev.yardmaster.console.sampler;

import dev.yardmaster.console.action.Action;
import dev.yardmaster.console.action.MenuPlace;
import dev.yardmaster.console.dock.EditorTab;
import dev.yardmaster.console.i18n.Texts;
import dev.yardmaster.console.kit.Icon;
import dev.yardmaster.console.kit.Tone;
import dev.yardmaster.console.notice.Notice;
import dev.yardmaster.console.notice.Notices;
import dev.yardmaster.console.notice.NoticesView;
import dev.yardmaster.console.shell.ConsoleContext;
import dev.yardmaster.console.shell.Item;
import dev.yardmaster.console.shell.Shell;
import dev.yardmaster.console.shell.ShellText;
import dev.yardmaster.console.shell.ToolPanel;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The pages of samples as tabs. */
public final class Sampler {
  /** Id of the tab with the components. */
  public static final String COMPONENTS = "sampler/components";

  /** Id of the tab with the states. */
  public static final String STATES = "sampler/states";

  private Sampler() {}

  /** Adds the style sheet of the samples and the action that opens them. */
  public static void register(Shell shell, ConsoleContext context) {
    context.appearance().addSheet("/dev/yardmaster/console/sampler/sampler.css");
    context
        .actions()
        .add(
            Action.of(
                "help.sampler",
                ShellText.ACTION_SAMPLER,
                MenuPlace.HELP,
                () -> {
                  openStates(shell, context);
                  openComponents(shell, context);
                }));
  }

  /** Opens the page with the components. */
  public static void openComponents(Shell shell, ConsoleContext context) {
    Texts texts = context.texts();
    String title = texts.get(SamplerText.COMPONENTS);
    shell.open(
        new EditorTab(
            COMPONENTS, Icon.INFO, title, List.of(title), new ComponentSampler(context).build()));
  }

  /** Lays notices over the window, more than are shown at a time. */
  public static void showNotices(Shell shell, ConsoleContext context) {
    Texts texts = context.texts();
    Notices notices = new Notices();
    Item job = new Item(Item.Kind.JOB, "4711");
    notice(notices, Tone.NEUTRAL, texts.get(SamplerText.EMPTY_TITLE), job);
    notice(notices, Tone.ATTENTION, texts.get(SamplerText.TREND_NOTE), job);
    notice(notices, Tone.GOOD, texts.get(SamplerText.CAN_START), job);
    notice(notices, Tone.ATTENTION, texts.get(SamplerText.STALE_TEXT), null);
    notice(notices, Tone.BLOCKED, texts.get(SamplerText.ERROR_TEXT), job);
    shell.addOverlay(
        new NoticesView(notices, texts, shell::openItem, () -> shell.show(ToolPanel.EVENTS)));
  }

  private static void notice(Notices notices, Tone tone, String text, @Nullable Item target) {
    notices.offer(new Notice(text, Instant.EPOCH, tone, text, target));
  }

  /**
   * Opens the page with the states.
   *
   * @return the page, to ask whether it is complete
   */
  public static StateSampler openStates(Shell shell, ConsoleContext context) {
    Texts texts = context.texts();
    String title = texts.get(SamplerText.STATES);
    StateSampler page = new StateSampler(context);
    shell.open(new EditorTab(STATES, Icon.INFO, title, List.of(title), page.build()));
    return page;
  }
}
