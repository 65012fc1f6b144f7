package dev.yardmaster.console.shell;

import dev.yardmaster.console.action.PaletteEntry;
import dev.yardmaster.console.action.PaletteMatch;
import dev.yardmaster.console.i18n.Texts;
import dev.yardmaster.console.kit.Labels;
import java.util.Arrays;
import javafx.scene.control.Label;
import javafx.scene.control.ListCell;
import javafx.scene.layout.HBox;
import javafx.scene.text.Text;
import javafx.scene.text.TextFlow;
import org.jspecify.annotations.Nullable;

/** One find of the palette: symbol, title with what matched, detail, and keys or kind. */
final class PaletteCell extends ListCell<PaletteMatch> {
  private final Texts texts;

  PaletteCell(Texts texts) {
    this.texts = texts;
    setPrefWidth(0);
  }

  @Override
  protected void updateItem(@Nullable PaletteMatch match, boolean empty) {
    super.updateItem(match, empty);
    setText(null);
    if (match == null || empty) {
      setGraphic(null);
      setAccessibleText(null);
      return;
    }
    PaletteEntry entry = match.entry();
    TextFlow title = highlighted(entry.title(), match.hits());
    title.setMinWidth(USE_PREF_SIZE);
    title.setMaxHeight(USE_PREF_SIZE);
    Label detail = Labels.of(entry.detail(), "palette-detail");
    String kind = texts.get(entry.kind().text());
    Label right =
        entry.keys().isEmpty()
            ? Labels.of(kind, "palette-kind")
            : Labels.of(entry.keys(), "palette-keys");
    right.setMinWidth(USE_PREF_SIZE);
    HBox line = new HBox(entry.kind().icon().node(), title, detail, Labels.gap(), right);
    line.getStyleClass().add("palette-line");
    setGraphic(line);
    setAccessibleText(entry.title() + ", " + entry.detail() + ", " + kind);
  }

  private static TextFlow highlighted(String title, int[] hits) {
    TextFlow flow = new TextFlow();
    int from = 0;
    while (from < title.length()) {
      boolean hit = Arrays.binarySearch(hits, from) >= 0;
      int to = from + 1;
      while (to < title.length() && Arrays.binarySearch(hits, to) >= 0 == hit) {
        to++;
      }
      Text run = new Text(title.substring(from, to));
      run.getStyleClass().add(hit ? "palette-hit" : "palette-title");
      flow.getChildren().add(run);
      from = to;
    }
    return flow;
  }
}
