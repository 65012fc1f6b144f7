package dev.yardmaster.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Random clusters, workloads and faults, each from a seed; what must hold is checked after each
 * step. Runs for a few seconds; {@code -Dsimulation.seconds} makes it longer, {@code
 * -Dsimulation.seed} repeats one.
 */
class SimulationTest {
  private static final long SECONDS = Long.getLong("simulation.seconds", 6);
  private static final int STEPS = 8;

  @Test
  void nothingIsBrokenWhateverHappens() {
    Long only = Long.getLong("simulation.seed");
    if (only != null) {
      simulate(only);
      return;
    }
    long until = System.nanoTime() + SECONDS * 1_000_000_000L;
    long first = Long.getLong("simulation.first", 1);
    long seed = first;
    while (System.nanoTime() < until || seed < first + 20) {
      simulate(seed++);
    }
  }

  private static void simulate(long seed) {
    try {
      new Run(seed).play();
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError("repeat with -Dsimulation.seed=" + seed + "\n" + e.getMessage(), e);
    }
  }

  /** One cluster and what happens to it. */
  private static final class Run {
    private final Random random;
    private final Lab lab;

    Run(long seed) {
      random = new Random(seed);
      lab = RandomLab.any(seed);
    }

    void play() {
      for (int i = 0; i < STEPS; i++) {
        fault();
        ClusterState before = lab.state();
        Step step = lab.pass();
        Invariants.check(before, step, lab.now(), lab.state());
        Invariants.check(lab.state());
        assertThat(Engine.step(lab.state(), lab.now(), java.util.Set.of(Pass.HOUSEKEEPING)))
            .isEqualTo(Engine.step(lab.state(), lab.now(), java.util.Set.of(Pass.HOUSEKEEPING)));
        lab.advanceMinutes(1 + random.nextInt(12));
        Invariants.check(lab.state());
      }
    }

    private void fault() {
      List<String> nodes = List.copyOf(lab.state().nodes().keySet());
      String node = nodes.get(random.nextInt(nodes.size()));
      switch (random.nextInt(8)) {
        case 0 -> nodeFails(node);
        case 1 -> lab.node(node, "up");
        case 2 -> lab.node(node, "drain");
        case 3 -> withOne(JobState.RUNNING, lab::requeueNow);
        case 4 -> withOne(JobState.PENDING, lab::cancel);
        case 5 -> withOne(JobState.RUNNING, lab::cancel);
        case 6 ->
            lab.reserve(
                "s" + random.nextInt(3),
                lab.now().plusSeconds(60L * random.nextInt(60)),
                10 + random.nextInt(60),
                node,
                "alice",
                List.of("MAINT", "DAILY", "FLEX", "MAGNETIC", "OVERLAP").get(random.nextInt(5)));
        default -> {}
      }
    }

    private void nodeFails(String node) {
      lab.node(node, "down");
      for (Job job : List.copyOf(lab.state().jobs().values())) {
        var allocation = job.allocation();
        if (job.state() == JobState.RUNNING
            && allocation != null
            && allocation.nodes().contains(node)) {
          if (random.nextBoolean()) {
            lab.requeueNow(job.id());
          } else {
            lab.finish(job.id(), JobState.NODE_FAIL);
          }
        }
      }
    }

    private void withOne(JobState state, java.util.function.IntConsumer action) {
      List<Job> jobs =
          lab.state().jobs().values().stream().filter(j -> j.state() == state).toList();
      if (!jobs.isEmpty()) {
        action.accept(jobs.get(random.nextInt(jobs.size())).id());
      }
    }
  }
}
