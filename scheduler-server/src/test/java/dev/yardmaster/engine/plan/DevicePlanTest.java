package dev.yardmaster.engine.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.engine.InvariantsOfDevices;
import dev.yardmaster.engine.Lab;
import dev.yardmaster.engine.RandomLab;
import dev.yardmaster.engine.state.Event;
import dev.yardmaster.model.ClusterConfig;
import dev.yardmaster.model.Job;
import dev.yardmaster.sim.Forecaster;
import java.time.Duration;
import java.util.Comparator;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/** Plans of cores and GPUs on random clusters: {@code bf_granularity=device}. */
class DevicePlanTest {
  private static void planDevices(Lab lab) {
    ClusterConfig config = lab.state().config();
    SortedMap<String, String> parameters = new TreeMap<>(config.scheduling().parameters());
    parameters.put("bf_granularity", "device");
    lab.apply(
        new Event.ConfigApplied(
            lab.now(), config.withScheduling(config.scheduling().withParameters(parameters))));
  }

  /** A job behind another once made that one move to nodes of a third. */
  @Example
  void aPlannedJobKeepsItsNodes() {
    noPlannedStartMovesForAJobBehind(-115424600769966681L);
  }

  @Property(tries = 200, seed = RandomLab.ORDER, shrinking = ShrinkingMode.OFF)
  void nobodyDelaysTheFirstOfTheQueue(@ForAll long seed) {
    Lab lab = RandomLab.simple(seed);
    planDevices(lab);
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

  @Property(tries = 200, seed = RandomLab.ORDER, shrinking = ShrinkingMode.OFF)
  void noPlannedStartMovesForAJobBehind(@ForAll long seed) {
    Lab lab = RandomLab.simple(seed);
    planDevices(lab);
    for (int i = 0; i < 6; i++) {
      InvariantsOfDevices.pass(lab);
      lab.advanceMinutes(7);
    }
  }

  @Property(tries = 200, seed = RandomLab.ORDER, shrinking = ShrinkingMode.OFF)
  void nothingIsTakenTwice(@ForAll long seed) {
    Lab lab = RandomLab.any(seed);
    planDevices(lab);
    for (int i = 0; i < 6; i++) {
      lab.pass();
      InvariantsOfDevices.check(lab);
      lab.advanceMinutes(7);
    }
  }
}
