package dev.yardmaster.console.shell;

import dev.yardmaster.console.fx.Fx;
import javafx.geometry.Orientation;
import javafx.scene.control.SplitPane;
import javafx.scene.layout.Region;

/**
 * Explorer, centre with the tools below it, and inspector side by side. Each can be hidden, and
 * comes back in the size that it had; sizes follow the font size.
 */
final class FramePanes extends SplitPane {
  private static final double EXPLORER_WIDTH = 232;
  private static final double INSPECTOR_WIDTH = 328;
  private static final double TOOLS_HEIGHT = 232;

  private final FrameViewModel model;
  private final Region explorer;
  private final Region inspector;
  private final Region tools;
  private final SplitPane centre = new SplitPane();
  private final Region tabs;
  private double explorerWidth;
  private double inspectorWidth;
  private double toolsHeight;
  private boolean sized;

  FramePanes(
      ConsoleContext context,
      FrameViewModel model,
      Region explorer,
      Region tabs,
      Region tools,
      Region inspector) {
    this.model = model;
    this.explorer = explorer;
    this.tabs = tabs;
    this.tools = tools;
    this.inspector = inspector;
    explorerWidth = context.appearance().scaled(EXPLORER_WIDTH);
    inspectorWidth = context.appearance().scaled(INSPECTOR_WIDTH);
    toolsHeight = context.appearance().scaled(TOOLS_HEIGHT);
    getStyleClass().add("frame-panes");
    centre.setOrientation(Orientation.VERTICAL);
    setResizableWithParent(explorer, false);
    setResizableWithParent(inspector, false);
    setResizableWithParent(tools, false);
    arrange();
    model.explorerShownProperty().addListener(o -> rearrange());
    model.inspectorShownProperty().addListener(o -> rearrange());
    model.toolsShownProperty().addListener(o -> rearrange());
    context
        .appearance()
        .fontSizeProperty()
        .addListener((o, was, now) -> scale(now.doubleValue() / was.doubleValue()));
  }

  private void rearrange() {
    remember();
    arrange();
    // The dividers exist, and can be put in their places, once the new panes are laid out.
    Fx.later(this::placeDividers);
  }

  private void scale(double factor) {
    remember();
    explorerWidth *= factor;
    inspectorWidth *= factor;
    toolsHeight *= factor;
    Fx.later(this::placeDividers);
  }

  /** Keeps the sizes that the user gave, of those panes that are shown. */
  private void remember() {
    if (!sized) {
      return;
    }
    if (getItems().contains(explorer)) {
      explorerWidth = explorer.getWidth();
    }
    if (getItems().contains(inspector)) {
      inspectorWidth = inspector.getWidth();
    }
    if (centre.getItems().contains(tools)) {
      toolsHeight = tools.getHeight();
    }
  }

  private void arrange() {
    centre.getItems().setAll(tabs);
    if (model.toolsShownProperty().get()) {
      centre.getItems().add(tools);
    }
    getItems().clear();
    if (model.explorerShownProperty().get()) {
      getItems().add(explorer);
    }
    getItems().add(centre);
    if (model.inspectorShownProperty().get()) {
      getItems().add(inspector);
    }
  }

  private void placeDividers() {
    if (getWidth() <= 0 || getHeight() <= 0) {
      return;
    }
    int divider = 0;
    if (getItems().contains(explorer)) {
      setDividerPosition(divider++, explorerWidth / getWidth());
    }
    if (getItems().contains(inspector)) {
      setDividerPosition(divider, 1 - inspectorWidth / getWidth());
    }
    if (centre.getItems().contains(tools)) {
      centre.setDividerPosition(0, 1 - toolsHeight / getHeight());
    }
  }

  @Override
  protected void layoutChildren() {
    if (!sized && getWidth() > 0) {
      sized = true;
      placeDividers();
    }
    super.layoutChildren();
  }
}
