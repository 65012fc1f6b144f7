package dev.yardmaster.engine.place;

import dev.yardmaster.model.JobRequest;
import dev.yardmaster.model.SchedulingPolicy;
import java.util.Set;

/**
 * How jobs get parts of GPUs (slurm.conf(5), SelectTypeParameters).
 *
 * @param several MULTIPLE_SHARING_GRES_PJ: parts of several GPUs of a node may serve one job,
 *     though never one task
 * @param leastLoaded LL_SHARED_GRES: the GPU of which most is free comes first
 * @param apart no two tasks of the job have parts of the same GPU
 */
record Sharing(boolean several, boolean leastLoaded, boolean apart) {
  static Sharing of(SchedulingPolicy policy, JobRequest request) {
    Set<String> select = policy.selectParameters();
    return new Sharing(
        select.contains("MULTIPLE_SHARING_GRES_PJ"),
        select.contains("LL_SHARED_GRES"),
        request.oneTaskPerSharing());
  }

  /** How many parts tasks can get of a node that want so many each, of one GPU. */
  long forTasks(Hardware hardware, Usage usage, int kind, int node, long each) {
    long best = 0;
    long sum = 0;
    for (int gpu = 0; gpu < hardware.gpus(node); gpu++) {
      long tasks = usage.freeOn(gpu, kind, node) / Math.max(1, each);
      tasks = apart ? Math.min(1, tasks) : tasks;
      sum += tasks;
      best = Math.max(best, tasks);
    }
    return each * (several ? sum : best);
  }
}
