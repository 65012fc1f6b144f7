package dev.yardmaster.journal;

import dev.yardmaster.engine.state.Event;
import dev.yardmaster.model.JobScript;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Events, scripts and states as rows of the journal's file. Used by the thread that writes. */
final class EventRows {
  private static final String EVENT =
      "insert into event(sequence, version, type, body, crc) values (?, ?, ?, cast(? as text), ?)";
  private static final String SCRIPT =
      "insert or replace into script(job_id, version, body, crc) values (?, ?, ?, ?)";
  private static final String NO_SCRIPT = "delete from script where job_id = ?";
  private static final String STATE =
      "insert or replace into snapshot(kind, key, version, body, crc)"
          + " values (?, ?, ?, cast(? as text), ?)";
  private static final String NO_STATE = "delete from snapshot where kind = ? and key = ?";

  private final Codec codec;
  private final Packing packing = new Packing();
  private final Rows rows;

  EventRows(Handle writer, Codec codec) {
    this.rows = new Rows(writer, EVENT, NO_SCRIPT, SCRIPT, NO_STATE, STATE);
    this.codec = codec;
  }

  static String eventKey(long sequence, String type) {
    return "event " + sequence + " " + type;
  }

  static String scriptKey(int jobId) {
    return "script of job " + jobId;
  }

  /** Adds an event; returns its checksum. */
  long event(long sequence, Event event) {
    String type = Codec.typeName(event);
    byte[] body = codec.write(event);
    long crc = Codec.checksum(eventKey(sequence, type), Codec.VERSION, body);
    rows.add(EVENT, sequence, Codec.VERSION, type, body, crc);
    if (event instanceof Event.JobPurged purged) {
      rows.add(NO_SCRIPT, purged.jobId());
    }
    return crc;
  }

  /** Adds what a job executes. */
  void script(int jobId, JobScript script) {
    byte[] body = packing.deflate(codec.write(script));
    long crc = Codec.checksum(scriptKey(jobId), Codec.VERSION, body);
    rows.add(SCRIPT, jobId, Codec.VERSION, body, crc);
  }

  /**
   * Adds a row of a state.
   *
   * @param value null to delete it
   */
  void state(Snapshot.Key key, @Nullable Object value) {
    if (value == null) {
      rows.add(NO_STATE, key.kind(), key.key());
    } else {
      byte[] body = codec.write(value);
      long crc = Codec.checksum(key.toString(), Codec.VERSION, body);
      rows.add(STATE, key.kind(), key.key(), Codec.VERSION, body, crc);
    }
  }

  /** Writes what was added. */
  void write() {
    rows.write();
  }

  /** Drops what was added and not written. */
  void forget() {
    rows.forget();
  }

  /** Gives back memory outside of the heap. */
  void close() {
    packing.close();
  }
}
