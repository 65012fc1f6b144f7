package dev.yardmaster.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.model.PriorityPolicy;
import dev.yardmaster.model.SchedulingPolicy;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClusterSettingsTest {
  @TempDir Path dir;

  private ConfigFolder lab(String... lines) {
    return ConfigFolder.lab(dir, "NodeName=n1\n" + String.join("\n", lines));
  }

  @Test
  void clusterWithoutSettingsHasSlurmsDefaults() {
    ConfigFolder lab = lab();
    assertThat(lab.findings()).isEmpty();
    assertThat(lab.config().scheduling()).isEqualTo(SchedulingPolicy.defaults());
    assertThat(lab.config().priority()).isEqualTo(PriorityPolicy.defaults());
    assertThat(lab.config().controllerPort()).isEqualTo(6817);
    assertThat(lab.config().settings()).containsOnlyKeys("ClusterName", "SlurmctldHost");
  }

  @Test
  void schedulerParametersAreTaken() {
    SchedulingPolicy policy =
        lab(
                "SchedulerType=sched/builtin",
                "SchedulerParameters=bf_interval=3,SCHED_INTERVAL=4,bf_window=2880,"
                    + "bf_resolution=30,bf_max_job_test=7,bf_max_job_start=2,bf_max_job_user=5,"
                    + "bf_max_job_part=6,bf_max_job_user_part=1,default_queue_depth=9,bf_continue,"
                    + "max_rpc_cnt=50")
            .config()
            .scheduling();
    assertThat(policy)
        .isEqualTo(
            SchedulingPolicy.defaults()
                .with()
                .backfill(false)
                .bfIntervalSeconds(3)
                .schedIntervalSeconds(4)
                .bfWindowMinutes(2880)
                .bfResolutionSeconds(30)
                .bfMaxJobTest(7)
                .bfMaxJobStart(2)
                .bfMaxJobUser(5)
                .bfMaxJobPart(6)
                .bfMaxJobUserPart(1)
                .defaultQueueDepth(9)
                .bfContinue(true)
                .parameters(policy.parameters())
                .build());
    assertThat(policy.parameters()).containsEntry("max_rpc_cnt", "50").containsKey("bf_continue");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "bf_window=0 | ERROR | bf_window=0: out of range; 1440 is used; write a whole number from"
            + " 1",
        "bf_interval=x | ERROR | bf_interval=x: not a number; 30 is used; write a whole number",
        "bf_widow=5 | WARNING | bf_widow=5: unknown option bf_widow, without effect; did you mean"
            + " bf_window?",
        "max_job_bf=5 | WARNING | max_job_bf=5: unknown option max_job_bf, without effect; write"
            + " bf_max_job_test",
        "max_rpc_count=5 | WARNING | max_rpc_count=5: max_rpc_count is deprecated; write"
            + " max_rpc_cnt",
        "bf_max_job_assoc=3,bf_max_job_user=2 | WARNING | bf_max_job_user=2: has no effect beside",
      })
  void wrongOptionsKeepTheirDefaults(String option, Severity severity, String finding) {
    ConfigFolder lab = lab("SchedulerParameters=" + option);
    assertThat(lab.findings())
        .singleElement()
        .asString()
        .startsWith(severity + " slurm.conf:4: SchedulerParameters=" + finding);
    assertThat(lab.config().scheduling().bfWindowMinutes()).isEqualTo(1440);
    assertThat(lab.config().scheduling().bfMaxJobUser()).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SelectTypeParameters=CR_Core | true | false | false | false",
        "SelectTypeParameters=cr_core_memory,CR_LLN | true | true | false | true",
        "SelectTypeParameters=CR_CPU | false | false | false | false",
        "SelectTypeParameters=CR_CPU_Memory | false | true | false | false",
        "SelectTypeParameters=CR_Socket_Memory | true | true | false | false",
        "SelectType=select/linear | false | false | true | false",
      })
  void selectTypeParametersSayWhatIsCounted(
      String setting, boolean cores, boolean memory, boolean linear, boolean lln) {
    SchedulingPolicy policy = lab(setting).config().scheduling();
    assertThat(policy.countsCores()).isEqualTo(cores);
    assertThat(policy.countsMemory()).isEqualTo(memory);
    assertThat(policy.linear()).isEqualTo(linear);
    assertThat(policy.packsLeastLoaded()).isEqualTo(lln);
  }

  @Test
  void linearWithMemoryCountsMemory() {
    ConfigFolder lab = lab("SelectType=select/linear", "SelectTypeParameters=CR_Memory");
    assertThat(lab.findings()).isEmpty();
    assertThat(lab.config().scheduling().countsMemory()).isTrue();
  }

  @Test
  void priorityIsTaken() {
    PriorityPolicy policy =
        lab(
                "PriorityType=priority/basic",
                "PriorityDecayHalfLife=2-0",
                "PriorityCalcPeriod=00:10:00",
                "PriorityMaxAge=UNLIMITED",
                "PriorityFavorSmall=YES",
                "PriorityWeightAge=1",
                "PriorityWeightAssoc=2",
                "PriorityWeightFairShare=3",
                "PriorityWeightJobSize=4",
                "PriorityWeightPartition=5",
                "PriorityWeightQOS=6",
                "PriorityWeightTRES=CPU=1000,GRES/gpu=3000",
                "PriorityFlags=max_tres,NO_FAIR_TREE",
                "PriorityUsageResetPeriod=weekly")
            .config()
            .priority();
    assertThat(policy.multifactor()).isFalse();
    assertThat(policy.decayHalfLifeSeconds()).isEqualTo(172_800);
    assertThat(policy.calcPeriodSeconds()).isEqualTo(600);
    assertThat(policy.maxAgeSeconds()).isGreaterThan(4_000_000_000L);
    assertThat(policy.favorSmall()).isTrue();
    assertThat(policy.weightAge()).isEqualTo(1);
    assertThat(policy.weightAssoc()).isEqualTo(2);
    assertThat(policy.weightFairShare()).isEqualTo(3);
    assertThat(policy.weightJobSize()).isEqualTo(4);
    assertThat(policy.weightPartition()).isEqualTo(5);
    assertThat(policy.weightQos()).isEqualTo(6);
    assertThat(policy.weightTres()).isEqualTo(Map.of("cpu", 1000L, "gres/gpu", 3000L));
    assertThat(policy.flags()).containsExactly("MAX_TRES", "NO_FAIR_TREE");
    assertThat(policy.usageResetPeriod()).isEqualTo("WEEKLY");
  }

  @Test
  void controllersAreKeptInOrderWithTheirAddresses() {
    ConfigFolder lab =
        ConfigFolder.of(
            dir,
            "ClusterName=lab\n"
                + "SlurmctldHost=a(10.0.0.1)\n"
                + "SlurmctldHost=b\n"
                + "SlurmctldPort=7000-7003\n");
    assertThat(lab.config().controllers()).containsExactly("a(10.0.0.1)", "b");
    assertThat(lab.config().controllerPort()).isEqualTo(7000);
  }

  @Test
  void oldControllerKeysStillWork() {
    ConfigFolder lab =
        ConfigFolder.of(
            dir,
            "ClusterName=lab\nNodeName=n1\nControlMachine=a\nControlAddr=10.0.0.1\n"
                + "BackupController=b\n");
    assertThat(lab.config().controllers()).containsExactly("a(10.0.0.1)", "b");
    assertThat(lab.findings())
        .contains(
            "WARNING slurm.conf:3: ControlMachine=a: ControlMachine is deprecated; write"
                + " SlurmctldHost");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SlurmctldHost=a(b | not a host; write host, or host(address)",
        "SlurmctldHost=ctl(10.0.0.1) | given twice; name each controller once",
        "SlurmctldPort=0 | not a port; write a port, or two as 6817-6820",
        "ReturnToService=5 | out of range; write a whole number from 0 to 2",
        "SchedulerType=sched/bakfill | not an allowed value; did you mean sched/backfill? allowed:",
        "SelectTypeParameters=CR_Cores | \"CR_Cores\" is not an allowed value; did you mean"
            + " CR_Core?",
        "SelectTypeParameters=CR_Core,CR_CPU | CR_CORE and CR_CPU exclude each other; keep one",
        "SelectTypeParameters=CR_LLN | says not what is allocated with select/cons_tres; add",
        "TopologyPlugin=topology/star | not an allowed value; ",
        "PreemptMode=KILL | \"KILL\" is not an allowed value; allowed: OFF, CANCEL, GANG, REQUEUE",
        "SlurmctldDebug=loud | not an allowed value; allowed: quiet, fatal, error",
        "PriorityDecayHalfLife=0 | without decay usage grows for ever; ",
        "PriorityWeightTRES=CPU | \"CPU\" is not a weight; write for example CPU=1000",
        "Licenses=a:many | \"a:many\" is not a licence; write for example matlab:4",
        "MaxJobCount=0 | out of range; write a whole number from 1",
        "SallocDefaultCommand=sh | SallocDefaultCommand was removed; write LaunchParameters=",
      })
  void wrongValuesAreRefusedWithWhatIsAllowed(String line, String finding) {
    ConfigFolder lab = lab(line);
    assertThat(lab.errors())
        .singleElement()
        .asString()
        .startsWith("FATAL slurm.conf:4: " + line + ": " + finding);
    assertThat(lab.read().config()).isNull();
  }

  /** Keys and values that newer versions replaced or dropped, each with what to write instead. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "CryptoType=crypto/munge | CryptoType is deprecated; write CredType",
        "FastSchedule=1 | FastSchedule has no effect any more; drop it; SlurmdParameters=",
        "SelectType=select/cons_res | select/cons_res is gone, select/cons_tres is used; write",
        "RoutePlugin=route/topology | RoutePlugin is deprecated; write TopologyParam=RouteTree",
        "JobCredentialPrivateKey=/k | JobCredentialPrivateKey has no effect any more; drop it",
        "JobContainerType=none | JobContainerType is deprecated; write NamespaceType",
      })
  void oldKeysAreWarnedOfWithWhatReplacedThem(String line, String finding) {
    ConfigFolder lab = lab(line);
    assertThat(lab.findings())
        .singleElement()
        .asString()
        .startsWith("WARNING slurm.conf:4: " + line + ": " + finding);
    assertThat(lab.read().config()).isNotNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ReturnToServce=1 | did you mean ReturnToService?",
        "SchedulerParamters=defer | did you mean SchedulerParameters?",
        "CheckpointType=none | drop it",
        "TRESBillingWeights=CPU=1 | write TRESBillingWeights on a PartitionName line",
        "FutureNodes=x1 | write NodeName=... State=FUTURE",
        "Zzzzzzzzzz=1 | drop it or correct its name",
      })
  void unknownKeysAreErrorsWithTheNearestKey(String line, String help) {
    ConfigFolder lab = lab(line);
    assertThat(lab.errors())
        .containsExactly(
            "ERROR slurm.conf:4: "
                + line
                + ": unknown key in slurm.conf, ignored; Slurm refuses it; "
                + help);
    assertThat(lab.config().settings()).doesNotContainKey(line.substring(0, line.indexOf('=')));
  }

  @Test
  void clusterNameHasRoomInTheAccountingTables() {
    String longest = "c".repeat(40);
    assertThat(
            ConfigFolder.of(dir, "ClusterName=" + longest + "\nSlurmctldHost=c\nNodeName=n\n")
                .errors())
        .isEmpty();
    assertThat(
            ConfigFolder.of(dir, "ClusterName=" + longest + "x\nSlurmctldHost=c\nNodeName=n\n")
                .errors())
        .containsExactly(
            "FATAL slurm.conf:1: ClusterName="
                + longest
                + "x: has 41 characters, and the accounting tables have room for 40; use a shorter"
                + " name");
  }

  @Test
  void memoryDefaultsAndLicensesAreTaken() {
    ConfigFolder lab = lab("DefMemPerCPU=1000", "Licenses=a:4,b,c=2;a:1", "GresTypes=gpu,shard");
    assertThat(lab.config().defMemPerCpuMib()).isEqualTo(1000);
    assertThat(lab.config().licenses()).isEqualTo(Map.of("a", 5, "b", 1, "c", 2));
    assertThat(lab.config().gresTypes()).containsExactly("gpu", "shard");
    ConfigFolder perNode = lab("DefMemPerCPU=1000", "DefMemPerNode=5000");
    assertThat(perNode.config().defMemPerCpuMib()).isZero();
    assertThat(perNode.config().defMemPerNodeMib()).isEqualTo(5000);
  }

  @Test
  void settingsKeepWhatWasWritten() {
    ConfigFolder lab =
        lab("slurmctlddebug=INFO", "Prolog=/a", "Prolog=/b", "SchedulerParameters=defer");
    assertThat(lab.config().settings())
        .containsEntry("SlurmctldDebug", "INFO")
        .containsEntry("Prolog", "/a,/b")
        .containsEntry("SchedulerParameters", "defer");
  }
}
