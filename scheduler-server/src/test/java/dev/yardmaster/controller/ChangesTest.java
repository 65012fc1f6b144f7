package dev.yardmaster.controller;

import static dev.yardmaster.controller.TestCluster.ALICE;
import static dev.yardmaster.controller.TestCluster.BOB;
import static dev.yardmaster.controller.TestCluster.ROOT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.engine.state.Event;
import dev.yardmaster.model.ArrayInfo;
import dev.yardmaster.model.ClusterConfig;
import dev.yardmaster.model.Hold;
import dev.yardmaster.model.Identity;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.IndexSet;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobFlag;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.NodeBaseState;
import dev.yardmaster.model.NodeFlag;
import dev.yardmaster.model.NodeStatus;
import dev.yardmaster.model.Reason;
import dev.yardmaster.model.SlurmError;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChangesTest {
  private final Bench bench = Bench.ready(Map.of("EnforcePartLimits", "ALL"));

  // Who may

  @ParameterizedTest
  @CsvSource({"hold", "uhold", "release", "requeue", "cancel", "signal", "update"})
  void nobodyTouchesTheJobOfAnother(String what) {
    int id = bench.submit("hold");
    ClusterState before = bench.core.state();
    String ids = "" + id;
    for (Identity by : List.of(BOB, new Identity("", 1003, "", 1003))) {
      Command command =
          switch (what) {
            case "hold" -> new Command.HoldJobs(by, ids, false);
            case "uhold" -> new Command.HoldJobs(by, ids, true);
            case "release" -> new Command.ReleaseJobs(by, ids);
            case "requeue" -> new Command.RequeueJobs(by, ids, false);
            case "cancel" -> new Command.CancelJobs(by, List.of(ids), Immutable.sortedMap(), "");
            case "signal" ->
                new Command.CancelJobs(by, List.of(ids), Immutable.sortedMap(), "USR1");
            default -> new Command.UpdateJob(by, ids, Bench.fields("comment=mine"));
          };
      assertThat(Bench.error(bench.handle(command)))
          .isIn(SlurmError.ACCESS_DENIED, SlurmError.INVALID_USER_ID);
    }
    assertThat(bench.core.state()).isSameAs(before);
  }

  @Test
  void aNameAloneGivesNoRight() {
    int id = bench.submit("hold");
    Identity sameName = new Identity("alice", 2222, "alice", 2222);
    assertThat(Bench.error(bench.cancel(sameName, "" + id))).isEqualTo(SlurmError.ACCESS_DENIED);
  }

  @Test
  void theSlurmUserIsAnAdministrator() {
    Bench lab = Bench.ready(Map.of("SlurmUser", "slurm"));
    int id = lab.submit("hold");
    assertThat(lab.cancel(new Identity("slurm", 999, "slurm", 999), "" + id))
        .isInstanceOf(Reply.Done.class);
  }

  @ParameterizedTest
  @CsvSource({
    "priority=4000000000, ACCESS_DENIED",
    "nice=-100, ACCESS_DENIED",
    "admincomment=x, ACCESS_DENIED",
    "partition=nosuch, INVALID_PARTITION_NAME",
    "timelimit=2-0, INVALID_TIME_LIMIT",
    "features=nosuch, INVALID_FEATURE",
    "gres=foo:1, INVALID_GRES",
    "gres=gpu:9, REQUESTED_NODE_CONFIG_UNAVAILABLE",
    "numnodes=7, INVALID_NODE_COUNT",
    "numnodes=0, INVALID_NODE_COUNT",
    "numtasks=x, COMMAND_VALUE",
    "reservationname=nosuch, INVALID_RESERVATION",
    "dependency=afterok:999, DEPENDENCY_PROBLEM",
    "nodelist=n99, INVALID_NODE_NAME",
    "bogus=1, COMMAND_VALUE",
    "timemin=60, INVALID_TIME_MIN"
  })
  void anUpdateIsCheckedLikeASubmission(String field, SlurmError error) {
    int id = bench.submit();
    ClusterState before = bench.core.state();
    assertThat(Bench.error(bench.update(ALICE, id, "comment=half", field))).isEqualTo(error);
    assertThat(bench.core.state()).as("nothing is half applied").isSameAs(before);
  }

  @Test
  void anUpdateThatLeadsIntoAForbiddenPartitionIsRefused() {
    Bench lab = Bench.ready(Map.of("EnforcePartLimits", "ALL"));
    ClusterConfig config =
        TestCluster.config(6, Map.of("EnforcePartLimits", "ALL"))
            .with(
                c ->
                    c.partitions(
                        TestCluster.config().partitions().stream()
                            .map(
                                p ->
                                    p.name().equals("other")
                                        ? p.withAllowAccounts(List.of("secret"))
                                        : p)
                            .toList()));
    lab.reconfigure(config);
    lab.handle(new Command.Reconfigure(ROOT));
    int id = lab.submit("account=plain");
    assertThat(Bench.error(lab.update(ALICE, id, "partition=other")))
        .isEqualTo(SlurmError.INVALID_ACCOUNT);
    assertThat(lab.job(id).partition()).isEqualTo("main");
  }

  @Test
  void aJobWhoseNodesAreGoneCanStillBeChangedInOtherRespects() {
    int id = bench.submit("hold", "nodes=6");
    bench.reconfigure(TestCluster.config(5, Map.of("EnforcePartLimits", "ALL")));
    bench.handle(new Command.Reconfigure(ROOT));
    assertThat(bench.update(ALICE, id, "timelimit=3")).isInstanceOf(Reply.Done.class);
    assertThat(Bench.error(bench.update(ALICE, id, "numtasks=12"))).isNotNull();
    assertThat(bench.job(id).timeLimitMinutes()).isEqualTo(3);
  }

  @Test
  void aConfigurationOfAnotherClusterIsNotTakenOver() {
    ClusterConfig before = bench.core.state().config();
    bench.reconfigure(before.with(c -> c.clusterName("other")));
    assertThat(Bench.error(bench.handle(new Command.Reconfigure(ROOT))))
        .isEqualTo(SlurmError.CONFIGURATION);
    assertThat(bench.core.state().config()).isEqualTo(before);
  }

  @Test
  void anUpdateChangesWhatItNames() {
    int id = bench.submit("hold");
    assertThat(
            bench.update(
                ALICE,
                id,
                "timelimit=+20",
                "numnodes=2-3",
                "gres=gpu:2",
                "comment=a b",
                "nice=5",
                "starttime=now+1hour",
                "jobname=new"))
        .isInstanceOf(Reply.Done.class);
    Job job = bench.job(id);
    assertThat(job.timeLimitMinutes()).isEqualTo(30);
    assertThat(job.request().minNodes()).isEqualTo(2);
    assertThat(job.request().maxNodes()).isEqualTo(3);
    assertThat(job.request().gres()).hasSize(1);
    assertThat(job.comment()).isEqualTo("a b");
    assertThat(job.nice()).isEqualTo(5);
    assertThat(job.begin()).isEqualTo(TestCluster.NOW.plusSeconds(3600));
    assertThat(job.name()).isEqualTo("new");
    assertThat(bench.events.getLast())
        .isInstanceOfSatisfying(
            Event.JobEdited.class,
            e -> {
              assertThat(e.by()).isEqualTo("alice");
              assertThat(e.change()).contains("timelimit=+20").contains("comment=a b");
            });
  }

  @Test
  void theOwnerOfARunningJobMayOnlyShortenIt() {
    int id = bench.run("time=5");
    assertThat(bench.update(ALICE, id, "timelimit=4")).isInstanceOf(Reply.Done.class);
    assertThat(Bench.error(bench.update(ALICE, id, "timelimit=30")))
        .isEqualTo(SlurmError.ACCESS_DENIED);
    assertThat(bench.update(ROOT, id, "timelimit=30")).isInstanceOf(Reply.Done.class);
    assertThat(bench.job(id).ended()).isEqualTo(TestCluster.NOW.plus(Duration.ofMinutes(30)));
    assertThat(Bench.error(bench.update(ROOT, id, "numtasks=2")))
        .isEqualTo(SlurmError.JOB_NOT_PENDING);
    assertThat(bench.update(ROOT, id, "partition=main")).isInstanceOf(Reply.Done.class);
    assertThat(bench.update(ROOT, id, "priority=100")).isInstanceOf(Reply.Done.class);
  }

  @Test
  void aUserMayLowerThePriorityOfAnOwnJobAndHoldIt() {
    int id = bench.submit();
    bench.update(ROOT, id, "priority=1000");
    assertThat(bench.update(ALICE, id, "priority=10")).isInstanceOf(Reply.Done.class);
    assertThat(bench.job(id).directPriority()).isEqualTo(10);
    assertThat(bench.update(ALICE, id, "priority=0")).isInstanceOf(Reply.Done.class);
    assertThat(bench.job(id).hold()).isEqualTo(Hold.USER);
  }

  // Hold and release

  @Test
  void aHoldByAnAdministratorIsReleasedByAnAdministrator() {
    int id = bench.submit();
    bench.handle(new Command.HoldJobs(ROOT, "" + id, false));
    assertThat(bench.job(id).reason()).isEqualTo(Reason.JOB_HELD_ADMIN);
    assertThat(Bench.error(bench.handle(new Command.ReleaseJobs(ALICE, "" + id))))
        .isEqualTo(SlurmError.ACCESS_DENIED);
    bench.schedule();
    assertThat(bench.job(id).state()).isEqualTo(JobState.PENDING);
    bench.handle(new Command.ReleaseJobs(ROOT, "" + id));
    bench.schedule();
    assertThat(bench.job(id).state()).isEqualTo(JobState.RUNNING);
  }

  @Test
  void uholdLeavesTheReleaseToTheOwner() {
    int id = bench.submit();
    bench.handle(new Command.HoldJobs(ROOT, "" + id, true));
    assertThat(bench.job(id).reason()).isEqualTo(Reason.JOB_HELD_USER);
    assertThat(bench.handle(new Command.ReleaseJobs(ALICE, "" + id)))
        .isInstanceOf(Reply.Done.class);
  }

  @Test
  void anUnknownJobIsRefused() {
    assertThat(Bench.error(bench.handle(new Command.HoldJobs(ROOT, "9999", false))))
        .isEqualTo(SlurmError.INVALID_JOB_ID);
    assertThat(Bench.error(bench.handle(new Command.ReleaseJobs(ROOT, "x"))))
        .isEqualTo(SlurmError.INVALID_JOB_ID);
    assertThat(bench.cancel(ROOT, "9999")).isEqualTo(new Reply.Done(List.of()));
  }

  // Cancelling

  @Test
  void cancellingSomeTasksOfAnArrayLeavesTheOthers() {
    int id = bench.submit("array=1-9", "hold");
    bench.cancel(ALICE, id + "_4", id + "_[6-7]");
    assertThat(bench.job(id).displayId()).isEqualTo(id + "_[1-3,5,8-9]");
    assertThat(bench.core.state().jobs()).hasSize(1);
    assertThat(bench.job(id).array())
        .isEqualTo(
            new ArrayInfo(id, null, IndexSet.parse("1-3,5,8-9"), 0, IndexSet.parse("4,6-7")));
  }

  @Test
  void fewerNodesLeaveTheTasksAloneAndMoreRaiseThem() {
    int id = bench.submit("nodes=2", "hold");
    bench.update(ALICE, id, "numnodes=1");
    assertThat(bench.job(id).request().tasks()).isEqualTo(2);
    bench.update(ALICE, id, "numnodes=3");
    assertThat(bench.job(id).request().tasks()).isEqualTo(3);
  }

  @Test
  void cancellingTheLastWaitingTasksOfAnArrayCancelsItsRecord() {
    int id = bench.submit("array=1-3", "hold");
    bench.cancel(ALICE, id + "_1", id + "_[2-3]");
    assertThat(bench.core.state().jobs().values())
        .singleElement()
        .extracting(Job::id, Job::state)
        .containsExactly(id, JobState.CANCELLED);
  }

  @Test
  void anArrayOfWhichATaskWasCancelledWhileItWaitedHasNotSucceeded() {
    int id = bench.submit("array=1-2", "ntasks=1", "time=5");
    bench.cancel(ALICE, id + "_2");
    int ok = bench.submit("dependency=afterok:" + id, "time=5");
    int notOk = bench.submit("dependency=afternotok:" + id, "time=5");
    bench.schedule();
    bench.end(id, 0, 0);
    bench.gone(id, 0);
    bench.schedule();
    assertThat(bench.job(ok).reason()).isEqualTo(Reason.DEPENDENCY_NEVER_SATISFIED);
    assertThat(bench.job(notOk).state()).isEqualTo(JobState.RUNNING);
  }

  @Test
  void cancellingAnArrayCancelsRunningAndWaitingTasks() {
    int id = bench.submit("array=0-99%2", "ntasks=1");
    bench.schedule();
    bench.cancel(ALICE, "" + id);
    assertThat(bench.core.state().jobs().values())
        .hasSize(3)
        .allMatch(j -> j.state() == JobState.CANCELLED);
  }

  @Test
  void aTaskHeldByItselfBecomesARecordOfItsOwn() {
    int id = bench.submit("array=0-2", "begin=now+1hour");
    bench.handle(new Command.HoldJobs(ROOT, id + "_1", false));
    assertThat(bench.job(id).array()).isEqualTo(new ArrayInfo(id, null, IndexSet.of(0, 2), 0));
    assertThat(bench.job(id + 1).displayId()).isEqualTo(id + "_1");
    assertThat(bench.job(id + 1).hold()).isEqualTo(Hold.ADMIN);
  }

  @Test
  void theLastWaitingTaskKeepsTheRecordOfItsArray() {
    int id = bench.submit("array=0-1");
    bench.schedule();
    assertThat(bench.core.state().jobs().keySet()).containsExactly(id, id + 1);
    assertThat(bench.core.state().jobs().values()).allMatch(j -> j.state() == JobState.RUNNING);
  }

  @Test
  void filtersChooseAmongOwnJobs() {
    int running = bench.run("job-name=a");
    int waiting = bench.submit("job-name=a", "hold");
    int other = bench.submit("job-name=b", "hold");
    Reply reply =
        bench.handle(
            new Command.CancelJobs(
                ALICE,
                List.of(),
                Immutable.sortedMap(Map.of("me", "", "state", "PENDING", "name", "a")),
                ""));
    assertThat(reply).isEqualTo(new Reply.Done(List.of()));
    assertThat(bench.job(running).state()).isEqualTo(JobState.RUNNING);
    assertThat(bench.job(waiting).state()).isEqualTo(JobState.CANCELLED);
    assertThat(bench.job(other).state()).isEqualTo(JobState.PENDING);
  }

  @Test
  void withoutAnySelectionNothingIsCancelled() {
    bench.submit();
    Reply reply = bench.handle(new Command.CancelJobs(ROOT, List.of(), Immutable.sortedMap(), ""));
    assertThat(Bench.error(reply)).isEqualTo(SlurmError.COMMAND_VALUE);
  }

  @Test
  void ofSeveralJobsThoseThatMayBeCancelledAre() {
    int mine = bench.submit("hold");
    int others = bench.submit(BOB, "hold");
    Reply reply = bench.cancel(ALICE, "" + mine, "" + others);
    assertThat(reply)
        .isEqualTo(
            new Reply.Done(
                List.of(
                    "error: Kill job error on job id " + others + ": Access/permission denied")));
    assertThat(bench.job(mine).state()).isEqualTo(JobState.CANCELLED);
    assertThat(bench.job(others).state()).isEqualTo(JobState.PENDING);
  }

  @Test
  void aSignalGoesToTheNodesOfARunningJob() {
    int id = bench.run("nodes=2", "ntasks=2");
    bench.effects.clear();
    bench.handle(new Command.CancelJobs(ALICE, List.of("" + id), Immutable.sortedMap(), "SIGUSR1"));
    assertThat(bench.effects).as("there are no steps, and its script is not told").isEmpty();
    bench.handle(new Command.CancelJobs(ALICE, List.of("" + id), Bench.fields("full="), "SIGUSR1"));
    assertThat(bench.effects)
        .containsExactly(
            new Effect.Signal("n1", id, 0, 10, false), new Effect.Signal("n2", id, 0, 10, false));
    assertThat(bench.job(id).state()).isEqualTo(JobState.RUNNING);
    bench.handle(new Command.CancelJobs(ALICE, List.of("" + id), Immutable.sortedMap(), "STOP"));
    assertThat(bench.job(id).has(JobFlag.STOPPED)).isTrue();
    bench.handle(new Command.CancelJobs(ALICE, List.of("" + id), Immutable.sortedMap(), "CONT"));
    assertThat(bench.job(id).has(JobFlag.STOPPED)).isFalse();
    Reply unknown =
        bench.handle(new Command.CancelJobs(ALICE, List.of("" + id), Immutable.sortedMap(), "FOO"));
    assertThat(Bench.error(unknown)).isEqualTo(SlurmError.COMMAND_VALUE);
  }

  @Test
  void cancellingARunningJobEndsItThere() {
    int id = bench.run();
    bench.effects.clear();
    bench.cancel(ALICE, "" + id);
    assertThat(bench.job(id).state()).isEqualTo(JobState.CANCELLED);
    assertThat(bench.job(id).has(JobFlag.COMPLETING)).isTrue();
    assertThat(bench.effects).containsExactly(new Effect.Terminate("n1", id, 0, 2, ""));
    assertThat(Bench.error(bench.cancel(ALICE, "" + id))).isEqualTo(SlurmError.JOB_FINISHED);
  }

  // Nodes

  private NodeStatus status(String node) {
    return bench.node(node).status();
  }

  @Test
  void aWrongWordChangesNoNode() {
    ClusterState before = bench.core.state();
    for (String wrong : List.of("resumee", "bogus", "unknown", "")) {
      Reply reply =
          wrong.isEmpty()
              ? bench.nodes(ROOT, "n[1-3],n99", "state=drain", "reason=x")
              : bench.nodes(ROOT, "n[1-3]", "state=" + wrong, "reason=x");
      assertThat(reply).isInstanceOf(Reply.Refused.class);
    }
    assertThat(Bench.error(bench.nodes(ROOT, "n[1-", "state=drain", "reason=x")))
        .isEqualTo(SlurmError.INVALID_NODE_NAME);
    assertThat(bench.nodes(ROOT, "n1", "state=drain")).isInstanceOf(Reply.Refused.class);
    assertThat(bench.nodes(ROOT, "n1", "weight=x")).isInstanceOf(Reply.Refused.class);
    assertThat(Bench.error(bench.nodes(ALICE, "n1", "state=drain", "reason=x")))
        .isEqualTo(SlurmError.INVALID_USER_ID);
    assertThat(bench.core.state()).isSameAs(before);
  }

  /** Golden case 116. */
  @Test
  void nodeStatesFollowSlurms() {
    bench.nodes(ROOT, "n1", "state=down", "reason=no job on it");
    assertThat(status("n1").base()).isEqualTo(NodeBaseState.DOWN);
    bench.nodes(ROOT, "n1", "state=drain", "reason=drain on down");
    assertThat(status("n1").base()).isEqualTo(NodeBaseState.DOWN);
    assertThat(status("n1").flags()).containsExactly(NodeFlag.DRAIN);
    bench.nodes(ROOT, "n1", "state=undrain");
    assertThat(status("n1").base()).isEqualTo(NodeBaseState.DOWN);
    assertThat(status("n1").flags()).isEmpty();
    assertThat(status("n1").reason()).isEqualTo("drain on down");
    bench.nodes(ROOT, "n1", "state=idle");
    assertThat(status("n1").base()).isEqualTo(NodeBaseState.IDLE);
    assertThat(status("n1").reason()).isEmpty();
    bench.nodes(ROOT, "n1", "state=down", "reason=again");
    bench.nodes(ROOT, "n1", "state=fail", "reason=ff");
    assertThat(status("n1").flags()).containsExactly(NodeFlag.FAIL);
    bench.nodes(ROOT, "n1", "state=resume");
    assertThat(status("n1").base()).isEqualTo(NodeBaseState.IDLE);
    assertThat(Bench.error(bench.nodes(ROOT, "n1", "state=resume")))
        .isEqualTo(SlurmError.INVALID_NODE_STATE);
    bench.nodes(ROOT, "n6", "state=future");
    assertThat(status("n6").base()).isEqualTo(NodeBaseState.FUTURE);
    bench.nodes(ROOT, "n6", "state=resume");
    assertThat(status("n6").base()).isEqualTo(NodeBaseState.IDLE);
  }

  @Test
  void drainKeepsRunningJobsAndSaysWhoAndWhen() {
    int id = bench.run("nodelist=n5");
    bench.nodes(ROOT, "n5", "state=drain", "reason=fan is dead");
    assertThat(bench.job(id).state()).isEqualTo(JobState.RUNNING);
    assertThat(status("n5").reason()).isEqualTo("fan is dead");
    assertThat(status("n5").reasonUser()).isEqualTo("root");
    assertThat(status("n5").reasonTime()).isEqualTo(TestCluster.NOW);
  }

  @Test
  void aNodeWithLessThanItsConfigurationIsInvalidAndSaysWhat() {
    bench.handle(
        new Command.NodeRegistered(
            "n2",
            8,
            1,
            8,
            1,
            32_000,
            0,
            Immutable.sortedMap(Map.of("gpu", 7L)),
            TestCluster.NOW.minusSeconds(86_400),
            "0.1",
            List.of()));
    assertThat(status("n2").flags()).contains(NodeFlag.INVALID_REG, NodeFlag.DRAIN);
    assertThat(status("n2").reason())
        .isEqualTo(
            "gres/gpu count reported lower than configured (7 < 8), Low socket*core*thread count,"
                + " Low CPUs, Low RealMemory (reported:32000 < 100.00% of configured:64000)");
    bench.register("n2");
    assertThat(status("n2").flags()).isEmpty();
    assertThat(status("n2").reason()).isEmpty();
  }

  @Test
  void anUnknownNodeMayNotRegister() {
    Reply reply =
        bench.handle(
            new Command.NodeRegistered(
                "n99", 1, 1, 1, 1, 1, 0, Immutable.sortedMap(), TestCluster.NOW, "", List.of()));
    assertThat(Bench.error(reply)).isEqualTo(SlurmError.INVALID_NODE_NAME);
  }

  @ParameterizedTest
  @CsvSource({"0, DOWN", "1, DOWN", "2, IDLE"})
  void returnToServiceDecidesAboutANodeThatSomebodySetDown(int setting, NodeBaseState state) {
    Bench lab = Bench.ready(Map.of("ReturnToService", "" + setting));
    lab.nodes(ROOT, "n3", "state=down", "reason=broken");
    lab.register("n3");
    assertThat(lab.node("n3").status().base()).isEqualTo(state);
  }

  // Partitions and reservations

  @Test
  void tasksThatHaveStartedDoNotKeepThoseThatWaitFromAChange() {
    int array = bench.submit("array=0-3%1");
    bench.schedule();
    assertThat(bench.update(ALICE, array, "numnodes=2"))
        .isEqualTo(new Reply.Done(List.of(array + "_[0]: " + SlurmError.NOT_SUPPORTED.text())));
    assertThat(bench.job(array).request().minNodes()).isEqualTo(2);
  }
}
