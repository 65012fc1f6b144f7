package dev.yardmaster.accounting;

import dev.yardmaster.model.JobRecord;
import dev.yardmaster.model.RecordQuery;
import java.time.Instant;
import java.util.function.Consumer;

/** The records of jobs, as readers see them. Safe for use by several threads. */
public interface JobRecords {
  /**
   * Hands over what matches, in the order in which sacct(1) lists it.
   *
   * @param now what ends the records that have not ended
   */
  void find(RecordQuery query, Instant now, Consumer<JobRecord> reader);

  /** Nothing at all. */
  static JobRecords none() {
    return (query, now, reader) -> {};
  }
}
