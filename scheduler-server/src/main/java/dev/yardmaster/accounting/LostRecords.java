package dev.yardmaster.accounting;

import dev.yardmaster.model.JobRecord;
import dev.yardmaster.model.JobState;
import java.time.Instant;

/** Records whose end nobody can tell, because the state of their cluster was lost. */
final class LostRecords {
  private LostRecords() {}

  /** The record with an end; as in Slurm after a start without its state, it is NODE_FAIL. */
  static JobRecord ended(JobRecord record, Instant at) {
    return record.with(r -> r.state(JobState.NODE_FAIL).ended(at).suspendedSince(null));
  }
}
