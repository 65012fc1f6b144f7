package dev.yardmaster.history;

import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.engine.state.Event;
import dev.yardmaster.model.ArrayInfo;
import dev.yardmaster.model.HetInfo;
import dev.yardmaster.model.Job;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Finds what an event changed of jobs, from the states before and after it. */
final class ChangeReader {
  private final List<Change> changes = new ArrayList<>();
  private final List<KnownJob> jobs = new ArrayList<>();
  private final List<Change> forgotten = new ArrayList<>();

  /**
   * @param before null for the first event of all
   */
  void read(@Nullable ClusterState before, Event event, ClusterState after, long sequence) {
    for (int id : event.jobIds()) {
      Job old = before == null ? null : before.job(id);
      Job job = after.job(id);
      if (job != null) {
        read(old, event, job, sequence);
      } else if (old != null) {
        Change end = new Change(id, sequence, event.at(), null, "", "");
        changes.add(end);
        forgotten.add(end);
      }
    }
  }

  /** What there was at the beginning, of which no event tells. */
  void begin(ClusterState state, long sequence) {
    for (Job job : state.jobs().values()) {
      jobs.add(known(job, sequence, 0));
      changes.add(new Change(job.id(), sequence, state.time(), Shown.of(job), "", ""));
    }
  }

  private void read(@Nullable Job old, Event event, Job job, long sequence) {
    Shown shown = Shown.of(job);
    if (old == null || !sameIdentity(old, job)) {
      int parent =
          old == null && event instanceof Event.ArrayTaskSplit split ? split.arrayRecordId() : 0;
      jobs.add(known(job, sequence, parent));
    }
    boolean edited = event instanceof Event.JobEdited e && !e.by().isEmpty();
    if (old == null || edited || !Shown.of(old).equals(shown)) {
      String by = event instanceof Event.JobEdited e ? e.by() : "";
      String edit = event instanceof Event.JobEdited e ? e.change() : "";
      changes.add(new Change(job.id(), sequence, event.at(), shown, by, edit));
    }
  }

  private static boolean sameIdentity(Job old, Job job) {
    ArrayInfo before = old.array();
    ArrayInfo after = job.array();
    boolean sameTask =
        before == null || after == null || Objects.equals(before.taskId(), after.taskId());
    return old.name().equals(job.name())
        && sameTask
        && old.owner().account().equals(job.owner().account());
  }

  private static KnownJob known(Job job, long sequence, int parent) {
    ArrayInfo array = job.array();
    HetInfo het = job.het();
    return new KnownJob(
        job.id(),
        array == null ? 0 : array.arrayJobId(),
        array == null || array.taskId() == null ? -1 : array.taskId(),
        het == null ? 0 : het.hetJobId(),
        het == null ? -1 : het.offset(),
        job.name(),
        job.owner().uid(),
        job.owner().user(),
        job.owner().account(),
        sequence,
        parent,
        null);
  }

  List<Change> changes() {
    return changes;
  }

  List<KnownJob> jobs() {
    return jobs;
  }

  /** The jobs that the controller has forgotten. */
  List<Change> forgotten() {
    return forgotten;
  }

  void clear() {
    changes.clear();
    jobs.clear();
    forgotten.clear();
  }
}
