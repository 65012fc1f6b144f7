package dev.yardmaster.accounting;

import dev.yardmaster.model.JobRecord;
import dev.yardmaster.model.RecordQuery;
import dev.yardmaster.model.UsageReport;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;

/** The records of jobs, as readers see them. Safe for use by several threads. */
public interface JobRecords {
  /**
   * Hands over what matches, in the order in which sacct(1) lists it.
   *
   * @param now what ends the records that have not ended
   */
  void find(RecordQuery query, Instant now, Consumer<JobRecord> reader);

  /** What was used from {@code start} up to {@code end}, in whole hours that are over. */
  UsageReport usage(Instant start, Instant end, Instant now);

  /** The number of the last event that is recorded, or a higher one when all are. */
  default long recorded() {
    return Long.MAX_VALUE;
  }

  /** Nothing at all. */
  static JobRecords none() {
    return new JobRecords() {
      @Override
      public void find(RecordQuery query, Instant now, Consumer<JobRecord> reader) {}

      @Override
      public UsageReport usage(Instant start, Instant end, Instant now) {
        return UsageReports.of(start, end, List.of(), List.of(), now);
      }
    };
  }
}
