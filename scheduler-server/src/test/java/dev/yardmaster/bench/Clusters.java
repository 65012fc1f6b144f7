package dev.yardmaster.bench;

import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** A full cluster with a queue, made once for each size. */
@State(Scope.Benchmark)
public class Clusters {
  private static final long SEED = 7;

  /** Nodes, an x, and pending jobs. */
  @Param({"1000x10000"})
  public String size = "";

  private ClusterState state;
  private int last;

  public Clusters() {
    state = new LargeCluster(1, SEED).state(0);
  }

  @Setup(Level.Trial)
  public void make() {
    int x = size.indexOf('x');
    int nodes = Integer.parseInt(size.substring(0, x));
    state = new LargeCluster(nodes, SEED).state(Integer.parseInt(size.substring(x + 1)));
    for (Job job : state.jobs().values()) {
      if (job.state() == JobState.PENDING) {
        last = job.id();
      }
    }
  }

  ClusterState state() {
    return state;
  }

  /** The id of the pending job that was submitted last. */
  int last() {
    return last;
  }
}
