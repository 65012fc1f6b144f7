package dev.yardmaster.history;

import dev.yardmaster.controller.Controller;
import dev.yardmaster.engine.state.Moment;
import dev.yardmaster.explain.JobHistory;
import dev.yardmaster.journal.Journal;
import dev.yardmaster.journal.JournalException;
import dev.yardmaster.model.text.Instants;
import dev.yardmaster.model.text.JobId;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The past of a cluster: any moment since its journal begins, and the life of each job. All methods
 * work on the caller's thread and never wait for the controller.
 */
public final class History implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(History.class);

  /** About a second of replay. */
  private static final int SPACING = 50_000;

  private static final long PATIENCE_MILLIS = 5_000;

  private final Journal journal;
  private final ZoneId zone;
  private final @Nullable HistoryFile file;
  private final Rebuilder rebuilder;
  private final @Nullable Chronicler chronicler;
  private final Runnable unfollow;

  private History(
      Journal journal,
      ZoneId zone,
      @Nullable HistoryFile file,
      Controller controller,
      int spacing) {
    this.journal = journal;
    this.zone = zone;
    this.file = file;
    this.rebuilder = new Rebuilder(journal, file);
    if (file == null) {
      chronicler = null;
      unfollow = () -> {};
    } else {
      chronicler = new Chronicler(journal, file, rebuilder, spacing);
      unfollow = controller.follow(chronicler);
      chronicler.start();
    }
  }

  /**
   * Opens the history of a running controller. Without a file for it, moments can be opened all the
   * same, at the cost of reading the journal from its beginning.
   *
   * @param zone for the times in what is said
   */
  public static History open(Path directory, Journal journal, Controller controller, ZoneId zone) {
    return open(directory, journal, controller, zone, SPACING);
  }

  /**
   * @param spacing how much may happen between two states that are kept
   */
  static History open(
      Path directory, Journal journal, Controller controller, ZoneId zone, int spacing) {
    HistoryFile file = null;
    try {
      file = HistoryFile.open(directory, journal);
    } catch (JournalException e) {
      LOG.error("no history of jobs is kept: {}", e.getMessage());
    }
    return new History(journal, zone, file, controller, spacing);
  }

  /**
   * The state as it was when everything had happened that happened up to a time, that second
   * included.
   *
   * @throws NoSuchMomentException when the history begins later
   */
  public Moment at(Instant at) throws NoSuchMomentException {
    long sequence = journal.sequenceAt(at);
    if (sequence == 0) {
      throw new NoSuchMomentException(
          "the history begins " + text(begins()) + ", " + text(at) + " is before it");
    }
    return rebuilder.at(sequence);
  }

  /**
   * The state after an event.
   *
   * @param at the time it is looked at, which lies between this event and the next
   * @throws NoSuchMomentException when there is no such event, it happened later, or the next one
   *     before that time
   */
  public Moment at(long sequence, Instant at) throws NoSuchMomentException {
    if (sequence > 0 && sequence < journal.begin()) {
      throw new NoSuchMomentException(
          "the history begins " + text(begins()) + ", event " + sequence + " is before it");
    }
    Instant happened =
        journal
            .timeOf(sequence)
            .orElseThrow(
                () ->
                    new NoSuchMomentException(
                        "the history has no event "
                            + sequence
                            + ", its last one is "
                            + journal.lastSequence()));
    if (happened.isAfter(at)) {
      throw notTogether(sequence, happened, at, "it happened " + text(happened));
    }
    Instant next = journal.timeOf(sequence + 1).orElse(at);
    if (next.isBefore(at)) {
      throw notTogether(sequence, happened, at, "the next event happened " + text(next));
    }
    return rebuilder.at(sequence);
  }

  private NoSuchMomentException notTogether(
      long sequence, Instant happened, Instant at, String why) {
    return new NoSuchMomentException(
        "event "
            + sequence
            + " and "
            + text(at)
            + " do not belong together, "
            + why
            + "; the event names the moment "
            + text(happened)
            + "#"
            + sequence);
  }

  /** When an event happened. */
  public Optional<Instant> timeOf(long sequence) {
    return journal.timeOf(sequence);
  }

  /** When the history begins. */
  public Instant begins() {
    return journal.timeOf(Math.max(1, journal.begin())).orElse(Instant.EPOCH);
  }

  /** A time as errors name it. */
  public String text(Instant at) {
    return Instants.format(at, zone);
  }

  /**
   * A job that the cluster knows or has known; of an id that names several, the first.
   *
   * @throws NoSuchMomentException when the history of jobs is not kept or has not come so far
   */
  public Optional<KnownJob> job(JobId id, long present) throws NoSuchMomentException {
    return complete(present).job(id);
  }

  /**
   * What a job showed when, from its submission on.
   *
   * @param present the event up to which it is told at least
   * @throws NoSuchMomentException when the history of jobs is not kept or has not come so far
   */
  public JobHistory of(KnownJob job, long present) throws NoSuchMomentException {
    HistoryFile kept = complete(present);
    List<Change> changes = new ArrayList<>();
    if (job.parent() != 0) {
      changes.addAll(kept.changes(job.parent(), job.first()));
    }
    changes.addAll(kept.changes(job.jobId(), Long.MAX_VALUE));
    return new JobHistory(
        job.jobId(),
        job.displayId(),
        job.name(),
        job.user(),
        job.account(),
        begins(),
        Stages.of(changes));
  }

  /**
   * Forgets what happened before a time, but for the state that it led to. What has begun before
   * and is not over stays in the lives of jobs.
   *
   * @param atMost no event after this one is forgotten
   * @return whether there was anything
   * @throws JournalException when the disk fails; it can be tried again
   */
  boolean forgetBefore(Instant time, long atMost) {
    HistoryFile kept = file;
    Chronicler writer = chronicler;
    long told = writer == null || writer.failure() != null ? atMost : writer.position();
    long last = Math.min(Math.min(journal.sequenceAt(time), atMost), told);
    if (last <= journal.begin()) {
      return false;
    }
    journal.forget(rebuilder.at(last).state(), last);
    if (kept != null && writer != null) {
      writer.forget(last);
    }
    return true;
  }

  private HistoryFile complete(long present) throws NoSuchMomentException {
    HistoryFile kept = file;
    Chronicler writer = chronicler;
    if (kept == null || writer == null) {
      throw new NoSuchMomentException("no history of jobs is kept; the server's log says why");
    }
    try {
      if (!writer.await(present, PATIENCE_MILLIS)) {
        String failure = writer.failure();
        throw new NoSuchMomentException(
            failure == null
                ? "the history is still being read, event "
                    + writer.position()
                    + " of "
                    + present
                    + "; ask again in a while"
                : "the history ends with event " + writer.position() + ": " + failure);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new NoSuchMomentException("the server is stopping");
    }
    return kept;
  }

  @Override
  public void close() {
    unfollow.run();
    if (chronicler != null) {
      chronicler.close();
    }
    if (file != null) {
      file.close();
    }
  }
}
