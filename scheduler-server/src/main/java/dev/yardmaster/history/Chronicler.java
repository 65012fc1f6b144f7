package dev.yardmaster.history;

import dev.yardmaster.controller.Controller;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.engine.state.Event;
import dev.yardmaster.journal.Journal;
import dev.yardmaster.journal.JournalException;
import dev.yardmaster.journal.Outage;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jdbi.v3.core.JdbiException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the history up with the journal, on a thread of its own. The controller only hands over
 * what it has made durable; what does not fit into the room for that is read from the journal.
 */
final class Chronicler implements Controller.Follower, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Chronicler.class);
  private static final int ROOM = 256;
  private static final int BATCH = 2_000;

  /** How long what happened waits for more to be written with it, unless somebody asks. */
  private static final long LAG_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private static final long IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  /** After the disk failed it is tried again after so many seconds. */
  private static final long RETRY_SECONDS = 5;

  private final LinkedBlockingQueue<Told> told = new LinkedBlockingQueue<>(ROOM);
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition moved = lock.newCondition();
  private final Thread thread = Thread.ofPlatform().name("history").daemon().unstarted(this::run);
  private final CountDownLatch closing = new CountDownLatch(1);
  private final Outage outage = new Outage(LOG);
  private final ChangeReader reader = new ChangeReader();
  private final Journal journal;
  private final HistoryFile file;
  private final Rebuilder rebuilder;
  private final int spacing;
  private volatile long latest;
  private volatile boolean closed;
  private volatile @Nullable String failure;
  private @Nullable ClusterState state;
  private long position;
  private volatile long written;
  private volatile boolean isAsked;
  private volatile long forgetUpTo;
  private long unwrittenUntil;
  private long weight;

  /**
   * Events that became durable together.
   *
   * @param after null when nothing happened but that somebody asks
   */
  private record Told(List<Event> events, @Nullable ClusterState after, long sequence) {}

  /**
   * @param spacing how much may happen between two states that are kept, which bounds the cost of
   *     rebuilding one; assessments of single jobs count as much as other events
   */
  Chronicler(Journal journal, HistoryFile file, Rebuilder rebuilder, int spacing) {
    this.journal = journal;
    this.file = file;
    this.rebuilder = rebuilder;
    this.spacing = spacing;
    this.position = file.sequence();
    this.written = position;
  }

  void start() {
    thread.start();
  }

  @Override
  public void start(ClusterState present, long sequence) {
    latest = sequence;
    if (!told.offer(new Told(List.of(), present, sequence))) {
      LOG.debug("event {} is read from the journal", sequence);
    }
  }

  @Override
  public void next(List<Event> events, ClusterState after, long sequence) {
    latest = sequence;
    if (!told.offer(new Told(events, after, sequence))) {
      LOG.debug("event {} is read from the journal", sequence);
    }
  }

  /** Lets the file forget what was over by an event, when there is time for that. */
  void forget(long sequence) {
    forgetUpTo = sequence;
  }

  /** The last event that the history tells of. */
  long position() {
    return written;
  }

  /** What keeps the history from going on; null for nothing. */
  @Nullable String failure() {
    return failure;
  }

  /**
   * Waits until the history tells of an event.
   *
   * @return whether it does
   */
  boolean await(long sequence, long millis) throws InterruptedException {
    if (written < sequence) {
      isAsked = true;
      // Where there is no room for this, the thread is at work and will see that somebody asks.
      told.offer(new Told(List.of(), null, 0));
    }
    lock.lockInterruptibly();
    try {
      long nanos = TimeUnit.MILLISECONDS.toNanos(millis);
      while (written < sequence && failure == null && nanos > 0) {
        nanos = moved.awaitNanos(nanos);
      }
      return written >= sequence;
    } finally {
      lock.unlock();
    }
  }

  private void run() {
    while (!closed) {
      try {
        if (failure == null) {
          begin();
        } else {
          beginAgain();
        }
        follow();
        return;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      } catch (JournalException | JdbiException e) {
        if (!closed) {
          fail(String.valueOf(e.getMessage()));
          outage.happens("the history is behind, it tries again: " + e.getMessage());
        }
      } catch (RuntimeException e) {
        fail(e.toString());
        LOG.error("the history does not go on: {}", e.toString(), e);
        return;
      }
    }
  }

  /** Follows what is told until the end. */
  private void follow() throws InterruptedException {
    while (!closed) {
      Told next = told.poll(patience(), TimeUnit.NANOSECONDS);
      if (next == null && position < latest) {
        catchUp(latest);
      } else if (next != null && next.after() == null) {
        isAsked = true;
      } else if (next != null) {
        take(next);
      }
      if (written < position && (isAsked || patience() == 0)) {
        write();
      }
      if (forgetUpTo > 0) {
        file.forget(forgetUpTo);
        forgetUpTo = 0;
      }
    }
    if (written < position) {
      write();
    }
  }

  /** After the disk failed: from what the file tells of, with what the journal has kept. */
  private void beginAgain() throws InterruptedException {
    if (closing.await(RETRY_SECONDS, TimeUnit.SECONDS)) {
      return;
    }
    told.clear();
    reader.clear();
    state = null;
    weight = 0;
    position = file.sequence();
    written = position;
    beginAtOwnPlace();
    catchUp(latest);
    failure = null;
    outage.isOver("the history goes on");
  }

  /** Where nothing is to be caught up with, the state is that of the controller, made once. */
  private void begin() throws InterruptedException {
    Told first = null;
    while (first == null && !closed) {
      Told next = told.poll(IDLE_NANOS, TimeUnit.NANOSECONDS);
      if (next != null && next.after() == null) {
        isAsked = true;
      } else {
        first = next;
      }
    }
    if (first == null) {
      return;
    }
    if (first.events().isEmpty() && first.sequence() == position) {
      state = first.after();
      return;
    }
    beginAtOwnPlace();
    take(first);
  }

  /**
   * A history that is made anew, or that the journal has gone past meanwhile, tells of what there
   * was where the journal begins.
   */
  private void beginAtOwnPlace() {
    if (position > 0 && position >= journal.begin()) {
      state = rebuilder.at(position).state();
    } else if (journal.begin() > 0) {
      ClusterState first = rebuilder.at(journal.begin()).state();
      state = first;
      position = journal.begin();
      reader.begin(first, position);
      write();
    }
  }

  /** For how long what was followed may wait, in nanoseconds; not negative. */
  private long patience() {
    if (written == position) {
      return IDLE_NANOS;
    }
    return position - written >= BATCH ? 0 : Math.max(0, unwrittenUntil - System.nanoTime());
  }

  private void fail(String why) {
    lock.lock();
    try {
      failure = why;
      moved.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void take(Told next) {
    long before = next.sequence() - next.events().size();
    if (position < before) {
      catchUp(before);
    }
    if (closed || position > before) {
      return;
    }
    if (written == position) {
      unwrittenUntil = System.nanoTime() + LAG_NANOS;
    }
    for (Event event : next.events()) {
      follow(event, position + 1);
    }
    // The same state, of which the controller has one already.
    state = next.after();
  }

  private void catchUp(long until) {
    while (position < until && !closed) {
      long to = Math.min(until, position + BATCH);
      journal.read(position + 1, to, entry -> follow(entry.event(), entry.sequence()));
      write();
    }
  }

  private void follow(Event event, long sequence) {
    ClusterState before = state;
    ClusterState after =
        before != null
            ? before.apply(event)
            : event instanceof Event.ConfigApplied first
                ? ClusterState.initial(first.config(), first.at())
                : null;
    if (after == null) {
      throw new JournalException("the first event of the journal is not a configuration");
    }
    reader.read(before, event, after, sequence);
    state = after;
    weight += event instanceof Event.JobsAssessed a ? 1 + a.assessments().size() : 1;
    position = sequence;
    if (weight >= Math.max(spacing, 10L * (after.jobs().size() + after.nodes().size()))) {
      file.image(after, sequence);
      weight = 0;
    }
  }

  private void write() {
    long sequence = position;
    file.write(reader, sequence, journal.fingerprint(sequence));
    reader.clear();
    isAsked = false;
    lock.lock();
    try {
      written = sequence;
      moved.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    closed = true;
    closing.countDown();
    try {
      thread.join(TimeUnit.SECONDS.toMillis(10));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
