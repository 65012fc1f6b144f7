package dev.yardmaster.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.controller.TestCluster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** HealthCheckProgram with real daemons. */
class HealthCheckTest {
  @TempDir Path directory;

  private DaemonLab lab(String program, Map<String, String> more) throws Exception {
    Path file = directory.resolve("check");
    Files.writeString(file, "#!/bin/sh\ncd '" + directory + "'\n" + program + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    Map<String, String> settings = new HashMap<>(more);
    settings.put("HealthCheckProgram", file.toString());
    return new DaemonLab(TestCluster.config(2, settings), directory);
  }

  @Test
  void aNodeIsCheckedBeforeItRegistersAndThenAtIntervals() throws Exception {
    String program =
        "[ -n \"$SLURM_NODE_IS_HEALTHY\" ] && touch again.$SLURM_NODE_IS_HEALTHY.$SLURMD_NODENAME\n"
            + "[ -z \"$SLURM_NODE_IS_HEALTHY\" ] && sleep 0.3 && touch first.$SLURMD_NODENAME";
    try (DaemonLab lab = lab(program, Map.of("HealthCheckInterval", "1"))) {
      lab.awaitNode("n2", n -> n.status().registered() != null);
      assertThat(directory.resolve("first.n2")).exists();
      lab.awaitFile("again.yes.n1");
      lab.awaitFile("again.yes.n2");
    }
  }

  @Test
  void onlyNodesInTheStatesThatWereNamedAreChecked() throws Exception {
    String program = "[ -n \"$SLURM_NODE_IS_HEALTHY\" ] && touch again.$SLURMD_NODENAME";
    Map<String, String> settings =
        Map.of("HealthCheckInterval", "1", "HealthCheckNodeState", "ALLOC,MIXED");
    try (DaemonLab lab = lab(program, settings)) {
      int id = lab.submit("while [ ! -e again.n2 ]; do sleep 0.05; done", "nodelist=n2");
      lab.awaitEnd(id);
      assertThat(directory.resolve("again.n1")).doesNotExist();
    }
  }

  @Test
  void aProgramThatHangsIsKilledAndTheNodeRegisters() throws Exception {
    try (DaemonLab lab = lab("echo $$ > pid; sleep 600", Map.of("HealthCheckTimeout", "1"))) {
      lab.awaitNode("n1", n -> n.status().registered() != null);
      long pid = Long.parseLong(Files.readString(directory.resolve("pid")).strip());
      lab.awaitNode("n2", n -> n.status().registered() != null);
      assertThat(Jobs.isAlive(pid)).isFalse();
    }
  }
}
