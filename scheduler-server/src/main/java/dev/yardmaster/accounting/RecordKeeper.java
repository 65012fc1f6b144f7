package dev.yardmaster.accounting;

import dev.yardmaster.controller.Controller;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.engine.state.Event;
import dev.yardmaster.journal.Journal;
import dev.yardmaster.journal.JournalException;
import dev.yardmaster.journal.Outage;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobRecord;
import dev.yardmaster.model.NodeSpan;
import dev.yardmaster.model.RecordQuery;
import dev.yardmaster.model.UsageReport;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes records of committed events, on a thread of its own. It never holds the controller up: what
 * it has no room for, and what happened while it was away, it reads from the journal. Its file says
 * up to which event it is complete, so each event counts exactly once.
 */
public final class RecordKeeper implements Controller.Follower, JobRecords, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RecordKeeper.class);

  private final Outage outage = new Outage(LOG);
  private static final int ROOM = 1024;
  private static final int AT_ONCE = 5_000;
  private static final Duration RETRY = Duration.ofSeconds(2);

  /**
   * How long a change waits for others to be written with it, unless somebody asks: most jobs
   * change several times soon after their submission.
   */
  private static final Duration LAG = Duration.ofMillis(500);

  /** How long a reader waits for what was committed before it asked. */
  private static final Duration PATIENCE = Duration.ofSeconds(3);

  private final Journal journal;
  private final SqliteRecords store;
  private final BlockingQueue<Message> inbox = new ArrayBlockingQueue<>(ROOM);
  private final Thread thread = Thread.ofPlatform().name("accounting").unstarted(this::run);
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition moved = lock.newCondition();
  private final Map<Integer, JobRecord> latest = new HashMap<>();
  private final Map<JobRecord.Key, JobRecord> changed = new LinkedHashMap<>();
  private final Map<String, NodeSpan> present = new HashMap<>();
  private final List<NodeSpan> spans = new ArrayList<>();

  private final JobRecorder.Known known =
      new JobRecorder.Known() {
        @Override
        public @Nullable JobRecord latest(int jobId) {
          JobRecord record = latest.get(jobId);
          if (record == null) {
            record = store.latest(jobId);
            if (record != null) {
              latest.put(jobId, record);
            }
          }
          return record;
        }

        @Override
        public @Nullable JobRecord of(JobRecord.Key part) {
          JobRecord last = latest(part.jobId());
          if (last == null || last.key().compareTo(part) <= 0) {
            return last == null || !last.key().equals(part) ? null : last;
          }
          JobRecord fresh = changed.get(part);
          return fresh == null ? store.of(part) : fresh;
        }
      };

  /** The state after the event {@code position}; null while that state is not known. */
  private @Nullable ClusterState state;

  private long position;

  /** Up to which event the file knows. */
  private long saved;

  private long unsavedUntil;
  private volatile boolean isAsked;

  // Guarded by the lock.
  private long committed;
  private long recorded;

  private sealed interface Message {}

  private record Begin(ClusterState state, long sequence) implements Message {}

  private record Happened(List<Event> events, long first) implements Message {}

  /** Somebody waits for what was committed. */
  private record Asked() implements Message {}

  private record Stop() implements Message {}

  private RecordKeeper(Journal journal, SqliteRecords store) {
    this.journal = journal;
    this.store = store;
    this.position = store.sequence();
    this.saved = position;
    // Of another journal nothing is recorded yet, however many events the file knows.
    this.recorded = store.fingerprint() == journal.fingerprint(position) ? position : 0;
    loadSpans();
  }

  private void loadSpans() {
    present.clear();
    store.presentSpans().forEach(span -> present.put(span.node(), span));
  }

  /**
   * Opens the records of a state directory; they follow once this follows a controller.
   *
   * @param journal whose events they are made of
   * @throws JournalException when the file is not usable
   */
  public static RecordKeeper open(Journal journal, Path directory) {
    RecordKeeper keeper = new RecordKeeper(journal, SqliteRecords.open(directory));
    keeper.thread.start();
    return keeper;
  }

  @Override
  public void start(ClusterState first, long sequence) {
    note(sequence);
    inbox.add(new Begin(first, sequence));
  }

  @Override
  public void next(List<Event> events, ClusterState after, long sequence) {
    note(sequence);
    // What finds no room is read from the journal when the next message shows that it is missing.
    inbox.offer(new Happened(events, sequence - events.size() + 1));
  }

  private void note(long sequence) {
    lock.lock();
    try {
      committed = sequence;
    } finally {
      lock.unlock();
    }
  }

  private void run() {
    try {
      boolean goesOn = true;
      while (goesOn) {
        Message message = inbox.poll(patience(), TimeUnit.NANOSECONDS);
        try {
          goesOn = take(message);
          if (isUnsaved() && (!goesOn || isAsked || patience() == 0)) {
            save();
          }
        } catch (JournalException e) {
          outage.happens("accounting is behind, it tries again: " + e.getMessage());
          forget();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      store.close();
    }
  }

  /** Whether something was followed that is not in the file. */
  private boolean isUnsaved() {
    return position != saved;
  }

  /** For how long what was followed may wait, in nanoseconds; not negative. */
  private long patience() {
    if (!isUnsaved()) {
      return RETRY.toNanos();
    }
    return changed.size() >= AT_ONCE ? 0 : Math.max(0, unsavedUntil - System.nanoTime());
  }

  /** Returns false when this is to end. */
  private boolean take(@Nullable Message message) {
    switch (message) {
      case null -> catchUp();
      case Begin begin -> begin(begin);
      case Happened happened -> happened(happened);
      case Asked asked -> isAsked = true;
      case Stop stop -> {
        return false;
      }
    }
    return true;
  }

  /** The last event that is recorded. */
  @Override
  public long recorded() {
    lock.lock();
    try {
      return recorded;
    } finally {
      lock.unlock();
    }
  }

  /** The highest id that any job was ever given, also under a journal that was lost. */
  public int highestJobId() {
    return store.highestJobId();
  }

  private void begin(Begin begin) {
    meet(begin.state().time());
    if (position == begin.sequence()) {
      state = begin.state();
      saved();
    } else {
      replay();
    }
  }

  /** Tells a journal that began anew, or goes on from elsewhere, from the one that is recorded. */
  private void meet(Instant now) {
    long last = store.fingerprint();
    if (position == 0 || last == journal.fingerprint(position)) {
      return;
    }
    if (last == 0 && position <= journal.lastSequence()) {
      // Records of a release that did not note it.
      return;
    }
    int lost = store.beginAnew(now);
    LOG.warn(
        "the journal is another one than that of the records, which stay; {} jobs of which nobody"
            + " can tell the end are NODE_FAIL",
        lost);
    latest.clear();
    present.clear();
    position = 0;
  }

  private void happened(Happened happened) {
    ClusterState before = state;
    if (before == null || happened.first() > position + 1) {
      catchUp();
      return;
    }
    if (!isUnsaved()) {
      unsavedUntil = System.nanoTime() + LAG.toNanos();
    }
    long number = happened.first();
    for (Event event : happened.events()) {
      if (number == position + 1) {
        follow(event);
      }
      number++;
    }
  }

  /** Whatever was committed and is not recorded is read from the journal. */
  private void catchUp() {
    lock.lock();
    try {
      if (committed <= position) {
        return;
      }
    } finally {
      lock.unlock();
    }
    if (state == null) {
      replay();
    } else {
      journal.read(position + 1, this::followed);
      save();
    }
  }

  /** From the nearest state that is kept, without recording again what is recorded. */
  private void replay() {
    long known = position;
    Journal.Recovered start = journal.kept(Math.max(known, journal.begin())).orElse(null);
    if (start == null) {
      position = 0;
    } else {
      state = start.state();
      position = start.sequence();
      if (known < position) {
        recordAll(start.state());
      }
    }
    journal.read(
        position + 1,
        entry -> {
          ClusterState now = state;
          if (now == null && entry.event() instanceof Event.ConfigApplied first) {
            ClusterState begun = ClusterState.initial(first.config(), first.at());
            state = begun;
            position = entry.sequence();
            if (known == 0) {
              note(NodeSpans.follow(first, begun, present::get));
            }
          } else if (now != null && entry.sequence() <= known) {
            state = now.apply(entry.event());
            position = entry.sequence();
          } else {
            followed(entry);
          }
        });
    if (position < known) {
      position = known;
    }
    save();
  }

  /** What there is where the journal begins, of which no event tells. */
  private void recordAll(ClusterState begun) {
    for (Job job : begun.jobs().values()) {
      if (known.latest(job.id()) == null) {
        JobRecord record = JobRecorder.found(begun, job);
        changed.put(record.key(), record);
        latest.put(job.id(), record);
      }
    }
    Event.ConfigApplied first = new Event.ConfigApplied(begun.time(), begun.config());
    note(NodeSpans.follow(first, begun, present::get));
  }

  private void followed(Journal.Entry entry) {
    if (entry.sequence() == position + 1) {
      follow(entry.event());
      if (changed.size() >= AT_ONCE) {
        save();
      }
    }
  }

  private void follow(Event event) {
    ClusterState before = state;
    if (before == null) {
      throw new JournalException("the first event is not a configuration");
    }
    ClusterState after = before.apply(event);
    for (JobRecord record : JobRecorder.follow(before, event, after, known)) {
      changed.put(record.key(), record);
      JobRecord last = latest.get(record.key().jobId());
      if (last == null || last.key().compareTo(record.key()) <= 0) {
        latest.put(record.key().jobId(), record);
      }
    }
    note(NodeSpans.follow(event, after, present::get));
    if (event instanceof Event.JobPurged purged) {
      latest.remove(purged.jobId());
    }
    state = after;
    position++;
  }

  private void note(List<NodeSpan> changes) {
    for (NodeSpan span : changes) {
      if (span.ended() == null) {
        present.put(span.node(), span);
      } else {
        present.remove(span.node());
      }
      spans.add(span);
    }
  }

  private void save() {
    store.write(changed.values(), spans, position, journal.fingerprint(position));
    outage.isOver("accounting goes on");
    changed.clear();
    spans.clear();
    saved();
  }

  private void saved() {
    saved = position;
    isAsked = false;
    lock.lock();
    try {
      recorded = position;
      moved.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Goes on from what the file has, which a failed write did not reach. */
  private void forget() {
    state = null;
    changed.clear();
    spans.clear();
    latest.clear();
    lock.lock();
    try {
      position = recorded;
      saved = recorded;
    } finally {
      lock.unlock();
    }
    try {
      loadSpans();
    } catch (JournalException e) {
      LOG.error("the times of nodes cannot be read: {}", e.getMessage());
    }
  }

  @Override
  public void find(RecordQuery query, Instant now, Consumer<JobRecord> reader) {
    await();
    store.find(query, now, reader);
  }

  @Override
  public UsageReport usage(Instant start, Instant end, Instant now) {
    await();
    return store.usage(start, end, now);
  }

  /** Waits until what was committed before is recorded, within reason. */
  private void await() {
    lock.lock();
    try {
      long wanted = committed;
      long nanos = PATIENCE.toNanos();
      if (recorded < wanted) {
        isAsked = true;
        // Where there is no room for this, the thread is at work and will see that somebody asks.
        inbox.offer(new Asked());
      }
      while (recorded < wanted && nanos > 0) {
        nanos = moved.awaitNanos(nanos);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
  }

  /** Ends after what was committed before is recorded. */
  @Override
  public void close() {
    try {
      inbox.put(new Stop());
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
