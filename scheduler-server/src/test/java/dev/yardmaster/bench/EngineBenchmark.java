package dev.yardmaster.bench;

import dev.yardmaster.engine.Engine;
import dev.yardmaster.engine.Pass;
import dev.yardmaster.engine.Step;
import dev.yardmaster.engine.explain.Explainer;
import dev.yardmaster.engine.gate.Board;
import dev.yardmaster.engine.plan.Outlook;
import dev.yardmaster.explain.Explanation;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What the engine costs on full clusters with long queues, by one thread. As in a server, what was
 * compiled of the configuration and of equal requests stays from one pass to the next; what
 * concerns running and pending jobs is computed anew.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 2, time = 2)
@Measurement(iterations = 4, time = 1)
@Fork(
    value = 1,
    jvmArgs = {"-Xmx1g", "-XX:+UseSerialGC", "--sun-misc-unsafe-memory-access=allow"})
public class EngineBenchmark {
  private static final Duration WEEK = Duration.ofDays(7);

  /** A main pass over the whole queue. */
  @Benchmark
  public Step mainPass(Clusters clusters) {
    return Engine.step(clusters.state(), LargeCluster.NOW, Pass.MAIN);
  }

  /** A forecast: a place in the plan for every pending job, to the horizon of seven days. */
  @Benchmark
  public Outlook fullPlan(Clusters clusters) {
    return Outlook.of(clusters.state(), LargeCluster.NOW, WEEK);
  }

  /** The working arrays of a fork; the state itself is shared. */
  @Benchmark
  public Board fork(Clusters clusters) {
    return new Board(clusters.state(), LargeCluster.NOW);
  }

  /** Everything about one job: gates, blockers, and remedies that were tried. */
  @Benchmark
  public Explanation why(Clusters clusters) {
    return Explainer.explain(clusters.state(), clusters.last(), LargeCluster.NOW);
  }
}
