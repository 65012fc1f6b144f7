package dev.yardmaster.controller;

import static dev.yardmaster.controller.TestCluster.ALICE;
import static dev.yardmaster.controller.TestCluster.ROOT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.model.ArrayInfo;
import dev.yardmaster.model.Exclusivity;
import dev.yardmaster.model.GresRequest;
import dev.yardmaster.model.Hold;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.IndexSet;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobOwner;
import dev.yardmaster.model.JobRequest;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.JobSubmission;
import dev.yardmaster.model.MemoryRequest;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.Reason;
import dev.yardmaster.model.ReqTres;
import dev.yardmaster.model.SlurmError;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.StringLength;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SubmissionTest {
  private final Bench bench = Bench.ready(Map.of("EnforcePartLimits", "ALL"));

  private Reply reply(String... options) {
    return bench.handle(new Command.Submit(ALICE, TestCluster.submission(options)));
  }

  private Job job(String... options) {
    return bench.job(bench.submit(options));
  }

  /** The golden cases 80 and 113; what the client prints is the first line of the detail. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "partition=nosuch | INVALID_PARTITION_NAME | invalid partition specified: nosuch",
        "nodes=7 | INVALID_NODE_COUNT |",
        "nodes=abc | COMMAND_LINE | \"abc\" is not a valid node count",
        "nodes=4-2 | COMMAND_LINE | Maximum node count 2 is less than minimum node count 4",
        "ntasks=0 | COMMAND_VALUE | Invalid numeric value \"0\" for --ntasks.",
        "ntasks=-5 | COMMAND_VALUE | Invalid numeric value \"-5\" for --ntasks.",
        "time=bad | COMMAND_LINE | Invalid --time specification",
        "time=1:2:3:4 | COMMAND_LINE | Invalid --time specification",
        "time=1-2-3 | COMMAND_LINE | Invalid --time specification",
        "time=-1 | INVALID_TIME_LIMIT |",
        "time=0 | INVALID_TIME_LIMIT |",
        "time=2-0 | INVALID_TIME_LIMIT |",
        "gres=foo:1 | COMMAND_VALUE | Invalid generic resource (gres) specification",
        "gres=gpu:9 | REQUESTED_NODE_CONFIG_UNAVAILABLE |",
        "gres=gpu:x:1 | REQUESTED_NODE_CONFIG_UNAVAILABLE |",
        "gres=gpu:-1 | REQUESTED_NODE_CONFIG_UNAVAILABLE |",
        "gpus=abc | REQUESTED_NODE_CONFIG_UNAVAILABLE |",
        "gpus=foo:bar | COMMAND_VALUE | Invalid Trackable RESource (TRES) specification",
        "mem=abc | COMMAND_LINE | Invalid --mem specification",
        "mem=-1 | COMMAND_LINE | Invalid --mem specification",
        "mem=70000 | REQUESTED_NODE_CONFIG_UNAVAILABLE | Memory specification can not be satisfied",
        "cpus-per-task=0 | COMMAND_VALUE | Invalid numeric value \"0\" for --cpus-per-task.",
        "cpus-per-task=17 | REQUESTED_NODE_CONFIG_UNAVAILABLE | CPU count per node can not be"
            + " satisfied",
        "nodelist=n99 | INVALID_NODE_NAME |",
        "exclude=n[1-6] | REQUESTED_NODE_CONFIG_UNAVAILABLE |",
        "constraint=nosuch | INVALID_FEATURE |",
        "constraint=&fast | INVALID_FEATURE |",
        "begin=yesterday | COMMAND_LINE | Invalid --begin specification",
        "begin=16:61 | COMMAND_LINE | Invalid --begin specification",
        "deadline=2020-01-01 | INVALID_TIME_LIMIT |",
        "dependency=nosuch:1 | DEPENDENCY_PROBLEM |",
        "dependency=afterok:12345 | DEPENDENCY_PROBLEM |",
        "dependency=afterok | DEPENDENCY_PROBLEM |",
        "array=1-0 | INVALID_ARRAY |",
        "array=1-3:0 | INVALID_ARRAY |",
        "array=0-1001 | INVALID_ARRAY |",
        "licenses=foo:1 | INVALID_LICENSES |",
        "licenses=sim:5 | INVALID_LICENSES |",
        "reservation=foo | INVALID_RESERVATION |",
        "nice=-10 | INVALID_NICE |",
        "nice=99999999999 | COMMAND_LINE | Invalid --nice value, out of range (+/- 2147483645)",
        "uid=bob | COMMAND_LINE | --uid only permitted by root user",
        "mail-type=FOO | COMMAND_LINE | Invalid --mail-type specification",
        "nosuchopt | COMMAND_LINE | unrecognized option '--nosuchopt'",
        "signal=FOO | COMMAND_LINE | Invalid --signal specification",
        "switches=x | COMMAND_VALUE | Invalid numeric value \"x\" for --switches.",
        "exclusive=foo | COMMAND_LINE | Invalid --exclusive specification",
        "hint=foo | COMMAND_VALUE | unrecognized --hint argument \"foo\", see --hint=help",
        "distribution=foo | COMMAND_LINE | Invalid --distribution specification",
        "gpu-bind=foo | COMMAND_LINE | Invalid --gpu-bind argument: foo",
        "gres-flags=foo | COMMAND_LINE | Invalid --gres-flags specification: foo",
        "profile=foo | COMMAND_LINE | invalid --profile=foo option",
        "open-mode=x | COMMAND_LINE | Invalid --open-mode specification",
        "kill-on-invalid-dep=maybe | COMMAND_LINE | Invalid --kill-on-invalid-dep specification",
        "container=/img | NOT_SUPPORTED | --container is not supported yet",
        "cpus-per-gpu=2 | COMMAND_GRES | Requested cpus_per_tres=gres/gpu:2 but did not request"
            + " any GPU.",
        "mem-per-gpu=2G | COMMAND_GRES | Requested mem_per_tres=gres/gpu:2048 but did not request"
            + " any GPU.",
        "gpus-per-socket=2 | COMMAND_GRES | --gpus-per-socket option requires --sockets-per-node"
            + " specification",
        "gres-flags=one-task-per-sharing | COMMAND_LINE | In order to use"
            + " --gres-flags=one-task-per-sharing you must also have"
            + " SelectTypeParameters=MULTIPLE_SHARING_GRES_PJ in your slurm.conf",
        "ntasks-per-node=0 | COMMAND_VALUE | Invalid numeric value \"0\" for --ntasks-per-node.",
        "ntasks-per-node=20 | REQUESTED_NODE_CONFIG_UNAVAILABLE | CPU count per node can not be"
            + " satisfied",
        "threads-per-core=4 | REQUESTED_NODE_CONFIG_UNAVAILABLE | Socket, core and/or thread"
            + " specification can not be satisfied",
      })
  void aBadValueIsRefusedInSlurmsWordsAndNothingIsLeftToRun(
      String option, SlurmError error, @Nullable String line) {
    Reply reply = reply(option);
    assertThat(reply).isInstanceOf(Reply.Refused.class);
    Reply.Refused refused = (Reply.Refused) reply;
    assertThat(refused.error()).as("%s", refused).isEqualTo(error);
    String first = Objects.requireNonNullElse(refused.detail(), "").split("\n", 2)[0];
    assertThat(first).isEqualTo(line == null ? "" : line);
    assertThat(bench.core.state().jobs().values()).allMatch(j -> j.state() == JobState.FAILED);
    assertThat(bench.core.state().nextJobId()).isEqualTo(error.usesJobId() ? 2 : 1);
  }

  @Test
  void aRequestForNoNodesBecomesAFailedRecordThatAsksForNothing() {
    assertThat(Bench.error(reply("nodes=0"))).isEqualTo(SlurmError.INVALID_NODE_COUNT);
    Job record = Objects.requireNonNull(bench.core.state().job(1));
    assertThat(record.state()).isEqualTo(JobState.FAILED);
    assertThat(record.reason()).isEqualTo(Reason.BAD_CONSTRAINTS);
    assertThat(ReqTres.of(record.request()).amounts()).isEmpty();
    assertThat(bench.core.state().nextJobId()).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "gpus=5 gpus-per-node=2 | , --gpus is not multiple of --gres=gpu/--gpus-per-node",
        "gpus=2 nodes=3 | , --gpus < -N",
        "gpus=2 gpus-per-task=1 ntasks=3 | . Based on --gpus and --gpus-per-task number of"
            + " requested tasks differ from -n/--ntasks.",
        "gpus=5 gpus-per-task=2 | , --gpus not multiple of --gpus-per-task",
        "gres=gpu:3 gpus-per-task=2 ntasks=2 | , --gres=gpu/--gpus-per-node not multiple of"
            + " --gpus-per-task.",
        "gres=gpu:4 gpus-per-task=2 nodes=1 ntasks-per-node=3 | . Based on"
            + " --gres=gpu/--gpus-per-node and --gpus-per-task requested number of tasks per node"
            + " differ from --ntasks-per-node.",
        "gpus=4 ntasks-per-gpu=2 ntasks=3 | , -n/--ntasks has to be a multiple of"
            + " --ntasks-per-gpu.",
      })
  void countsOfGpusThatContradictEachOtherAreRefusedInSlurmsWords(String options, String text) {
    Reply.Refused refused = (Reply.Refused) reply(options.split(" "));
    assertThat(refused.error()).isEqualTo(SlurmError.COMMAND_GRES);
    assertThat(refused.detail()).isEqualTo("Failed to validate job spec" + text);
  }

  @Test
  void gpusInAllAndOnEachNodeSayHowManyNodes() {
    assertThat(job("gpus=4", "gpus-per-node=2").request().minNodes()).isEqualTo(2);
    assertThat(job("gpus=2", "nodes=1-4").request().maxNodes()).isEqualTo(2);
  }

  @Test
  void theWaitForSwitchesCountsSecondsUpToTheClustersLimit() {
    assertThat(job("switches=1@00:00:20").request().switchesWaitSeconds()).isEqualTo(20);
    assertThat(job("switches=1@10").request().switchesWaitSeconds()).isEqualTo(300);
    assertThat(job("switches=1@x").request().switchesWaitSeconds()).isEqualTo(300);
    assertThat(reply("switches=x")).isInstanceOf(Reply.Refused.class);
  }

  @Test
  void whatIsLongerThanSlurmTakesIsRefusedInBytes() {
    for (String option : List.of("job-name", "comment", "extra")) {
      Reply.Refused refused = (Reply.Refused) reply(option + "=" + "é".repeat(512) + "x");
      assertThat(refused.error()).isEqualTo(SlurmError.PATHNAME_TOO_LONG);
      assertThat(refused.detail())
          .isEqualTo("\n--" + option + " has 1025 bytes, at most 1024 are allowed");
      assertThat(reply(option + "=" + "é".repeat(512))).isNotInstanceOf(Reply.Refused.class);
    }
    assertThat(reply("output=" + "x".repeat(4097))).isInstanceOf(Reply.Refused.class);
  }

  @Test
  void rootSubmitsForSomebodyElse() {
    Reply reply =
        bench.handle(
            new Command.Submit(
                TestCluster.ROOT, TestCluster.submission("uid=bob:1002:staff:50", "priority=7")));
    assertThat(reply).isInstanceOf(Reply.Submitted.class);
    JobOwner owner = bench.job(1).owner();
    assertThat(owner.user()).isEqualTo("bob");
    assertThat(owner.uid()).isEqualTo(1002);
    assertThat(owner.group()).isEqualTo("staff");
    assertThat(bench.job(1).directPriority()).isEqualTo(7);
    Reply unresolved =
        bench.handle(new Command.Submit(TestCluster.ROOT, TestCluster.submission("uid=bob")));
    assertThat(unresolved).isInstanceOf(Reply.Refused.class);
  }

  @Test
  void whatNoNodeCanEverHostIsRefusedAndStaysAsAFailedJob() {
    assertThat(Bench.error(reply("gres=gpu:9")))
        .isEqualTo(SlurmError.REQUESTED_NODE_CONFIG_UNAVAILABLE);
    assertThat(bench.job(1).state()).isEqualTo(JobState.FAILED);
    assertThat(bench.job(1).reason()).isEqualTo(Reason.BAD_CONSTRAINTS);
    assertThat(bench.job(1).started()).isNull();
    int waiting = job("time=5").id();
    bench.schedule();
    assertThat(bench.job(1).priority()).isEqualTo(bench.job(waiting).priority());
    bench.schedule();
    assertThat(bench.job(1).state()).isEqualTo(JobState.FAILED);
  }

  @Test
  void anIdIsUsedUpByASubmissionThatIsRefusedAsARecord() {
    assertThat(job("time=5").id()).isEqualTo(1);
    assertThat(reply("time=bad")).isInstanceOf(Reply.Refused.class);
    assertThat(reply("dependency=afterok:77")).isInstanceOf(Reply.Refused.class);
    assertThat(job("time=5").id()).isEqualTo(3);
  }

  @ParameterizedTest
  @CsvSource({
    "mem=1000;mem-per-cpu=100, COMMAND_FATAL",
    "ntasks-per-gpu=2;gpus-per-task=1, COMMAND_FATAL",
    "segment=3;nodes=4, COMMAND_FATAL",
    "gpus=5;gpus-per-node=2, COMMAND_GRES",
    "gres=gpu:3;gpus-per-task=2, COMMAND_GRES",
    "gpus=2;gpus-per-task=1;ntasks=3, COMMAND_GRES",
    "gpus=2;nodes=3, COMMAND_GRES",
    "time-min=20;time=10, INVALID_TIME_MIN",
    "nodelist=n1;exclude=n1, INVALID_NODE_NAME",
    "deadline=now+1minute;time=5, INVALID_TIME_LIMIT"
  })
  void optionsThatContradictEachOtherAreRefused(String options, SlurmError error) {
    assertThat(Bench.error(reply(options.split(";")))).isEqualTo(error);
  }

  @ParameterizedTest
  @CsvSource({
    "gres=, ",
    "nodelist=n[1-2];nodes=1",
    "begin=2020-01-01",
    "priority=10",
    "'export=ALL,A'",
    "array=0-3%-1",
    "requeue;no-requeue;hold",
    "comment",
    "mail-type=END;mail-user=a@b",
    "cpu-freq=high",
    "use-min-nodes"
  })
  void whatSlurmAcceptsIsAccepted(String options) {
    assertThat(reply(options.split(";"))).isInstanceOf(Reply.Submitted.class);
  }

  @Test
  void defaultsOfPartitionAndClusterAreApplied() {
    Job job = job();
    assertThat(job.partitions()).containsExactly("main");
    assertThat(job.timeLimitMinutes()).isEqualTo(10);
    assertThat(job.name()).isEqualTo("job.sh");
    assertThat(job.requeue()).isTrue();
    assertThat(job.batch().workDir()).isEqualTo("/home/alice");
    JobRequest request = job.request();
    assertThat(request.minNodes()).isEqualTo(1);
    assertThat(request.maxNodes()).isEqualTo(1);
    assertThat(request.tasks()).isEqualTo(1);
    assertThat(request.memory()).isEqualTo(new MemoryRequest.PerCpu(1000));
    assertThat(job("partition=other").timeLimitMinutes()).isEqualTo(Partition.UNLIMITED);
  }

  @ParameterizedTest
  @CsvSource({
    "ntasks=4, 1, 4, 4",
    "nodes=2, 2, 2, 2",
    "nodes=2-4, 2, 4, 2",
    "nodes=2;ntasks=8, 2, 2, 8",
    "nodes=2;ntasks-per-node=3, 2, 2, 6",
    "nodelist=n[2-4], 3, 3, 3",
    "nodes=3;ntasks=1, 1, 1, 1",
    "nodes=1;extra-node-info=1:2:1, 1, 1, 2",
    "nodes=2;extra-node-info=1:2;ntasks=3, 2, 2, 3",
    "nodes=1-2;cores-per-socket=2, 1, 2, 1",
    "cores-per-socket=2, 1, 1, 1",
    "gpus=4;ntasks-per-gpu=2, 1, 8, 8",
    "ntasks=8;ntasks-per-node=4, 2, 8, 8"
  })
  void nodesAndTasksFollowFromEachOther(String options, int min, int max, int tasks) {
    JobRequest request = job(options.split(";")).request();
    assertThat(List.of(request.minNodes(), request.maxNodes(), request.tasks()))
        .containsExactly(min, max, tasks);
  }

  @Test
  void fewerTasksThanNodesIsSaid() {
    assertThat(reply("nodes=3", "ntasks=1"))
        .isEqualTo(
            new Reply.Submitted(
                1, List.of("warning: can't run 1 processes on 3 nodes, setting nnodes to 1")));
  }

  @Test
  void gresMemoryFeaturesLicensesAndSharingAreRead() {
    Job job =
        job(
            "gres=gpu:h100:2",
            "gpus-per-task=h100:1",
            "ntasks=2",
            "mem-per-gpu=4G",
            "constraint=fast",
            "licenses=sim:2",
            "exclusive=user",
            "switches=1@5:00",
            "contiguous");
    JobRequest request = job.request();
    assertThat(request.gres())
        .containsExactly(new GresRequest("gpu", "h100", 2, GresRequest.Scope.NODE));
    assertThat(request.tasksPerNode()).as("GPUs of a node by those of a task").isEqualTo(2);
    assertThat(request.memory()).isEqualTo(new MemoryRequest.PerGpu(4096));
    assertThat(request.features()).hasToString("fast");
    assertThat(request.licenses()).containsExactly(Map.entry("sim", 2));
    assertThat(request.exclusivity()).isEqualTo(Exclusivity.USER);
    assertThat(request.switches()).isEqualTo(1);
    assertThat(request.switchesWaitSeconds()).isEqualTo(300);
    assertThat(request.contiguous()).isTrue();
  }

  @Test
  void aJobThatMustWaitSaysWhatFor() {
    int first = bench.submit("hold");
    assertThat(bench.job(first).hold()).isEqualTo(Hold.USER);
    assertThat(bench.job(first).reason()).isEqualTo(Reason.JOB_HELD_USER);
    assertThat(bench.job(first).priority()).isZero();
    Job later = job("begin=now+1hour");
    assertThat(later.begin()).isEqualTo(TestCluster.NOW.plusSeconds(3600));
    assertThat(later.reason()).isEqualTo(Reason.BEGIN_TIME);
    Job after = job("dependency=afterok:" + first);
    assertThat(after.reason()).isEqualTo(Reason.DEPENDENCY);
    assertThat(after.eligible()).isNull();
    assertThat(job("begin=2020-01-01").begin()).isNull();
  }

  @Test
  void anArrayIsOneRecord() {
    Job job = job("array=1,3,5-9:2%2");
    assertThat(job.array()).isEqualTo(new ArrayInfo(job.id(), null, IndexSet.of(1, 3, 5, 7, 9), 2));
    assertThat(job.displayId()).isEqualTo("1_[1,3,5,7,9%2]");
    assertThat(bench.submit()).isEqualTo(2);
  }

  @Test
  void aUsersPriorityIsTakenAndNotUsedAndAnAdministratorsIs() {
    assertThat(job("priority=4000000000").directPriority()).isNull();
    assertThat(bench.job(bench.submit(ROOT, "priority=42")).directPriority()).isEqualTo(42);
    assertThat(bench.job(bench.submit(ROOT, "nice=-7")).nice()).isEqualTo(-7);
    assertThat(job("nice").nice()).isEqualTo(100);
  }

  @Test
  void theOwnerIsWhoTheConnectionSays() {
    assertThat(job("account=lab").owner().user()).isEqualTo("alice");
    assertThat(job("account=lab").owner().uid()).isEqualTo(1001);
    assertThat(job("account=lab").owner().account()).isEqualTo("lab");
  }

  @Test
  void withoutADefaultPartitionItMustBeNamed() {
    Bench lab = Bench.ready();
    lab.reconfigure(
        TestCluster.config()
            .with(
                c ->
                    c.partitions(
                        TestCluster.config().partitions().stream()
                            .map(p -> p.withIsDefault(false))
                            .toList())));
    lab.handle(new Command.Reconfigure(ROOT));
    Reply reply = lab.handle(new Command.Submit(ALICE, TestCluster.submission()));
    assertThat(Bench.error(reply)).isEqualTo(SlurmError.DEFAULT_PARTITION_NOT_SET);
  }

  @Test
  void maxMemPerCpuTurnsMemoryIntoCpus() {
    Bench lab = Bench.ready(Map.of("MaxMemPerCPU", "1000"));
    JobRequest request = lab.job(lab.submit("mem-per-cpu=4000")).request();
    assertThat(request.cpusPerTask()).isEqualTo(4);
    assertThat(request.memory()).isEqualTo(new MemoryRequest.PerCpu(1000));
  }

  @Test
  void maxJobCountIsTheLimit() {
    Bench lab = Bench.ready(Map.of("MaxJobCount", "1"));
    lab.submit();
    Reply reply = lab.handle(new Command.Submit(ALICE, TestCluster.submission()));
    assertThat(Bench.error(reply)).isEqualTo(SlurmError.MAX_JOB_COUNT);
  }

  private static JobSubmission with(String script, String... options) {
    return TestCluster.submission(options).withScript(script);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "echo hi | This does not look like a batch script.  The first",
        "'   ' | Batch script is empty!",
        "'#!/bin/sh\r\necho' | Batch script contains DOS line breaks (\\r\\n)"
      })
  void whatIsNoScriptIsRefused(String script, String line) {
    Reply.Refused refused = (Reply.Refused) bench.handle(new Command.Submit(ALICE, with(script)));
    assertThat(Objects.requireNonNull(refused.detail()).split("\n")[0]).isEqualTo(line);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ALL | A,B,SLURM_X",
        "NONE | SLURM_X",
        "NIL | ''",
        "B | B,SLURM_X",
        "ALL,C=3 | A,B,C,SLURM_X",
        "C=3,Z | C,SLURM_X"
      })
  void exportChoosesTheEnvironment(String export, String names) {
    SortedMap<String, String> environment =
        new TreeMap<>(Map.of("A", "1", "B", "2", "SLURM_X", "3"));
    JobSubmission submission =
        TestCluster.submission("export=" + export).withEnvironment(environment);
    SubmissionReader reader =
        new SubmissionReader(
            bench.core.state(),
            Settings.of(bench.core.state().config()),
            ZoneOffset.UTC,
            TestCluster.NOW);
    var script = Objects.requireNonNull(reader.read(submission, ALICE, 1).script());
    assertThat(String.join(",", script.environment().keySet())).isEqualTo(names);
  }

  @Test
  void wrapMakesAScript() {
    JobSubmission submission =
        TestCluster.submission("wrap=sleep 5").with(s -> s.script("").command(""));
    Reply reply = bench.handle(new Command.Submit(ALICE, submission));
    assertThat(reply).isInstanceOf(Reply.Submitted.class);
    assertThat(bench.job(1).name()).isEqualTo("wrap");
    assertThat(bench.job(1).batch().batch()).isTrue();
  }

  @Test
  void anyTextIsKeptAsItIs() {
    String odd = "a'b;c%d\\e ../f\t☃|\"";
    Job job = job("job-name=" + odd, "comment=" + odd, "account=" + odd);
    assertThat(List.of(job.name(), job.comment(), job.owner().account())).containsOnly(odd);
  }

  /** Whatever is typed, the answer is a job or a refusal, and a refusal leaves nothing behind. */
  @Property(tries = 300)
  void noValueBreaksTheController(@ForAll @StringLength(max = 12) String value) {
    Bench lab = Bench.ready();
    List<String> options = new ArrayList<>(OptionNames.READ);
    options.sort(null);
    for (String option : options) {
      Reply reply =
          lab.handle(
              new Command.Submit(
                  ALICE,
                  TestCluster.submission()
                      .withOptions(Immutable.sortedMap(Map.of(option, value)))));
      assertThat(reply).isInstanceOfAny(Reply.Submitted.class, Reply.Refused.class);
    }
    assertThat(lab.core.state().time()).isBeforeOrEqualTo(Instant.MAX);
  }
}
