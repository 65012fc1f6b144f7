package dev.yardmaster.console.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.console.ClusterViews;
import dev.yardmaster.console.ConsoleBuilder;
import dev.yardmaster.console.connect.ClusterModel;
import dev.yardmaster.console.connect.Items;
import dev.yardmaster.console.fixture.FixtureClient;
import dev.yardmaster.console.fixture.FixtureFeed;
import dev.yardmaster.console.fixture.SampleCluster;
import dev.yardmaster.console.fixture.SampleExplanations;
import dev.yardmaster.console.fixture.SampleJobs;
import dev.yardmaster.console.fx.Tasks;
import dev.yardmaster.console.shell.Activity;
import dev.yardmaster.console.shell.ConsoleContext;
import dev.yardmaster.console.shell.Shell;
import dev.yardmaster.console.theme.Appearance;
import dev.yardmaster.console.theme.Theme;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobBuilder;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import javafx.scene.Scene;
import javafx.scene.control.Label;
import javafx.scene.control.TableView;
import javafx.scene.control.TextField;
import javafx.scene.input.KeyCode;
import javafx.stage.Stage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.testfx.api.FxRobot;
import org.testfx.framework.junit5.ApplicationExtension;
import org.testfx.framework.junit5.Start;
import org.testfx.util.WaitForAsyncUtils;

// The fields are set by @Start before each test.
@SuppressWarnings("NullAway.Init")
@ExtendWith(ApplicationExtension.class)
class QueueToWhyTest {
  private final FixtureFeed feed = FixtureFeed.alive(SampleCluster.view());
  private final FixtureClient client =
      new FixtureClient().know(SampleExplanations.of(SampleJobs.all()));
  private Shell shell;
  private ClusterModel cluster;

  @Start
  void start(Stage stage) {
    ConsoleContext context =
        ConsoleBuilder.context(
            Theme.DARK, Appearance.DEFAULT_FONT_SIZE, Locale.ENGLISH, Tasks.onVirtualThreads());
    shell = ConsoleBuilder.shell(context);
    cluster = new ClusterModel(SampleCluster.connector(feed, client));
    ClusterViews.install(shell, context, cluster);
    shell.model().explorerShownProperty().set(false);
    shell.model().inspectorShownProperty().set(false);
    shell.model().toolsShownProperty().set(false);
    Scene scene = new Scene(shell.root(), 1_000, 900);
    shell.style(scene);
    stage.setScene(scene);
    stage.show();
    cluster.open();
    shell.show(Activity.QUEUE);
  }

  @AfterEach
  void close() {
    cluster.close();
  }

  /** Asked on the JavaFX thread, which is never in the middle of a change then. */
  private static void await(BooleanSupplier condition) throws Exception {
    WaitForAsyncUtils.waitFor(
        20, TimeUnit.SECONDS, () -> WaitForAsyncUtils.asyncFx(condition::getAsBoolean).get());
  }

  private static TableView<Job> table(FxRobot robot) {
    return robot.lookup(".queue .snapshot-table").queryTableView();
  }

  private static boolean shows(FxRobot robot, int jobs) {
    return robot.lookup(".queue .snapshot-table").tryQuery().isPresent()
        && table(robot).getItems().size() == jobs;
  }

  private static Job job(int id) {
    return SampleJobs.all().stream().filter(job -> job.id() == id).findFirst().orElseThrow();
  }

  private static List<Job> replacing(Job changed) {
    return Stream.concat(
            SampleJobs.all().stream().filter(job -> job.id() != changed.id()), Stream.of(changed))
        .toList();
  }

  private static int selected(FxRobot robot) {
    Job job = table(robot).getSelectionModel().getSelectedItem();
    return job == null ? 0 : job.id();
  }

  @Test
  void choosingARowAndEnterTellsWhyTheJobWaits(FxRobot robot) throws Exception {
    await(() -> shows(robot, SampleJobs.all().size()));
    robot.clickOn("qwen-finetune");
    robot.push(KeyCode.ENTER);
    await(() -> robot.lookup("#answer").tryQuery().isPresent());

    assertThat(robot.lookup("#answer").queryAs(Label.class).getText())
        .isEqualTo(
            "Job 4711 qwen-finetune waits for 2 nodes with 8 × gpu:h100 free; now there is none.");
    assertThat(shell.model().selectionProperty().get()).isEqualTo(Items.job(4711));
    assertThat(robot.lookup("Enough GPUs free").tryQuery()).isPresent();
    assertThat(robot.lookup("Slurm: Resources").tryQuery()).isPresent();
  }

  @Test
  void theSelectionStaysOnItsJobWhileRowsMove(FxRobot robot) throws Exception {
    await(() -> shows(robot, SampleJobs.all().size()));
    robot.clickOn("qwen-finetune");
    int before = table(robot).getSelectionModel().getSelectedIndex();
    feed.push(SampleCluster.view(replacing(JobBuilder.builder(job(4711)).priority(1).build())));
    await(() -> table(robot).getSelectionModel().getSelectedIndex() != before);

    assertThat(selected(robot)).isEqualTo(4711);
  }

  @Test
  void aJobThatLeftIsUnselectedAndNoOtherTakesItsPlace(FxRobot robot) throws Exception {
    await(() -> shows(robot, SampleJobs.all().size()));
    robot.clickOn("qwen-finetune");
    feed.push(
        SampleCluster.view(SampleJobs.all().stream().filter(job -> job.id() != 4711).toList()));
    await(() -> shows(robot, SampleJobs.all().size() - 1));

    assertThat(table(robot).getSelectionModel().getSelectedItems()).isEmpty();
  }

  @Test
  void theFilterIsTypedAndRowsFollow(FxRobot robot) throws Exception {
    await(() -> shows(robot, SampleJobs.all().size()));
    robot.clickOn(".queue-filter").write("user:user18");
    await(() -> shows(robot, 2));

    robot.interact(() -> robot.lookup(".queue-filter").queryAs(TextField.class).setText("x:y"));
    assertThat(robot.lookup(".queue-problem").queryAs(Label.class).getText())
        .startsWith("The filter knows no field “x”");
    assertThat(shows(robot, 2)).isTrue();
  }

  @Test
  void aCancelActsOnTheJobThatWasAskedAboutEvenIfTheListMoved(FxRobot robot) throws Exception {
    await(() -> shows(robot, SampleJobs.all().size()));
    robot.clickOn("qwen-finetune");
    robot.rightClickOn("qwen-finetune").clickOn("Cancel job…");
    await(() -> robot.lookup("Cancel job 4711?").tryQuery().isPresent());
    feed.push(
        SampleCluster.view(SampleJobs.all().stream().filter(job -> job.id() != 4711).toList()));
    await(() -> shows(robot, SampleJobs.all().size() - 1));
    robot.clickOn("Cancel job 4711");
    await(() -> !client.commands().isEmpty());

    assertThat(client.commands()).containsExactly("cancelJobs[[4711], {}, ]");
  }

  @Test
  void goingBackSendsNothing(FxRobot robot) throws Exception {
    await(() -> shows(robot, SampleJobs.all().size()));
    robot.clickOn("qwen-finetune");
    robot.rightClickOn("qwen-finetune").clickOn("Hold…");
    await(() -> robot.lookup("Hold job 4711?").tryQuery().isPresent());
    robot.push(KeyCode.ENTER);

    assertThat(client.commands()).isEmpty();
  }
}
