package dev.yardmaster.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CompanionConfigTest {
  @TempDir Path dir;

  private ConfigFolder lab() {
    return ConfigFolder.lab(dir, "NodeName=n1");
  }

  @Test
  void settingsAreKeptByFileAndCanonicalKey() {
    ConfigFolder lab =
        lab()
            .with("cgroup.conf", "constraincores=yes\nAllowedRAMSpace=99.5 # percent\n")
            .with("slurmdbd.conf", "DbdHost=db\nPurgeJobAfter=90days\nDebugLevel=4\n");
    assertThat(lab.findings()).isEmpty();
    assertThat(lab.read().companions())
        .isEqualTo(
            Map.of(
                "cgroup.conf",
                new TreeMap<>(Map.of("ConstrainCores", "yes", "AllowedRAMSpace", "99.5")),
                "slurmdbd.conf",
                new TreeMap<>(
                    Map.of("DbdHost", "db", "PurgeJobAfter", "90days", "DebugLevel", "4"))));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ConstrainCores=perhaps | ERROR cgroup.conf:1: ConstrainCores=perhaps: neither yes nor no",
        "AllowedRAMSpace=most | ERROR cgroup.conf:1: AllowedRAMSpace=most: not a number; write a",
        "CgroupPlugin=cgroup/v3 | ERROR cgroup.conf:1: CgroupPlugin=cgroup/v3: not an allowed"
            + " value",
        "MemorySwappiness=101 | ERROR cgroup.conf:1: MemorySwappiness=101: out of range; write a",
        "ConstrainDisks=yes | ERROR cgroup.conf:1: ConstrainDisks=yes: unknown key in cgroup.conf",
        "CgroupAutomount=yes | WARNING cgroup.conf:1: CgroupAutomount=yes: CgroupAutomount has no",
        "ConstrainKmemSpace=no | WARNING cgroup.conf:1: ConstrainKmemSpace=no: ConstrainKmemSpace",
        "/dev/nvidia* | ERROR cgroup.conf:1: \"/dev/nvidia*\": not a setting; write Key=value",
      })
  void wrongCgroupSettingsDoNotKeepTheControllerFromStarting(String line, String finding) {
    ConfigFolder lab = lab().with("cgroup.conf", line + "\n");
    assertThat(lab.findings()).first().asString().startsWith(finding);
    assertThat(lab.read().config()).isNotNull();
    assertThat(ConfigReader.readCgroupConf(dir.resolve("cgroup.conf")).findings()).isNotEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "PurgeJobAfter=soon | PurgeJobAfter=soon: not a number of hours, days or months",
        "DbdPort=70000 | DbdPort=70000: greater than 65535",
        "PurgeJobMonths=3 | PurgeJobMonths=3: PurgeJobMonths is deprecated; write PurgeJobAfter",
        "DbdHosts=x | DbdHosts=x: unknown key in slurmdbd.conf, ignored; Slurm refuses it; did",
        "DebugLevel=loud | DebugLevel=loud: not an allowed value; allowed: quiet",
      })
  void wrongAccountingSettingsAreNamed(String line, String finding) {
    lab().with("slurmdbd.conf", line + "\n");
    assertThat(ConfigReader.readSlurmdbdConf(dir.resolve("slurmdbd.conf")).findings())
        .singleElement()
        .satisfies(f -> assertThat(f.toString()).contains("slurmdbd.conf:1: " + finding));
  }

  @Test
  void repeatedSettingIsSaid() {
    ConfigFolder lab = lab().with("cgroup.conf", "ConstrainCores=no\nConstrainCores=yes\n");
    assertThat(lab.findings())
        .containsExactly(
            "WARNING cgroup.conf:2: ConstrainCores=yes: given before as no on line 1; the last"
                + " value is used; remove one");
    assertThat(lab.read().companions().get("cgroup.conf")).containsEntry("ConstrainCores", "yes");
  }
}
