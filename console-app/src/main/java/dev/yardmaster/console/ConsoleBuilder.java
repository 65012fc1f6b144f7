package dev.yardmaster.console;

import dev.yardmaster.console.action.Actions;
import dev.yardmaster.console.fx.Tasks;
import dev.yardmaster.console.i18n.Formats;
import dev.yardmaster.console.i18n.Texts;
import dev.yardmaster.console.sampler.Sampler;
import dev.yardmaster.console.shell.ConsoleContext;
import dev.yardmaster.console.shell.FrameViewModel;
import dev.yardmaster.console.shell.Shell;
import dev.yardmaster.console.theme.AccountPalette;
import dev.yardmaster.console.theme.Appearance;
import dev.yardmaster.console.theme.Theme;
import java.time.ZoneId;
import java.util.Locale;

/** Puts the console together: for the window, for the tour and for tests alike. */
public final class ConsoleBuilder {
  private ConsoleBuilder() {}

  /** What every view needs, in the given look and language. */
  public static ConsoleContext context(Theme theme, double fontSize, Locale locale, Tasks tasks) {
    return context(theme, fontSize, locale, tasks, new AccountPalette());
  }

  /** The same with colours of accounts that were given before. */
  public static ConsoleContext context(
      Theme theme, double fontSize, Locale locale, Tasks tasks, AccountPalette accounts) {
    Texts texts = Texts.of(locale);
    return new ConsoleContext(
        texts,
        new Formats(texts.locale(), ZoneId.systemDefault()),
        tasks,
        new Appearance(theme, fontSize),
        new Actions(),
        accounts);
  }

  /** The frame with everything registered that this version has. */
  public static Shell shell(ConsoleContext context) {
    Shell shell = new Shell(context, new FrameViewModel());
    Sampler.register(shell, context);
    return shell;
  }
}
