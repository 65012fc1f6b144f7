package dev.yardmaster.console.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.yardmaster.console.FxTestWindow;
import dev.yardmaster.console.action.Action;
import dev.yardmaster.console.action.MenuPlace;
import dev.yardmaster.console.action.Menus;
import dev.yardmaster.console.action.PaletteEntry;
import dev.yardmaster.console.action.PaletteKind;
import dev.yardmaster.console.action.Shortcuts;
import dev.yardmaster.console.dock.EditorTab;
import dev.yardmaster.console.kit.Icon;
import dev.yardmaster.console.theme.Theme;
import dev.yardmaster.console.theme.Token;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import javafx.css.PseudoClass;
import javafx.scene.Node;
import javafx.scene.control.Label;
import javafx.scene.control.MenuItem;
import javafx.scene.control.TextField;
import javafx.scene.control.ToggleButton;
import javafx.scene.input.KeyCode;
import javafx.scene.layout.Region;
import javafx.scene.paint.Color;
import javafx.stage.Stage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.testfx.api.FxRobot;
import org.testfx.framework.junit5.ApplicationExtension;
import org.testfx.framework.junit5.Start;
import org.testfx.util.WaitForAsyncUtils;

// The fields are set by @Start before each test.
@SuppressWarnings("NullAway.Init")
@ExtendWith(ApplicationExtension.class)
class ShellTest {
  private ConsoleContext context;
  private Shell shell;

  @Start
  void start(Stage stage) {
    FxTestWindow window = FxTestWindow.open(stage, 1000, 700);
    context = window.context();
    shell = window.shell();
  }

  private static void await(BooleanSupplier condition) throws Exception {
    WaitForAsyncUtils.waitFor(10, TimeUnit.SECONDS, condition::getAsBoolean);
  }

  private List<String> found() {
    return shell.palette().matchesProperty().get().stream().map(m -> m.entry().title()).toList();
  }

  @Test
  void thePaletteOpensByKeyFindsByTypingAndRunsByEnter(FxRobot robot) throws Exception {
    robot.push(KeyCode.CONTROL, KeyCode.K);
    TextField field = robot.lookup("#palette-field").queryAs(TextField.class);
    await(field::isFocused);
    robot.write("light");
    await(() -> found().equals(List.of("Use the light theme")));
    robot.push(KeyCode.ENTER);

    assertThat(context.appearance().theme()).isEqualTo(Theme.LIGHT);
    assertThat(shell.palette().openProperty().get()).isFalse();
  }

  @Test
  void theArrowsChooseAndEscapeCloses(FxRobot robot) throws Exception {
    List<String> opened = new ArrayList<>();
    shell
        .palette()
        .addSource(
            () ->
                List.of(
                    new PaletteEntry(PaletteKind.JOB, "4711 a", "", "", () -> opened.add("4711")),
                    new PaletteEntry(PaletteKind.JOB, "4712 b", "", "", () -> opened.add("4712"))));
    robot.push(KeyCode.CONTROL, KeyCode.K);
    await(robot.lookup("#palette-field").queryAs(TextField.class)::isFocused);
    robot.write("471");
    await(() -> found().equals(List.of("4711 a", "4712 b")));
    robot.push(KeyCode.DOWN).push(KeyCode.ENTER);
    robot.push(KeyCode.CONTROL, KeyCode.K);
    robot.push(KeyCode.ESCAPE);

    assertThat(opened).containsExactly("4712");
    assertThat(shell.palette().openProperty().get()).isFalse();
  }

  @Test
  void theFocusReturnsToWhereItWasWhenThePaletteCloses(FxRobot robot) throws Exception {
    Node button = robot.lookup("#activity-policy").query();
    robot.interact(button::requestFocus);
    robot.push(KeyCode.CONTROL, KeyCode.K);
    await(robot.lookup("#palette-field").queryAs(TextField.class)::isFocused);
    robot.push(KeyCode.ESCAPE);

    assertThat(button.isFocused()).isTrue();
  }

  @Test
  void clickingAnActivityShowsItsTab(FxRobot robot) {
    robot.interact(
        () ->
            shell.setMainTab(
                Activity.QUEUE,
                () ->
                    new EditorTab(
                        "queue", Icon.QUEUE, "Queue", List.of("Queue"), new Label("the queue"))));
    robot.clickOn("#activity-queue");

    assertThat(robot.lookup("the queue").tryQuery()).isPresent();
    assertThat(shell.model().activityProperty().get()).isEqualTo(Activity.QUEUE);
    assertThat(robot.lookup("#activity-queue").queryAs(ToggleButton.class).isSelected()).isTrue();
    assertThat(robot.lookup("#activity-overview").queryAs(ToggleButton.class).isSelected())
        .isFalse();
  }

  @Test
  void anActivityWithoutAViewSaysWhatItWillBringAndWhatToDo(FxRobot robot) {
    robot.push(KeyCode.CONTROL, KeyCode.DIGIT4);

    assertThat(robot.lookup("The Topology view arrives with a later version").tryQuery())
        .isPresent();
    assertThat(shell.dock().activeProperty().get()).isNotNull();
    assertThat(shell.dock().activeProperty().get().id()).isEqualTo("topology");
  }

  @Test
  void theActiveTabLightsItsActivityAndFillsTheBreadcrumb(FxRobot robot) {
    robot.interact(
        () -> {
          shell.model().clusterProperty().set("atlas");
          shell.open(
              new EditorTab(
                  "why/4711", Icon.WHY, "Job 4711", List.of("Queue", "4711"), new Label()));
        });

    assertThat(shell.model().activityProperty().get()).isEqualTo(Activity.WHY);
    assertThat(robot.lookup(".breadcrumb").queryParent().getChildrenUnmodifiable())
        .extracting(node -> ((Label) node).getText())
        .containsExactly("Cluster atlas", "›", "Queue", "›", "4711");
  }

  @Test
  void theFocusThatTheKeyboardMovesIsVisible(FxRobot robot) {
    robot.interact(() -> robot.lookup("#activity-overview").query().requestFocus());
    robot.push(KeyCode.TAB);
    Region focused = (Region) shell.root().getScene().getFocusOwner();

    assertThat(focused.getPseudoClassStates())
        .contains(PseudoClass.getPseudoClass("focus-visible"));
    assertThat(focused.getBackground().getFills().getFirst().getFill())
        .isEqualTo(Color.web(Token.ACCENT.hex(Theme.DARK)));
  }

  @Test
  void everyPartOfTheFrameCanBeReachedByTab(FxRobot robot) {
    Set<String> wanted =
        Set.of("top-bar", "activity-bar", "explorer", "dock-area", "tool-area", "inspector");
    Set<String> reached = new TreeSet<>();
    robot.interact(() -> robot.lookup("#main-menu").query().requestFocus());
    for (int steps = 0; steps < 60 && !reached.containsAll(wanted); steps++) {
      robot.interact(
          () -> {
            for (Node n = shell.root().getScene().getFocusOwner(); n != null; n = n.getParent()) {
              reached.addAll(n.getStyleClass());
            }
          });
      robot.push(KeyCode.TAB);
    }

    assertThat(reached).containsAll(wanted);
  }

  @Test
  void enlargingTextEnlargesWhatStandsAroundIt(FxRobot robot) throws TimeoutException {
    robot.interact(() -> shell.model().inspectorShownProperty().set(false));
    WaitForAsyncUtils.waitForFxEvents();
    Region bar = robot.lookup(".status-bar").queryAs(Region.class);
    Region explorer = robot.lookup(".explorer").queryAs(Region.class);
    double barBefore = bar.getHeight();
    double explorerBefore = explorer.getWidth();
    robot.interact(() -> context.appearance().setFontSize(17));
    // The panels follow in a later pulse than the styles.
    WaitForAsyncUtils.waitFor(
        10, TimeUnit.SECONDS, () -> explorer.getWidth() > explorerBefore * 17 / 13 - 2);

    assertThat(bar.getHeight()).isGreaterThan(1.2 * barBefore);
    assertThat(explorer.getWidth()).isCloseTo(explorerBefore * 17 / 13, within(2.0));
  }

  @Test
  void hiddenPanelsComeBackInTheirSize(FxRobot robot) {
    Region explorer = robot.lookup(".explorer").queryAs(Region.class);
    Region tools = robot.lookup(".tool-area").queryAs(Region.class);
    double width = explorer.getWidth();
    double height = tools.getHeight();
    robot.push(KeyCode.CONTROL, KeyCode.B);
    robot.push(KeyCode.CONTROL, KeyCode.J);
    assertThat(robot.lookup(".explorer").tryQuery()).isEmpty();
    robot.push(KeyCode.CONTROL, KeyCode.B);
    robot.push(KeyCode.CONTROL, KeyCode.J);
    WaitForAsyncUtils.waitForFxEvents();

    assertThat(explorer.getWidth()).isCloseTo(width, within(2.0));
    assertThat(tools.getHeight()).isCloseTo(height, within(2.0));
  }

  @Test
  void everyActionIsInItsMenuAndEveryShortcutInTheTable(FxRobot robot) {
    Set<String> inMenus = new TreeSet<>();
    robot.interact(
        () -> {
          for (var menu : Menus.build(context.actions(), context.texts())) {
            menu.getItems().stream().map(MenuItem::getId).forEach(inMenus::add);
          }
        });

    assertThat(inMenus)
        .containsExactlyInAnyOrderElementsOf(
            context.actions().all().stream().map(Action::id).toList());
    assertThat(Shortcuts.table(context.actions()))
        .containsExactlyInAnyOrderElementsOf(
            context.actions().all().stream().filter(a -> a.shortcut() != null).toList());
  }

  @Test
  void anActionAddedLaterAppearsInTheMenuThatIsThere(FxRobot robot) {
    List<String> texts = new ArrayList<>();
    robot.interact(
        () -> {
          var menus = Menus.build(context.actions(), context.texts());
          context.actions().add(Action.of("job.hold", ShellText.QUEUE, MenuPlace.JOB, () -> {}));
          menus.get(MenuPlace.JOB.ordinal()).getItems().forEach(i -> texts.add(i.getText()));
        });

    assertThat(texts).containsExactly("Queue");
  }

  @Test
  void selectingInTheExplorerIsTheSelectionOfTheWindow(FxRobot robot) {
    Item node = new Item(Item.Kind.NODE, "node049");
    List<Item> opened = new ArrayList<>();
    robot.interact(
        () -> {
          shell.addOpener(opened::add);
          shell
              .model()
              .explorerProperty()
              .set(
                  List.of(
                      ExplorerItem.group(
                          "nodes",
                          "Nodes",
                          "1",
                          List.of(ExplorerItem.leaf("n", "node049", "8 free", null, node)))));
        });
    robot.clickOn("node049");
    assertThat(shell.model().selectionProperty().get()).isEqualTo(node);
    robot.push(KeyCode.ENTER);

    assertThat(opened).containsExactly(node);
  }
}
