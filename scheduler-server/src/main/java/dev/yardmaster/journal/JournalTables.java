package dev.yardmaster.journal;

import dev.yardmaster.engine.state.Event;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.JdbiException;
import org.jdbi.v3.core.result.ResultIterator;
import org.jspecify.annotations.Nullable;

/** What the file of a journal holds, as any thread may read it. Every checksum is checked. */
final class JournalTables {
  /** Events that are read at a time. */
  private static final int PART = 4096;

  private final String place;
  private final Codec codec;
  private final Jdbi readers;

  JournalTables(String place, Codec codec, Jdbi readers) {
    this.place = place;
    this.codec = codec;
    this.readers = readers;
  }

  <T> T reading(Function<Handle, T> work) {
    try {
      return readers.withHandle(work::apply);
    } catch (JdbiException e) {
      throw new JournalException(place + " cannot be read: " + SqliteJournal.cause(e), e);
    }
  }

  /** The state that was kept last; null for none. */
  Journal.@Nullable Recovered snapshot() {
    Snapshot.Builder builder = new Snapshot.Builder(place, codec);
    reading(
        handle -> {
          try (ResultIterator<SnapshotRow> rows =
              handle
                  .createQuery("select kind, key, version, body, crc from snapshot")
                  .map(
                      (r, c) ->
                          new SnapshotRow(
                              new Snapshot.Key(r.getString(1), r.getString(2)),
                              r.getInt(3),
                              r.getBytes(4),
                              r.getLong(5)))
                  .iterator()) {
            List<SnapshotRow> some = new ArrayList<>(PART);
            while (rows.hasNext()) {
              some.add(rows.next());
              if (some.size() == PART || !rows.hasNext()) {
                take(some, builder);
                some.clear();
              }
            }
          }
          return builder;
        });
    return builder.build();
  }

  /** Takes rows apart on all processors: of what a start takes most of the time, this is most. */
  private void take(List<SnapshotRow> rows, Snapshot.Builder builder) {
    List<Object> values =
        rows.parallelStream()
            .map(
                row -> {
                  check(row.key().toString(), row.version(), row.body(), row.crc());
                  return builder.read(row.key(), row.version(), row.body());
                })
            .toList();
    for (int i = 0; i < rows.size(); i++) {
      builder.put(rows.get(i).key(), values.get(i));
    }
  }

  /** The state with which the events begin; null when they begin with the first of all. */
  Journal.@Nullable Recovered beginning() {
    return reading(handle -> Beginning.state(place, handle)).orElse(null);
  }

  private record SnapshotRow(Snapshot.Key key, int version, byte[] body, long crc) {}

  private record EventRow(long sequence, int version, String type, byte[] body, long crc) {}

  private void check(String key, int version, byte[] body, long crc) {
    if (Codec.checksum(key, version, body) != crc) {
      throw new DamagedRecordException(place, key, "its checksum is wrong");
    }
  }

  /** In parts, so that no reader keeps a writer of a shared journal waiting for long. */
  void read(long fromSequence, long toSequence, Consumer<Journal.Entry> reader) {
    long from = fromSequence;
    while (from <= toSequence) {
      long to = Math.min(toSequence, from + PART - 1);
      List<EventRow> rows = rows(from, to);
      for (EventRow row : rows) {
        if (row.sequence() != from++) {
          throw new DamagedRecordException(place, "event " + (from - 1), "it is missing");
        }
        check(EventRows.eventKey(row.sequence(), row.type()), row.version(), row.body(), row.crc());
        String record = "event " + row.sequence();
        Event event = codec.readEvent(place, record, row.version(), row.type(), row.body());
        reader.accept(new Journal.Entry(row.sequence(), event));
      }
      if (rows.size() < PART) {
        return;
      }
    }
  }

  private List<EventRow> rows(long from, long to) {
    return reading(
        handle ->
            handle
                .createQuery(
                    "select sequence, version, type, body, crc from event"
                        + " where sequence >= ? order by sequence limit ?")
                .bind(0, from)
                .bind(1, to - from + 1)
                .map(
                    (r, c) ->
                        new EventRow(
                            r.getLong(1), r.getInt(2), r.getString(3), r.getBytes(4), r.getLong(5)))
                .list());
  }

  /**
   * The last event between two numbers that happened at a time or before; the first number when
   * there is none. Events are in the order of their times, so that halving the record finds a time.
   */
  long sequenceAt(Instant at, long first, long last) {
    return reading(
        handle -> {
          long low = first;
          long high = last;
          while (low < high) {
            long middle = low + (high - low + 1) / 2;
            if (timeOf(handle, middle).orElseThrow().isAfter(at)) {
              high = middle - 1;
            } else {
              low = middle;
            }
          }
          return low;
        });
  }

  Optional<Instant> timeOf(long sequence) {
    return reading(handle -> timeOf(handle, sequence));
  }

  private Optional<Instant> timeOf(Handle handle, long sequence) {
    return handle
        .createQuery("select substr(body, 1, 64) from event where sequence = ?")
        .bind(0, sequence)
        .map((r, c) -> codec.begin(place, "event " + sequence, r.getString(1)))
        .findFirst();
  }

  /** The checksum of an event; 0 when it is not there. */
  long fingerprint(long sequence) {
    return reading(
        handle ->
            handle
                .createQuery("select crc from event where sequence = ?")
                .bind(0, sequence)
                .mapTo(Long.class)
                .findFirst()
                .orElse(0L));
  }
}
