package dev.yardmaster.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.model.Partition;
import dev.yardmaster.model.PartitionState;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PartitionConfigTest {
  private static final String NODES = "NodeName=n[1-4] Features=fast\nNodeName=m1";

  @TempDir Path dir;

  private ConfigFolder lab(String... lines) {
    return ConfigFolder.lab(dir, NODES + "\n" + String.join("\n", lines));
  }

  @Test
  void partitionWithoutSettingsHasSlurmsDefaults() {
    assertThat(lab("PartitionName=p Nodes=n1").partition("p"))
        .isEqualTo(Partition.withDefaults("p", List.of("n1")));
  }

  @Test
  void everySettingIsTaken() {
    Partition p =
        lab("PartitionName=p Nodes=n[1-2] Default=yes Hidden=YES State=DRAIN MaxTime=1-0"
                + " DefaultTime=30 MinNodes=2 MaxNodes=3 PriorityTier=5 PriorityJobFactor=6"
                + " OverSubscribe=FORCE:2 RootOnly=YES ReqResv=YES LLN=YES Exclusive=USER"
                + " AllowAccounts=Physics,chem AllowGroups=staff AllowQos=High QOS=part"
                + " DefMemPerCPU=2000 MaxMemPerNode=90000 MaxCPUsPerNode=8 DefCPUPerGPU=4"
                + " DefMemPerGPU=9000 TRESBillingWeights=\"CPU=1.0,Mem=0.25G,GRES/gpu=8\""
                + " GraceTime=60 PreemptMode=REQUEUE")
            .partition("p");
    assertThat(p.nodesText()).isEqualTo("n[1-2]");
    assertThat(p.isDefault()).isTrue();
    assertThat(p.hidden()).isTrue();
    assertThat(p.state()).isEqualTo(PartitionState.DRAIN);
    assertThat(p.maxTimeMinutes()).isEqualTo(1440);
    assertThat(p.defaultTimeMinutes()).isEqualTo(30);
    assertThat(List.of(p.minNodes(), p.maxNodes(), p.priorityTier(), p.priorityJobFactor()))
        .containsExactly(2, 3, 5, 6);
    assertThat(p.overSubscribe()).isEqualTo("FORCE:2");
    assertThat(List.of(p.rootOnly(), p.reqResv(), p.lln(), p.exclusiveUser())).containsOnly(true);
    assertThat(p.allowAccounts()).containsExactly("physics", "chem");
    assertThat(p.allowGroups()).containsExactly("staff");
    assertThat(p.allowQos()).containsExactly("high");
    assertThat(p.qos()).isEqualTo("part");
    assertThat(p.defMemPerCpuMib()).isEqualTo(2000);
    assertThat(p.defMemPerNodeMib()).isNull();
    assertThat(p.maxMemPerNodeMib()).isEqualTo(90000);
    assertThat(p.maxCpusPerNode()).isEqualTo(8);
    assertThat(p.jobDefaults()).isEqualTo(Map.of("DefCpuPerGPU", 4L, "DefMemPerGPU", 9000L));
    assertThat(p.billingWeights()).isEqualTo(Map.of("CPU", "1.0", "Mem", "0.25G", "GRES/gpu", "8"));
    assertThat(p.other())
        .isEqualTo(Map.of("GraceTime", "60", "PreemptMode", "REQUEUE", "Exclusive", "USER"));
  }

  @Test
  void defaultLinesHoldForThePartitionsBelow() {
    ConfigFolder lab =
        lab(
            "PartitionName=a Nodes=n1",
            "PartitionName=DEFAULT MaxTime=60 State=DOWN",
            "PartitionName=b Nodes=n1",
            "PartitionName=c Nodes=n1 MaxTime=90");
    assertThat(lab.partition("a").maxTimeMinutes()).isEqualTo(Partition.UNLIMITED);
    assertThat(lab.partition("b").maxTimeMinutes()).isEqualTo(60);
    assertThat(lab.partition("c").maxTimeMinutes()).isEqualTo(90);
    assertThat(lab.partition("c").state()).isEqualTo(PartitionState.DOWN);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ALL | n1 n2 n3 n4 m1",
        "all | n1 n2 n3 n4 m1",
        "m1,n[3,1] | n1 n3 m1",
        "\"n1 n2\" | n1 n2",
        "n1,n1 | n1",
        "fastset | n1 n2 n3 n4",
        "listset,m1 | n2 n3 m1",
        "allset | n1 n2 n3 n4 m1",
        "bothset | n1 n2 n3 n4 m1",
      })
  void nodesAreResolvedInTheOrderOfTheFile(String text, String names) {
    ConfigFolder lab =
        lab(
            "NodeSet=fastset Feature=fast",
            "NodeSet=listset Nodes=n[2-3]",
            "NodeSet=allset Nodes=ALL",
            "NodeSet=bothset Nodes=m1 Feature=fast",
            "PartitionName=p Nodes=" + text);
    assertThat(lab.findings()).isEmpty();
    assertThat(String.join(" ", lab.partition("p").nodes())).isEqualTo(names);
  }

  @Test
  void unknownNodesAreNamedAndTheRestIsShownInTheDraft() {
    ConfigFolder lab =
        lab(
            "PartitionName=p Nodes=n[1-6]",
            "PartitionName=q Nodes=n03",
            "PartitionName=r Nodes=mm1");
    assertThat(lab.errors())
        .containsExactly(
            "FATAL slurm.conf:5: Nodes=n[1-6]: nodes n[5-6] not described; describe them with"
                + " NodeName=",
            "FATAL slurm.conf:6: Nodes=n03: node n03 not described; did you mean n3?",
            "FATAL slurm.conf:7: Nodes=mm1: node mm1 not described; did you mean m1?");
    assertThat(lab.partition("p").nodes()).containsExactly("n1", "n2", "n3", "n4");
  }

  @Test
  void nodeSetsAreChecked() {
    ConfigFolder lab = lab("NodeSet=n1 Nodes=n2", "NodeSet=void", "NodeSet=bad Nodes=n9");
    assertThat(lab.errors())
        .containsExactly(
            "FATAL slurm.conf:5: NodeSet=n1: a node has the same name; rename the node set",
            "ERROR slurm.conf:6: NodeSet=void: the node set has no nodes; write Nodes= or Feature=",
            "FATAL slurm.conf:7: Nodes=n9: node n9 not described; describe it with NodeName=");
  }

  @Test
  void lastOfTwoDefaultPartitionsWins() {
    ConfigFolder lab =
        lab("PartitionName=a Nodes=n1 Default=YES", "PartitionName=b Nodes=n1 Default=YES");
    assertThat(lab.config().defaultPartition().orElseThrow().name()).isEqualTo("b");
    assertThat(lab.findings())
        .containsExactly(
            "WARNING slurm.conf:6: Default=YES: partition a is the default, too; the last one, b,"
                + " is used; write Default=YES on one partition");
  }

  @Test
  void partitionDescribedTwiceIsRefused() {
    assertThat(lab("PartitionName=a Nodes=n1", "PartitionName=a Nodes=n2").errors())
        .singleElement()
        .asString()
        .startsWith("FATAL slurm.conf:6: PartitionName=a: also described at ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "State=OPEN | State=OPEN: not an allowed value; ",
        "MaxTime=2h | MaxTime=2h: not a time: ",
        "Default=maybe | Default=maybe: neither yes nor no; write YES or NO",
        "OverSubscribe=SOME | OverSubscribe=SOME: not an allowed value; allowed: NO, EXCLUSIVE,",
        "Exclusive=RACK | Exclusive=RACK: not an allowed value; ",
        "TRESBillingWeights=CPU | TRESBillingWeights=CPU: \"CPU\" is not a weight; ",
        "PriorityTier=70000 | PriorityTier=70000: greater than 65535; ",
        "PreemptMode=KILL | PreemptMode=KILL: \"KILL\" is not an allowed value; ",
      })
  void wrongValuesAreRefusedWithWhatIsAllowed(String setting, String finding) {
    assertThat(lab("PartitionName=p Nodes=n1 " + setting).errors())
        .singleElement()
        .asString()
        .startsWith("FATAL slurm.conf:5: " + finding);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "AllowAccounts=a DenyAccounts=b | DenyAccounts=b: has no effect beside AllowAccounts",
        "AllowQos=a DenyQos=b | DenyQos=b: has no effect beside AllowQos",
        "DefMemPerCPU=1 DefMemPerNode=2 | DefMemPerCPU=1: has no effect beside DefMemPerNode",
        "MaxMemPerCPU=1 MaxMemPerNode=2 | MaxMemPerCPU=1: has no effect beside MaxMemPerNode",
        "MaxTime=10 DefaultTime=20 | DefaultTime=20: longer than MaxTime=10 and not used",
        "Shared=YES | Shared=YES: Shared is deprecated; write OverSubscribe",
        "Priority=9 | Priority=9: Priority is deprecated; write PriorityTier and",
      })
  void whatExcludesEachOtherIsReported(String settings, String finding) {
    assertThat(lab("PartitionName=p Nodes=n1 " + settings).findings())
        .singleElement()
        .asString()
        .startsWith("WARNING slurm.conf:5: " + finding);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "OverSubscribe=YES | YES",
        "OverSubscribe=yes:3 | YES:3",
        "OverSubscribe=YES:1 | NO",
        "OverSubscribe=exclusive | EXCLUSIVE",
        "Exclusive=NODE | EXCLUSIVE",
        "Exclusive=TOPO | EXCLUSIVE",
        "Exclusive=NO OverSubscribe=EXCLUSIVE | NO",
        "Exclusive=USER OverSubscribe=FORCE | FORCE",
      })
  void sharingFollowsBothKeys(String settings, String sharing) {
    assertThat(lab("PartitionName=p Nodes=n1 " + settings).partition("p").overSubscribe())
        .isEqualTo(sharing);
  }

  @Test
  void oldPrioritySetsTierAndFactor() {
    Partition p = lab("PartitionName=p Nodes=n1 Priority=9").partition("p");
    assertThat(List.of(p.priorityTier(), p.priorityJobFactor())).containsExactly(9, 9);
  }
}
