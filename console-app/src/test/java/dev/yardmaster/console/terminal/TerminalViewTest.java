package dev.yardmaster.console.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.console.ConsoleBuilder;
import dev.yardmaster.console.action.Action;
import dev.yardmaster.console.action.MenuPlace;
import dev.yardmaster.console.connect.ClusterModel;
import dev.yardmaster.console.fixture.FixtureClient;
import dev.yardmaster.console.fixture.FixtureFeed;
import dev.yardmaster.console.fixture.SampleCluster;
import dev.yardmaster.console.fx.Tasks;
import dev.yardmaster.console.queue.QueueText;
import dev.yardmaster.console.shell.ConsoleContext;
import dev.yardmaster.console.theme.Appearance;
import dev.yardmaster.console.theme.Theme;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javafx.application.Platform;
import javafx.scene.Scene;
import javafx.scene.input.KeyCode;
import javafx.stage.Stage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.testfx.api.FxRobot;
import org.testfx.framework.junit5.ApplicationExtension;
import org.testfx.framework.junit5.Start;
import org.testfx.util.WaitForAsyncUtils;

// The fields are set by @Start before each test.
@SuppressWarnings("NullAway.Init")
@ExtendWith(ApplicationExtension.class)
class TerminalViewTest {
  @TempDir static Path bin;

  private final AtomicInteger elsewhere = new AtomicInteger();
  private final AtomicBoolean onFxThread = new AtomicBoolean();
  private TerminalView view;
  private ClusterModel cluster;

  @Start
  void start(Stage stage) throws IOException {
    Path squeue = bin.resolve("squeue");
    Files.writeString(squeue, "#!/bin/sh\necho \"JOBID of $*\"\n");
    Files.setPosixFilePermissions(squeue, PosixFilePermissions.fromString("rwxr-xr-x"));
    ConsoleContext context =
        ConsoleBuilder.context(
            Theme.DARK, Appearance.DEFAULT_FONT_SIZE, Locale.ENGLISH, Tasks.onVirtualThreads());
    context
        .actions()
        .add(
            Action.of("x", QueueText.TITLE, MenuPlace.VIEW, elsewhere::incrementAndGet)
                .keys("Ctrl+E"),
            Action.of("y", QueueText.TITLE, MenuPlace.VIEW, elsewhere::incrementAndGet).keys("F8"));
    cluster =
        new ClusterModel(
            SampleCluster.connector(FixtureFeed.alive(SampleCluster.view()), new FixtureClient()));
    view =
        new TerminalView(
            context,
            cluster,
            item -> {},
            () -> {
              onFxThread.set(Platform.isFxApplicationThread());
              return new SlurmCommands(SlurmCommands.programs(List.of(bin)), Map.of());
            });
    Scene scene = new Scene(view, 900, 300);
    context.appearance().style(scene);
    context.actions().install(scene);
    stage.setScene(scene);
    stage.show();
    view.focus();
  }

  @AfterEach
  void close() {
    WaitForAsyncUtils.waitForAsyncFx(5_000, view::close);
    cluster.close();
  }

  private void await(String text) throws Exception {
    WaitForAsyncUtils.waitFor(20, TimeUnit.SECONDS, () -> view.screen().contains(text));
  }

  @Test
  void foldersAreReadOnAnotherThread() throws Exception {
    await("$ ");
    assertThat(onFxThread).isFalse();
  }

  @Test
  void aCommandIsTypedAndItsOutputShown(FxRobot robot) throws Exception {
    await("$ ");
    robot.write("squeue me").push(KeyCode.ENTER);

    await("JOBID of me");
  }

  @Test
  void keysOfTheLineAreForTheLineAndOthersForTheWindow(FxRobot robot) throws Exception {
    await("$ ");
    robot.push(KeyCode.CONTROL, KeyCode.E);
    robot.push(KeyCode.F8);

    assertThat(elsewhere.get()).isEqualTo(1);
  }
}
