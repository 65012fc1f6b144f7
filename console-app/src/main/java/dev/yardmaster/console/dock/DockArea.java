package dev.yardmaster.console.dock;

import dev.yardmaster.console.i18n.Texts;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import javafx.beans.property.BooleanProperty;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.beans.property.SimpleBooleanProperty;
import javafx.geometry.Orientation;
import javafx.geometry.Side;
import javafx.scene.Node;
import javafx.scene.Scene;
import javafx.scene.input.MouseEvent;
import javafx.scene.layout.Region;
import javafx.scene.layout.StackPane;
import org.jspecify.annotations.Nullable;
import software.coley.bentofx.Bento;
import software.coley.bentofx.control.DragDropStage;
import software.coley.bentofx.dockable.Dockable;
import software.coley.bentofx.event.DockEvent;
import software.coley.bentofx.layout.DockContainer;
import software.coley.bentofx.layout.container.DockContainerBranch;
import software.coley.bentofx.layout.container.DockContainerLeaf;
import software.coley.bentofx.layout.container.DockContainerRootBranch;

/**
 * The centre of the window: tabs that can be moved, split, closed and floated, by mouse and by
 * command. To be used on the JavaFX thread.
 */
public final class DockArea {
  private final Bento bento = new Bento();
  private final DockContainerRootBranch root;
  private final StackPane area;
  private final BooleanProperty empty = new SimpleBooleanProperty(true);
  private final Texts texts;
  private final Map<String, EditorTab> tabs = new LinkedHashMap<>();
  private final ReadOnlyObjectWrapper<@Nullable EditorTab> active =
      new ReadOnlyObjectWrapper<>(this, "active", null);

  /**
   * An area without tabs.
   *
   * @param placeholder what is shown while no tab is open
   * @param styleWindow gives a floating window its look and its shortcuts
   */
  public DockArea(Texts texts, Node placeholder, Consumer<Scene> styleWindow) {
    this.texts = texts;
    bento
        .stageBuilding()
        .setSceneFactory(
            (source, content, width, height) -> {
              Scene scene = new Scene(content, width, height);
              styleWindow.accept(scene);
              return scene;
            });
    root = bento.dockBuilding().root("centre");
    root.setPruneWhenEmpty(false);
    root.addContainer(newLeaf());
    root.addEventFilter(MouseEvent.MOUSE_PRESSED, this::activateUnderMouse);
    bento.events().addEventListener(this::follow);
    bento.registerRoot(root);
    area = new StackPane(root, placeholder);
    area.getStyleClass().add("dock-area");
    placeholder.visibleProperty().bind(empty);
  }

  /** The area as a node. */
  public Region node() {
    return area;
  }

  /** The tab that the user works in, or null when there is none. */
  public ReadOnlyObjectProperty<@Nullable EditorTab> activeProperty() {
    return active.getReadOnlyProperty();
  }

  /** All open tabs in the order they were opened. */
  public List<EditorTab> tabs() {
    return List.copyOf(tabs.values());
  }

  /** The open tab with this id. */
  public Optional<EditorTab> find(String id) {
    return Optional.ofNullable(tabs.get(id));
  }

  /** Opens a tab beside the active one and selects it, or selects the one with its id. */
  public void open(EditorTab tab) {
    if (!tabs.containsKey(tab.id())) {
      tabs.put(tab.id(), tab);
      currentLeaf().addDockable(dockable(tab));
    }
    select(tab.id());
  }

  /** Selects an open tab. */
  public void select(String id) {
    Dockable dockable = dockable(id);
    if (dockable != null && dockable.getContainer() != null) {
      dockable.getContainer().selectDockable(dockable);
      active.set(tabs.get(id));
    }
  }

  /** Closes a tab if it is open. */
  public void close(String id) {
    Dockable dockable = dockable(id);
    if (dockable != null && dockable.getContainer() != null) {
      dockable.getContainer().closeDockable(dockable);
    }
  }

  /** Closes all tabs but one. */
  public void closeOthers(String id) {
    for (EditorTab tab : tabs()) {
      if (!tab.id().equals(id)) {
        close(tab.id());
      }
    }
  }

  /**
   * Moves a tab to a new area beside the one it is in; does nothing when it is alone there.
   *
   * @param side where the new area is
   */
  public void split(String id, Side side) {
    Dockable dockable = dockable(id);
    DockContainerLeaf leaf = dockable == null ? null : dockable.getContainer();
    DockContainerBranch parent = leaf == null ? null : leaf.getParentContainer();
    if (dockable == null || leaf == null || parent == null || leaf.getDockables().size() < 2) {
      return;
    }
    leaf.removeDockable(dockable);
    DockContainerLeaf added = newLeaf();
    added.addDockable(dockable);
    DockContainerBranch branch = bento.dockBuilding().branch();
    parent.replaceContainer(leaf, branch);
    branch.setOrientation(side.isVertical() ? Orientation.HORIZONTAL : Orientation.VERTICAL);
    if (side == Side.LEFT || side == Side.TOP) {
      branch.addContainers(added, leaf);
    } else {
      branch.addContainers(leaf, added);
    }
    select(id);
  }

  /** Moves a tab to a window of its own, which goes when the tab is closed or moved back. */
  public void floatTab(String id) {
    Dockable dockable = dockable(id);
    DockContainerLeaf leaf = dockable == null ? null : dockable.getContainer();
    if (dockable == null || leaf == null || leaf.getScene() == null) {
      return;
    }
    Scene scene = leaf.getScene();
    double width = leaf.getWidth();
    double height = leaf.getHeight();
    leaf.removeDockable(dockable);
    DragDropStage stage =
        bento
            .stageBuilding()
            .newStageForDockable(
                scene, bento.dockBuilding().root(), newLeaf(), dockable, width, height);
    stage.titleProperty().bind(dockable.titleProperty());
    stage.show();
    active.set(tabs.get(id));
  }

  /** How the centre is divided now; floating windows are left out. */
  public DockLayout layout() {
    return layout(root);
  }

  /**
   * Opens tabs as they were; does nothing when tabs are open already.
   *
   * @param reopen makes the tab of an id again, or gives null when it cannot; such tabs are left
   *     out
   */
  public void restore(DockLayout layout, Function<String, @Nullable EditorTab> reopen) {
    DockContainer restored = tabs.isEmpty() ? restored(layout, reopen) : null;
    if (restored == null) {
      return;
    }
    for (DockContainer child : List.copyOf(root.getChildContainers())) {
      root.removeContainer(child);
    }
    root.addContainer(restored);
    ensureLeaf();
  }

  private @Nullable DockContainer restored(
      DockLayout layout, Function<String, @Nullable EditorTab> reopen) {
    return switch (layout) {
      case DockLayout.Tabs area -> restoredTabs(area, reopen);
      case DockLayout.Split split -> restoredSplit(split, reopen);
    };
  }

  private @Nullable DockContainer restoredTabs(
      DockLayout.Tabs area, Function<String, @Nullable EditorTab> reopen) {
    DockContainerLeaf leaf = newLeaf();
    for (String id : area.ids()) {
      EditorTab tab = tabs.containsKey(id) ? null : reopen.apply(id);
      if (tab != null) {
        tabs.put(id, tab);
        leaf.addDockable(dockable(tab));
      }
    }
    for (Dockable dockable : leaf.getDockables()) {
      if (dockable.getIdentifier().equals(area.selected())) {
        leaf.selectDockable(dockable);
      }
    }
    return leaf.getDockables().isEmpty() ? null : leaf;
  }

  private @Nullable DockContainer restoredSplit(
      DockLayout.Split split, Function<String, @Nullable EditorTab> reopen) {
    List<DockContainer> parts = new ArrayList<>();
    for (DockLayout part : split.parts()) {
      DockContainer restored = restored(part, reopen);
      if (restored != null) {
        parts.add(restored);
      }
    }
    if (parts.size() <= 1) {
      return parts.isEmpty() ? null : parts.getFirst();
    }
    DockContainerBranch branch = bento.dockBuilding().branch();
    branch.setOrientation(split.vertical() ? Orientation.VERTICAL : Orientation.HORIZONTAL);
    branch.addContainers(parts.toArray(DockContainer[]::new));
    if (parts.size() == split.parts().size()) {
      branch.setDividerPositions(
          split.dividers().stream().mapToDouble(Double::doubleValue).toArray());
    }
    return branch;
  }

  private static DockLayout layout(DockContainer container) {
    return switch (container) {
      case DockContainerLeaf leaf -> {
        Dockable selected = leaf.getSelectedDockable();
        yield new DockLayout.Tabs(
            leaf.getDockables().stream().map(Dockable::getIdentifier).toList(),
            selected == null ? "" : selected.getIdentifier());
      }
      case DockContainerBranch branch -> {
        List<DockLayout> parts =
            branch.getChildContainers().stream().map(DockArea::layout).toList();
        List<Double> dividers = new ArrayList<>();
        for (double position : branch.getDividerPositions()) {
          dividers.add(position);
        }
        yield parts.size() == 1
            ? parts.getFirst()
            : new DockLayout.Split(
                branch.getOrientation() == Orientation.VERTICAL, dividers, parts);
      }
      default -> new DockLayout.Tabs(List.of(), "");
    };
  }

  private DockContainerLeaf newLeaf() {
    DockContainerLeaf leaf = bento.dockBuilding().leaf();
    leaf.setSide(Side.TOP);
    return leaf;
  }

  private Dockable dockable(EditorTab tab) {
    Dockable dockable = bento.dockBuilding().dockable(tab.id());
    dockable.titleProperty().bind(tab.titleProperty());
    dockable.setNode(tab.content());
    dockable.setContextMenuFactory(d -> TabMenu.build(this, tab, texts));
    dockable.addCloseListener((path, closed) -> forget(tab));
    return dockable;
  }

  private void forget(EditorTab tab) {
    tabs.remove(tab.id());
    tab.closed();
    ensureLeaf();
    if (active.get() == tab) {
      active.set(selectedIn(currentLeaf()));
    }
  }

  private void follow(DockEvent event) {
    switch (event) {
      case DockEvent.DockableSelected selected -> {
        if (selected.dockable() != null) {
          active.set(tabs.get(selected.dockable().getIdentifier()));
        }
        empty.set(root.getDockables().isEmpty());
      }
      case DockEvent.DockableRemoved removed -> ensureLeaf();
      default -> {}
    }
  }

  /** An area is pruned with its last tab; the centre itself always keeps one. */
  private void ensureLeaf() {
    if (root.getChildContainers().isEmpty()) {
      root.addContainer(newLeaf());
    }
    empty.set(root.getDockables().isEmpty());
  }

  private void activateUnderMouse(MouseEvent event) {
    Node node = event.getTarget() instanceof Node target ? target : null;
    while (node != null && !(node instanceof DockContainerLeaf)) {
      node = node.getParent();
    }
    if (node instanceof DockContainerLeaf leaf) {
      EditorTab tab = selectedIn(leaf);
      if (tab != null) {
        active.set(tab);
      }
    }
  }

  private @Nullable EditorTab selectedIn(DockContainerLeaf leaf) {
    Dockable selected = leaf.getSelectedDockable();
    return selected == null ? null : tabs.get(selected.getIdentifier());
  }

  private DockContainerLeaf currentLeaf() {
    EditorTab current = active.get();
    Dockable dockable = current == null ? null : dockable(current.id());
    if (dockable != null && dockable.getContainer() != null) {
      return dockable.getContainer();
    }
    return firstLeaf(root);
  }

  private DockContainerLeaf firstLeaf(DockContainerBranch branch) {
    for (DockContainer child : branch.getChildContainers()) {
      if (child instanceof DockContainerLeaf leaf) {
        return leaf;
      }
      if (child instanceof DockContainerBranch inner) {
        return firstLeaf(inner);
      }
    }
    DockContainerLeaf leaf = newLeaf();
    branch.addContainer(leaf);
    return leaf;
  }

  private @Nullable Dockable dockable(String id) {
    var path = bento.search().dockable(id);
    return path == null ? null : path.dockable();
  }
}
