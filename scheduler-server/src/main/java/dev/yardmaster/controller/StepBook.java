package dev.yardmaster.controller;

import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.engine.state.Event;
import dev.yardmaster.engine.state.JobSteps;
import dev.yardmaster.model.ExitCode;
import dev.yardmaster.model.JobStep;
import dev.yardmaster.model.StepUsage;
import dev.yardmaster.model.UsedStep;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The steps that run, and the numbers of the next ones. Safe for use by several threads. */
public final class StepBook {
  private final Map<Integer, OfJob> jobs = new TreeMap<>();

  private final Map<Integer, List<String>> told = new TreeMap<>();

  /** Jobs whose salloc or srun was heard since {@link #takeHeard}. */
  private final Set<Integer> heard = new HashSet<>();

  /** Steps of the present run of a job. */
  private static final class OfJob {
    private final int restarts;
    private final Map<Integer, Running> running = new TreeMap<>();
    private int next;

    OfJob(int restarts) {
      this.restarts = restarts;
    }
  }

  /** By run and step, what each node says of it. */
  private final Map<StepKey, Map<String, StepUsage>> used = new HashMap<>();

  private record StepKey(int jobId, int restarts, int stepId) {}

  synchronized void used(String node, UsedStep said) {
    StepKey key = new StepKey(said.jobId(), said.restarts(), said.stepId());
    used.computeIfAbsent(key, k -> new TreeMap<>()).put(node, said.usage());
  }

  /** What all nodes together have said of a step; null when nothing. */
  synchronized @Nullable StepUsage used(int jobId, int restarts, int stepId) {
    return used.getOrDefault(new StepKey(jobId, restarts, stepId), Map.of()).values().stream()
        .reduce(StepUsage::and)
        .orElse(null);
  }

  /** What the steps that run have used, as far as it is known. */
  public synchronized List<UsedStep> used() {
    List<UsedStep> all = new ArrayList<>();
    used.forEach(
        (key, nodes) ->
            nodes.values().stream()
                .reduce(StepUsage::and)
                .ifPresent(u -> all.add(new UsedStep(key.jobId, key.restarts, key.stepId, u))));
    return all;
  }

  private void forget(int jobId) {
    jobs.remove(jobId);
    told.remove(jobId);
    heard.remove(jobId);
    used.keySet().removeIf(k -> k.jobId == jobId);
  }

  private static final class Running {
    private JobStep step;
    private boolean overdue;
    private final Map<String, ExitCode> done = new TreeMap<>();

    Running(JobStep step) {
      this.step = step;
    }
  }

  /** All that run, by job and number. */
  public synchronized List<JobStep> all() {
    List<JobStep> steps = new ArrayList<>();
    jobs.values().forEach(job -> job.running.values().forEach(r -> steps.add(r.step)));
    return steps;
  }

  /** Gives a step that runs another limit. */
  synchronized void limit(JobStep step, long minutes) {
    OfJob job = jobs.get(step.jobId());
    Running running = job == null ? null : job.running.get(step.stepId());
    if (running != null) {
      running.step = running.step.withTimeLimitMinutes(minutes);
      running.overdue = false;
    }
  }

  /** The steps that have run for longer than their limit, each once. */
  synchronized List<JobStep> takeOverdue(Instant now) {
    List<JobStep> over = new ArrayList<>();
    for (OfJob job : jobs.values()) {
      for (Running running : job.running.values()) {
        long minutes = running.step.timeLimitMinutes();
        boolean passed =
            minutes >= 0 && !running.step.started().plusSeconds(60 * minutes).isAfter(now);
        if (passed && !running.overdue) {
          running.overdue = true;
          over.add(running.step);
        }
      }
    }
    return over;
  }

  /** Something for whoever waits for an interactive job. */
  synchronized void tell(int jobId, String text) {
    told.computeIfAbsent(jobId, id -> new ArrayList<>()).add(text);
  }

  /** What was told since so many. */
  public synchronized List<String> told(int jobId, int after) {
    List<String> all = told.getOrDefault(jobId, List.of());
    return List.copyOf(all.subList(Math.clamp(after, 0, all.size()), all.size()));
  }

  /** The salloc or srun of a job has asked for news. */
  public synchronized void heard(int jobId) {
    heard.add(jobId);
  }

  /** Whether it has since this was asked last. */
  synchronized boolean takeHeard(int jobId) {
    return heard.remove(jobId);
  }

  synchronized List<JobStep> of(int jobId) {
    OfJob job = jobs.get(jobId);
    return job == null ? List.of() : job.running.values().stream().map(r -> r.step).toList();
  }

  synchronized @Nullable JobStep find(int jobId, int stepId) {
    OfJob job = jobs.get(jobId);
    Running running = job == null ? null : job.running.get(stepId);
    return running == null ? null : running.step;
  }

  /** The number that the next step of a run gets. */
  synchronized int nextId(int jobId, int restarts) {
    OfJob job = jobs.get(jobId);
    return job == null || job.restarts != restarts ? 0 : job.next;
  }

  /**
   * A node is done with a step.
   *
   * @return what comes of it: with the last node that the step has ended, with the worst exit code
   *     of all; nothing when it is not known, or was said before
   */
  synchronized @Nullable Event done(Command.StepEnded report, Instant now) {
    OfJob job = jobs.get(report.jobId());
    Running running = job == null ? null : job.running.get(report.stepId());
    if (job == null
        || running == null
        || job.restarts != report.restarts()
        || running.done.containsKey(report.node())) {
      return null;
    }
    ExitCode worst = report.exitCode();
    for (ExitCode exit : running.done.values()) {
      worst = ExitCode.highest(exit, worst);
    }
    boolean all =
        running.step.layout().stream()
            .allMatch(n -> n.node().equals(report.node()) || running.done.containsKey(n.node()));
    return all
        ? new Event.StepEnded(now, report.jobId(), report.restarts(), report.stepId(), worst)
        : new Event.StepLeftNode(
            now,
            report.jobId(),
            report.restarts(),
            report.stepId(),
            report.node(),
            report.exitCode());
  }

  /** The steps that a node is to have tasks of. */
  synchronized List<JobStep> on(String node) {
    List<JobStep> found = new ArrayList<>();
    for (OfJob job : jobs.values()) {
      for (Running running : job.running.values()) {
        boolean there = running.step.layout().stream().anyMatch(n -> n.node().equals(node));
        if (there && !running.done.containsKey(node)) {
          found.add(running.step);
        }
      }
    }
    return found;
  }

  /** Takes the steps of a state that was read, or gone back to. */
  synchronized void recover(ClusterState state) {
    jobs.clear();
    state
        .steps()
        .forEach(
            (id, steps) -> {
              OfJob job = new OfJob(steps.restarts());
              job.next = steps.nextId();
              for (JobSteps.Running each : steps.running()) {
                Running running = new Running(each.step());
                running.done.putAll(each.ended());
                job.running.put(each.step().stepId(), running);
              }
              jobs.put(id, job);
            });
  }

  synchronized void follow(Event event) {
    switch (event) {
      case Event.StepStarted e -> {
        OfJob job = jobs.get(e.step().jobId());
        if (job == null || job.restarts != e.step().restarts()) {
          job = new OfJob(e.step().restarts());
          jobs.put(e.step().jobId(), job);
        }
        job.running.put(e.step().stepId(), new Running(e.step()));
        job.next = Math.max(job.next, e.step().stepId() + 1);
      }
      case Event.StepLeftNode e -> {
        OfJob job = jobs.get(e.jobId());
        Running running = job == null ? null : job.running.get(e.stepId());
        if (job != null && running != null && job.restarts == e.restarts()) {
          running.done.put(e.node(), e.exitCode());
        }
      }
      case Event.StepEnded e -> {
        OfJob job = jobs.get(e.jobId());
        if (job != null && job.restarts == e.restarts()) {
          job.running.remove(e.stepId());
        }
        used.remove(new StepKey(e.jobId(), e.restarts(), e.stepId()));
      }
      case Event.JobReleased e -> forget(e.jobId());
      case Event.JobPurged e -> forget(e.jobId());
      default -> {}
    }
  }
}
