package dev.yardmaster.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.engine.explain.Explainer;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.engine.state.Event;
import dev.yardmaster.explain.Explanation;
import dev.yardmaster.explain.Gate;
import dev.yardmaster.explain.Remedy;
import dev.yardmaster.explain.Verdict;
import dev.yardmaster.model.ClusterConfig;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import dev.yardmaster.sim.Forecaster;
import java.time.Duration;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/** What must hold of thousands of small random clusters. */
class RandomClusterTest {
  private static final Set<Pass> PASSES = EnumSet.of(Pass.MAIN, Pass.BACKFILL);

  @Property(tries = 400, seed = RandomLab.ORDER, shrinking = ShrinkingMode.OFF)
  void noStepBreaksAnInvariant(@ForAll long seed) {
    Lab lab = RandomLab.any(seed);
    for (int i = 0; i < 6; i++) {
      ClusterState before = lab.state();
      Step step = lab.pass();
      Invariants.check(before, step, lab.now(), lab.state());
      Invariants.check(lab.state());
      lab.advanceMinutes(7.5);
      Invariants.check(lab.state());
    }
  }

  @Property(tries = 200, seed = RandomLab.ORDER, shrinking = ShrinkingMode.OFF)
  void aStepIsAFunctionOfItsArguments(@ForAll long seed) {
    Lab lab = RandomLab.any(seed);
    Step one = Engine.step(lab.state(), lab.now(), PASSES);
    Step two = Engine.step(lab.state(), lab.now(), PASSES);
    assertThat(one).isEqualTo(two);
  }

  /**
   * What a pass starts may change which of several equally early places another job is planned on,
   * and so make room for one more; that ends soon, and nobody is delayed by it.
   */
  @Property(tries = 200, seed = RandomLab.ORDER, shrinking = ShrinkingMode.OFF)
  void passesOnTheSameStateComeToRest(@ForAll long seed) {
    Lab lab = RandomLab.any(seed);
    boolean starts = true;
    for (int i = 0; i < 5 && starts; i++) {
      ClusterState before = lab.state();
      Step step = lab.pass();
      Invariants.check(before, step, lab.now(), lab.state());
      starts = step.decisions().stream().anyMatch(d -> d instanceof Decision.Start);
    }
    assertThat(starts).isFalse();
  }

  @Property(tries = 400, seed = RandomLab.ORDER, shrinking = ShrinkingMode.OFF)
  void theBindingGateIsTheOneThatDecided(@ForAll long seed) {
    Lab lab = RandomLab.any(seed);
    Step trace = Engine.trace(lab.state(), lab.now(), PASSES);
    for (Job job : lab.state().jobs().values()) {
      if (job.state() != JobState.PENDING) {
        continue;
      }
      boolean starts =
          trace.decisions().stream()
              .anyMatch(d -> d instanceof Decision.Start && d.jobId() == job.id());
      Explanation e = Explainer.explain(lab.state(), job.id(), lab.now());
      Gate decided = trace.figures().gate(job.id());
      if (starts) {
        assertThat(e.verdict()).as("job %d", job.id()).isEqualTo(Verdict.NOW);
        assertThat(e.binding()).isNull();
      } else {
        assertThat(e.verdict()).as("job %d", job.id()).isNotEqualTo(Verdict.NOW);
        if (decided != null && job.partitions().size() == 1) {
          assertThat(e.binding()).as("job %d", job.id()).isEqualTo(decided);
        }
        assertThat(e.binding()).as("job %d", job.id()).isNotNull();
      }
    }
  }

  @Property(tries = 200, seed = RandomLab.ORDER, shrinking = ShrinkingMode.OFF)
  void whatIsExplainedAsStartingNowStartsAndARemedyForNowHelpsNow(@ForAll long seed) {
    Lab lab = RandomLab.any(seed);
    lab.pass();
    List<Job> pending =
        lab.state().jobs().values().stream()
            .filter(j -> j.state() == JobState.PENDING)
            .limit(3)
            .toList();
    for (Job job : pending) {
      Explanation e = Explainer.explain(lab.state(), job.id(), lab.now());
      boolean starts =
          Engine.step(lab.state(), lab.now(), PASSES).decisions().stream()
              .anyMatch(d -> d instanceof Decision.Start && d.jobId() == job.id());
      assertThat(e.verdict() == Verdict.NOW).as("job %d starts", job.id()).isEqualTo(starts);
      e.remedies()
          .forEach(
              r -> {
                assertThat(r.start()).isAfterOrEqualTo(lab.now());
                assertThat(r.command()).isNotBlank();
                Long gain = r.gainSeconds();
                // what a raised limit gains is said also where it is nothing
                long least = r.lever() == Remedy.Lever.RAISE_LIMIT ? 0 : 1;
                assertThat(gain == null || gain >= least).isTrue();
              });
    }
  }

  @Property(tries = 100, seed = RandomLab.ORDER, shrinking = ShrinkingMode.OFF)
  void nobodyDelaysTheFirstOfTheQueue(@ForAll long seed) {
    Lab lab = RandomLab.simple(seed);
    planEarliest(lab);
    lab.pass();
    var starts = Forecaster.forecast(lab.state(), lab.now(), Duration.ofDays(2));
    lab.state().jobs().values().stream()
        .filter(j -> starts.containsKey(j.id()))
        .min(Comparator.comparingLong((Job j) -> -j.priority()).thenComparingInt(Job::id))
        .ifPresent(
            first -> {
              lab.advanceMinutes(60 * 24);
              assertThat(lab.job(first.id()).started())
                  .as("job %d", first.id())
                  .isNotNull()
                  .isBeforeOrEqualTo(Objects.requireNonNull(starts.get(first.id())).start());
            });
  }

  /** In Slurm's steps a place depends on what else ends soon after, so this holds without them. */
  private static void planEarliest(Lab lab) {
    ClusterConfig config = lab.state().config();
    SortedMap<String, String> parameters = new TreeMap<>(config.scheduling().parameters());
    parameters.put("bf_search", "earliest");
    lab.apply(
        new Event.ConfigApplied(
            lab.now(), config.withScheduling(config.scheduling().withParameters(parameters))));
  }
}
