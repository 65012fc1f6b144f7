package dev.yardmaster.journal;

import dev.yardmaster.engine.state.ClusterState;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.jdbi.v3.core.Handle;

/**
 * Where the events of a journal begin when earlier ones were forgotten: the state that those led
 * to. It is written before the first of them is deleted, so that whatever is still there of them
 * after a crash is only left over.
 */
final class Beginning {
  /** Deleted in one transaction, so that nobody waits long for it. */
  private static final int STEP = 2_000;

  private static final String RECORD = "beginning";

  private Beginning() {}

  /**
   * @param sequence of the last event that was forgotten; 0 for none
   * @param at when it happened
   * @param fingerprint of that event
   */
  record Mark(long sequence, Instant at, long fingerprint) {
    static final Mark NONE = new Mark(0, Instant.MIN, 0);
  }

  static Mark mark(Handle handle) {
    return handle
        .createQuery("select sequence, at, fingerprint from beginning")
        .map((r, c) -> new Mark(r.getLong(1), Instant.parse(r.getString(2)), r.getLong(3)))
        .findFirst()
        .orElse(Mark.NONE);
  }

  static Optional<Journal.Recovered> state(String place, Handle handle) {
    return handle
        .createQuery("select body, crc from beginning")
        .map((r, c) -> read(place, r.getBytes(1), r.getLong(2)))
        .findFirst();
  }

  private static Journal.Recovered read(String place, byte[] body, long crc) {
    if (checksum(body) != crc) {
      throw new DamagedRecordException(place, RECORD, "its checksum is wrong");
    }
    return StateImage.read(place, body);
  }

  /** To be done in a transaction, before anything is deleted. */
  static void write(Handle handle, Mark mark, ClusterState state) {
    byte[] body = StateImage.write(state, mark.sequence());
    handle.execute(
        "insert or replace into beginning values (1, ?, ?, ?, ?, ?)",
        mark.sequence(),
        mark.at().toString(),
        mark.fingerprint(),
        body,
        checksum(body));
  }

  /** Deletes some events before the beginning; returns whether there are more. */
  static boolean deleteSome(Handle handle, Mark mark) {
    List<Long> first =
        handle
            .createQuery("select sequence from event order by sequence limit 1")
            .mapTo(Long.class)
            .list();
    if (first.isEmpty() || first.getFirst() > mark.sequence()) {
      return false;
    }
    long end = Math.min(mark.sequence(), first.getFirst() + STEP - 1);
    handle.execute("delete from event where sequence <= ?", end);
    return end < mark.sequence();
  }

  private static long checksum(byte[] body) {
    CRC32C crc = new CRC32C();
    crc.update(body);
    return crc.getValue();
  }
}
