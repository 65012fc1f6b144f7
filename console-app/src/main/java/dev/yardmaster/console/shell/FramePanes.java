package dev.yardmaster.console.shell;

import javafx.geometry.Orientation;
import javafx.scene.Node;
import javafx.scene.control.SplitPane;

/**
 * Explorer, centre with the tools below it, and inspector side by side, each of which can be
 * hidden.
 */
final class FramePanes extends SplitPane {
  private static final double EXPLORER_WIDTH = 232;
  private static final double INSPECTOR_WIDTH = 328;
  private static final double TOOLS_HEIGHT = 232;

  private final ConsoleContext context;
  private final FrameViewModel model;
  private final Node explorer;
  private final Node inspector;
  private final Node tools;
  private final SplitPane centre = new SplitPane();
  private final Node tabs;
  private boolean sized;
  private boolean centreSized;

  FramePanes(
      ConsoleContext context,
      FrameViewModel model,
      Node explorer,
      Node tabs,
      Node tools,
      Node inspector) {
    this.context = context;
    this.model = model;
    this.explorer = explorer;
    this.tabs = tabs;
    this.tools = tools;
    this.inspector = inspector;
    getStyleClass().add("frame-panes");
    centre.setOrientation(Orientation.VERTICAL);
    setResizableWithParent(explorer, false);
    setResizableWithParent(inspector, false);
    setResizableWithParent(tools, false);
    arrange();
    model.explorerShownProperty().addListener(o -> arrange());
    model.inspectorShownProperty().addListener(o -> arrange());
    model.toolsShownProperty().addListener(o -> arrange());
    context.appearance().fontSizeProperty().addListener(o -> arrange());
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
    sized = false;
    centreSized = false;
    requestLayout();
  }

  @Override
  protected void layoutChildren() {
    if (!sized && getWidth() > 0) {
      sized = true;
      int divider = 0;
      if (model.explorerShownProperty().get()) {
        double width = context.appearance().scaled(EXPLORER_WIDTH);
        setDividerPosition(divider++, width / getWidth());
      }
      if (model.inspectorShownProperty().get()) {
        double width = context.appearance().scaled(INSPECTOR_WIDTH);
        setDividerPosition(divider, 1 - width / getWidth());
      }
    }
    if (!centreSized && getHeight() > 0 && model.toolsShownProperty().get()) {
      centreSized = true;
      centre.setDividerPosition(0, 1 - context.appearance().scaled(TOOLS_HEIGHT) / getHeight());
    }
    super.layoutChildren();
  }
}
