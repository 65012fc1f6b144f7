package dev.yardmaster.console.connect;

import dev.yardmaster.model.Allocation;
import dev.yardmaster.model.GresRequest;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobRequest;
import dev.yardmaster.model.JobState;
import org.jspecify.annotations.Nullable;

/** How much a job holds or, while it waits, asks for. An array counts one task. */
public final class JobSize {
  private JobSize() {}

  /** GPUs held, or asked for. */
  public static long gpus(Job job) {
    Allocation held = held(job);
    if (held != null) {
      return held.shares().stream()
          .flatMap(share -> share.gres().stream())
          .filter(gres -> gres.name().equals("gpu"))
          .mapToLong(gres -> gres.count())
          .sum();
    }
    return job.request().gres().stream()
        .filter(gres -> gres.name().equals("gpu"))
        .mapToLong(gres -> asked(gres, job.request()))
        .sum();
  }

  /** CPUs held, or the least asked for. */
  public static long cpus(Job job) {
    Allocation held = held(job);
    if (held != null) {
      return held.cpus();
    }
    JobRequest request = job.request();
    long forTasks = (long) Math.max(1, request.tasks()) * Math.max(1, request.cpusPerTask());
    long forNodes = (long) request.minNodes() * Math.max(1, request.minCpusPerNode());
    return Math.max(Math.max(forTasks, forNodes), gpus(job) * request.cpusPerGpu());
  }

  /** Nodes held, or the least asked for. */
  public static int nodes(Job job) {
    Allocation held = held(job);
    return held != null
        ? held.shares().size()
        : Math.max(job.expectedNodes(), Math.max(1, job.request().minNodes()));
  }

  /** A running or finished job has an allocation that counts; a requeued one does not. */
  private static @Nullable Allocation held(Job job) {
    return job.state() == JobState.PENDING ? null : job.allocation();
  }

  private static long asked(GresRequest gres, JobRequest request) {
    long nodes = Math.max(1, request.minNodes());
    return switch (gres.scope()) {
      case NODE -> gres.count() * nodes;
      case JOB -> gres.count();
      case SOCKET -> gres.count() * Math.max(1, request.socketsPerNode()) * nodes;
      case TASK -> gres.count() * Math.max(1, request.tasks());
    };
  }
}
