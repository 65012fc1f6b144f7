package dev.yardmaster.console.shell;

import dev.yardmaster.console.action.Action;
import dev.yardmaster.console.action.Shortcuts;
import dev.yardmaster.console.i18n.Texts;
import dev.yardmaster.console.kit.Labels;
import dev.yardmaster.console.kit.SnapshotRows;
import dev.yardmaster.console.kit.SnapshotTable;
import javafx.scene.layout.Priority;
import javafx.scene.layout.VBox;

/** The table of all shortcuts, read from the registry. */
final class ShortcutsPage {
  private ShortcutsPage() {}

  static VBox build(ConsoleContext context) {
    Texts texts = context.texts();
    SnapshotRows<Action> rows = new SnapshotRows<>(context.tasks());
    rows.show(Shortcuts.table(context.actions()));
    SnapshotTable<Action> table =
        new SnapshotTable<>(
                rows, Action::id, context.appearance().fontSizeProperty(), context.texts())
            .words(texts.get(ShellText.SHORTCUTS_COMMAND), 320, a -> texts.get(a.text()))
            .words(texts.get(ShellText.SHORTCUTS_MENU), 120, a -> texts.get(a.menu().text()))
            .column(texts.get(ShellText.SHORTCUTS_KEYS), 200, Shortcuts::display);
    VBox.setVgrow(table, Priority.ALWAYS);
    String palette =
        context.actions().find(ShellActions.PALETTE).map(Shortcuts::display).orElse("");
    VBox page =
        new VBox(
            Labels.answer(texts.get(ShellText.SHORTCUTS_TITLE)),
            Labels.wrapping(texts.get(ShellText.SHORTCUTS_LEAD, palette), "lead"),
            table);
    page.getStyleClass().add("page");
    return page;
  }
}
