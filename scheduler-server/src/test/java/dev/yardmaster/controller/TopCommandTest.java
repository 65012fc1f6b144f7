package dev.yardmaster.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.model.Hold;
import dev.yardmaster.model.Identity;
import dev.yardmaster.model.JobFlag;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.SlurmError;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TopCommandTest {
  private final Bench bench = new Bench(TestCluster.config(1, Map.of()));

  private Reply top(Identity by, String jobs) {
    return bench.handle(new Command.TopJobs(by, jobs));
  }

  /** Four waiting jobs of equal priority. */
  private int four() {
    int first = bench.submit("time=60");
    for (int i = 1; i < 4; i++) {
      bench.submit("time=60");
    }
    return first;
  }

  private List<Integer> nices(int first) {
    return IntStream.range(first, first + 4).mapToObj(id -> bench.job(id).nice()).toList();
  }

  @Test
  void theJobsNamedComeFirstInTheirOrderByTheNiceValuesOfAll() {
    int first = four();
    int other = bench.submit(TestCluster.BOB, "time=60");
    assertThat(top(TestCluster.ROOT, Integer.toString(first + 3))).isInstanceOf(Reply.Done.class);
    assertThat(nices(first)).containsExactly(1, 1, 1, 0);
    top(TestCluster.ROOT, Integer.toString(first + 2));
    assertThat(nices(first)).containsExactly(1, 1, 0, 1);
    top(TestCluster.ROOT, (first + 1) + "," + first);
    assertThat(nices(first)).containsExactly(1, 0, 2, 2);
    assertThat(bench.job(other).nice()).isZero();
  }

  @Test
  void whatTheFirstGainsTheOthersLoseInEqualParts() {
    int first = four();
    for (int i = 0; i < 4; i++) {
      String nice = Integer.toString(-40 + 10 * i);
      bench.handle(
          new Command.UpdateJob(
              TestCluster.ROOT, Integer.toString(first + i), new TreeMap<>(Map.of("nice", nice))));
    }
    assertThat(bench.job(first).priority() - bench.job(first + 3).priority()).isEqualTo(30);
    top(TestCluster.ROOT, Integer.toString(first + 3));
    assertThat(nices(first)).containsExactly(-30, -20, -10, -40);
  }

  @Test
  void usersMayDoItWhereTheSiteLetsThem() {
    int first = four();
    assertThat(Bench.error(top(TestCluster.ALICE, Integer.toString(first + 1))))
        .isEqualTo(SlurmError.ACCESS_DENIED);
  }

  @Test
  void aJobHeldWhileItRunsIsHeldWhenItComesBack() {
    bench.register("n1");
    int id = bench.run("time=60");
    bench.handle(new Command.HoldJobs(TestCluster.ROOT, Integer.toString(id), false));
    assertThat(bench.job(id).state()).isEqualTo(JobState.RUNNING);
    assertThat(bench.job(id).priority()).isZero();
    bench.handle(new Command.RequeueJobs(TestCluster.ROOT, Integer.toString(id), false));
    assertThat(bench.job(id).hold()).isEqualTo(Hold.ADMIN);
  }

  @Test
  void aJobIsRequeuedAsSpecialExitAndOneThatHasEndedIsLeftAloneOnRequest() {
    bench.register("n1");
    int id = bench.run("time=60");
    bench.handle(
        new Command.RequeueJobs(TestCluster.ROOT, Integer.toString(id), true, true, false));
    assertThat(bench.job(id).flags())
        .contains(JobFlag.SPECIAL_EXIT)
        .doesNotContain(JobFlag.REQUEUE_HOLD);
    bench.gone(id, 0);
    int ended = bench.run("time=60");
    bench.end(ended, 0, 0);
    bench.handle(
        new Command.RequeueJobs(TestCluster.ROOT, Integer.toString(ended), false, false, true));
    assertThat(bench.job(ended).state()).isEqualTo(JobState.COMPLETED);
  }
}
