package dev.yardmaster.console.queue;

import dev.yardmaster.console.connect.ClusterModel;
import dev.yardmaster.console.connect.Derived;
import dev.yardmaster.console.connect.Items;
import dev.yardmaster.console.connect.JobCommand;
import dev.yardmaster.console.connect.Snapshot;
import dev.yardmaster.console.fx.Tasks;
import dev.yardmaster.console.kit.SnapshotRows;
import dev.yardmaster.console.kit.Tone;
import dev.yardmaster.console.shell.Item;
import dev.yardmaster.console.terms.Terms;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import javafx.beans.property.ObjectProperty;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.beans.property.ReadOnlyStringProperty;
import javafx.beans.property.ReadOnlyStringWrapper;
import javafx.beans.property.SimpleStringProperty;
import javafx.beans.property.StringProperty;
import org.jspecify.annotations.Nullable;

/**
 * The queue without controls: which jobs are shown and in what order, what the first line says, and
 * the commands that can be given. To be used on the JavaFX thread; filtering and sorting happen in
 * the background.
 */
public final class QueueViewModel {
  /** Waiting jobs by priority, then running ones by start, then ended ones, the latest first. */
  static final Comparator<Job> DEFAULT_ORDER =
      Comparator.comparingInt(QueueViewModel::rank)
          .thenComparing(Comparator.comparingLong(QueueViewModel::weight).reversed())
          .thenComparingInt(Job::id);

  /** What the place of the table shows. */
  public enum Content {
    JOBS,
    NO_JOBS,
    NO_MATCH
  }

  /** What became of a command. */
  public record Notice(String text, Tone tone) {}

  private final ClusterModel cluster;
  private final ObjectProperty<@Nullable Item> selection;
  private final Terms terms;
  private final Tasks tasks;
  private final SnapshotRows<Job> rows;
  private final QueueGrouping grouping;
  private Predicate<Job> passes = job -> true;
  private final StringProperty filter = new SimpleStringProperty(this, "filter", "");
  private final ReadOnlyStringWrapper problem = new ReadOnlyStringWrapper(this, "problem", "");
  private final Derived<String> summary;
  private final ReadOnlyStringWrapper shown = new ReadOnlyStringWrapper(this, "shown", "");
  private final ReadOnlyObjectWrapper<Content> content =
      new ReadOnlyObjectWrapper<>(this, "content", Content.JOBS);
  private final ReadOnlyObjectWrapper<@Nullable Notice> notice =
      new ReadOnlyObjectWrapper<>(this, "notice");

  public QueueViewModel(
      ClusterModel cluster, ObjectProperty<@Nullable Item> selection, Terms terms, Tasks tasks) {
    this.cluster = cluster;
    this.selection = selection;
    this.terms = terms;
    this.tasks = tasks;
    this.rows = new SnapshotRows<>(tasks, DEFAULT_ORDER);
    this.grouping = new QueueGrouping(cluster, tasks, terms);
    this.summary = new Derived<>(cluster, tasks, "", this::summary);
    cluster.snapshotProperty().addListener((o, was, now) -> follow(now));
    rows.rowsProperty().addListener((o, was, now) -> describe());
    filter.addListener((o, was, now) -> applyFilter(now));
    grouping.chosenProperty().addListener(o -> rows.filter(passes.and(grouping.predicate())));
    follow(cluster.snapshot());
  }

  /** The groups beside the queue. */
  public QueueGrouping grouping() {
    return grouping;
  }

  /** The jobs to show. */
  public SnapshotRows<Job> rows() {
    return rows;
  }

  /** The text of the filter bar; see {@link JobFilter}. */
  public StringProperty filterProperty() {
    return filter;
  }

  /** What is wrong with the filter; empty while it is understood. */
  public ReadOnlyStringProperty problemProperty() {
    return problem.getReadOnlyProperty();
  }

  /** The answer of the view: how many wait and run. */
  public ReadOnlyObjectProperty<String> summaryProperty() {
    return summary.valueProperty();
  }

  /** How many rows pass the filter; empty when all do. */
  public ReadOnlyStringProperty shownProperty() {
    return shown.getReadOnlyProperty();
  }

  public ReadOnlyObjectProperty<Content> contentProperty() {
    return content.getReadOnlyProperty();
  }

  /** What became of the last command; null when there is nothing to say. */
  public ReadOnlyObjectProperty<@Nullable Notice> noticeProperty() {
    return notice.getReadOnlyProperty();
  }

  /** Writes the shown jobs to a file in the background and tells what became of it. */
  public void export(QueueExport export, Path file) {
    List<Job> jobs = rows.rowsProperty().get();
    Instant now = cluster.now();
    tasks
        .start(
            file.toString(),
            progress -> {
              export.write(file, jobs, now);
              return jobs.size();
            })
        .onSuccess(
            count ->
                notice.set(
                    new Notice(
                        terms.text(QueueText.EXPORT_DONE, count, file.toString()), Tone.GOOD)))
        .onFailure(
            failure ->
                notice.set(
                    new Notice(
                        terms.text(QueueText.REFUSED, String.valueOf(failure.getMessage())),
                        Tone.BLOCKED)));
  }

  /** Forgets the notice. */
  public void dismissNotice() {
    notice.set(null);
  }

  /** The one selection of the window. */
  public ObjectProperty<@Nullable Item> selectionProperty() {
    return selection;
  }

  /** Selects a job everywhere; does nothing for a row that left. */
  public void select(@Nullable Job job) {
    if (job != null) {
      selection.set(Items.job(job));
    }
  }

  /** The server's time. */
  public ReadOnlyObjectProperty<Instant> nowProperty() {
    return cluster.nowProperty();
  }

  /** Sends a command in the background and tells what became of it. */
  public void send(JobCommand command) {
    tasks
        .start(command.commandLine(), progress -> command.send(cluster.client()))
        .onSuccess(lines -> notice.set(done(command, lines)))
        .onFailure(
            failure ->
                notice.set(
                    new Notice(
                        terms.text(QueueText.REFUSED, String.valueOf(failure.getMessage())),
                        Tone.BLOCKED)));
  }

  private Notice done(JobCommand command, List<String> lines) {
    String ids = String.join(", ", command.jobs());
    String text =
        switch (command.verb()) {
          case HOLD -> terms.text(QueueText.DONE_HOLD, ids);
          case RELEASE -> terms.text(QueueText.DONE_RELEASE, ids);
          case REQUEUE -> terms.text(QueueText.DONE_REQUEUE, ids);
          case CANCEL -> terms.text(QueueText.DONE_CANCEL, ids);
        };
    return new Notice(lines.isEmpty() ? text : text + ". " + String.join(" ", lines), Tone.GOOD);
  }

  private void follow(@Nullable Snapshot snapshot) {
    rows.show(snapshot == null ? List.of() : snapshot.jobs());
    describe();
  }

  private String summary(Snapshot snapshot) {
    long attention = snapshot.jobs().stream().filter(Terms::needsAttention).count();
    return terms.text(
        QueueText.SUMMARY,
        snapshot.tasks(JobState.PENDING),
        snapshot.tasks(JobState.RUNNING),
        attention);
  }

  private void applyFilter(String text) {
    try {
      passes = JobFilter.parse(text, terms);
      problem.set("");
      grouping.filter(passes);
      rows.filter(passes.and(grouping.predicate()));
    } catch (FilterException e) {
      problem.set(e.text(terms.texts()));
    }
  }

  private void describe() {
    int passing = rows.rowsProperty().get().size();
    int total = rows.totalProperty().get();
    if (total == 0) {
      content.set(Content.NO_JOBS);
    } else if (passing == 0 && !filter.get().isBlank()) {
      content.set(Content.NO_MATCH);
    } else {
      content.set(Content.JOBS);
    }
    boolean whole = filter.get().isBlank() && grouping.chosenProperty().get() == null;
    shown.set(whole ? "" : terms.text(QueueText.SUMMARY_FILTERED, passing, total));
  }

  private static int rank(Job job) {
    return switch (job.state()) {
      case PENDING -> 0;
      case RUNNING, SUSPENDED -> 1;
      default -> 2;
    };
  }

  private static long weight(Job job) {
    if (job.state() == JobState.PENDING) {
      return job.priority();
    }
    Instant moment = job.state().isFinished() ? job.ended() : job.started();
    return moment == null ? 0 : moment.getEpochSecond();
  }
}
