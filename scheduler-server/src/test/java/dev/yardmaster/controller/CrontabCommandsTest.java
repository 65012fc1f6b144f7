package dev.yardmaster.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.journal.StateImage;
import dev.yardmaster.model.CronEntry;
import dev.yardmaster.model.Crontab;
import dev.yardmaster.model.ExitCode;
import dev.yardmaster.model.Identity;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobFlag;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.JobSubmission;
import dev.yardmaster.model.Reason;
import dev.yardmaster.model.SlurmError;
import dev.yardmaster.model.text.CronSpec;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CrontabCommandsTest {
  private static final ZoneId MADRID = ZoneId.of("Europe/Madrid");

  private final Bench bench = on("enable", Instant.parse("2027-03-27T22:10:05Z"));

  private static Bench on(String parameters, Instant start) {
    Bench bench =
        new Bench(
            TestCluster.config(2, Map.of("ScronParameters", parameters, "JobRequeue", "0")),
            MADRID,
            start);
    bench.core.state().config().nodes().forEach(n -> bench.register(n.name()));
    return bench;
  }

  /** A line each: FIRST-LAST and when. */
  private static Reply save(
      Bench bench, Identity by, Identity owner, @Nullable String text, String... lines) {
    List<JobSubmission> jobs = new ArrayList<>();
    for (String line : lines) {
      int space = line.indexOf(' ');
      TreeMap<String, String> options = new TreeMap<>(TestCluster.submission("time=10").options());
      CronSpec spec = CronSpec.line(line.substring(space + 1) + " x").spec();
      options.put(CronEntry.OPTION, new CronEntry(spec, line.substring(0, space), true).option());
      jobs.add(TestCluster.submission("time=10").withOptions(Immutable.sortedMap(options)));
    }
    return bench.handle(new Command.SaveCrontab(by, owner, text, jobs));
  }

  private Reply save(String text, String... lines) {
    return save(bench, TestCluster.ALICE, TestCluster.ALICE, text, lines);
  }

  private String shown() {
    return Objects.requireNonNull(bench.core.state().crontabs().get("alice")).shown();
  }

  private int only() {
    return bench.core.state().jobs().values().stream()
        .filter(job -> CronEntry.recurring(job) != null)
        .map(Job::id)
        .reduce((a, b) -> b)
        .orElseThrow();
  }

  /** Lets the job run at its next time, and end. */
  private Instant runOnce(int id, int code) {
    Instant begin = Objects.requireNonNull(bench.job(id).begin());
    bench.now = begin;
    bench.pass(0);
    bench.schedule();
    assertThat(bench.job(id).state()).isEqualTo(JobState.RUNNING);
    assertThat(bench.job(id).started()).isEqualTo(begin);
    bench.pass(20);
    int run = bench.job(id).restarts();
    bench.end(id, code, 0);
    if (bench.job(id).has(JobFlag.COMPLETING)) {
      bench.gone(id, run);
    }
    return begin;
  }

  @Test
  void aLineIsAJobThatRunsAtEachOfItsTimesThroughAChangeOfClocks() {
    assertThat(save("30 * * * * x\n", "1-1 30 * * * *")).isInstanceOf(Reply.Done.class);
    int id = only();
    assertThat(bench.job(id).reason()).isEqualTo(Reason.BEGIN_TIME);
    assertThat(bench.job(id).requeue()).isTrue();
    // 23:30, 0:30, 1:30 of winter; 2:30 there is not, it is 3:30 of summer.
    assertThat(runOnce(id, 0)).isEqualTo("2027-03-27T22:30:00Z");
    assertThat(bench.job(id).state()).isEqualTo(JobState.PENDING);
    assertThat(bench.job(id).restarts()).isEqualTo(1);
    assertThat(runOnce(id, 1)).isEqualTo("2027-03-27T23:30:00Z");
    assertThat(runOnce(id, 0)).isEqualTo("2027-03-28T00:30:00Z");
    assertThat(runOnce(id, 0)).isEqualTo("2027-03-28T01:30:00Z");
    assertThat(bench.job(id).begin()).isEqualTo("2027-03-28T02:30:00Z");
  }

  @Test
  void aRunThatReachesItsLimitIsNotTheLastAndItsTimesUntilThenAreSkipped() {
    save("*/5 * * * * x\n", "1-1 */5 * * * *");
    int id = only();
    bench.now = Objects.requireNonNull(bench.job(id).begin());
    bench.pass(0);
    bench.schedule();
    bench.pass(11 * 60);
    bench.gone(id, 0);
    assertThat(bench.job(id).state()).isEqualTo(JobState.PENDING);
    assertThat(bench.job(id).begin()).isEqualTo("2027-03-27T22:30:00Z");
  }

  @Test
  void aNewCrontabTakesThePlaceOfTheOldOneAndOfItsJobs() {
    save("a\nb\n", "1-1 0 * * * *", "2-2 30 * * * *");
    int first = bench.core.state().jobs().firstKey();
    int second = first + 1;
    runOnce(second, 0);
    bench.now = Objects.requireNonNull(bench.job(first).begin());
    bench.pass(0);
    bench.schedule();
    assertThat(bench.job(first).state()).isEqualTo(JobState.RUNNING);
    save("c\n", "1-1 15 * * * *");
    assertThat(bench.job(second).state()).isEqualTo(JobState.CANCELLED);
    assertThat(bench.job(second).exitCode()).isEqualTo(new ExitCode(0, 1));
    assertThat(CronEntry.recurring(bench.job(first))).isNull();
    bench.end(first, 0, 0);
    assertThat(bench.job(first).state()).isEqualTo(JobState.COMPLETED);
    assertThat(only()).isEqualTo(second + 1);
    assertThat(bench.core.state().crontabs().get("alice")).isEqualTo(new Crontab("c\n", List.of()));
    save(bench, TestCluster.ROOT, TestCluster.ALICE, null);
    assertThat(bench.core.state().crontabs()).isEmpty();
    assertThat(bench.job(second + 1).state()).isEqualTo(JobState.CANCELLED);
  }

  @Test
  void aLineThatIsRefusedLeavesEverythingAsItWas() {
    save("a\n", "1-1 0 * * * *");
    ClusterState before = bench.core.state();
    TreeMap<String, String> options =
        new TreeMap<>(TestCluster.submission("partition=nosuch").options());
    options.put(CronEntry.OPTION, "2-3 0 5 * * *");
    Reply reply =
        bench.handle(
            new Command.SaveCrontab(
                TestCluster.ALICE,
                TestCluster.ALICE,
                "b\n",
                List.of(
                    TestCluster.submission("time=1").withOptions(Immutable.sortedMap(options)))));
    assertThat(Bench.error(reply)).isEqualTo(SlurmError.INVALID_PARTITION_NAME);
    assertThat(((Reply.Refused) reply).detail()).startsWith("2-3\n");
    assertThat(bench.core.state().jobs()).isEqualTo(before.jobs());
    assertThat(bench.core.state().crontabs()).isEqualTo(before.crontabs());
  }

  @Test
  void whatIsCancelledIsDisabledInTheCrontab() {
    save("#SCRON -t 1\n0 * * * * x\n5 * * * * y", "1-2 0 * * * *", "3-3 5 * * * *");
    int id = bench.core.state().jobs().firstKey();
    assertThat(bench.cancel(TestCluster.ALICE, Integer.toString(id)))
        .isInstanceOf(Reply.Done.class);
    assertThat(bench.job(id).state()).isEqualTo(JobState.CANCELLED);
    assertThat(shown()).isEqualTo("#DISABLED: #SCRON -t 1\n#DISABLED: 0 * * * * x\n5 * * * * y\n");
    bench.cancel(TestCluster.ALICE, Integer.toString(id + 1));
    assertThat(shown()).endsWith("#DISABLED: 5 * * * * y\n");
  }

  @Test
  void whereTheSiteAsksForItCancellingTakesAnOptionOfItsOwn() {
    Bench strict = on("enable,explicit_scancel", TestCluster.NOW);
    save(strict, TestCluster.ALICE, TestCluster.ALICE, "x\n", "1-1 0 * * * *");
    int id = strict.core.state().jobs().firstKey();
    assertThat(Bench.error(strict.cancel(TestCluster.ALICE, Integer.toString(id))))
        .isEqualTo(SlurmError.CANNOT_CANCEL_CRON_JOB);
    assertThat(CronEntry.recurring(strict.job(id))).isNotNull();
    strict.handle(
        new Command.CancelJobs(
            TestCluster.ALICE,
            List.of(Integer.toString(id)),
            Immutable.sortedMap(Map.of("cron", "")),
            ""));
    assertThat(strict.job(id).state()).isEqualTo(JobState.CANCELLED);
  }

  @Test
  void scontrolChangesNoJobOfACrontab() {
    save("x\n", "1-1 0 * * * *");
    int id = only();
    SlurmError cannot = SlurmError.CANNOT_MODIFY_CRON_JOB;
    assertThat(Bench.error(bench.update(TestCluster.ROOT, id, "nice=5"))).isEqualTo(cannot);
    String text = Integer.toString(id);
    assertThat(Bench.error(bench.handle(new Command.HoldJobs(TestCluster.ROOT, text, false))))
        .isEqualTo(cannot);
    assertThat(Bench.error(bench.handle(new Command.ReleaseJobs(TestCluster.ROOT, text))))
        .isEqualTo(cannot);
  }

  @Test
  void othersSetNoCrontabOfAUserAndNobodyWhereItIsNotEnabled() {
    Reply denied = save(bench, TestCluster.BOB, TestCluster.ALICE, "x\n", "1-1 0 * * * *");
    assertThat(Bench.error(denied)).isEqualTo(SlurmError.INVALID_USER_ID);
    Bench off = on("", TestCluster.NOW);
    Reply disabled = save(off, TestCluster.ALICE, TestCluster.ALICE, "x\n", "1-1 0 * * * *");
    assertThat(Bench.error(disabled)).isEqualTo(SlurmError.UNSPECIFIED);
    assertThat(
            Bench.error(
                bench.handle(
                    new Command.Submit(
                        TestCluster.ALICE, TestCluster.submission("crontab-entry=1-1 0 0 * * *")))))
        .isEqualTo(SlurmError.COMMAND_LINE);
  }

  @Test
  void aControllerThatStartsAnewKnowsTheCrontabAndWhenItsJobsRun() {
    save("x\n", "1-1 0 * * * *");
    int id = only();
    ClusterState read = StateImage.read("here", StateImage.write(bench.core.state(), 7)).state();
    assertThat(read.crontabs()).isEqualTo(bench.core.state().crontabs()).hasSize(1);
    assertThat(read.jobs()).isEqualTo(bench.core.state().jobs());
    bench.restart();
    runOnce(id, 0);
    assertThat(bench.job(id).begin()).isEqualTo("2027-03-28T00:00:00Z");
  }

  @Test
  void anAdministratorSaysWhyAJobIsCancelled() {
    int id = bench.submit("hold");
    Map<String, String> why = Map.of("admin-comment", "disk");
    Command.CancelJobs byRoot =
        new Command.CancelJobs(
            TestCluster.ROOT, List.of(Integer.toString(id)), Immutable.sortedMap(why), "");
    Command.CancelJobs byOwner =
        new Command.CancelJobs(
            TestCluster.ALICE, List.of(Integer.toString(id)), Immutable.sortedMap(why), "");
    assertThat(Bench.error(bench.handle(byOwner))).isEqualTo(SlurmError.INVALID_USER_ID);
    bench.handle(byRoot);
    assertThat(bench.job(id).adminComment()).isEqualTo("disk");
    assertThat(bench.job(id).state()).isEqualTo(JobState.CANCELLED);
  }
}
