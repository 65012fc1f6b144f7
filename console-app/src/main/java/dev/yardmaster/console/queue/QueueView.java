package dev.yardmaster.console.queue;

import dev.yardmaster.console.connect.Items;
import dev.yardmaster.console.i18n.Texts;
import dev.yardmaster.console.kit.ClipboardText;
import dev.yardmaster.console.kit.EmptyState;
import dev.yardmaster.console.kit.Icon;
import dev.yardmaster.console.kit.Labels;
import dev.yardmaster.console.kit.NextStep;
import dev.yardmaster.console.kit.SnapshotTable;
import dev.yardmaster.console.kit.StaleBanner;
import dev.yardmaster.console.shell.ConsoleContext;
import dev.yardmaster.console.terms.Terms;
import dev.yardmaster.model.Job;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Consumer;
import javafx.scene.Node;
import javafx.scene.control.Label;
import javafx.scene.control.SelectionMode;
import javafx.scene.control.TableRow;
import javafx.scene.input.KeyCode;
import javafx.scene.input.KeyEvent;
import javafx.scene.layout.BorderPane;
import javafx.scene.layout.Priority;
import javafx.scene.layout.VBox;

/** The table of jobs with its filter bar. Binds to {@link QueueViewModel} only. */
public final class QueueView extends VBox {
  private static final String EXAMPLE = "sbatch --gres=gpu:1 --wrap \"nvidia-smi\"";

  private static final Set<JobColumn> GIVES_WAY =
      EnumSet.of(
          JobColumn.LIMIT,
          JobColumn.START,
          JobColumn.NODES,
          JobColumn.ELAPSED,
          JobColumn.PARTITION,
          JobColumn.ACCOUNT);

  private final ConsoleContext context;
  private final QueueViewModel model;
  private final Terms terms;
  private final Texts texts;
  private final ColumnChoice choice;
  private final QueueBar bar;
  private final GroupsView groups;
  private final JobSelection jobs;
  private final JobActions actions;
  private final Consumer<Job> explain;
  private final SnapshotTable<Job> table;
  private final BorderPane body = new BorderPane();

  /**
   * A view.
   *
   * @param selection hears which rows are selected together
   * @param actions what can be done with them
   * @param explain opens the explanation of a job
   */
  public QueueView(
      ConsoleContext context,
      QueueViewModel model,
      QueueChoices choices,
      JobSelection selection,
      JobActions actions,
      Consumer<Job> explain) {
    this.actions = actions;
    this.jobs = selection;
    this.context = context;
    this.model = model;
    this.choice = choices.columns();
    this.explain = explain;
    texts = context.texts();
    terms = new Terms(texts, context.formats());
    table =
        new SnapshotTable<>(
            model.rows(), Job::id, context.appearance().fontSizeProperty(), context.texts());
    getStyleClass().add("queue");
    buildTable();
    body.setCenter(table);
    VBox.setVgrow(body, Priority.ALWAYS);
    bar = new QueueBar(context, model, choices);
    groups = new GroupsView(context, model.grouping());
    model.grouping().byProperty().addListener(o -> showGroups());
    showGroups();
    getChildren().addAll(bar, problem(), body);
    model.contentProperty().addListener(o -> showContent());
    model.noticeProperty().addListener(o -> showNotice());
    showContent();
  }

  /** The table, for tests and the tour. */
  public SnapshotTable<Job> table() {
    return table;
  }

  /** Puts the cursor into the filter bar. */
  public void focusFilter() {
    bar.focusFilter();
  }

  private Node problem() {
    Label problem = Labels.wrapping("", "toned", "tone-attention", "queue-problem");
    problem.textProperty().bind(model.problemProperty());
    problem.visibleProperty().bind(model.problemProperty().isNotEmpty());
    problem.managedProperty().bind(problem.visibleProperty());
    return problem;
  }

  private void buildTable() {
    table.getSelectionModel().setSelectionMode(SelectionMode.MULTIPLE);
    QueueCells cells = new QueueCells(terms, context.accounts(), model.nowProperty());
    for (JobColumn column : JobColumn.values()) {
      table.column(
          texts.get(column.title()),
          column.width(),
          job -> column.text(job, terms, model.nowProperty().get()),
          column.order());
      table.cells(cells.of(column));
      var added = table.getColumns().getLast();
      if (column.kind() == JobColumn.Kind.NUMBER) {
        added.getStyleClass().setAll("number");
      }
      added.setId(column.id());
      added.setVisible(isShown(column));
      choice.shownProperty().addListener(o -> added.setVisible(isShown(column)));
      model.grouping().byProperty().addListener(o -> added.setVisible(isShown(column)));
    }
    table.onSelect(model::select);
    table.onChoose(jobs::together);
    table.setContextMenu(new QueueMenu(this, actions, texts).menu());
    table.setRowFactory(t -> row());
    table.addEventHandler(KeyEvent.KEY_PRESSED, this::openOnEnter);
    model.selectionProperty().addListener(o -> showSelection());
    showSelection();
  }

  private TableRow<Job> row() {
    TableRow<Job> row = new TableRow<>();
    row.setOnMouseClicked(
        e -> {
          if (e.getClickCount() == 2 && row.getItem() != null) {
            explain.accept(row.getItem());
          }
        });
    return row;
  }

  private void openOnEnter(KeyEvent event) {
    if (event.getCode() == KeyCode.ENTER && explainSelected()) {
      event.consume();
    }
  }

  /** Opens the explanation of the selected job; false when there is none. */
  boolean explainSelected() {
    Job job = table.getSelectionModel().getSelectedItem();
    if (job != null) {
      explain.accept(job);
    }
    return job != null;
  }

  private void showSelection() {
    Integer id = Items.jobId(model.selectionProperty().get());
    Job selected = table.getSelectionModel().getSelectedItem();
    if (id != null && (selected == null || selected.id() != id)) {
      table.selectKey(id);
    }
  }

  private void showContent() {
    body.setCenter(
        switch (model.contentProperty().get()) {
          case JOBS -> table;
          case NO_JOBS ->
              new EmptyState(
                  Icon.QUEUE,
                  texts.get(QueueText.EMPTY_TITLE),
                  texts.get(QueueText.EMPTY_TEXT),
                  new NextStep(
                      texts.get(QueueText.EMPTY_STEP, EXAMPLE), () -> ClipboardText.put(EXAMPLE)));
          case NO_MATCH ->
              new EmptyState(
                  Icon.SEARCH,
                  texts.get(QueueText.NO_MATCH_TITLE),
                  texts.get(
                      QueueText.NO_MATCH_TEXT,
                      model.rows().totalProperty().get(),
                      model.filterProperty().get()),
                  new NextStep(
                      texts.get(QueueText.FILTER_CLEAR), () -> model.filterProperty().set("")));
        });
  }

  /**
   * What the groups tell already is not told again in each row; and beside them there is room for
   * why a job waits only without the less important ones of the standard columns.
   */
  private boolean isShown(JobColumn column) {
    GroupBy by = model.grouping().byProperty().get();
    boolean given = choice.isStandard() && by != GroupBy.NONE && GIVES_WAY.contains(column);
    return choice.isShown(column) && by.column() != column && !given;
  }

  private void showGroups() {
    body.setLeft(model.grouping().byProperty().get() == GroupBy.NONE ? null : groups);
  }

  private void showNotice() {
    QueueViewModel.Notice notice = model.noticeProperty().get();
    body.setTop(
        notice == null
            ? null
            : new StaleBanner(
                notice.text(),
                notice.tone(),
                new NextStep(texts.get(QueueText.DISMISS), model::dismissNotice)));
  }
}
