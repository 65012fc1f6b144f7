package dev.yardmaster.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.model.PriorityPolicy;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReleasedSizeTest {
  private final Bench bench =
      new Bench(
          TestCluster.config(1, Map.of())
              .with(
                  c ->
                      c.priority(
                          PriorityPolicy.defaults()
                              .with(p -> p.multifactor(true).weightJobSize(1000)))));

  @Test
  void aJobThatNodesWereLookedForIsAsLargeAsTheyAreWhenItIsReleased() {
    bench.register("n1");
    bench.run("time=60", "exclusive");
    int id = bench.submit("time=60", "exclusive");
    bench.schedule();
    long first = bench.job(id).priority();
    String ids = Integer.toString(id);
    bench.handle(new Command.HoldJobs(TestCluster.ROOT, ids, false));
    bench.schedule();
    assertThat(bench.job(id).priority()).isZero();
    bench.handle(new Command.ReleaseJobs(TestCluster.ROOT, ids));
    long released = bench.job(id).priority();
    assertThat(released).isGreaterThan(first);
    bench.schedule();
    assertThat(bench.job(id).priority()).isEqualTo(released);
  }
}
