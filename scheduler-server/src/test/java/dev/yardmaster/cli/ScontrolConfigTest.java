package dev.yardmaster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.config.ConfigReader;
import dev.yardmaster.model.NodeMeasure;
import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;

/** What scontrol tells of the settings in force and of the machines of nodes. */
class ScontrolConfigTest extends CommandTestBase {
  /** All that Slurm lists, also what the files say nothing of; a unit with each number. */
  @Test
  void showConfigTellsOfEverySetting() throws IOException {
    Captured scontrol = serve();
    assertThat(scontrol.run("scontrol", "show", "config")).isZero();
    assertThat(scontrol.out())
        .startsWith(
            "Configuration data as of 2026-11-29T12:00:00\nAccountingStorageBackupHost = (null)\n")
        .contains("\nKillWait                = 30 sec\n")
        .contains("\nPriorityCalcPeriod      = 00:05:00\n")
        .contains("\nAccountingStorageTRES   = gres/gpu\n")
        .contains("\nDefMemPerNode           = UNLIMITED\n")
        .contains("\nMaxNodeCount            = 5\n")
        .contains("\nClusterName             = ");
    assertThat(scontrol.out().lines()).hasSizeGreaterThan(210);
  }

  @Test
  void whatHoldsIsWrittenAsAFile() throws IOException {
    Captured scontrol = serve();
    assertThat(scontrol.run("scontrol", "write", "config", "now.conf")).isZero();
    String file = "now.conf.2026-11-29T12:00:00";
    assertThat(scontrol.out()).isEqualTo("Slurm config saved to " + file + "\n");
    assertThat(Files.readString(folder.resolve(file)))
        .contains("\nAccountingStorageTRES=gres/gpu\n", "\nKillWait=30\n", "\n#Prolog")
        .contains("\nNodeName=n[1-4] ")
        .contains("\nPartitionName=slow ", " PriorityTier=3 ", " Nodes=n5\n");
    assertThat(ConfigReader.readSlurmConf(folder.resolve(file)).fatal()).isEmpty();
    assertThat(scontrol.run("scontrol", "write", "config", "nosuch/x")).isZero();
    assertThat(scontrol.err())
        .isEqualTo(
            "Could not create file nosuch/x.2026-11-29T12:00:00: No such file or directory\n");
    assertThat(scontrol.run("scontrol", "write", "config", "a", "b")).isEqualTo(1);
    assertThat(scontrol.err()).isEqualTo("too many arguments for keyword:write\n");
  }

  /** What a daemon has not told is unknown, and what it has told is shown until it tells more. */
  @Test
  void aNodeTellsOfItsMachine() throws IOException {
    Captured scontrol = serve();
    scontrol.run("scontrol", "show", "node", "n1");
    assertThat(scontrol.out())
        .contains("CPULoad=0.00\n", "FreeMem=N/A", "\n   RealMemory=")
        .doesNotContain("OS=");
    controller()
        .report(
            "n1", new NodeMeasure(1205, 777, "Linux 6.1 #1", lab.now(), lab.now().minusSeconds(9)));
    controller().report("n2", new NodeMeasure(7, 40, "Linux 6.1 #1", lab.now(), null));
    scontrol.run("scontrol", "show", "node", "n1");
    assertThat(scontrol.out())
        .contains("CPULoad=12.05\n", "\n   OS=Linux 6.1 #1 \n   RealMemory=", "FreeMem=777")
        .contains("SlurmdStartTime=2026-11-29T12:00:00\n   LastBusyTime=");
    scontrol.run("sinfo", "-h", "-N", "-n", "n[1-2]", "-o", "%n %O %e");
    assertThat(scontrol.out()).isEqualTo("n1 12.05 777\nn2 0.07 40\n");
    scontrol.run("sinfo", "-h", "-p", "main", "-o", "%O %e");
    assertThat(scontrol.out()).isEqualTo("0.00-12.05 N/A-777\n");
    scontrol.run("sinfo", "-h", "-N", "-n", "n[1-2]", "-S", "O", "-o", "%n");
    assertThat(scontrol.out()).isEqualTo("n2\nn1\n");
  }
}
