package dev.yardmaster.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IncludeTest {
  @TempDir Path dir;

  @Test
  void relativeNamesAreSoughtBesideTheFirstFile() {
    ConfigFolder lab =
        ConfigFolder.lab(dir, "Include sub/nodes.conf", "include\tparts.conf")
            .with("sub/nodes.conf", "Include sub/more.conf\nNodeName=n1\n")
            .with("sub/more.conf", "NodeName=DEFAULT CPUs=8\n")
            .with("parts.conf", "PartitionName=p Nodes=ALL\n");
    assertThat(lab.findings()).isEmpty();
    assertThat(lab.node("n1").cpus()).isEqualTo(8);
    assertThat(lab.partition("p").nodes()).containsExactly("n1");
  }

  @Test
  void modifierStandsForTheClusterInLowerCase() {
    ConfigFolder lab =
        ConfigFolder.of(dir, "ClusterName=LAB\nSlurmctldHost=c\nInclude %c/%c.conf\n")
            .with("lab/lab.conf", "NodeName=n1\n");
    assertThat(lab.config().nodes()).hasSize(1);
    assertThat(lab.config().clusterName()).isEqualTo("lab");
  }

  @Test
  void modifierBeforeClusterNameIsRefused() {
    ConfigFolder lab = ConfigFolder.of(dir, "Include %c.conf\n" + ConfigFolder.HEAD);
    assertThat(lab.errors())
        .containsExactly(
            "FATAL slurm.conf:1: Include=%c.conf: %c needs ClusterName; write ClusterName above"
                + " this line");
  }

  @ParameterizedTest
  @ValueSource(strings = {"Include=parts.conf", "include = parts.conf", "INCLUDE= parts.conf"})
  void equalsSignIsRefusedAndExplained(String line) {
    ConfigFolder lab = ConfigFolder.lab(dir, line).with("parts.conf", "NodeName=n1\n");
    assertThat(lab.errors())
        .containsExactly(
            "FATAL slurm.conf:3: Include=parts.conf: Include is followed by a blank, not by \"=\";"
                + " write Include parts.conf");
    assertThat(lab.read().config()).isNull();
    assertThat(lab.nodeNames()).containsExactly("n1");
  }

  @Test
  void missingFileIsNamedWithTheLineThatWantsIt() {
    ConfigFolder lab = ConfigFolder.lab(dir, "", "Include parts.conf");
    assertThat(lab.errors())
        .containsExactly(
            "FATAL slurm.conf:4: Include=parts.conf: the included file does not exist; it is sought"
                + " at parts.conf");
  }

  @ParameterizedTest
  @ValueSource(strings = {"<<<<<<< HEAD", "Nodes of the second rack follow."})
  void rubbishInAnIncludedFileIsNamedThere(String rubbish) {
    ConfigFolder lab =
        ConfigFolder.lab(dir, "Include parts.conf")
            .with("parts.conf", "NodeName=n1\n" + rubbish + "\n");
    assertThat(lab.errors())
        .singleElement()
        .asString()
        .startsWith("FATAL parts.conf:2: \"" + rubbish + "\": ");
  }

  @Test
  void loopEndsAndIsNamed() {
    ConfigFolder lab =
        ConfigFolder.lab(dir, "Include a.conf")
            .with("a.conf", "Include b.conf\n")
            .with("b.conf", "NodeName=n1\nInclude ./a.conf\n");
    assertThat(lab.errors())
        .containsExactly(
            "FATAL b.conf:2: Include=./a.conf: the file includes itself; remove one Include of the"
                + " loop");
    assertThat(lab.nodeNames()).containsExactly("n1");
  }

  @Test
  void sameFileTwiceInARowIsNoLoop() {
    ConfigFolder lab =
        ConfigFolder.lab(dir, "Include w.conf", "Include w.conf").with("w.conf", "KillWait=5\n");
    assertThat(lab.errors()).isEmpty();
  }

  @Test
  void starIsNotExpanded() {
    assertThat(ConfigFolder.lab(dir, "Include nodes/*.conf").errors())
        .containsExactly(
            "FATAL slurm.conf:3: Include=nodes/*.conf: Slurm does not expand \"*\" in file names;"
                + " include each file by name");
  }

  @ParameterizedTest
  @ValueSource(strings = {"Include", "Include   # nothing"})
  void includeWithoutAFileIsRefused(String line) {
    assertThat(ConfigFolder.lab(dir, line).errors())
        .containsExactly(
            "FATAL slurm.conf:3: Include: no file is named; write Include and a file name");
  }

  @Test
  void wordsBehindTheFileAndBlanksBeforeItAreWrong() {
    ConfigFolder lab =
        ConfigFolder.lab(dir, "Include a.conf b.conf", "  Include a.conf").with("a.conf", "");
    assertThat(lab.errors())
        .containsExactly(
            "FATAL slurm.conf:3: Include=a.conf: \"b.conf\" follows the file name; include one file"
                + " a line",
            "ERROR slurm.conf:4: Include=a.conf: Slurm sees an Include only at the very start of a"
                + " line; remove the blanks before it");
  }

  @Test
  void companionFilesMayIncludeToo() {
    ConfigFolder lab =
        ConfigFolder.lab(dir, "GresTypes=gpu", "NodeName=n1 Gres=gpu:2")
            .with("gres.conf", "Include gpus.conf\n")
            .with("gpus.conf", "Name=gpu File=/dev/nvidia[0-1]\n");
    assertThat(lab.node("n1").gres().getFirst().files())
        .containsExactly("/dev/nvidia0", "/dev/nvidia1");
  }
}
