package dev.yardmaster.console.connect;

import dev.yardmaster.model.Job;

/** What the size of a cluster and of its jobs is told in. */
public enum Unit {
  GPU {
    @Override
    public long of(Job job) {
      return JobSize.gpus(job);
    }
  },
  CPU {
    @Override
    public long of(Job job) {
      return JobSize.cpus(job);
    }
  };

  /** How many of these a job holds or asks for. */
  public abstract long of(Job job);
}
