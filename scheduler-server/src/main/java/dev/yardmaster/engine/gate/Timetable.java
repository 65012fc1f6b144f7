package dev.yardmaster.engine.gate;

import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** Which licences are taken, and how many tasks of an array run, at any time. */
final class Timetable {
  private record Stay(long from, long until, int amount) {}

  private final TreeMap<String, List<Stay>> licenses = new TreeMap<>();
  private final TreeMap<Integer, List<Stay>> tasks = new TreeMap<>();

  /** A job runs for a time, in seconds since the epoch. */
  void occupy(Job job, long from, long until) {
    if (job.state() != JobState.RUNNING && job.state() != JobState.SUSPENDED) {
      return;
    }
    job.heldLicenses()
        .forEach(
            (name, n) ->
                licenses
                    .computeIfAbsent(name, k -> new ArrayList<>())
                    .add(new Stay(from, until, n)));
    if (job.array() != null) {
      tasks
          .computeIfAbsent(job.array().arrayJobId(), k -> new ArrayList<>())
          .add(new Stay(from, until, 1));
    }
  }

  int licenses(String name, long time) {
    return at(licenses.getOrDefault(name, List.of()), time);
  }

  int tasks(int arrayJobId, long time) {
    return at(tasks.getOrDefault(arrayJobId, List.of()), time);
  }

  /** When, after a time, the first ends that shares a licence or an array with a job. */
  long nextEnd(Job job, long after) {
    long next = Long.MAX_VALUE;
    for (String name : job.request().licenses().keySet()) {
      next = Math.min(next, nextEnd(licenses.getOrDefault(name, List.of()), after));
    }
    return job.array() == null
        ? next
        : Math.min(next, nextEnd(tasks.getOrDefault(job.array().arrayJobId(), List.of()), after));
  }

  private static int at(List<Stay> stays, long time) {
    int taken = 0;
    for (Stay stay : stays) {
      taken += stay.from <= time && time < stay.until ? stay.amount : 0;
    }
    return taken;
  }

  private static long nextEnd(List<Stay> stays, long after) {
    long next = Long.MAX_VALUE;
    for (Stay stay : stays) {
      next = stay.until > after ? Math.min(next, stay.until) : next;
    }
    return next;
  }
}
