package dev.yardmaster.console.dock;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.yardmaster.console.i18n.Texts;
import dev.yardmaster.console.kit.Icon;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javafx.geometry.Side;
import javafx.scene.Scene;
import javafx.scene.control.Label;
import javafx.stage.Stage;
import javafx.stage.Window;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.testfx.api.FxRobot;
import org.testfx.framework.junit5.ApplicationExtension;
import org.testfx.framework.junit5.Start;

@ExtendWith(ApplicationExtension.class)
class DockAreaTest {
  private final List<Scene> styled = new ArrayList<>();
  private final List<String> closed = new ArrayList<>();

  // Set by @Start before each test.
  @SuppressWarnings("NullAway.Init")
  private Label placeholder;

  // Set by @Start before each test.
  @SuppressWarnings("NullAway.Init")
  private DockArea area;

  @Start
  void start(Stage stage) {
    placeholder = new Label("nothing");
    area = new DockArea(Texts.of(Locale.ENGLISH), placeholder, styled::add);
    stage.setScene(new Scene(area.node(), 800, 500));
    stage.show();
  }

  private DockArea newArea() {
    return new DockArea(Texts.of(Locale.ENGLISH), new Label("nothing"), styled::add);
  }

  private EditorTab tab(String id) {
    return new EditorTab(id, Icon.QUEUE, id, List.of(id), new Label(id))
        .onClosed(() -> closed.add(id));
  }

  private void open(FxRobot robot, String... ids) {
    robot.interact(
        () -> {
          for (String id : ids) {
            area.open(tab(id));
          }
        });
  }

  private String active() {
    EditorTab tab = area.activeProperty().get();
    return tab == null ? "none" : tab.id();
  }

  @Test
  void openingTheSameIdSelectsTheTabThatIsThere(FxRobot robot) {
    open(robot, "queue", "why/1", "queue");

    assertThat(area.tabs()).extracting(EditorTab::id).containsExactly("queue", "why/1");
    assertThat(active()).isEqualTo("queue");
  }

  @Test
  void closingTellsTheTabAndSelectsAnother(FxRobot robot) {
    open(robot, "queue", "why/1");
    robot.interact(() -> area.close("why/1"));

    assertThat(closed).containsExactly("why/1");
    assertThat(active()).isEqualTo("queue");
  }

  @Test
  void withoutTabsThePlaceholderIsShown(FxRobot robot) {
    assertThat(placeholder.isVisible()).isTrue();
    open(robot, "queue");
    assertThat(placeholder.isVisible()).isFalse();
    robot.interact(() -> area.close("queue"));
    assertThat(placeholder.isVisible()).isTrue();
    open(robot, "why/1");

    assertThat(placeholder.isVisible()).isFalse();
    assertThat(active()).isEqualTo("why/1");
  }

  @Test
  void splittingMovesTheTabToItsOwnArea(FxRobot robot) {
    open(robot, "queue", "why/1");
    robot.interact(() -> area.split("why/1", Side.RIGHT));

    assertThat(area.layout())
        .isInstanceOfSatisfying(
            DockLayout.Split.class,
            split -> {
              assertThat(split.vertical()).isFalse();
              assertThat(split.parts())
                  .containsExactly(
                      new DockLayout.Tabs(List.of("queue"), "queue"),
                      new DockLayout.Tabs(List.of("why/1"), "why/1"));
            });
    robot.interact(() -> area.close("why/1"));
    assertThat(area.layout()).isEqualTo(new DockLayout.Tabs(List.of("queue"), "queue"));
  }

  @Test
  void aTabAloneInItsAreaIsNotSplit(FxRobot robot) {
    open(robot, "queue");
    robot.interact(() -> area.split("queue", Side.BOTTOM));

    assertThat(area.layout()).isEqualTo(new DockLayout.Tabs(List.of("queue"), "queue"));
  }

  @Test
  void aFloatingTabHasAStyledWindowThatGoesWithIt(FxRobot robot) {
    open(robot, "queue", "why/1");
    robot.interact(() -> area.floatTab("why/1"));

    assertThat(Window.getWindows()).hasSize(2);
    assertThat(styled).hasSize(1);
    assertThat(area.layout()).isEqualTo(new DockLayout.Tabs(List.of("queue"), "queue"));
    robot.interact(() -> area.close("why/1"));
    assertThat(Window.getWindows()).hasSize(1);
  }

  @Test
  void aLayoutSurvivesBeingWrittenAndRead(FxRobot robot) throws Exception {
    open(robot, "queue", "why/1", "why/2", "topology");
    robot.interact(
        () -> {
          area.split("why/1", Side.RIGHT);
          area.split("topology", Side.BOTTOM);
          area.select("queue");
        });
    DockLayout layout = area.layout();
    ObjectMapper json = new ObjectMapper();
    DockLayout read = json.readValue(json.writeValueAsString(layout), DockLayout.class);
    assertThat(read).isEqualTo(layout);

    List<DockArea> areas = new ArrayList<>();
    robot.interact(
        () -> {
          DockArea made = newArea();
          made.restore(read, id -> id.equals("why/2") ? null : tab(id));
          areas.add(made);
        });
    DockArea again = areas.getFirst();

    assertThat(again.tabs())
        .extracting(EditorTab::id)
        .containsExactlyInAnyOrder("queue", "why/1", "topology");
    assertThat(again.layout()).isInstanceOf(DockLayout.Split.class);
  }
}
