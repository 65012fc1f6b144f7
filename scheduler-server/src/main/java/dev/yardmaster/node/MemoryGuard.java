package dev.yardmaster.node;

import dev.yardmaster.model.Allocation;
import dev.yardmaster.model.Job;
import java.time.Instant;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Kills a step that takes more memory than its job may have on the node (slurm.conf(5),
 * OverMemoryKill), each step by itself, as Slurm does whenever it gathers usage. What is killed
 * ends by signal 9; only the kernel's own killing makes a job OUT_OF_MEMORY.
 */
final class MemoryGuard {
  private static final Logger LOG = LoggerFactory.getLogger(MemoryGuard.class);
  private static final long MIB = 1 << 20;

  /** Until the next look at settings that ask for none. */
  private static final long PAUSE_SECONDS = 30;

  private final String node;
  private final MemoryRule rule;

  MemoryGuard(String node, MemoryRule rule) {
    this.node = node;
    this.rule = rule;
  }

  /** The memory a job may have on a node, in MiB; 0 for any. */
  static long limitMib(Job job, String node) {
    Allocation allocation = job.allocation();
    return allocation == null
        ? 0
        : allocation.shares().stream()
            .filter(share -> share.node().equals(node))
            .mapToLong(share -> share.memoryMib())
            .findFirst()
            .orElse(0);
  }

  /**
   * Looks at the memory of a node's steps whenever usage is gathered, where OverMemoryKill asks.
   *
   * @param present the daemon's settings, which may change
   */
  static void watch(
      String node,
      Supplier<NodeSettings> present,
      ScheduledExecutorService thread,
      Consumer<MemoryGuard> look) {
    long seconds = present.get().gather().toSeconds();
    thread.schedule(
        () -> {
          NodeSettings settings = present.get();
          if (settings.memory().kills() && !settings.gather().isZero()) {
            look.accept(new MemoryGuard(node, settings.memory()));
          }
          watch(node, present, thread, look);
        },
        seconds > 0 ? seconds : PAUSE_SECONDS,
        TimeUnit.SECONDS);
  }

  /**
   * The batch scripts, each with what it has started by itself.
   *
   * @param shim the process above a script; -1 when there is none
   * @param say adds a line to the output of a run
   */
  MemoryGuard scripts(
      Collection<RunDirectory> runs,
      ToIntFunction<RunDirectory> shim,
      BiConsumer<RunDirectory, String> say) {
    for (RunDirectory run : runs) {
      long limit = run.memoryMib();
      int above = limit > 0 ? shim.applyAsInt(run) : -1;
      if (above > 0) {
        Set<Integer> processes =
            ProcessHandle.of(above).stream()
                .flatMap(ProcessHandle::descendants)
                .map(p -> (int) p.pid())
                .collect(Collectors.toSet());
        int id = run.run().jobId();
        look(id + ".batch", "JOB " + id, processes, limit, line -> say.accept(run, line));
      }
    }
    return this;
  }

  /** The tasks of a step here. */
  void step(String id, Collection<Integer> processes, long limitMib, Consumer<String> say) {
    look(id, "STEP " + id, processes, limitMib, say);
  }

  private void look(
      String id,
      String cancelled,
      Collection<Integer> processes,
      long limitMib,
      Consumer<String> say) {
    long used = limitMib <= 0 ? 0 : rule.used(processes);
    long limit = limitMib * MIB;
    if (used <= limit) {
      return;
    }
    String exceeded =
        "StepId=" + id + " exceeded memory limit (" + used + " > " + limit + "), being killed";
    LOG.info("{}: {}", node, exceeded);
    String now = CancelLine.time(Instant.now());
    String second = now.substring(0, now.length() - 4);
    say.accept(CancelLine.message(now, exceeded));
    say.accept(
        CancelLine.message(
            now,
            "*** %s ON %s CANCELLED AT %s DUE to SIGNAL Killed ***"
                .formatted(cancelled, node, second)));
    say.accept(CancelLine.message(now, "Exceeded job memory limit"));
    processes.forEach(pid -> Processes.signal(pid, Processes.SIGKILL));
  }
}
