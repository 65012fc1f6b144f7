package dev.yardmaster.console.queue;

import dev.yardmaster.console.connect.Unit;
import dev.yardmaster.console.terms.Terms;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Counts the jobs of groups; the groups add up to the line of all jobs. */
final class GroupCounter {
  private int jobs;
  private long waiting;
  private long running;
  private long units;
  private Duration longest = Duration.ZERO;

  private GroupCounter() {}

  /** All jobs that pass first, then the groups, the one with most waiting and running first. */
  static List<QueueGroup> count(
      List<Job> jobs, Predicate<Job> passes, GroupBy by, Unit unit, Instant now, Terms terms) {
    GroupCounter all = new GroupCounter();
    Map<String, GroupCounter> counters = new LinkedHashMap<>();
    Map<String, String> labels = new LinkedHashMap<>();
    for (Job job : jobs) {
      if (passes.test(job)) {
        String key = by.key(job);
        all.add(job, unit, now);
        counters.computeIfAbsent(key, k -> new GroupCounter()).add(job, unit, now);
        labels.computeIfAbsent(key, k -> by.label(job, terms));
      }
    }
    List<QueueGroup> groups = new ArrayList<>();
    counters.forEach(
        (key, counter) -> groups.add(counter.group(key, labels.getOrDefault(key, key))));
    groups.sort(
        Comparator.comparingLong((QueueGroup group) -> group.waiting() + group.running())
            .reversed()
            .thenComparing(QueueGroup::label));
    groups.addFirst(all.group(null, terms.text(QueueText.GROUP_ALL)));
    return List.copyOf(groups);
  }

  private void add(Job job, Unit unit, Instant now) {
    jobs++;
    if (job.state() == JobState.PENDING) {
      waiting += job.taskCount();
      Duration waits = Terms.elapsed(job, now);
      longest = waits.compareTo(longest) > 0 ? waits : longest;
    } else if (job.holdsResources()) {
      running++;
      units += unit.of(job);
    }
  }

  private QueueGroup group(@Nullable String key, String label) {
    return new QueueGroup(key, label, jobs, waiting, running, units, longest);
  }
}
