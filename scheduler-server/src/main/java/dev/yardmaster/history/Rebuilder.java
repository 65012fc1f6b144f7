package dev.yardmaster.history;

import dev.yardmaster.engine.state.Moment;
import dev.yardmaster.journal.Journal;
import dev.yardmaster.journal.JournalException;
import dev.yardmaster.journal.Replay;
import java.lang.ref.SoftReference;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes states as they were: from the nearest one before that is at hand, and the events since. On
 * the thread of who asks, one at a time; the states last asked for are kept while there is memory.
 */
final class Rebuilder {
  private static final Logger LOG = LoggerFactory.getLogger(Rebuilder.class);
  private static final int KEPT = 4;

  private final ReentrantLock lock = new ReentrantLock(true);
  private final Journal journal;
  private final @Nullable HistoryFile file;
  private final TreeMap<Long, SoftReference<Journal.Recovered>> kept = new TreeMap<>();

  Rebuilder(Journal journal, @Nullable HistoryFile file) {
    this.journal = journal;
    this.file = file;
  }

  /**
   * The state after an event, which must be in the journal.
   *
   * @throws JournalException when the record is damaged
   */
  Moment at(long sequence) {
    lock.lock();
    try {
      Journal.Recovered base = base(sequence);
      if (base == null) {
        base = journal.kept(sequence).orElse(null);
      }
      if (base == null || base.sequence() < sequence) {
        Replay replay = new Replay("journal", base);
        journal.read(base == null ? 1 : base.sequence() + 1, sequence, replay);
        base = replay.result();
      }
      if (base == null || base.sequence() != sequence) {
        throw new JournalException("the journal has no event " + sequence);
      }
      keep(base);
      return new Moment(base.state(), sequence);
    } finally {
      lock.unlock();
    }
  }

  private Journal.@Nullable Recovered base(long sequence) {
    Map.Entry<Long, SoftReference<Journal.Recovered>> near = kept.floorEntry(sequence);
    Journal.Recovered best = near == null ? null : near.getValue().get();
    if (best != null && best.sequence() < journal.begin()) {
      // What led on from there is forgotten.
      best = null;
    }
    long from = best == null ? Math.max(1, journal.begin()) : best.sequence() + 1;
    if (file == null || from > sequence) {
      return best;
    }
    try {
      Journal.Recovered image = file.image(from, sequence);
      return image == null ? best : image;
    } catch (JournalException e) {
      LOG.warn("{}; the state is made from earlier events", e.getMessage());
      return best;
    }
  }

  private void keep(Journal.Recovered state) {
    kept.put(state.sequence(), new SoftReference<>(state));
    kept.values().removeIf(reference -> reference.get() == null);
    while (kept.size() > KEPT) {
      long farthest =
          state.sequence() - kept.firstKey() > kept.lastKey() - state.sequence()
              ? kept.firstKey()
              : kept.lastKey();
      kept.remove(farthest);
    }
  }
}
