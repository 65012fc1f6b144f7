package dev.yardmaster.console.why;

import dev.yardmaster.console.i18n.Texts;
import dev.yardmaster.console.kit.Card;
import dev.yardmaster.console.kit.ClipboardText;
import dev.yardmaster.console.kit.Icon;
import dev.yardmaster.console.kit.Labels;
import java.util.List;
import javafx.geometry.HPos;
import javafx.geometry.VPos;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.ColumnConstraints;
import javafx.scene.layout.GridPane;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;

/** Draws what would let a job start: the change, what it brings, what it costs, and the command. */
final class ChangesCard {
  private final Texts texts;

  ChangesCard(Texts texts) {
    this.texts = texts;
  }

  Card build(List<WhyPage.Change> changes) {
    if (changes.isEmpty()) {
      Label none = Labels.wrapping(texts.get(WhyText.REMEDIES_NONE), "secondary");
      return new Card(texts.get(WhyText.REMEDIES), none);
    }
    GridPane grid = new GridPane();
    grid.getStyleClass().add("changes");
    grid.getColumnConstraints().addAll(growing(240), growing(160), fitting(), fitting(), fitting());
    heading(grid, 0, WhyText.REMEDY_CHANGE);
    heading(grid, 1, WhyText.REMEDY_THEN);
    GridPane.setHalignment(heading(grid, 2, WhyText.REMEDY_GAIN), HPos.RIGHT);
    heading(grid, 3, WhyText.REMEDY_WHO);
    int row = 1;
    for (WhyPage.Change change : changes) {
      add(grid, row, change);
      row += 2;
    }
    return new Card(texts.get(WhyText.REMEDIES), grid);
  }

  private Label heading(GridPane grid, int column, WhyText text) {
    Label label = Labels.of(texts.get(text), "note");
    label.setMinWidth(Region.USE_PREF_SIZE);
    grid.add(label, column, 0);
    return label;
  }

  private void add(GridPane grid, int row, WhyPage.Change change) {
    Region line = new Region();
    line.getStyleClass().add("rule");
    grid.add(line, 0, row, GridPane.REMAINING, 1);
    VBox what =
        new VBox(
            Labels.wrapping(change.change()), Labels.wrapping(change.command(), "change-command"));
    VBox then =
        new VBox(
            Labels.wrapping(change.then(), "secondary"), Labels.wrapping(change.cost(), "note"));
    Label gain = Labels.of(change.gain(), "toned", "tone-good", "gain");
    gain.setMinWidth(Region.USE_PREF_SIZE);
    Label who = Labels.of(change.who(), "secondary");
    who.setMinWidth(Region.USE_PREF_SIZE);
    Node[] cells = {what, then, gain, who, copy(change.command())};
    for (int i = 0; i < cells.length; i++) {
      GridPane.setValignment(cells[i], VPos.TOP);
      grid.add(cells[i], i, row + 1);
    }
    GridPane.setHalignment(gain, HPos.RIGHT);
  }

  private Button copy(String command) {
    Button copy = new Button(null, Icon.COPY.node());
    copy.getStyleClass().add("quiet");
    copy.setAccessibleText(texts.get(WhyText.REMEDY_COPY));
    copy.setTooltip(new Tooltip(texts.get(WhyText.REMEDY_COPY) + "\n" + command));
    copy.setOnAction(e -> ClipboardText.put(command));
    copy.setMinWidth(Region.USE_PREF_SIZE);
    return copy;
  }

  /** A column that breaks its text and takes its part of the room that is left. */
  private static ColumnConstraints growing(double width) {
    ColumnConstraints column = new ColumnConstraints();
    column.setMinWidth(0);
    column.setPrefWidth(width);
    column.setHgrow(Priority.ALWAYS);
    return column;
  }

  private static ColumnConstraints fitting() {
    ColumnConstraints column = new ColumnConstraints();
    column.setHgrow(Priority.NEVER);
    return column;
  }
}
