package dev.yardmaster.console.shell;

import dev.yardmaster.console.i18n.Texts;
import dev.yardmaster.console.kit.EmptyState;
import dev.yardmaster.console.kit.Icon;
import dev.yardmaster.console.kit.NextStep;
import dev.yardmaster.console.kit.StatePane;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import javafx.scene.control.TreeItem;
import javafx.scene.control.TreeView;
import javafx.scene.input.KeyCode;
import javafx.scene.input.KeyEvent;
import javafx.scene.layout.Priority;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;
import org.jspecify.annotations.Nullable;

/** The tree at the left. It keeps what the user expanded when its lines are replaced. */
final class Explorer extends VBox {
  private final TreeView<ExplorerItem> tree = new TreeView<>(new TreeItem<>());
  private final StatePane empty;
  private final Map<String, Boolean> expanded = new HashMap<>();
  private final FrameViewModel model;
  private boolean following;

  Explorer(ConsoleContext context, FrameViewModel model, NextStep step, Consumer<Item> open) {
    this.model = model;
    Texts texts = context.texts();
    getStyleClass().addAll("side-panel", "explorer");
    empty =
        new EmptyState(
            Icon.CONNECT,
            texts.get(ShellText.EXPLORER_EMPTY),
            texts.get(ShellText.EXPLORER_EMPTY_TEXT),
            step);
    tree.setId("explorer-tree");
    tree.setShowRoot(false);
    tree.setAccessibleText(texts.get(ShellText.EXPLORER));
    tree.setCellFactory(view -> new ExplorerCell());
    StackPane content = new StackPane(tree, empty);
    VBox.setVgrow(content, Priority.ALWAYS);
    PanelHeader header =
        new PanelHeader(
            texts.capitals(ShellText.EXPLORER),
            texts.get(ShellText.HIDE),
            () -> model.explorerShownProperty().set(false));
    getChildren().addAll(header, content);
    model.explorerProperty().addListener((o, was, now) -> show(now));
    show(model.explorerProperty().get());
    model.selectionProperty().addListener((o, was, now) -> highlight(now));
    tree.getSelectionModel().selectedItemProperty().addListener((o, was, now) -> select(now));
    tree.setOnMouseClicked(
        e -> {
          if (e.getClickCount() == 2) {
            openSelected(open);
          }
        });
    tree.addEventHandler(
        KeyEvent.KEY_PRESSED,
        e -> {
          if (e.getCode() == KeyCode.ENTER) {
            openSelected(open);
            e.consume();
          }
        });
  }

  private void show(List<ExplorerItem> items) {
    following = true;
    tree.getRoot().getChildren().setAll(items.stream().map(this::treeItem).toList());
    following = false;
    empty.setVisible(items.isEmpty());
    tree.setVisible(!items.isEmpty());
    highlight(model.selectionProperty().get());
  }

  private TreeItem<ExplorerItem> treeItem(ExplorerItem item) {
    TreeItem<ExplorerItem> line = new TreeItem<>(item);
    line.getChildren().setAll(item.children().stream().map(this::treeItem).toList());
    line.setExpanded(expanded.getOrDefault(item.id(), item.expanded()));
    line.expandedProperty().addListener((o, was, now) -> expanded.put(item.id(), now));
    return line;
  }

  private void select(@Nullable TreeItem<ExplorerItem> line) {
    if (!following && line != null && line.getValue() != null && line.getValue().target() != null) {
      model.selectionProperty().set(line.getValue().target());
    }
  }

  private void highlight(@Nullable Item selection) {
    TreeItem<ExplorerItem> line = selection == null ? null : find(tree.getRoot(), selection);
    following = true;
    if (line == null) {
      tree.getSelectionModel().clearSelection();
    } else if (tree.getSelectionModel().getSelectedItem() != line) {
      tree.getSelectionModel().select(line);
    }
    following = false;
  }

  private static @Nullable TreeItem<ExplorerItem> find(
      TreeItem<ExplorerItem> line, Item selection) {
    if (line.getValue() != null && selection.equals(line.getValue().target())) {
      return line;
    }
    for (TreeItem<ExplorerItem> child : line.getChildren()) {
      TreeItem<ExplorerItem> found = find(child, selection);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  private void openSelected(Consumer<Item> open) {
    TreeItem<ExplorerItem> line = tree.getSelectionModel().getSelectedItem();
    if (line != null && line.getValue().target() != null) {
      open.accept(line.getValue().target());
    }
  }
}
