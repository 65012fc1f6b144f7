package dev.yardmaster.controller;

import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.engine.state.Event;
import dev.yardmaster.engine.state.Moment;
import dev.yardmaster.journal.Journal;
import dev.yardmaster.journal.JournalException;
import dev.yardmaster.journal.LostControlException;
import dev.yardmaster.journal.Outage;
import dev.yardmaster.model.JobScript;
import dev.yardmaster.model.SlurmError;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes turns durable, all that wait at once (group commit), and only then shows them: state,
 * followers, replies, effects, in this order.
 *
 * <p>When the journal fails, the turns that were based on what could not be written are refused
 * too, by their generation; the writer starts again from the durable state.
 */
final class CommitQueue {
  private static final Logger LOG = LoggerFactory.getLogger(CommitQueue.class);
  private static final int DEPTH = 64;

  /** A snapshot waits for so many milliseconds in which there is nothing to write. */
  private static final long QUIET_MILLIS = 200;

  /** Where there is no quiet, a snapshot comes after so many times as many events. */
  private static final int LATEST = 3;

  /** A snapshot that failed is tried again after so many seconds. */
  private static final long RETRY_SECONDS = 5;

  private static final Reply.Refused EARLIER =
      new Reply.Refused(SlurmError.JOURNAL, "\nan earlier change could not be written");

  private final BlockingQueue<Item> queue = new ArrayBlockingQueue<>(DEPTH);
  private final List<Controller.Follower> followers = new CopyOnWriteArrayList<>();
  private final Journal journal;
  private final int snapshotEvery;
  private final Consumer<List<Effect>> effects;
  private final Outage outage = new Outage(LOG);
  private final Thread thread;
  private volatile Moment present;
  private volatile int generation;
  private long sequence;
  private long snapshotSequence;
  private long snapshotFailed;
  private boolean isSnapshotMissing;

  /** Why the last write failed, which is why what was built on it is refused. */
  private Reply.Refused why = EARLIER;

  /** Turns to make durable, or something to be done on this thread in its order. */
  private sealed interface Item {}

  /**
   * The work of one round of the writer.
   *
   * @param events all events of its turns
   * @param after the state after them
   */
  record Round(
      int generation,
      List<Event> events,
      SortedMap<Integer, JobScript> scripts,
      List<Effect> effects,
      List<Answer> answers,
      ClusterState after)
      implements Item {}

  /** What a sender gets once the round is durable. */
  record Answer(CompletableFuture<Reply> to, Reply reply) {}

  private record Task(Runnable work) implements Item {}

  private record End() implements Item {}

  CommitQueue(
      Journal journal, ClusterState durable, int snapshotEvery, Consumer<List<Effect>> effects) {
    this.journal = journal;
    this.snapshotEvery = snapshotEvery;
    this.effects = effects;
    this.sequence = journal.lastSequence();
    this.present = new Moment(durable, sequence);
    this.snapshotSequence = sequence;
    this.thread = Thread.ofPlatform().name("journal").unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  /** The latest durable state. */
  ClusterState durable() {
    return present.state();
  }

  Moment present() {
    return present;
  }

  /** Rises each time the journal fails. */
  int generation() {
    return generation;
  }

  void put(Round round) {
    putItem(round);
  }

  private void putItem(Item item) {
    try {
      queue.put(item);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  Runnable follow(Controller.Follower follower) {
    putItem(
        new Task(
            () -> {
              follower.start(present.state(), sequence);
              followers.add(follower);
            }));
    return () -> putItem(new Task(() -> followers.remove(follower)));
  }

  /** Ends after everything put before is durable, with a snapshot. */
  void close() {
    putItem(new End());
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    List<Item> items = new ArrayList<>();
    while (true) {
      items.clear();
      try {
        Item first = isDue(1) ? queue.poll(QUIET_MILLIS, TimeUnit.MILLISECONDS) : queue.take();
        if (first == null) {
          snapshot();
          continue;
        }
        items.add(first);
      } catch (InterruptedException e) {
        return;
      }
      queue.drainTo(items);
      if (!process(items)) {
        return;
      }
    }
  }

  /** Handles items in order; rounds that follow each other are committed together. */
  private boolean process(List<Item> items) {
    List<Round> rounds = new ArrayList<>();
    for (Item item : items) {
      switch (item) {
        case Round round -> rounds.add(round);
        case Task task -> {
          commit(rounds);
          rounds.clear();
          task.work().run();
        }
        case End end -> {
          commit(rounds);
          snapshot();
          return false;
        }
      }
    }
    commit(rounds);
    if (isDue(LATEST)) {
      snapshot();
    }
    return true;
  }

  /** Whether so many times as many events as are to be between two snapshots followed the last. */
  private boolean isDue(int times) {
    return sequence - snapshotSequence >= (long) times * snapshotEvery
        && !(isSnapshotMissing
            && System.nanoTime() - snapshotFailed < TimeUnit.SECONDS.toNanos(RETRY_SECONDS));
  }

  private void commit(List<Round> rounds) {
    List<Round> valid = new ArrayList<>();
    for (Round round : rounds) {
      if (round.generation() == generation) {
        valid.add(round);
      } else {
        refuse(round, why);
      }
    }
    List<Journal.Batch> batches = new ArrayList<>();
    for (Round round : valid) {
      if (!round.events().isEmpty()) {
        batches.add(new Journal.Batch(round.events(), round.scripts()));
      }
    }
    long before = sequence;
    if (!batches.isEmpty()) {
      try {
        sequence = journal.append(batches);
        outage.isOver("changes are accepted again");
      } catch (JournalException e) {
        outage.happens("nothing can be accepted: " + e.getMessage());
        generation++;
        why = e instanceof LostControlException ? refusal(e) : EARLIER;
        valid.forEach(round -> refuse(round, refusal(e)));
        return;
      }
    }
    for (Round round : valid) {
      before += round.events().size();
      show(round, before);
    }
  }

  /** Why nothing can be accepted at present; empty when it can, on any thread. */
  Optional<String> trouble() {
    return outage.present();
  }

  private static Reply.Refused refusal(JournalException failure) {
    SlurmError error =
        failure instanceof LostControlException ? SlurmError.IN_STANDBY_MODE : SlurmError.JOURNAL;
    return new Reply.Refused(error, "\n" + failure.getMessage());
  }

  private static void refuse(Round round, Reply.Refused why) {
    for (Answer answer : round.answers()) {
      answer.to().complete(why);
    }
  }

  private void show(Round round, long number) {
    present = new Moment(round.after(), number);
    if (!round.events().isEmpty()) {
      for (Controller.Follower follower : followers) {
        tell(follower, round, number);
      }
    }
    for (Answer answer : round.answers()) {
      answer.to().complete(answer.reply());
    }
    if (!round.effects().isEmpty()) {
      effects.accept(round.effects());
    }
  }

  private static void tell(Controller.Follower follower, Round round, long number) {
    try {
      follower.next(round.events(), round.after(), number);
    } catch (RuntimeException e) {
      LOG.warn("a follower failed: {}", e.toString(), e);
    }
  }

  private void snapshot() {
    try {
      journal.snapshot(present.state(), sequence);
      snapshotSequence = sequence;
      isSnapshotMissing = false;
    } catch (JournalException e) {
      isSnapshotMissing = true;
      snapshotFailed = System.nanoTime();
      LOG.warn("no snapshot: {}", e.getMessage());
    }
  }
}
