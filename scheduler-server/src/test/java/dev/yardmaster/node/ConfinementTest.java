package dev.yardmaster.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.yardmaster.model.ExitCode;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Jobs and steps in the kernel's own control groups of version 1, where these may be used. */
class ConfinementTest extends StepsLab {
  private static final Path MOUNT = Path.of("/sys/fs/cgroup");
  private static final String EAT =
      "awk 'BEGIN { x = \"0123456789abcdef\"; while (length(x) < 209715200) x = x x }'";

  @BeforeEach
  void confine() throws Exception {
    assumeThat(MOUNT.resolve("memory/memory.oom_control")).exists();
    assumeThat(Files.isWritable(MOUNT.resolve("memory"))).isTrue();
    assumeThat(MOUNT.resolve("freezer/cgroup.procs")).exists();
    Path again = Files.createDirectory(directory.resolve("again"));
    Files.writeString(
        again.resolve("cgroup.conf"), "CgroupPlugin=cgroup/v1\nConstrainRAMSpace=yes\n");
    configured(
        "SelectTypeParameters", "CR_Core_Memory",
        "TaskPlugin", "task/cgroup",
        "ProctrackType", "proctrack/cgroup");
  }

  /** The groups of the nodes of this test. */
  private List<Path> groups() throws IOException {
    List<String> names =
        Stream.of("n1", "n2")
            .map(n -> directory.resolve("spool-" + n).toString().hashCode())
            .map(Integer::toHexString)
            .toList();
    try (Stream<Path> all = Files.walk(MOUNT, 3)) {
      return all.filter(Files::isDirectory)
          .filter(p -> names.stream().anyMatch(n -> p.toString().contains("-" + n)))
          .toList();
    }
  }

  @AfterEach
  void removeGroups() throws IOException {
    for (Path group : groups().reversed()) {
      Files.deleteIfExists(group);
    }
  }

  @Test
  void aScriptOfWhichTheKernelKillsSomethingIsOutOfMemoryThoughItEndsWell() throws Exception {
    int id = lab.submit(EAT + "; echo rc $?", "mem=60", "output=eats.out");
    Job job = lab.awaitEnd(id);
    assertThat(job.state()).isEqualTo(JobState.OUT_OF_MEMORY);
    assertThat(job.exitCode()).isEqualTo(new ExitCode(0, ExitCode.OUT_OF_MEMORY));
    assertThat(job.reason()).isEqualTo(Reason.OUT_OF_MEMORY);
    lab.awaitFile("eats.out");
    String line =
        "error: Detected 1 oom_kill event in StepId="
            + id
            + ".batch. Some of the step tasks have been OOM Killed.";
    // The line is written by a process of its own.
    for (int i = 0;
        i < 500 && !Files.readString(directory.resolve("eats.out")).contains(line);
        i++) {
      Thread.sleep(10);
    }
    assertThat(Files.readString(directory.resolve("eats.out"))).contains("rc 137\n", line);
    int fits = lab.submit(EAT, "mem=2000");
    assertThat(lab.awaitEnd(fits).state()).isEqualTo(JobState.COMPLETED);
  }

  @Test
  void aStepIsToldSoAndItsGroupsAreGoneWithIt() throws Exception {
    Said said = run("srun", "--mem=60", "sh", "-c", EAT);
    assertThat(said.exitCode()).isEqualTo(1);
    assertThat(said.err())
        .contains("oom_kill event in StepId=1.0. Some of the step tasks have been OOM Killed.")
        .contains("srun: error: n1: task 0: Out Of Memory");
    Job job = lab.awaitEnd(1);
    assertThat(job.state()).isEqualTo(JobState.OUT_OF_MEMORY);
    assertThat(groups()).noneMatch(p -> p.toString().contains("job_"));
  }

  @Test
  void whatHidesFromItsSessionParentAndEnvironmentIsStillFound() throws Exception {
    Path pid = directory.resolve("hidden");
    int id =
        lab.submit(
            "( env -i setsid sh -c '(echo $$ > "
                + pid
                + ".new; mv "
                + pid
                + ".new "
                + pid
                + "; exec sleep 300) &' ) &\n"
                + "while [ ! -e "
                + pid
                + " ]; do sleep 0.05; done\nexit 0",
            "mem=60");
    Job job = lab.awaitEnd(id);
    assertThat(job.state()).isEqualTo(JobState.COMPLETED);
    assertThat(groups()).noneMatch(p -> p.toString().contains("job_"));
    try (Stream<Path> all = Files.list(Path.of("/proc"))) {
      assertThat(
              all.filter(p -> p.getFileName().toString().matches("[0-9]+"))
                  .filter(p -> isHidden(p)))
          .isEmpty();
    }
  }

  private static boolean isHidden(Path process) {
    try {
      return Files.readString(process.resolve("cmdline")).equals("sleep\0300\0")
          && Files.readString(process.resolve("environ")).isEmpty();
    } catch (IOException e) {
      return false;
    }
  }
}
