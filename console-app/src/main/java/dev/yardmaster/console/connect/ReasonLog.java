package dev.yardmaster.console.connect;

import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Reason;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What held each waiting job, and from when, since the console watches. Only jobs whose reason
 * changed take room. Snapshots are compared by one thread at a time; reading is safe for all.
 */
public final class ReasonLog {
  /** How many reasons of one job are kept; the oldest go. */
  public static final int LIMIT = 8;

  /**
   * A reason and when it began to hold the job.
   *
   * @param reason what held it
   * @param since the first moment it was seen; for the first one when the job was submitted
   */
  public record Spell(Reason reason, Instant since) {}

  private final Map<Integer, List<Spell>> byJob = new ConcurrentHashMap<>();

  /** Notes what changed from one snapshot to the next. */
  public void compare(Snapshot before, Snapshot after) {
    for (Job job : after.jobs()) {
      Job was = before.job(job.id()).orElse(null);
      if (was == null || was == job) {
        continue;
      }
      if (job.state() != JobState.PENDING) {
        byJob.remove(job.id());
      } else if (was.state() == JobState.PENDING && was.reason() != job.reason()) {
        note(was, job, after.time());
      }
    }
    byJob.keySet().removeIf(id -> after.job(id).isEmpty());
  }

  private void note(Job was, Job job, Instant at) {
    List<Spell> known =
        byJob.getOrDefault(job.id(), List.of(new Spell(was.reason(), was.submitted())));
    List<Spell> spells = new ArrayList<>(known);
    spells.add(new Spell(job.reason(), at));
    int from = Math.max(0, spells.size() - LIMIT);
    byJob.put(job.id(), List.copyOf(spells.subList(from, spells.size())));
  }

  /** The reasons of a waiting job, the first first; empty when its reason never changed. */
  public List<Spell> of(Job job) {
    return byJob.getOrDefault(job.id(), List.of());
  }
}
