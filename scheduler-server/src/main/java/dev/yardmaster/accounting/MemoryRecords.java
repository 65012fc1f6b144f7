package dev.yardmaster.accounting;

import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.engine.state.Event;
import dev.yardmaster.model.JobRecord;
import dev.yardmaster.model.RecordQuery;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Records of events in memory, for clusters that live in virtual time. */
public final class MemoryRecords implements JobRecords {
  private final TreeMap<JobRecord.Key, JobRecord> records = new TreeMap<>();
  private ClusterState state;

  private final JobRecorder.Known known =
      new JobRecorder.Known() {
        @Override
        public @Nullable JobRecord latest(int jobId) {
          Map.Entry<JobRecord.Key, JobRecord> last =
              records.floorEntry(new JobRecord.Key(jobId, Integer.MAX_VALUE));
          return last == null || last.getKey().jobId() != jobId ? null : last.getValue();
        }

        @Override
        public @Nullable JobRecord of(JobRecord.Key run) {
          return records.get(run);
        }
      };

  /**
   * @param state before the first event
   */
  public MemoryRecords(ClusterState state) {
    this.state = state;
  }

  /** Takes events in their order. */
  public synchronized void follow(List<Event> events) {
    for (Event event : events) {
      ClusterState before = state;
      state = before.apply(event);
      for (JobRecord record : JobRecorder.follow(before, event, state, known)) {
        records.put(record.key(), record);
      }
    }
  }

  @Override
  public void find(RecordQuery query, Instant now, Consumer<JobRecord> reader) {
    List<JobRecord> all;
    synchronized (this) {
      all = new ArrayList<>(records.values());
    }
    new RecordFilter(query).of(all).forEach(reader);
  }
}
