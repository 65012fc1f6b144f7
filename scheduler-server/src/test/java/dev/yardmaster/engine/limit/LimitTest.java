package dev.yardmaster.engine.limit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.engine.JobSpec;
import dev.yardmaster.engine.Lab;
import dev.yardmaster.engine.explain.Explainer;
import dev.yardmaster.explain.Evidence;
import dev.yardmaster.explain.Explanation;
import dev.yardmaster.explain.Gate;
import dev.yardmaster.explain.Remedy;
import dev.yardmaster.model.JobOwner;
import dev.yardmaster.model.LimitKind;
import dev.yardmaster.model.Reason;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What each kind of limit holds back, and how it is explained. */
class LimitTest {
  private final Lab lab =
      Lab.with()
          .nodes("n[1-6]")
          .partition("main", "n[1-6]", p -> p.withIsDefault(true))
          .partition("pq", "n[1-6]", p -> p.withQos("part"))
          .setting("AccountingStorageEnforce", "associations,limits,qos,safe")
          .license("lic", 4)
          .build();

  LimitTest() {
    set("add qos part");
    set("add account prod");
    set("add account train parent=prod");
    set("add account other");
    set("add user alice account=train,other");
    set("add user bob account=train");
    set("add qos q");
    set("modify account root set qos+=q");
  }

  private void set(String line) {
    lab.accounts(List.of(line.split(" ")));
  }

  private int submit(String options, String user, String account, String qos) {
    List<String> words = new ArrayList<>(List.of(options.split(" ")));
    JobSpec spec =
        JobSpec.parse("j", words, lab.now())
            .user(user)
            .also(
                j ->
                    j.withOwner(
                        new JobOwner(
                            user,
                            j.owner().uid() == 0 ? 1001 : j.owner().uid(),
                            user,
                            1001,
                            account,
                            qos,
                            "")));
    return lab.submit(spec);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // what is set              | first job       | second job      | its reason
        "qos q MaxTRESPerUser=gres/gpu=4 | -n1 --gres=gpu:3 -t10 | -n1 --gres=gpu:2 -t10 |"
            + " QOSMaxGRESPerUser",
        "qos q MaxTRESPerUser=gres/gpu:h100=4 | -n1 --gres=gpu:3 -t10 | -n1 --gres=gpu:2 -t10 |"
            + " None",
        "qos q MaxTRESPerUser=cpu=4 | -n3 -t10 | -n2 -t10 | QOSMaxCpuPerUserLimit",
        "qos q MaxTRESPerUser=mem=4000 | -n1 --mem=3000 -t10 | -n1 --mem=2000 -t10 |"
            + " QOSMaxMemoryPerUser",
        "qos q MaxTRESPerUser=node=1 | -N1 -w n1 -t10 | -N1 -w n2 -t10 | QOSMaxNodePerUserLimit",
        "qos q MaxTRESPerUser=node=1 | -N1 -w n1 -t10 | -N1 -w n1 -t10 | None",
        "qos q MaxTRESPerUser=node=1 | -N1 -w n2 -t10 | -N1 -n1 -t10 | None",
        "qos q MaxTRESPerAccount=gres/gpu=4 | -n1 --gres=gpu:3 -t10 | -n1 --gres=gpu:2 -t10 |"
            + " MaxGRESPerAccount",
        "qos q GrpTRES=cpu=4 | -n3 -t10 | -n2 -t10 | QOSGrpCpuLimit",
        "qos q GrpTRES=billing=4 | -n3 -t10 | -n2 -t10 | QOSGrpBilling",
        "qos q GrpTRES=license/lic=1 | -n1 -L lic:1 -t10 | -n1 -L lic:1 -t10 | QOSGrpLicense",
        "qos q MaxTRESPerJob=cpu=4 | -n4 -t10 | -n5 -t10 | QOSMaxCpuPerJobLimit",
        "qos q MaxTRESPerJob=node=1 | -N1 -t10 | -N2 -t10 | QOSMaxNodePerJobLimit",
        "qos q MaxTRESPerNode=cpu=2 | -N1 -n2 -t10 | -N1 -n3 -t10 | QOSMaxCpuPerNode",
        "qos q MaxJobsPerUser=1 | -n1 -t10 | -n1 -t10 | QOSMaxJobsPerUserLimit",
        "qos q MaxJobsPerAccount=1 | -n1 -t10 | -n1 -t10 | MaxJobsPerAccount",
        "qos q GrpJobs=1 | -n1 -t10 | -n1 -t10 | QOSGrpJobsLimit",
        "qos q MaxWall=5 | -n1 -t5 | -n1 -t6 | QOSMaxWallDurationPerJobLimit",
        "qos q GrpWall=5 | -n1 -t5 | -n1 -t6 | QOSGrpWallLimit",
        "qos q MaxTRESMinsPerJob=cpu=10 | -n1 -t10 | -n2 -t6 | QOSMaxCpuMinutesPerJobLimit",
        "qos q GrpTRESMins=cpu=10 | -n1 -t5 | -n2 -t6 | QOSGrpCPUMinutesLimit",
        "qos q GrpTRESRunMins=cpu=10 | -n1 -t8 | -n1 -t5 | QOSGrpCPURunMinutesLimit",
        "qos q MaxTRESRunMinsPerUser=cpu=10 | -n1 -t8 | -n1 -t5 | MaxCpuRunMinsPerUser",
        "qos q MaxTRESRunMinsPerAccount=cpu=10 | -n1 -t8 | -n1 -t5 | MaxCpuRunMinsPerAccount",
        "qos q MinTRESPerJob=cpu=4 | -n4 -t5 | -n2 -t5 | QOSMinCpuNotSatisfied",
        "qos q MinTRESPerJob=gres/gpu=1 | -n1 --gres=gpu:1 -t5 | -n1 -t5 | QOSMinGRES",
        "account train GrpTRES=gres/gpu=4 | -n1 --gres=gpu:3 -t10 | -n1 --gres=gpu:2 -t10 |"
            + " AssocGrpGRES",
        "account prod GrpTRES=gres/gpu=4 | -n1 --gres=gpu:3 -t10 | -n1 --gres=gpu:2 -t10 |"
            + " AssocGrpGRES",
        "account other GrpTRES=gres/gpu=1 | -n1 --gres=gpu:3 -t10 | -n1 --gres=gpu:2 -t10 | None",
        "account train GrpTRES=node=1 | -N1 -w n1 -t10 | -N1 -w n2 -t10 | AssocGrpNodeLimit",
        "account train GrpJobs=1 | -n1 -t10 | -n1 -t10 | AssocGrpJobsLimit",
        "account train MaxJobs=1 | -n1 -t10 | -n1 -t10 | AssocMaxJobsLimit",
        "user alice MaxJobs=1 | -n1 -t10 | -n1 -t10 | AssocMaxJobsLimit",
        "account prod MaxTRES=cpu=4 | -n4 -t10 | -n5 -t10 | AssocMaxCpuPerJobLimit",
        "account train MaxWall=5 | -n1 -t5 | -n1 -t6 | AssocMaxWallDurationPerJobLimit",
        "account train MaxTRESMins=cpu=10 | -n1 -t5 | -n2 -t6 | AssocMaxCpuMinutesPerJobLimit",
        "account train GrpTRESMins=gres/gpu=10 | -n1 -t5 | -n1 --gres=gpu:2 -t6 |"
            + " AssocGrpGRESMinutes",
        "account train GrpTRESRunMins=cpu=10 | -n1 -t8 | -n1 -t5 | AssocGrpCPURunMinutesLimit",
        "account train GrpWall=5 | -n1 -t5 | -n1 -t6 | AssocGrpWallLimit",
        "account train MaxTRESPerNode=cpu=2 | -N1 -n2 -t10 | -N1 -n3 -t10 | AssocMaxCpuPerNode",
        "account train MaxTRES=node=1 | -N1 -t10 | -N2 -t10 | AssocMaxNodePerJobLimit",
        "account train MaxTRES=gres/gpu=1 | -n1 --gres=gpu:1 -t10 | -n1 --gres=gpu:2 -t10 |"
            + " AssocMaxGRESPerJob",
        "account train GrpTRES=mem=4000 | -n1 --mem=3000 -t10 | -n1 --mem=2000 -t10 |"
            + " AssocGrpMemLimit",
        "account train GrpTRES=billing=4 | -n3 -t10 | -n2 -t10 | AssocGrpBilling",
        "account train GrpTRES=license/lic=1 | -n1 -L lic:1 -t10 | -n1 -L lic:1 -t10 |"
            + " AssocGrpLicense",
        "user alice MaxTRES=cpu=4 | -n4 -t10 | -n5 -t10 | AssocMaxCpuPerJobLimit",
        "user alice MaxWall=5 | -n1 -t5 | -n1 -t6 | AssocMaxWallDurationPerJobLimit",
        "user alice GrpJobs=1 | -n1 -t10 | -n1 -t10 | AssocGrpJobsLimit",
        "qos q GrpTRES=mem=4000 | -n1 --mem=3000 -t10 | -n1 --mem=2000 -t10 | QOSGrpMemLimit",
        "qos q GrpTRES=node=1 | -N1 -w n1 -t10 | -N1 -w n2 -t10 | QOSGrpNodeLimit",
        "qos q MaxTRESPerJob=mem=2000 | -n1 --mem=2000 -t10 | -n1 --mem=3000 -t10 |"
            + " QOSMaxMemoryPerJob",
        "qos q MaxTRESPerAccount=cpu=4 | -n3 -t10 | -n2 -t10 | MaxCpuPerAccount",
        "qos q GrpTRESMins=gres/gpu=10 | -n1 -t5 | -n1 --gres=gpu:2 -t6 | QOSGrpGRESMinutes",
        "qos q GrpTRESRunMins=gres/gpu=10 | -n1 --gres=gpu:1 -t8 | -n1 --gres=gpu:1 -t5 |"
            + " QOSGrpGRESRunMinutes",
      })
  void theSecondJobIsHeldBackWithSlurmsReasonAndClosesNothingBehindIt(
      String what, String first, String second, String reason) {
    set("modify " + what.replaceFirst(" (\\w+) ", " $1 set "));
    int one = submit(first, "alice", "train", "q");
    lab.pass();
    int two = submit(second, "alice", "train", "q");
    int behind = submit("-n1 -t1", "alice", "other", "normal");
    lab.pass();
    assertThat(lab.show(one)).startsWith("R ");
    assertThat(lab.job(two).reason().text()).isEqualTo(reason);
    assertThat(lab.show(behind)).startsWith("R ");
  }

  @Test
  void aLimitOfTheQosDecidesWhereTheAssociationSetsTheSame() {
    set("modify account train set GrpTRES=gres/gpu=4");
    set("modify qos q set GrpTRES=gres/gpu=8");
    int one = submit("-n1 --gres=gpu:4 -t10", "alice", "train", "q");
    int two = submit("-n1 --gres=gpu:2 -t10", "alice", "train", "q");
    lab.pass();
    assertThat(lab.show(one)).startsWith("R ");
    assertThat(lab.show(two)).startsWith("R ");
  }

  @Test
  void aJobWithNodesForItselfTakesAllTheirGpusOfALimit() {
    set("modify qos q set MaxTRESPerUser=gres/gpu=12");
    int fits = submit("-N1 --exclusive -t10", "alice", "train", "q");
    int tooBig = submit("-N2 --exclusive -t10", "bob", "train", "q");
    int behind = submit("-N1 --exclusive -t10", "bob", "train", "q");
    lab.pass();
    assertThat(lab.show(fits)).startsWith("R ");
    assertThat(lab.job(tooBig).reason().text()).isEqualTo("QOSMaxGRESPerUser");
    assertThat(lab.show(behind)).startsWith("R ");
  }

  @ParameterizedTest
  @CsvSource({"'',QOSGrpCpuLimit", "OverPartQOS,None"})
  void theQosOfThePartitionDecidesUnlessThatOfTheJobGoesOverIt(String flags, String reason) {
    set("modify qos part set GrpTRES=cpu=4");
    set("modify qos q set GrpTRES=cpu=8 Flags=" + (flags.isEmpty() ? "-1" : flags));
    submit("-p pq -n3 -t10", "alice", "train", "q");
    lab.pass();
    int two = submit("-p pq -n2 -t10", "alice", "train", "q");
    lab.pass();
    assertThat(lab.job(two).reason().text()).isEqualTo(reason);
  }

  @Test
  void aJobWhoseQosWasTakenAwayWaitsForIt() {
    int one = submit("-n1 -t10", "alice", "train", "q");
    set("modify account root set qos=normal");
    lab.pass();
    assertThat(lab.job(one).reason()).isEqualTo(Reason.INVALID_QOS);
  }

  @Test
  void theExplanationTellsTheNumbersAndARemedyThatIsTrue() {
    set("modify qos q set MaxTRESPerUser=gres/gpu=4");
    submit("-n1 --gres=gpu:3 -t10", "alice", "train", "q");
    lab.pass();
    int two = submit("-n1 --gres=gpu:2 -t10", "alice", "train", "q");
    lab.pass();
    Explanation e = Explainer.explain(lab.state(), two, lab.now());
    assertThat(e.binding()).isEqualTo(Gate.QOS_LIMIT);
    assertThat(e.finding(Gate.QOS_LIMIT).orElseThrow().evidence())
        .isEqualTo(new Evidence.Limit("qos", "q", "MaxTRESPerUser", "gres/gpu", 4, 3, 2));
    assertThat(e.remedies())
        .filteredOn(r -> r.lever() == Remedy.Lever.RAISE_LIMIT)
        .singleElement()
        .satisfies(
            r -> {
              assertThat(r.command())
                  .isEqualTo("sacctmgr -i modify qos q set MaxTRESPerUser=gres/gpu=5");
              assertThat(r.start()).isEqualTo(lab.now());
            });
    assertThat(e.at().atZone(ZoneOffset.UTC)).isNotNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "qos q MaxSubmitJobsPerUser=1 | QOSMaxSubmitJobPerUserLimit",
        "qos q MaxSubmitJobsPerAccount=1 | MaxSubmitJobsPerAccount",
        "qos q GrpSubmitJobs=1 | QOSGrpSubmitJobsLimit",
        "account train MaxSubmitJobs=1 | AssocMaxSubmitJobLimit",
        "account prod GrpSubmitJobs=1 | AssocGrpSubmitJobsLimit",
        "qos q Flags=DenyOnLimit,NoDecay | ",
      })
  void limitsOnHowManyThereMayBeRefuseTheNext(String what, String reason) {
    set("modify " + what.replaceFirst(" (\\w+) ", " $1 set "));
    submit("-n1 -t10", "alice", "train", "q");
    int next = submit("-n1 -t10", "alice", "train", "q");
    Reason refuses = SubmitLimits.refuses(lab.state(), lab.job(next), 1);
    assertThat(refuses == null ? null : refuses.text()).isEqualTo(reason);
  }

  @Test
  void denyOnLimitRefusesOnlyWhatBreaksALimitByItself() {
    set("modify qos q set MaxTRESPerUser=gres/gpu=4 Flags=DenyOnLimit");
    int five = submit("-n1 --gres=gpu:5 -t10", "bob", "train", "q");
    int three = submit("-n1 --gres=gpu:3 -t10", "bob", "train", "q");
    assertThat(SubmitLimits.refuses(lab.state(), lab.job(five), 1))
        .isEqualTo(Reason.QOS_MAX_GRES_PER_USER);
    assertThat(SubmitLimits.refuses(lab.state(), lab.job(three), 1)).isNull();
  }

  @Test
  void aQosMayAskForAReservation() {
    set("modify qos q set Flags=RequiresReservation");
    int without = submit("-n1 -t10", "alice", "train", "q");
    int within = submit("-n1 -t10 --reservation=r", "alice", "train", "q");
    int other = submit("-n1 -t10", "alice", "train", "normal");
    assertThat(SubmitLimits.lacksReservation(lab.state(), lab.job(without))).isTrue();
    assertThat(SubmitLimits.lacksReservation(lab.state(), lab.job(within))).isFalse();
    assertThat(SubmitLimits.lacksReservation(lab.state(), lab.job(other))).isFalse();
  }

  @Test
  void everyLimitHasAReasonThatSlurmKnows() {
    for (LimitKind kind : LimitKind.values()) {
      for (String tres :
          List.of(
              "",
              "cpu",
              "mem",
              "node",
              "gres/gpu:a",
              "license/x",
              "billing",
              "energy",
              "bb/x",
              "vmem")) {
        if (tres.isEmpty() == kind.byTres()) {
          continue;
        }
        if (kind.onQos()) {
          assertThat(LimitReasons.of(kind, true, tres)).isNotNull();
        }
        if (kind.onAssociation()) {
          assertThat(LimitReasons.of(kind, false, tres)).isNotNull();
        }
      }
    }
  }
}
