package dev.yardmaster.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.engine.JobSpec;
import dev.yardmaster.engine.Lab;
import dev.yardmaster.engine.explain.Explainer;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.explain.Explanation;
import dev.yardmaster.explain.Remedy;
import dev.yardmaster.explain.Remedy.Lever;
import dev.yardmaster.model.Identity;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.PartitionState;
import dev.yardmaster.model.Topology;
import dev.yardmaster.sim.VirtualCluster;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * For each lever a situation in which it helps: its command, typed by the one who may give it,
 * starts the job where and when the remedy says.
 */
class EveryRemedyTest {
  /** Builds a cluster and returns it; the job that waits comes last. */
  private record Situation(Lab lab, ToIntFunction<Lab> job) {}

  private static final Identity ROOT = new Identity("root", 0, "root", 0);

  private static Lab two() {
    return Lab.with().nodes("n[1-2]").build();
  }

  private static int sub(Lab lab, String options) {
    return lab.submit(JobSpec.parse("j", List.of(options.split(" ")), lab.now()));
  }

  private static Situation on(Lab lab, String runs, String waits) {
    if (!runs.isEmpty()) {
      sub(lab, runs);
      lab.pass();
    }
    return new Situation(lab, l -> sub(l, waits));
  }

  private static Lab accounts(Lab.Builder builder, String... lines) {
    Lab lab = builder.setting("AccountingStorageEnforce", "limits,qos").build();
    Stream.concat(
            Stream.of("add qos wide", "add account lab", "add user alice account=lab"),
            Arrays.stream(lines))
        .forEach(line -> lab.accounts(Arrays.asList(line.split(" "))));
    return lab;
  }

  private static Lab.Builder tree() {
    return Lab.with()
        .nodes("n[1-4]")
        .topology(
            new Topology.Tree(
                "default",
                List.of(
                    new Topology.Switch("left", List.of(), List.of("n1", "n2")),
                    new Topology.Switch("right", List.of(), List.of("n3", "n4")),
                    new Topology.Switch("core", List.of("left", "right"), List.of()))));
  }

  private static Situation behindAnother() {
    Lab lab = two();
    sub(lab, "-N1 -w n1 --exclusive -t60");
    lab.pass();
    sub(lab, "-N2 --exclusive -t60 --priority=9");
    return new Situation(lab, l -> sub(l, "-N1 --exclusive -t120 --priority=5"));
  }

  private static Situation reserved() {
    Lab lab = two();
    lab.reserve("later", Lab.at(120), 60, "n1", "alice");
    return new Situation(lab, l -> sub(l, "-N1 -t10 --reservation=later"));
  }

  private static Situation shut() {
    Lab lab =
        Lab.with()
            .nodes("n[1-2]")
            .partition("main", "n1", p -> p.withIsDefault(true))
            .partition("shut", "n2", p -> p)
            .build();
    lab.partition("shut", PartitionState.DOWN);
    return new Situation(lab, l -> sub(l, "-p shut -N1 -t10"));
  }

  private static Situation notAdmitted(UnaryOperator<Partition> rules) {
    Lab lab =
        Lab.with()
            .nodes("n[1-2]")
            .partition("main", "n1", p -> p.withIsDefault(true))
            .partition("closed", "n2", rules)
            .build();
    return new Situation(lab, l -> sub(l, "-p closed -N1 -t10"));
  }

  private static Situation drained() {
    Lab lab = two();
    lab.node("n[1-2]", "drain");
    return new Situation(lab, l -> sub(l, "-N2 -t10"));
  }

  private static Situation inTheWay() {
    Lab lab = two();
    lab.reserve("course", Lab.at(30), 120, "n[1-2]", "bob");
    return new Situation(lab, l -> sub(l, "-N2 -t60"));
  }

  private static Situation blocks() {
    Lab lab =
        Lab.with()
            .nodes("n[1-8]")
            .topology(
                new Topology.Block(
                    "default",
                    List.of(
                        new Topology.BlockUnit("b1", List.of("n1", "n2", "n3", "n4")),
                        new Topology.BlockUnit("b2", List.of("n5", "n6", "n7", "n8"))),
                    List.of(4, 8)))
            .build();
    sub(lab, "-N1 -w n5 --exclusive -t60");
    return on(lab, "-N1 -w n1 --exclusive -t60", "-N6 -n6 --segment=2 --exclusive -t30");
  }

  private static Lab typed() {
    return Lab.with()
        .nodes("n1", s -> s.withGres(List.of(Lab.gpus("a100", 8))))
        .nodes("n2", s -> s.withGres(List.of(Lab.gpus("h100", 8))))
        .build();
  }

  private static Lab limited(int maxMinutes, int maxNodes) {
    return Lab.with()
        .nodes("n[1-3]")
        .partition(
            "main",
            "n[1-3]",
            p -> p.withIsDefault(true).withMaxTimeMinutes(maxMinutes).withMaxNodes(maxNodes))
        .build();
  }

  private static Map<Lever, Situation> situations() {
    Map<Lever, Situation> all = new EnumMap<>(Lever.class);
    all.put(Lever.RELEASE, on(two(), "", "-N1 -t10 -H"));
    all.put(Lever.SHORTER_TIME_LIMIT, behindAnother());
    all.put(Lever.TIME_LIMIT_WITHIN_PARTITION, on(limited(60, 3), "", "-N1 -t100"));
    all.put(Lever.FEWER_NODES, on(two(), "-N1 --exclusive -t60", "-N2 --exclusive -t60"));
    all.put(Lever.FEWER_GPUS, on(two(), "-N2 -n2 --gres=gpu:6 -t60", "-N1 -n1 --gres=gpu:4 -t60"));
    all.put(
        Lever.OTHER_GPU_TYPE,
        on(typed(), "-N1 -n1 --gres=gpu:a100:8 -t60", "-N1 -n1 --gres=gpu:a100:2 -t60"));
    all.put(Lever.LESS_MEMORY, on(two(), "-N2 -n2 --mem=40000 -t60", "-N1 -n1 --mem=60000 -t60"));
    all.put(
        Lever.FEWER_CPUS,
        on(two(), "-N2 --ntasks-per-node=12 --mem=100 -t60", "-N1 -n8 --mem=100 -t60"));
    all.put(
        Lever.OTHER_PARTITION,
        on(
            Lab.with()
                .nodes("n[1-2]")
                .partition("main", "n1", p -> p.withIsDefault(true))
                .partition("other", "n2", p -> p)
                .build(),
            "-N1 --exclusive -t60",
            "-N1 --exclusive -t60"));
    all.put(
        Lever.OTHER_QOS,
        on(
            accounts(
                Lab.with().nodes("n[1-2]"),
                "add qos tight",
                "modify account root set qos=tight,wide",
                "modify qos tight set MaxTRESPerUser=cpu=2"),
            "",
            "-A lab -q tight -n4 -t10"));
    all.put(
        Lever.RAISE_LIMIT,
        on(
            accounts(
                Lab.with().nodes("n[1-2]"),
                "modify account root set qos=wide",
                "modify account lab set GrpTRES=cpu=6"),
            "-A lab -q wide -n4 -t60",
            "-A lab -q wide -n4 -t10"));
    all.put(Lever.DROP_FEATURES, on(two(), "", "-N1 -C nosuch -t10"));
    all.put(Lever.DROP_NODELIST, on(two(), "-N1 -w n1 --exclusive -t60", "-N1 -w n1 -t10"));
    all.put(Lever.DROP_EXCLUSIVE, on(two(), "-N2 -n2 --mem=100 -t60", "-N1 -n1 --exclusive -t10"));
    all.put(
        Lever.DROP_SWITCHES,
        on(
            tree().build(),
            "-N1 -w n2 --exclusive -t60",
            "-N3 --switches=1@24:00:00 --exclusive -t30"));
    all.put(
        Lever.DROP_CONTIGUOUS,
        on(
            Lab.with().nodes("n[1-4]").build(),
            "-N1 -w n2 --exclusive -t60",
            "-N3 --contiguous --exclusive -t30"));
    all.put(Lever.DROP_SEGMENT, blocks());
    all.put(
        Lever.DROP_LICENSES,
        on(
            Lab.with().nodes("n[1-2]").license("sim", 1).build(),
            "-N1 -n1 --mem=100 -L sim:1 -t60",
            "-N1 -n1 -L sim:1 -t10"));
    all.put(Lever.LEAVE_RESERVATION, reserved());
    all.put(Lever.DROP_DEPENDENCY, on(two(), "-N1 -t60", "-N1 -t10 -d afterok:1"));
    all.put(Lever.BEGIN_NOW, on(two(), "", "-N1 -t10 --begin=+120"));
    all.put(Lever.RAISE_THROTTLE, on(two(), "", "-N1 -n1 --mem=100 -t60 --array=0-3%1"));
    all.put(Lever.PARTITION_UP, shut());
    all.put(Lever.ADMIT, notAdmitted(p -> p.withAllowGroups(List.of("staff", "root"))));
    all.put(Lever.RESUME_NODES, drained());
    all.put(Lever.RAISE_PARTITION_LIMIT, on(limited(60, 2), "", "-N3 -t10"));
    all.put(Lever.MOVE_RESERVATION, inTheWay());
    all.put(Lever.RAISE_PRIORITY, behindAnother());
    all.put(Lever.OTHER_JOB_ENDS, on(two(), "-N2 --exclusive -t60", "-N1 -t10"));
    return all;
  }

  @Test
  void whoIsOnNoListOfAPartitionOrOnTheWrongOneIsPutRight() {
    play(notAdmitted(p -> p.withAllowAccounts(List.of("bio", "root"))), Lever.ADMIT);
    play(notAdmitted(p -> p.withDenyAccounts(List.of("LAB"))), Lever.ADMIT);
    play(notAdmitted(p -> p.withDenyAccounts(List.of("bio", "lab"))), Lever.ADMIT);
    Lab lab =
        Lab.with()
            .nodes("n[1-2]")
            .setting("AccountingStorageEnforce", "limits,qos")
            .partition("main", "n1", p -> p.withIsDefault(true))
            .partition("some", "n2", p -> p.withAllowQos(List.of("wide")))
            .partition("others", "n2", p -> p.withDenyQos(List.of("tight")))
            .build();
    Stream.of(
            "add qos wide",
            "add qos tight",
            "add account lab",
            "add user alice account=lab",
            "modify account root set qos=tight,wide")
        .forEach(line -> lab.accounts(Arrays.asList(line.split(" "))));
    play(new Situation(lab, l -> sub(l, "-A lab -q tight -p some -N1 -t10")), Lever.ADMIT);
    play(new Situation(lab, l -> sub(l, "-A lab -q tight -p others -N1 -t10")), Lever.ADMIT);
  }

  @Test
  void everyLeverHasASituation() {
    assertThat(situations().keySet()).containsExactlyInAnyOrder(Lever.values());
  }

  @Test
  void theEndOfOneWhoUsesUpALicenceOrALimitIsOffered() {
    Lab licensed = Lab.with().nodes("n[1-2]").license("sim", 1).build();
    play(
        on(licensed, "-N1 -n1 --mem=100 -L sim:1 -t60", "-N1 -n1 -L sim:1 -t10"),
        Lever.OTHER_JOB_ENDS);
    Lab lab =
        accounts(
            Lab.with().nodes("n[1-2]"),
            "modify account root set qos=wide",
            "modify account lab set GrpTRES=cpu=6");
    play(
        on(lab, "-A lab -q wide -n4 --mem=100 -t60", "-A lab -q wide -n4 --mem=100 -t10"),
        Lever.OTHER_JOB_ENDS);
    Lab qos =
        accounts(
            Lab.with().nodes("n[1-2]"),
            "modify account root set qos=wide",
            "modify qos wide set MaxJobsPerUser=1");
    play(
        on(qos, "-A lab -q wide -n4 --mem=100 -t60", "-A lab -q wide -n4 --mem=100 -t10"),
        Lever.OTHER_JOB_ENDS);
  }

  @Test
  void gpusOfTheWholeJobASocketOrATaskAreFewer() {
    for (String waits :
        List.of(
            "-N2 -n2 --mem=100 --gpus=14 -t60",
            "-n2 --mem=100 --gpus-per-task=6 -t60",
            "-N1 -n2 --mem=100 --sockets-per-node=2 --gpus-per-socket=3 -t60")) {
      play(on(two(), "-N2 -n2 --mem=100 --gres=gpu:4 -t60", waits), Lever.FEWER_GPUS);
    }
    play(on(two(), "-N1 -n1 --mem=100 --gres=gpu:8 -t60", "-N2 --gpus=10 -t60"), Lever.FEWER_GPUS);
    play(on(two(), "", "-N1 -n1 --mem=100 --gpus=40 -t10"), Lever.FEWER_GPUS);
    play(on(typed(), "-N1 -n1 --gres=gpu:a100:8 -t60", "-n1 --gpus=a100:2"), Lever.OTHER_GPU_TYPE);
  }

  private static List<Remedy> raises(Situation situation) {
    Lab lab = situation.lab();
    int id = situation.job().applyAsInt(lab);
    lab.pass();
    return Explainer.explain(lab.state(), id, lab.now()).remedies().stream()
        .filter(r -> r.lever() == Lever.RAISE_LIMIT)
        .toList();
  }

  private static Situation behindOneOfItsAccount() {
    Lab lab =
        accounts(
            Lab.with().nodes("n[1-2]"),
            "modify account root set qos=wide",
            "modify account lab set GrpTRES=cpu=6");
    sub(lab, "-A lab -q wide -n4 --mem=100 -t60");
    lab.pass();
    sub(lab, "-A lab -q wide -n3 --mem=100 -t600 --priority=9");
    return new Situation(lab, l -> sub(l, "-A lab -q wide -n4 --mem=100 -t600 --priority=5"));
  }

  @Test
  void aLimitIsRaisedByMoreThanTheJobLacksWhereOthersTakeThatFirst() {
    play(behindOneOfItsAccount(), Lever.RAISE_LIMIT);
    // 4 run, 3 are ahead, and 4 of its own
    assertThat(raises(behindOneOfItsAccount()))
        .extracting(Remedy::command)
        .contains("sacctmgr -i modify account lab set GrpTRES=cpu=11");
  }

  private static Situation twoLimits() {
    Lab lab =
        accounts(
            Lab.with().nodes("n[1-2]"),
            "modify account root set qos=wide",
            "modify qos wide set MaxTRESPerUser=cpu=6,gres/gpu=2 MaxJobsPerUser=1",
            "modify account lab set GrpTRES=cpu=6");
    return on(
        lab,
        "-A lab -q wide -n4 --mem=100 --gres=gpu:2 -t60",
        "-A lab -q wide -n4 --mem=100 --gres=gpu:2 -t600");
  }

  @Test
  void limitsThatOnlyHelpTogetherAreRaisedTogether() {
    play(twoLimits(), Lever.RAISE_LIMIT);
    assertThat(raises(twoLimits()))
        .anySatisfy(
            r ->
                assertThat(r.command())
                    .contains(" && ")
                    .contains("modify account lab set GrpTRES=cpu=8")
                    .contains("MaxTRESPerUser=cpu=8,gres/gpu=4")
                    .contains("MaxJobsPerUser=2"));
  }

  @Test
  void aTaskBehindTheThrottleOfItsArrayIsHelpedByTheEndOfOneThatRuns() {
    Situation array = on(two(), "", "-N1 -n1 --mem=100 -t60 --array=0-3%1");
    play(array, Lever.OTHER_JOB_ENDS);
    Lab lab = two();
    int id = sub(lab, "-N1 -n1 --mem=100 -t60 --array=0-3%2");
    lab.pass();
    ClusterState lowered =
        RemedyCommandTest.run(
            lab.state(), lab.now(), "scontrol update job=" + id + " arraytaskthrottle=1", ROOT);
    List<Remedy> remedies = Explainer.explain(lowered, id, lab.now()).remedies();
    assertThat(remedies).noneMatch(r -> r.command().endsWith("arraytaskthrottle=2"));
    assertThat(remedies)
        .filteredOn(r -> r.start().equals(lab.now()))
        .extracting(Remedy::command)
        .contains("scontrol update job=" + id + " arraytaskthrottle=3");
  }

  /** As when nodes went away after it was submitted. */
  @Test
  void aJobThatAsksForMoreThanThereIsIsToldWhatThereIs() {
    play(on(two(), "", "-N1 -n1 --mem=100000 -t10"), Lever.LESS_MEMORY);
    play(on(two(), "", "-N1 -n1 --gres=gpu:16 -t10"), Lever.FEWER_GPUS);
    play(on(two(), "", "-N5 -t10"), Lever.FEWER_NODES);
    play(on(two(), "", "-N1 -n40 --mem=100 -t10"), Lever.FEWER_CPUS);
    play(on(two(), "", "-N1 -n1 -c20 --mem=100 -t10"), Lever.FEWER_CPUS);
    play(on(two(), "", "-N1 -n1 --gres=gpu:none:2 -t10"), Lever.OTHER_GPU_TYPE);
  }

  @TestFactory
  Stream<DynamicTest> theCommandStartsTheJobWhenItSays() {
    return situations().entrySet().stream()
        .map(e -> DynamicTest.dynamicTest(e.getKey().name(), () -> play(e.getValue(), e.getKey())));
  }

  private static void play(Situation situation, Lever lever) {
    Lab lab = situation.lab();
    int id = situation.job().applyAsInt(lab);
    lab.pass();
    Job job = lab.job(id);
    Explanation e = Explainer.explain(lab.state(), id, lab.now());
    List<Remedy> remedies = e.remedies().stream().filter(r -> r.lever() == lever).toList();
    assertThat(remedies).as("%s of %s", lever, e.remedies()).isNotEmpty();
    for (Remedy remedy : remedies) {
      Identity owner = new Identity(job.owner().user(), job.owner().uid(), "users", 100);
      ClusterState after =
          RemedyCommandTest.run(
              lab.state(), lab.now(), remedy.command(), remedy.byOwner() ? owner : ROOT);
      assertThat(started(after, lab.now(), id, remedy.start()))
          .as("%s, then %s", remedy.command(), remedy.start())
          .isEqualTo(started(lab.state(), lab.now(), id, remedy.start()) + 1);
    }
  }

  /** How many tasks of a job, or the job, have started just at a time when it is played on. */
  private static long started(ClusterState state, Instant now, int id, Instant at) {
    VirtualCluster cluster = new VirtualCluster(state, now, event -> {});
    cluster.run(now.plus(Duration.ofDays(2)));
    return cluster.state().jobs().values().stream()
        .filter(j -> j.id() == id || (j.array() != null && j.array().arrayJobId() == id))
        .filter(j -> at.equals(j.started()))
        .count();
  }
}
