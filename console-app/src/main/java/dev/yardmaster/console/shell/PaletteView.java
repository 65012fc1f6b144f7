package dev.yardmaster.console.shell;

import dev.yardmaster.console.action.PaletteMatch;
import dev.yardmaster.console.action.PaletteViewModel;
import dev.yardmaster.console.fx.Fx;
import dev.yardmaster.console.i18n.Texts;
import dev.yardmaster.console.kit.Icon;
import dev.yardmaster.console.kit.Labels;
import java.util.List;
import javafx.collections.FXCollections;
import javafx.geometry.Pos;
import javafx.scene.Node;
import javafx.scene.control.Label;
import javafx.scene.control.ListView;
import javafx.scene.control.TextField;
import javafx.scene.input.KeyEvent;
import javafx.scene.input.MouseEvent;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;
import org.jspecify.annotations.Nullable;

/** The palette above the window: one field, the finds, and everything by keyboard. */
final class PaletteView extends StackPane {
  private static final int PAGE = 8;

  private final PaletteViewModel model;
  private final TextField field = new TextField();
  private final ListView<PaletteMatch> list = new ListView<>();
  private final VBox nothing;
  private @Nullable Node focusBefore;

  PaletteView(PaletteViewModel model, Texts texts) {
    this.model = model;
    getStyleClass().add("palette-layer");
    field.setId("palette-field");
    field.setPromptText(texts.get(ShellText.SEARCH_PROMPT));
    field.setAccessibleText(texts.get(ShellText.SEARCH_PROMPT));
    field.textProperty().bindBidirectional(model.queryProperty());
    field.addEventFilter(KeyEvent.KEY_PRESSED, this::handleKey);
    HBox.setHgrow(field, Priority.ALWAYS);
    HBox entry = new HBox(Icon.SEARCH.node(), field);
    entry.getStyleClass().add("palette-entry");
    list.setId("palette-list");
    list.setFocusTraversable(false);
    list.setCellFactory(view -> new PaletteCell(texts));
    list.setOnMouseClicked(e -> choose());
    nothing =
        new VBox(
            Labels.of(texts.get(ShellText.NOTHING_FOUND), "strong"),
            Labels.muted(texts.get(ShellText.NOTHING_FOUND_TEXT)));
    nothing.getStyleClass().add("palette-nothing");
    Label hint = Labels.of(texts.get(ShellText.PALETTE_HINT), "palette-hint");
    VBox box = new VBox(entry, new StackPane(list, nothing), hint);
    box.getStyleClass().add("palette");
    box.setMaxHeight(Region.USE_PREF_SIZE);
    setAlignment(box, Pos.TOP_CENTER);
    getChildren().add(box);
    addEventHandler(
        MouseEvent.MOUSE_PRESSED,
        e -> {
          if (e.getTarget() == this) {
            model.close();
          }
        });
    model.matchesProperty().addListener((o, was, now) -> show(now));
    show(model.matchesProperty().get());
    model.openProperty().addListener((o, was, now) -> toggle(now));
    toggle(model.openProperty().get());
  }

  private void toggle(boolean open) {
    setVisible(open);
    setManaged(open);
    if (getScene() == null) {
      return;
    }
    if (open) {
      focusBefore = getScene().getFocusOwner();
      // The field can take the focus only when the layer has been made visible by a pulse.
      Fx.later(field::requestFocus);
      field.requestFocus();
    } else if (focusBefore != null) {
      focusBefore.requestFocus();
      focusBefore = null;
    }
  }

  private void show(List<PaletteMatch> matches) {
    list.setItems(FXCollections.observableList(matches));
    list.setVisible(!matches.isEmpty());
    nothing.setVisible(matches.isEmpty());
    if (!matches.isEmpty()) {
      list.getSelectionModel().selectFirst();
      list.scrollTo(0);
    }
  }

  private void handleKey(KeyEvent event) {
    switch (event.getCode()) {
      case DOWN -> move(1);
      case UP -> move(-1);
      case PAGE_DOWN -> move(PAGE);
      case PAGE_UP -> move(-PAGE);
      case ENTER -> choose();
      case ESCAPE -> model.close();
      case TAB -> {}
      default -> {
        return;
      }
    }
    event.consume();
  }

  private void move(int lines) {
    int size = list.getItems().size();
    if (size == 0) {
      return;
    }
    int from = list.getSelectionModel().getSelectedIndex();
    boolean wrap = Math.abs(lines) == 1;
    int to = wrap ? Math.floorMod(from + lines, size) : Math.clamp(from + lines, 0, size - 1);
    list.getSelectionModel().clearAndSelect(to);
    list.scrollTo(Math.max(0, to - PAGE + 1));
  }

  private void choose() {
    PaletteMatch match = list.getSelectionModel().getSelectedItem();
    if (match != null) {
      model.choose(match);
    }
  }
}
