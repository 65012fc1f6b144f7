package dev.yardmaster.console.shell;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javafx.beans.property.BooleanProperty;
import javafx.beans.property.IntegerProperty;
import javafx.beans.property.ObjectProperty;
import javafx.beans.property.SimpleBooleanProperty;
import javafx.beans.property.SimpleIntegerProperty;
import javafx.beans.property.SimpleObjectProperty;
import javafx.beans.property.SimpleStringProperty;
import javafx.beans.property.StringProperty;
import org.jspecify.annotations.Nullable;

/**
 * What the frame shows, without controls. Whoever feeds the console sets these properties on the
 * JavaFX thread; the frame only follows them.
 */
public final class FrameViewModel {
  private final StringProperty cluster = new SimpleStringProperty(this, "cluster", "");
  private final ObjectProperty<LiveState> live =
      new SimpleObjectProperty<>(this, "live", LiveState.NONE);
  private final StringProperty role = new SimpleStringProperty(this, "role", "");
  private final IntegerProperty stagedChanges = new SimpleIntegerProperty(this, "stagedChanges", 0);
  private final ObjectProperty<Activity> activity =
      new SimpleObjectProperty<>(this, "activity", Activity.OVERVIEW);
  private final ObjectProperty<@Nullable Item> selection =
      new SimpleObjectProperty<>(this, "selection", null);
  private final ObjectProperty<List<ExplorerItem>> explorer =
      new SimpleObjectProperty<>(this, "explorer", List.of());
  private final ObjectProperty<@Nullable Inspection> inspection =
      new SimpleObjectProperty<>(this, "inspection", null);
  private final ObjectProperty<List<StatusSegment>> status =
      new SimpleObjectProperty<>(this, "status", List.of());
  private final ObjectProperty<ToolPanel> tool =
      new SimpleObjectProperty<>(this, "tool", ToolPanel.PROBLEMS);
  private final Map<ToolPanel, IntegerProperty> toolCounts = new EnumMap<>(ToolPanel.class);
  private final BooleanProperty explorerShown =
      new SimpleBooleanProperty(this, "explorerShown", true);
  private final BooleanProperty inspectorShown =
      new SimpleBooleanProperty(this, "inspectorShown", true);
  private final BooleanProperty toolsShown = new SimpleBooleanProperty(this, "toolsShown", true);
  private final BooleanProperty menuBarShown =
      new SimpleBooleanProperty(this, "menuBarShown", false);

  public FrameViewModel() {
    for (ToolPanel panel : ToolPanel.values()) {
      toolCounts.put(panel, new SimpleIntegerProperty(this, panel.name(), 0));
    }
  }

  /** The name of the cluster, or empty when there is no connection. */
  public StringProperty clusterProperty() {
    return cluster;
  }

  /** What moment the window shows. */
  public ObjectProperty<LiveState> liveProperty() {
    return live;
  }

  /** The signed-in role and user, or empty. */
  public StringProperty roleProperty() {
    return role;
  }

  /** How many edits are staged and not applied. */
  public IntegerProperty stagedChangesProperty() {
    return stagedChanges;
  }

  /** The activity that is lit in the activity bar. */
  public ObjectProperty<Activity> activityProperty() {
    return activity;
  }

  /** The one selection of the window; every view highlights it. */
  public ObjectProperty<@Nullable Item> selectionProperty() {
    return selection;
  }

  /** The top lines of the explorer. */
  public ObjectProperty<List<ExplorerItem>> explorerProperty() {
    return explorer;
  }

  /** What the inspector shows, or null when nothing is selected. */
  public ObjectProperty<@Nullable Inspection> inspectionProperty() {
    return inspection;
  }

  /** The parts of the status bar, the first at the left. */
  public ObjectProperty<List<StatusSegment>> statusProperty() {
    return status;
  }

  /** The panel that is in front below the centre. */
  public ObjectProperty<ToolPanel> toolProperty() {
    return tool;
  }

  /** The number beside a panel's name; 0 shows none. */
  public IntegerProperty countProperty(ToolPanel panel) {
    return Objects.requireNonNull(toolCounts.get(panel));
  }

  public BooleanProperty explorerShownProperty() {
    return explorerShown;
  }

  public BooleanProperty inspectorShownProperty() {
    return inspectorShown;
  }

  public BooleanProperty toolsShownProperty() {
    return toolsShown;
  }

  public BooleanProperty menuBarShownProperty() {
    return menuBarShown;
  }
}
