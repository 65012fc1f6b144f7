package dev.yardmaster.journal;

import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.engine.state.Event;
import dev.yardmaster.model.JobScript;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Consumer;

/**
 * The durable record of events. One thread writes ({@link #append}, {@link #snapshot}); any thread
 * may read. Sequence numbers start at 1 and have no gaps.
 *
 * <p>All methods throw {@link JournalException} when the store fails, and {@link
 * DamagedRecordException} when a record is not what was written: nothing is ever skipped.
 */
public interface Journal extends AutoCloseable {
  /**
   * Appends entries as one: after a crash either all or none of them are there. When this returns
   * they survive the loss of the process and of the machine's power. When it throws, nothing was
   * appended.
   *
   * @return the sequence number of the last event
   */
  long append(List<Batch> batches);

  /** The sequence number of the last event; 0 for an empty journal. */
  long lastSequence();

  /**
   * The state after the last event.
   *
   * @return empty for an empty journal
   */
  Optional<Recovered> recover();

  /** Reads events in order, from {@code fromSequence} on. */
  default void read(long fromSequence, Consumer<Entry> reader) {
    read(fromSequence, Long.MAX_VALUE, reader);
  }

  /** Reads events in order, from one number to another, both included. */
  void read(long fromSequence, long toSequence, Consumer<Entry> reader);

  /** The last event that was forgotten; 0 while all are kept. Reading begins with the next one. */
  default long begin() {
    return 0;
  }

  /**
   * A state to go on from that is at hand: of those kept, the last one that no event after {@code
   * atMost} has led to.
   *
   * @return empty when events have to be read from the first of all
   */
  default Optional<Recovered> kept(long atMost) {
    return Optional.empty();
  }

  /**
   * Forgets the events up to one, of which only the state they led to is kept. Whenever the process
   * ends meanwhile, the rest of them is deleted the next time. Others may append at the same time.
   *
   * @param state after the last event to be forgotten
   * @param sequence of that event, later than {@link #begin}
   */
  default void forget(ClusterState state, long sequence) {
    throw new UnsupportedOperationException("this journal keeps all events");
  }

  /**
   * The number of the last event that happened at a time or before; that of the last forgotten one
   * when it happened by then and no other; 0 when the record begins later.
   */
  long sequenceAt(Instant at);

  /** When an event happened; empty for a number that no event has. */
  Optional<Instant> timeOf(long sequence);

  /** Tells the record of an event from any other at its place; 0 for a number that no event has. */
  long fingerprint(long sequence);

  /** The script kept for a job, or for the array that the job is part of. */
  Optional<JobScript> script(int jobId);

  /**
   * Keeps the state after the event with number {@code sequence}, so that recovery needs only the
   * later events. Atomic as {@link #append}.
   */
  void snapshot(ClusterState state, long sequence);

  @Override
  void close();

  /**
   * Events that belong together.
   *
   * @param scripts what the jobs submitted by these events execute, by job id
   */
  record Batch(List<Event> events, SortedMap<Integer, JobScript> scripts) {
    public Batch {
      events = List.copyOf(events);
    }
  }

  /** An event at its place. */
  record Entry(long sequence, Event event) {}

  /** What was recovered: the state after the event with this number. */
  record Recovered(ClusterState state, long sequence) {}
}
