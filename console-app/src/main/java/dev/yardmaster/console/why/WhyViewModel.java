package dev.yardmaster.console.why;

import dev.yardmaster.client.ClientException;
import dev.yardmaster.console.connect.ClusterModel;
import dev.yardmaster.console.connect.Items;
import dev.yardmaster.console.connect.Snapshot;
import dev.yardmaster.console.fx.BackgroundTask;
import dev.yardmaster.console.fx.Tasks;
import dev.yardmaster.console.shell.Item;
import dev.yardmaster.console.terms.Terms;
import dev.yardmaster.explain.Explanation;
import dev.yardmaster.explain.HistoryWords;
import dev.yardmaster.explain.Verdict;
import dev.yardmaster.explain.Words;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import javafx.beans.property.ObjectProperty;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.beans.property.ReadOnlyStringProperty;
import javafx.beans.property.ReadOnlyStringWrapper;
import org.jspecify.annotations.Nullable;

/**
 * Follows the selected job and keeps its explanation up to date: it asks again when the job
 * changes, and now and then while the cluster changes. What was known before stays visible
 * meanwhile. To be used on the JavaFX thread; asking happens in the background.
 */
public final class WhyViewModel {
  /** While the cluster changes, an explanation is asked for again after this long. */
  static final Duration REFRESH_AFTER = Duration.ofSeconds(3);

  /** Who waits for the end of a job that runs changes more slowly. */
  static final Duration REFRESH_RUNNING_AFTER = Duration.ofSeconds(15);

  /** An answer that takes longer than this is said to be on its way. */
  private static final Duration NOTICEABLE = Duration.ofSeconds(1);

  /** What the place of the explanation shows. */
  public sealed interface Content {
    /** Nothing is selected that can be explained. */
    record None() implements Content {}

    /** The job is not in the cluster any more. */
    record Gone(String job) implements Content {}

    /** The first answer has not come. */
    record Loading(String job, BackgroundTask<?> task) implements Content {}

    /** Why it waits. */
    record Waiting(WhyPage page) implements Content {}

    /** Where it runs, or how it ended. */
    record Ran(RunPage page) implements Content {}

    /**
     * What was at a moment of the past.
     *
     * @param waits whether the job waited then
     */
    record Past(WhyPage page, boolean waits) implements Content {}

    /** The first answer was an error. */
    record Failed(String job, String problem) implements Content {}
  }

  private final ClusterModel cluster;
  private final ObjectProperty<@Nullable Item> selection;
  private final Terms terms;
  private final Tasks tasks;
  private final WhyWriter writer;
  private final RunWriter ran;

  private final ReadOnlyObjectWrapper<@Nullable Job> job = new ReadOnlyObjectWrapper<>(this, "job");
  private final ReadOnlyObjectWrapper<Content> content =
      new ReadOnlyObjectWrapper<>(this, "content", new Content.None());
  private final LifeViewModel life;
  private final ReadOnlyStringWrapper asOf = new ReadOnlyStringWrapper(this, "asOf", "");

  private Content present = new Content.None();
  private @Nullable Integer jobId;
  private @Nullable Explanation explanation;
  private @Nullable BackgroundTask<?> asking;
  private JobState askedAs = JobState.PENDING;
  private Instant asked = Instant.MIN;
  private boolean outdated;
  private String problem = "";

  public WhyViewModel(
      ClusterModel cluster,
      ObjectProperty<@Nullable Item> selection,
      Terms terms,
      Words words,
      Tasks tasks) {
    HistoryWords history = HistoryWords.of(terms.texts().locale(), terms.formats().zone());
    this.life = new LifeViewModel(cluster, terms, history, tasks);
    this.cluster = cluster;
    this.selection = selection;
    this.terms = terms;
    this.tasks = tasks;
    this.writer = new WhyWriter(words, terms);
    this.ran = new RunWriter(words, terms);
    selection.addListener((o, was, now) -> follow(now));
    cluster.snapshotProperty().addListener((o, was, now) -> follow(now));
    cluster.nowProperty().addListener((o, was, now) -> refresh(now));
    life.chosenProperty().addListener((o, was, now) -> look(now));
    follow(selection.get());
  }

  /** What held the job when, and the moment that is looked at. */
  public LifeViewModel life() {
    return life;
  }

  /** The explained job as it is now; null when there is none. */
  public ReadOnlyObjectProperty<@Nullable Job> jobProperty() {
    return job.getReadOnlyProperty();
  }

  public ReadOnlyObjectProperty<Content> contentProperty() {
    return content.getReadOnlyProperty();
  }

  /** From when the answer is, and whether a newer one is on its way; empty before the first. */
  public ReadOnlyStringProperty asOfProperty() {
    return asOf.getReadOnlyProperty();
  }

  /** Selects something named in the explanation everywhere. */
  public void select(Item item) {
    selection.set(item);
  }

  /** Asks again now. */
  public void askAgain() {
    if (jobId != null && asking == null) {
      ask();
    }
  }

  private void follow(@Nullable Item item) {
    Integer id = Items.jobId(item);
    // A node or account beside the explanation may be selected without losing the explanation.
    if (id == null || id.equals(jobId)) {
      return;
    }
    jobId = id;
    life.follow(id);
    explanation = null;
    problem = "";
    if (asking != null) {
      asking.cancel();
      asking = null;
    }
    Snapshot snapshot = cluster.snapshot();
    job.set(snapshot == null ? null : snapshot.job(id).orElse(null));
    if (job.get() == null) {
      show(new Content.Gone(Integer.toString(id)));
    } else {
      ask();
    }
    describe();
  }

  private void follow(@Nullable Snapshot snapshot) {
    if (jobId == null || snapshot == null) {
      return;
    }
    Job before = job.get();
    Job now = snapshot.job(jobId).orElse(null);
    outdated = true;
    job.set(now);
    if (now == null) {
      show(new Content.Gone(before == null ? Integer.toString(jobId) : before.displayId()));
    } else if (!now.equals(before)) {
      if (before == null || now.reason() != before.reason() || now.state() != before.state()) {
        life.changed();
      }
      if (asking == null) {
        ask();
      }
      write();
      describe();
    }
  }

  private void refresh(Instant now) {
    Job subject = job.get();
    if (subject != null && subject.state() != JobState.PENDING) {
      boolean old = !now.isBefore(asked.plus(REFRESH_RUNNING_AFTER));
      if (outdated && old && asking == null && !subject.state().isFinished()) {
        ask();
      }
      write();
      describe();
    } else if (asking != null) {
      describe();
    } else if (outdated && job.get() != null && !now.isBefore(asked.plus(REFRESH_AFTER))) {
      ask();
    }
  }

  private void ask() {
    Job subject = job.get();
    if (subject == null) {
      return;
    }
    askedAs = subject.state();
    if (askedAs != JobState.PENDING) {
      // What has started is told from its record; why it was placed there comes when it is known.
      write();
    }
    if (askedAs.isFinished()) {
      return;
    }
    outdated = false;
    asked = cluster.now();
    int id = subject.id();
    BackgroundTask<Explanation> task =
        tasks.quietly(p -> cluster.client().explain(Integer.toString(id)));
    asking = task;
    if (explanation == null && askedAs == JobState.PENDING) {
      show(new Content.Loading(subject.displayId(), task));
    }
    describe();
    task.onSuccess(answer -> answered(id, answer)).onFailure(failure -> failed(id, failure));
    task.stateProperty().addListener((o, was, now) -> cancelled(id, now));
  }

  private void answered(int id, Explanation answer) {
    if (Objects.equals(jobId, id)) {
      asking = null;
      problem = "";
      explanation = answer;
      Job subject = job.get();
      if (subject != null && subject.state() != askedAs) {
        ask();
      }
      write();
      describe();
    }
  }

  private void failed(int id, Throwable failure) {
    if (Objects.equals(jobId, id)) {
      asking = null;
      problem = String.valueOf(failure.getMessage());
      Job subject = job.get();
      boolean pending = subject != null && subject.state() == JobState.PENDING;
      if (explanation == null && subject != null && pending) {
        show(new Content.Failed(subject.displayId(), problem));
      }
      describe();
    }
  }

  private void cancelled(int id, BackgroundTask.State state) {
    if (state == BackgroundTask.State.CANCELLED && Objects.equals(jobId, id)) {
      asking = null;
      if (explanation == null && askedAs == JobState.PENDING) {
        show(new Content.None());
      }
      describe();
    }
  }

  /** Shows what is of the present, unless a moment of the past is looked at. */
  private void show(Content now) {
    present = now;
    if (life.chosenProperty().get() == null) {
      content.set(now);
    }
  }

  /** Explains a moment of the past; what was shown before stays until that is known. */
  private void look(LifeViewModel.@Nullable Chosen moment) {
    Integer id = jobId;
    if (moment == null || id == null) {
      content.set(present);
      describe();
      return;
    }
    asOf.set(terms.text(LifeText.ASKING, terms.formats().full(moment.at())));
    tasks
        .quietly(p -> cluster.client().explain(Integer.toString(id), moment.at(), moment.number()))
        .onSuccess(
            answer -> {
              if (moment.equals(life.chosenProperty().get()) && Objects.equals(jobId, id)) {
                boolean waits =
                    answer.verdict() != Verdict.RUNNING && answer.verdict() != Verdict.FINISHED;
                content.set(new Content.Past(writer.page(answer, cluster.snapshot()), waits));
                asOf.set(terms.text(LifeText.AS_IT_WAS, terms.formats().full(answer.at())));
              }
            })
        .onFailure(
            failure -> {
              if (moment.equals(life.chosenProperty().get())) {
                life.cannotTell(problem(failure));
                asOf.set("");
              }
            });
  }

  private static String problem(Throwable failure) {
    String detail = failure instanceof ClientException.Refused refused ? refused.detail() : null;
    return detail == null ? String.valueOf(failure.getMessage()) : detail;
  }

  private void write() {
    Job subject = job.get();
    Explanation known = explanation;
    if (subject == null) {
      return;
    }
    if (subject.state() != JobState.PENDING) {
      boolean running = known != null && known.verdict() == Verdict.RUNNING;
      List<WhyPage.GateLine> reasons =
          known != null && running && !subject.state().isFinished()
              ? writer.reasons(known)
              : List.of();
      show(
          new Content.Ran(
              ran.page(
                  subject,
                  reasons,
                  known != null && running ? known.run() : null,
                  known != null && running ? writer.heldBack(known, cluster.snapshot()) : null,
                  writer.priority(subject),
                  cluster.now())));
    } else if (known != null) {
      show(new Content.Waiting(writer.page(known, cluster.snapshot())));
    }
  }

  private void describe() {
    if (life.chosenProperty().get() != null) {
      return;
    }
    Explanation known = explanation;
    Snapshot snapshot = cluster.snapshot();
    Job subject = job.get();
    if (subject != null && snapshot != null && subject.state() != JobState.PENDING) {
      asOf.set(terms.text(WhyText.AS_OF, terms.formats().clock(snapshot.time())));
      return;
    }
    if (known == null) {
      asOf.set("");
      return;
    }
    String at = terms.formats().clock(known.at());
    if (!problem.isEmpty()) {
      asOf.set(terms.text(WhyText.AS_OF_FAILED, at, problem));
    } else {
      // Quick answers come and go without a word.
      boolean slow = asking != null && cluster.now().isAfter(asked.plus(NOTICEABLE));
      asOf.set(terms.text(slow ? WhyText.AS_OF_UPDATING : WhyText.AS_OF, at));
    }
  }
}
