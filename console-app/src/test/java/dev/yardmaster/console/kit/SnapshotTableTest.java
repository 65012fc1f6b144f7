package dev.yardmaster.console.kit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.console.fx.Tasks;
import dev.yardmaster.console.i18n.Texts;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javafx.beans.property.ReadOnlyDoubleWrapper;
import javafx.scene.Scene;
import javafx.scene.control.TableColumn;
import javafx.scene.input.Clipboard;
import javafx.scene.input.KeyCode;
import javafx.stage.Stage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.testfx.api.FxRobot;
import org.testfx.framework.junit5.ApplicationExtension;
import org.testfx.framework.junit5.Start;

@ExtendWith(ApplicationExtension.class)
class SnapshotTableTest {
  private record Job(int id, String name) {}

  private final SnapshotRows<Job> rows = new SnapshotRows<>(Tasks.sameThread());
  private final List<String> selected = new ArrayList<>();

  // Set by @Start before each test.
  @SuppressWarnings("NullAway.Init")
  private SnapshotTable<Job> table;

  @Start
  void start(Stage stage) {
    table =
        new SnapshotTable<>(rows, Job::id, new ReadOnlyDoubleWrapper(13), Texts.of(Locale.ENGLISH))
            .number("Job", 60, Job::id, job -> String.valueOf(job.id()))
            .column("Name", 120, Job::name)
            .onSelect(job -> selected.add(job == null ? "none" : job.name()));
    rows.show(List.of(new Job(2, "b"), new Job(10, "a"), new Job(1, "c")));
    stage.setScene(new Scene(table, 600, 300));
    stage.show();
  }

  private List<Integer> shown() {
    return table.getItems().stream().map(Job::id).toList();
  }

  @Test
  void aNumberColumnSortsByValueAndBackAgain(FxRobot robot) {
    robot.interact(() -> table.getSortOrder().add(table.getColumns().getFirst()));
    assertThat(shown()).containsExactly(1, 2, 10);

    robot.interact(
        () -> table.getColumns().getFirst().setSortType(TableColumn.SortType.DESCENDING));
    assertThat(shown()).containsExactly(10, 2, 1);

    robot.interact(() -> table.getSortOrder().clear());
    assertThat(shown()).containsExactly(2, 10, 1);
  }

  @Test
  void theSortOutlivesANewSnapshot(FxRobot robot) {
    robot.interact(
        () -> {
          table.getSortOrder().add(table.getColumns().getFirst());
          rows.show(List.of(new Job(7, "x"), new Job(3, "y")));
        });

    assertThat(shown()).containsExactly(3, 7);
    assertThat(table.getSortOrder()).hasSize(1);
  }

  @Test
  void theSelectedRowIsKeptByItsKey(FxRobot robot) {
    robot.interact(
        () -> {
          table.selectKey(10);
          selected.clear();
          rows.show(List.of(new Job(10, "renamed"), new Job(11, "z")));
        });

    assertThat(table.getSelectionModel().getSelectedItem()).isEqualTo(new Job(10, "renamed"));
    assertThat(selected).isEmpty();
  }

  @Test
  void aSelectedRowThatIsGoneIsTold(FxRobot robot) {
    robot.interact(
        () -> {
          table.selectKey(10);
          rows.show(List.of(new Job(11, "z")));
        });

    assertThat(selected).containsExactly("a", "none");
  }

  @Test
  void theLastColumnTakesTheWidthThatIsLeft() {
    assertThat(table.getColumns().getFirst().getWidth()).isEqualTo(60);
    assertThat(table.getColumns().getLast().getWidth()).isGreaterThan(500);
  }

  @Test
  void copyPutsTheRowOnTheClipboard(FxRobot robot) {
    robot.interact(
        () -> {
          table.selectKey(2);
          table.requestFocus();
        });
    robot.push(KeyCode.CONTROL, KeyCode.C);

    List<String> copied = new ArrayList<>();
    robot.interact(() -> copied.add(Clipboard.getSystemClipboard().getString()));
    assertThat(copied).containsExactly("2\tb\n");
  }

  @Test
  void aHundredThousandRowsAreReplacedQuickly(FxRobot robot) {
    List<List<Job>> snapshots = new ArrayList<>();
    for (int s = 0; s < 8; s++) {
      List<Job> jobs = new ArrayList<>();
      for (int i = 0; i < 100_000; i++) {
        jobs.add(new Job(s + i, "job " + i));
      }
      snapshots.add(jobs);
    }
    List<Long> millis = new ArrayList<>();
    robot.interact(
        () -> {
          rows.show(snapshots.getFirst());
          table.selectKey(50_000);
        });
    for (List<Job> snapshot : snapshots) {
      robot.interact(
          () -> {
            long start = System.nanoTime();
            rows.show(snapshot);
            millis.add((System.nanoTime() - start) / 1_000_000);
          });
    }

    // The best of a few, because other work on the machine must not fail the test.
    assertThat(millis.stream().mapToLong(Long::longValue).min().orElseThrow()).isLessThan(50);
    assertThat(table.getSelectionModel().getSelectedItem().id()).isEqualTo(50_000);
  }
}
