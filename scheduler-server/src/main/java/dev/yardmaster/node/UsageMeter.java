package dev.yardmaster.node;

import dev.yardmaster.controller.Command;
import dev.yardmaster.model.StepRecord;
import dev.yardmaster.model.StepUsage;
import dev.yardmaster.model.UsedStep;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Measures what the steps on a node use: soon after they begin, then less and less often, in the
 * end each JobAcctGatherFrequency (slurm.conf(5)), and tells the controller. Safe for use by
 * several threads.
 */
final class UsageMeter implements AutoCloseable {
  private static final long FIRST_MILLIS = 250;

  private final String node;
  private final Supplier<Duration> gather;
  private final Consumer<Command> tell;
  private final ScheduledExecutorService thread;
  private final Map<Key, Measured> steps = new ConcurrentHashMap<>();

  private record Key(Command.RunningJob run, int stepId) {}

  /** The processes of each task, as one look at the machine finds them. */
  @FunctionalInterface
  interface Tasks {
    Map<Integer, Set<Integer>> of(Processes.Look look);
  }

  private static final class Measured {
    private final Tasks tasks;
    private final Map<Integer, TaskUse> uses = new TreeMap<>();
    private long pause = FIRST_MILLIS;
    private long due = System.nanoTime() + FIRST_MILLIS * 1_000_000;

    Measured(Tasks tasks) {
      this.tasks = tasks;
    }

    synchronized void look(Processes.Look look, Function<Integer, TaskUse> fresh) {
      tasks.of(look).forEach((task, pids) -> uses.computeIfAbsent(task, fresh).look(pids));
    }

    synchronized @Nullable StepUsage usage() {
      return uses.values().stream().map(TaskUse::usage).reduce(StepUsage::and).orElse(null);
    }
  }

  /**
   * @param gather how often, which may change; zero to measure nothing
   */
  UsageMeter(String node, Supplier<Duration> gather, Consumer<Command> tell) {
    this.node = node;
    this.gather = gather;
    this.tell = tell;
    this.thread =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("usage-" + node).daemon().factory());
    thread.scheduleWithFixedDelay(this::measure, FIRST_MILLIS, FIRST_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** A step begins, or is found again. */
  void add(Command.RunningJob run, int stepId, Tasks tasks) {
    if (!gather.get().isZero()) {
      steps.putIfAbsent(new Key(run, stepId), new Measured(tasks));
    }
  }

  /** A batch script begins, or is found again; what its run has besides is that of its steps. */
  void addBatch(Command.RunningJob run, Function<Processes.Look, Set<Integer>> processes) {
    add(
        run,
        StepRecord.BATCH,
        look -> {
          Set<Integer> own = processes.apply(look);
          steps.forEach(
              (key, step) -> {
                if (key.run.equals(run) && key.stepId != StepRecord.BATCH) {
                  step.tasks.of(look).values().forEach(own::removeAll);
                }
              });
          return Map.of(0, own);
        });
  }

  /** What a step has used; null when nobody has looked. */
  @Nullable StepUsage usage(Command.RunningJob run, int stepId) {
    Measured step = steps.get(new Key(run, stepId));
    return step == null ? null : step.usage();
  }

  /**
   * What a batch script that has ended has used.
   *
   * @param times what its shim said of it
   */
  @Nullable StepUsage ended(Command.RunningJob run, String times) {
    if (gather.get().isZero()) {
      return null;
    }
    Measured batch =
        steps.computeIfAbsent(
            new Key(run, StepRecord.BATCH), key -> new Measured(look -> Map.of()));
    synchronized (batch) {
      batch.uses.computeIfAbsent(0, this::fresh).shellSaid(times);
    }
    return batch.usage();
  }

  void remove(Command.RunningJob run, int stepId) {
    steps.remove(new Key(run, stepId));
  }

  private TaskUse fresh(int task) {
    return new TaskUse(node, task);
  }

  private void measure() {
    long now = System.nanoTime();
    List<Measured> due = steps.values().stream().filter(s -> s.due <= now).toList();
    if (due.isEmpty()) {
      return;
    }
    long longest = Math.max(FIRST_MILLIS, gather.get().toMillis());
    Processes.Look look = Processes.look();
    for (Measured step : due) {
      step.look(look, this::fresh);
      step.pause = Math.min(2 * step.pause, longest);
      step.due = now + step.pause * 1_000_000;
    }
    List<UsedStep> used = new ArrayList<>();
    steps.forEach(
        (key, step) -> {
          StepUsage usage = step.usage();
          if (usage != null) {
            used.add(new UsedStep(key.run.jobId(), key.run.restarts(), key.stepId, usage));
          }
        });
    if (!used.isEmpty()) {
      tell.accept(new Command.StepsUsed(node, used));
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
