package dev.yardmaster.console.problems;

import dev.yardmaster.console.connect.Derived;
import dev.yardmaster.console.i18n.Formats;
import dev.yardmaster.console.i18n.Texts;
import dev.yardmaster.console.kit.Dot;
import dev.yardmaster.console.kit.EmptyState;
import dev.yardmaster.console.kit.Icon;
import dev.yardmaster.console.kit.NextStep;
import dev.yardmaster.console.kit.SnapshotRows;
import dev.yardmaster.console.kit.SnapshotTable;
import dev.yardmaster.console.kit.Tone;
import dev.yardmaster.console.shell.ConsoleContext;
import dev.yardmaster.console.shell.Item;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import javafx.scene.control.TableCell;
import javafx.scene.control.TableRow;
import javafx.scene.control.Tooltip;
import javafx.scene.input.KeyCode;
import javafx.scene.input.KeyEvent;
import javafx.scene.layout.StackPane;
import org.jspecify.annotations.Nullable;

/** The table of problems below the centre. Choosing one selects it; opening one shows its jobs. */
public final class ProblemsView extends StackPane {
  private final Texts texts;
  private final Formats formats;
  private final Consumer<Problem> open;
  private final SnapshotTable<Problem> table;
  private final EmptyState none;
  private final EmptyState unknown;

  /**
   * A view.
   *
   * @param select selects a thing everywhere
   * @param open shows the jobs or the nodes of a problem
   * @param openQueue opens the queue, for when there are no problems
   */
  public ProblemsView(
      ConsoleContext context,
      Derived<Optional<List<Problem>>> problems,
      Consumer<Item> select,
      Consumer<Problem> open,
      Runnable openQueue) {
    this.texts = context.texts();
    this.formats = context.formats();
    this.open = open;
    SnapshotRows<Problem> rows = new SnapshotRows<>(context.tasks());
    table =
        new SnapshotTable<>(
            rows, Problem::key, context.appearance().fontSizeProperty(), context.texts());
    columns();
    table.onSelect(problem -> selected(problem, select));
    table.setRowFactory(t -> row());
    table.addEventHandler(KeyEvent.KEY_PRESSED, this::openOnEnter);
    NextStep queue = new NextStep(texts.get(ProblemsText.EMPTY_STEP), openQueue);
    none =
        new EmptyState(
            Icon.CHECK,
            texts.get(ProblemsText.EMPTY_TITLE),
            texts.get(ProblemsText.EMPTY_TEXT),
            queue);
    unknown =
        new EmptyState(
            Icon.DISCONNECTED,
            texts.get(ProblemsText.UNKNOWN_TITLE),
            texts.get(ProblemsText.UNKNOWN_TEXT),
            queue);
    problems.valueProperty().addListener((o, was, now) -> show(rows, now));
    show(rows, problems.value());
  }

  /** The table, for tests. */
  public SnapshotTable<Problem> table() {
    return table;
  }

  private void columns() {
    table
        .words(texts.get(ProblemsText.COLUMN_PROBLEM), 520, Problem::text)
        .cells(ProblemCell::new)
        .column(texts.get(ProblemsText.COLUMN_WHERE), 170, Problem::where)
        .column(
            texts.get(ProblemsText.COLUMN_SINCE), 80, this::age, Comparator.comparing(Problem::age))
        .words(texts.get(ProblemsText.COLUMN_DETAIL), 230, Problem::detail);
    table.getColumns().get(2).getStyleClass().setAll("number");
  }

  private String age(Problem problem) {
    return problem.age().isZero() ? Formats.UNKNOWN : formats.duration(problem.age());
  }

  private void show(SnapshotRows<Problem> rows, Optional<List<Problem>> problems) {
    rows.show(problems.orElse(List.of()));
    if (problems.isEmpty()) {
      getChildren().setAll(unknown);
    } else {
      getChildren().setAll(problems.get().isEmpty() ? none : table);
    }
  }

  private static void selected(@Nullable Problem problem, Consumer<Item> select) {
    if (problem != null) {
      select.accept(problem.target());
    }
  }

  private TableRow<Problem> row() {
    TableRow<Problem> row = new TableRow<>();
    row.setOnMouseClicked(
        e -> {
          if (e.getClickCount() == 2 && row.getItem() != null) {
            open.accept(row.getItem());
          }
        });
    return row;
  }

  private void openOnEnter(KeyEvent event) {
    Problem problem = table.getSelectionModel().getSelectedItem();
    if (event.getCode() == KeyCode.ENTER && problem != null) {
      open.accept(problem);
      event.consume();
    }
  }

  private final class ProblemCell extends TableCell<Problem, String> {
    ProblemCell() {
      getStyleClass().add("plain");
    }

    @Override
    protected void updateItem(@Nullable String text, boolean empty) {
      super.updateItem(text, empty);
      Problem problem = empty || getTableRow() == null ? null : getTableRow().getItem();
      setText(problem == null ? null : text);
      setGraphic(problem == null ? null : new Dot(problem.tone()));
      setTooltip(problem == null ? null : new Tooltip(text));
      setAccessibleText(problem == null ? null : severity(problem.tone()) + ": " + text);
    }
  }

  private String severity(Tone tone) {
    return texts.get(
        switch (tone) {
          case BLOCKED -> ProblemsText.SEVERITY_BLOCKED;
          case ATTENTION -> ProblemsText.SEVERITY_ATTENTION;
          default -> ProblemsText.SEVERITY_INFO;
        });
  }
}
