package dev.yardmaster.console.why;

import dev.yardmaster.console.connect.ClusterModel;
import dev.yardmaster.console.fx.BackgroundTask;
import dev.yardmaster.console.fx.Tasks;
import dev.yardmaster.console.terms.Terms;
import dev.yardmaster.console.why.LifePage.Band;
import dev.yardmaster.explain.HistoryWords;
import dev.yardmaster.explain.JobHistory;
import dev.yardmaster.model.text.Instants;
import dev.yardmaster.model.text.NotationException;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.beans.property.ReadOnlyStringProperty;
import javafx.beans.property.ReadOnlyStringWrapper;
import org.jspecify.annotations.Nullable;

/**
 * The life of the explained job, and the moment of it that is looked at. To be used on the JavaFX
 * thread; asking happens in the background.
 */
public final class LifeViewModel {
  /** The present end of a life moves on; it is drawn anew this often. */
  private static final Duration REDRAW_AFTER = Duration.ofSeconds(10);

  /** What is known of the life. */
  public sealed interface Life {
    /** No job is followed. */
    record None() implements Life {}

    /** The first answer has not come. */
    record Loading() implements Life {}

    /** What held the job when. */
    record Known(LifePage page) implements Life {}

    /** The first answer was an error. */
    record Failed(String problem) implements Life {}
  }

  /**
   * A moment of the past.
   *
   * @param number of the event after which it is; 0 for the last one up to then
   */
  public record Chosen(Instant at, long number) {}

  private final ClusterModel cluster;
  private final Terms terms;
  private final Tasks tasks;
  private final LifeWriter writer;
  private final ReadOnlyObjectWrapper<Life> life =
      new ReadOnlyObjectWrapper<>(this, "life", new Life.None());
  private final ReadOnlyObjectWrapper<@Nullable Chosen> chosen =
      new ReadOnlyObjectWrapper<>(this, "chosen");
  private final ReadOnlyStringWrapper problem = new ReadOnlyStringWrapper(this, "problem", "");
  private @Nullable Integer jobId;
  private @Nullable JobHistory history;
  private @Nullable BackgroundTask<?> asking;
  private boolean outdated;
  private Instant drawn = Instant.MIN;

  LifeViewModel(ClusterModel cluster, Terms terms, HistoryWords words, Tasks tasks) {
    this.cluster = cluster;
    this.terms = terms;
    this.tasks = tasks;
    this.writer = new LifeWriter(terms, words);
    cluster
        .nowProperty()
        .addListener(
            (o, was, now) -> {
              if (history != null && !now.isBefore(drawn.plus(REDRAW_AFTER))) {
                write();
              }
            });
  }

  public ReadOnlyObjectProperty<Life> lifeProperty() {
    return life.getReadOnlyProperty();
  }

  /** The moment that is looked at; null for the present. */
  public ReadOnlyObjectProperty<@Nullable Chosen> chosenProperty() {
    return chosen.getReadOnlyProperty();
  }

  /** Why the moment that was asked for is not shown; empty when it is. */
  public ReadOnlyStringProperty problemProperty() {
    return problem.getReadOnlyProperty();
  }

  /** Follows another job. */
  void follow(int id) {
    if (!Objects.equals(jobId, id)) {
      jobId = id;
      history = null;
      chosen.set(null);
      problem.set("");
      life.set(new Life.Loading());
      if (asking != null) {
        asking.cancel();
        asking = null;
      }
      ask();
    }
  }

  /** Something of the job has changed. */
  void changed() {
    outdated = true;
    if (asking == null && jobId != null) {
      ask();
    }
  }

  /** Asks again now. */
  public void askAgain() {
    if (asking == null && jobId != null) {
      ask();
    }
  }

  private void ask() {
    Integer id = jobId;
    if (id == null) {
      return;
    }
    outdated = false;
    BackgroundTask<JobHistory> task =
        tasks.quietly(p -> cluster.client().history(Integer.toString(id)));
    asking = task;
    task.onSuccess(answer -> answered(id, answer)).onFailure(failure -> failed(id, failure));
  }

  private void answered(int id, JobHistory answer) {
    if (Objects.equals(jobId, id)) {
      asking = null;
      history = answer;
      write();
      if (outdated) {
        ask();
      }
    }
  }

  private void failed(int id, Throwable failure) {
    if (Objects.equals(jobId, id)) {
      asking = null;
      if (history == null) {
        life.set(new Life.Failed(String.valueOf(failure.getMessage())));
      }
    }
  }

  private void write() {
    if (history != null) {
      drawn = cluster.now();
      life.set(new Life.Known(writer.page(history, drawn)));
    }
  }

  private @Nullable LifePage page() {
    return life.get() instanceof Life.Known known ? known.page() : null;
  }

  /** Looks at a moment; a time in the future is the present. */
  public void choose(Instant at, long number) {
    problem.set("");
    Instant whole = Instant.ofEpochSecond(at.getEpochSecond());
    chosen.set(number == 0 && !whole.isBefore(cluster.now()) ? null : new Chosen(whole, number));
  }

  /**
   * Looks at a time as the user writes it.
   *
   * @return whether it is one
   */
  public boolean choose(String text) {
    try {
      Instant now = cluster.now();
      Instant at = Instants.parsePast(text, now, terms.formats().zone());
      boolean ofDay = text.strip().matches("[0-9]{1,2}:.*");
      choose(
          at.isAfter(now) && ofDay
              ? Instants.parsePast(text, now.minus(Duration.ofDays(1)), terms.formats().zone())
              : at,
          0);
      return true;
    } catch (NotationException e) {
      problem.set(terms.text(LifeText.AT_BAD, text));
      return false;
    }
  }

  /** Looks at the change before. */
  public void previous() {
    LifePage page = page();
    if (page == null || page.bands().isEmpty()) {
      return;
    }
    Chosen now = chosen.get();
    int at = now == null ? page.bands().size() : page.indexOf(now.at(), now.number());
    boolean inside = now != null && at >= 0 && now.at().isAfter(page.bands().get(at).from());
    choose(page.bands().get(Math.clamp(inside ? at : at - 1, 0, page.bands().size() - 1)));
  }

  /** Looks at the change after; after the last one at the present. */
  public void next() {
    LifePage page = page();
    Chosen now = chosen.get();
    if (page == null || now == null) {
      return;
    }
    int at = page.indexOf(now.at(), now.number()) + 1;
    if (at >= page.bands().size()) {
      now();
    } else {
      choose(page.bands().get(at));
    }
  }

  /** Looks at the beginning of a band. */
  void choose(Band band) {
    choose(band.from(), band.moment());
  }

  /** Looks at the last moment that is known. */
  public void last() {
    LifePage page = page();
    if (page != null && !page.bands().isEmpty()) {
      choose(page.bands().getLast());
    }
  }

  /** Looks at the present again. */
  public void now() {
    problem.set("");
    chosen.set(null);
  }

  /** The moment asked for could not be told. */
  void cannotTell(String why) {
    problem.set(terms.text(LifeText.MOMENT_FAILED, why));
  }
}
