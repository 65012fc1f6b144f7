package dev.yardmaster.console.dock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.console.i18n.Texts;
import dev.yardmaster.console.kit.Icon;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import javafx.geometry.Bounds;
import javafx.scene.Node;
import javafx.scene.Scene;
import javafx.scene.control.Label;
import javafx.scene.input.MouseButton;
import javafx.stage.Stage;
import javafx.stage.Window;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.testfx.api.FxRobot;
import org.testfx.framework.junit5.ApplicationExtension;
import org.testfx.framework.junit5.Start;
import org.testfx.util.WaitForAsyncUtils;

/** Real drags, which the headless platform does not have. */
@Tag("xvfb")
@ExtendWith(ApplicationExtension.class)
class TabDragTest {
  // Set by @Start before each test.
  @SuppressWarnings("NullAway.Init")
  private DockArea area;

  @Start
  void start(Stage stage) {
    area = new DockArea(Texts.of(Locale.ENGLISH), new Label("nothing"), scene -> {});
    for (String id : List.of("queue", "why")) {
      area.open(new EditorTab(id, Icon.QUEUE, id, List.of(id), new Label("content of " + id)));
    }
    stage.setScene(new Scene(area.node(), 700, 450));
    stage.setX(50);
    stage.setY(50);
    stage.show();
  }

  private static void dragHeader(FxRobot robot, String title, double x, double y) {
    Node header =
        robot.lookup(".header").queryAll().stream()
            .filter(node -> node.toString().endsWith(":" + title))
            .findFirst()
            .orElseThrow();
    robot.drag(header, MouseButton.PRIMARY).moveBy(20, 10).moveTo(x, y).moveBy(2, 2).drop();
  }

  @Test
  void aTabDroppedAtTheRightEdgeSplitsTheArea(FxRobot robot) throws Exception {
    Bounds bounds = area.node().localToScreen(area.node().getLayoutBounds());
    dragHeader(robot, "why", bounds.getMaxX() - 40, bounds.getCenterY());
    WaitForAsyncUtils.waitFor(
        10, TimeUnit.SECONDS, () -> area.layout() instanceof DockLayout.Split);

    assertThat(((DockLayout.Split) area.layout()).parts())
        .containsExactly(
            new DockLayout.Tabs(List.of("queue"), "queue"),
            new DockLayout.Tabs(List.of("why"), "why"));
  }

  @Test
  void aTabDroppedOutsideGetsItsOwnWindow(FxRobot robot) throws Exception {
    Bounds bounds = area.node().localToScreen(area.node().getLayoutBounds());
    dragHeader(robot, "why", bounds.getMaxX() + 150, bounds.getMaxY() + 100);
    WaitForAsyncUtils.waitFor(10, TimeUnit.SECONDS, () -> Window.getWindows().size() == 2);

    assertThat(area.layout()).isEqualTo(new DockLayout.Tabs(List.of("queue"), "queue"));
    assertThat(area.find("why")).isPresent();
  }
}
