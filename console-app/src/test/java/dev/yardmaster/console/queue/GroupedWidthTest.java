package dev.yardmaster.console.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.console.ClusterViews;
import dev.yardmaster.console.ConsoleBuilder;
import dev.yardmaster.console.connect.ClusterModel;
import dev.yardmaster.console.fixture.FixtureClient;
import dev.yardmaster.console.fixture.FixtureFeed;
import dev.yardmaster.console.fixture.SampleCluster;
import dev.yardmaster.console.fx.Tasks;
import dev.yardmaster.console.shell.Activity;
import dev.yardmaster.console.shell.ConsoleContext;
import dev.yardmaster.console.shell.Shell;
import dev.yardmaster.console.theme.Appearance;
import dev.yardmaster.console.theme.Theme;
import dev.yardmaster.console.tour.Tour;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import javafx.scene.Node;
import javafx.scene.Scene;
import javafx.scene.control.TableView;
import javafx.stage.Stage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.testfx.api.FxRobot;
import org.testfx.framework.junit5.ApplicationExtension;
import org.testfx.framework.junit5.Start;
import org.testfx.util.WaitForAsyncUtils;

/** The queue in groups, in a window of the design's width with everything beside it. */
// The fields are set by @Start before each test.
@SuppressWarnings("NullAway.Init")
@ExtendWith(ApplicationExtension.class)
class GroupedWidthTest {
  private ClusterViews views;
  private ClusterModel cluster;
  private Scene scene;

  @Start
  void start(Stage stage) {
    ConsoleContext context =
        ConsoleBuilder.context(
            Theme.DARK, Appearance.DEFAULT_FONT_SIZE, Locale.ENGLISH, Tasks.onVirtualThreads());
    Shell shell = ConsoleBuilder.shell(context);
    cluster =
        new ClusterModel(
            SampleCluster.connector(FixtureFeed.alive(SampleCluster.view()), new FixtureClient()));
    views = ClusterViews.install(shell, context, cluster);
    // Laid out and not shown: the screen of a test is smaller than that of an operator.
    scene = new Scene(shell.root(), Tour.WIDTH, Tour.HEIGHT);
    shell.style(scene);
    cluster.open();
    shell.show(Activity.QUEUE);
  }

  @AfterEach
  void close() {
    cluster.close();
  }

  @ParameterizedTest
  @EnumSource(value = GroupBy.class, names = "NONE", mode = EnumSource.Mode.EXCLUDE)
  void noColumnIsOutOfSight(GroupBy by, FxRobot robot) throws Exception {
    robot.interact(() -> views.queue().grouping().byProperty().set(by));
    WaitForAsyncUtils.waitFor(
        20, TimeUnit.SECONDS, () -> WaitForAsyncUtils.asyncFx(() -> tables().size() == 2).get());
    for (TableView<?> table : tables()) {
      double columns = table.getVisibleLeafColumns().stream().mapToDouble(c -> c.getWidth()).sum();
      assertThat(columns)
          .as(
              table.getVisibleLeafColumns().stream()
                  .map(c -> c.getText() + " " + c.getWidth())
                  .collect(Collectors.joining(", ")))
          .isPositive()
          .isLessThanOrEqualTo(table.getWidth());
      assertThat(table.getStyleClass()).contains("fitting");
    }
  }

  /** Both tables of the queue once they have rows and are laid out. */
  private List<TableView<?>> tables() {
    List<TableView<?>> found = new ArrayList<>();
    for (int round = 0; round < 3; round++) {
      scene.getRoot().applyCss();
      scene.getRoot().layout();
    }
    for (Node node : scene.getRoot().lookupAll(".queue .snapshot-table")) {
      if (node instanceof TableView<?> table && !table.getItems().isEmpty()) {
        found.add(table);
      }
    }
    return found;
  }
}
