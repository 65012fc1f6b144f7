package dev.yardmaster.accounting;

import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.engine.state.Event;
import dev.yardmaster.model.JobRecord;
import dev.yardmaster.model.NodeSpan;
import dev.yardmaster.model.RecordQuery;
import dev.yardmaster.model.UsageReport;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Records of events in memory, for clusters that live in virtual time. */
public final class MemoryRecords implements JobRecords {
  private final TreeMap<JobRecord.Key, JobRecord> records = new TreeMap<>();
  private final Map<String, NodeSpan> present = new HashMap<>();
  private final List<NodeSpan> past = new ArrayList<>();
  private ClusterState state;

  private final JobRecorder.Known known =
      new JobRecorder.Known() {
        @Override
        public @Nullable JobRecord latest(int jobId) {
          Map.Entry<JobRecord.Key, JobRecord> last =
              records.floorEntry(new JobRecord.Key(jobId, Integer.MAX_VALUE, Integer.MAX_VALUE));
          return last == null || last.getKey().jobId() != jobId ? null : last.getValue();
        }

        @Override
        public @Nullable JobRecord of(JobRecord.Key part) {
          return records.get(part);
        }
      };

  /**
   * @param state before the first event
   */
  public MemoryRecords(ClusterState state) {
    this.state = state;
    take(
        NodeSpans.follow(
            new Event.ConfigApplied(state.time(), state.config()), state, present::get));
  }

  private void take(List<NodeSpan> spans) {
    for (NodeSpan span : spans) {
      if (span.ended() == null) {
        present.put(span.node(), span);
      } else {
        past.add(span);
        present.remove(span.node());
      }
    }
  }

  /** Takes events in their order. */
  public synchronized void follow(List<Event> events) {
    for (Event event : events) {
      ClusterState before = state;
      state = before.apply(event);
      for (JobRecord record : JobRecorder.follow(before, event, state, known)) {
        records.put(record.key(), record);
      }
      take(NodeSpans.follow(event, state, present::get));
    }
  }

  @Override
  public synchronized UsageReport usage(Instant start, Instant end, Instant now) {
    List<NodeSpan> spans = new ArrayList<>(past);
    spans.addAll(present.values());
    List<JobRecord> meant =
        new RecordFilter(UsageReports.query(start, end)).of(new ArrayList<>(records.values()));
    return UsageReports.of(start, end, meant, spans, now);
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
