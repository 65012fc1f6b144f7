package dev.yardmaster.console.shell;

import dev.yardmaster.console.action.Actions;
import dev.yardmaster.console.fx.Tasks;
import dev.yardmaster.console.i18n.Formats;
import dev.yardmaster.console.i18n.Texts;
import dev.yardmaster.console.theme.AccountPalette;
import dev.yardmaster.console.theme.Appearance;

/**
 * What every view needs from the console around it.
 *
 * @param texts the texts in the user's language
 * @param formats how numbers, durations and instants are written
 * @param tasks starts background work
 * @param appearance theme and font size
 * @param actions the registry of everything the user can command
 * @param accounts the stable colours of accounts
 */
public record ConsoleContext(
    Texts texts,
    Formats formats,
    Tasks tasks,
    Appearance appearance,
    Actions actions,
    AccountPalette accounts) {}
