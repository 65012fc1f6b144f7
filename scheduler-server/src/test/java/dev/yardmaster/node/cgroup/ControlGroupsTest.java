package dev.yardmaster.node.cgroup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.yardmaster.controller.TestCluster;
import dev.yardmaster.model.ClusterConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Control groups of both versions, on files like those of the kernel and on the kernel's own. */
class ControlGroupsTest {
  private static final Limits LIMITS = new Limits(2000, "0-1", List.of(Path.of("/dev/zero")));
  private static final Path NULL = Path.of("/dev/null");

  @TempDir Path directory;

  private static final ClusterConfig CONFINED =
      TestCluster.config(
          1, Map.of("TaskPlugin", "task/cgroup", "ProctrackType", "proctrack/cgroup"));

  private CgroupSettings settings(String plugin, Path mount, String... more) {
    Map<String, String> conf = new HashMap<>();
    conf.put("CgroupPlugin", plugin);
    conf.put("CgroupMountpoint", mount.toString());
    for (int i = 0; i < more.length; i += 2) {
      conf.put(more[i], more[i + 1]);
    }
    return CgroupSettings.of(conf, CONFINED);
  }

  private Path files(String folder, String... names) throws IOException {
    Path made = Files.createDirectories(directory.resolve(folder));
    for (int i = 0; i < names.length; i += 2) {
      Files.writeString(made.resolve(names[i]), names[i + 1] + "\n");
    }
    return made;
  }

  private static String read(Path folder, String file) throws IOException {
    return Files.readString(folder.resolve(file)).strip();
  }

  @Test
  void limitsOfMemoryAreThoseOfSlurm() {
    Path mount = Path.of("/x");
    CgroupSettings plain = settings("", mount, "ConstrainRAMSpace", "yes");
    long mib = 1 << 20;
    assertThat(plain.memory(2000, 64000))
        .isEqualTo(new CgroupSettings.Memory(2000 * mib, 2000 * mib, 2000 * mib));
    assertThat(plain.memory(1, 64000).ram()).isEqualTo(30 * mib);
    assertThat(plain.memory(0, 64000).ram()).isEqualTo(64000 * mib);
    CgroupSettings shares =
        settings(
            "",
            mount,
            "ConstrainRAMSpace",
            "yes",
            "ConstrainSwapSpace",
            "yes",
            "AllowedRAMSpace",
            "90",
            "AllowedSwapSpace",
            "50",
            "MaxRAMPercent",
            "50",
            "MaxSwapPercent",
            "10");
    assertThat(shares.memory(2000, 64000))
        .isEqualTo(new CgroupSettings.Memory(1800 * mib, 1800 * mib, 2800 * mib));
    assertThat(shares.memory(60000, 64000).ram()).isEqualTo(32000 * mib);
    assertThat(shares.memory(60000, 64000).ramAndSwap()).isEqualTo(38400 * mib);
    CgroupSettings swap =
        settings("", mount, "ConstrainSwapSpace", "yes", "AllowedSwapSpace", "50");
    assertThat(swap.memory(2000, 64000).ram()).isEqualTo(3000 * mib);
  }

  @Test
  void withoutTaskCgroupNothingIsLimitedAndDisabledGroupsAreNotMade() {
    Map<String, String> conf = Map.of("ConstrainRAMSpace", "yes", "ConstrainCores", "yes");
    CgroupSettings tracks = CgroupSettings.of(conf, TestCluster.config(1, Map.of()));
    assertThat(tracks.limitsMemory()).isFalse();
    assertThat(tracks.cores()).isFalse();
    assertThat(tracks.any()).isTrue();
    assertThat(CgroupSettings.of(Map.of(), TestCluster.config(1, Map.of())).any()).isFalse();
    assertThat(settings("disabled", directory, "ConstrainRAMSpace", "yes").any()).isFalse();
  }

  @Test
  void theSecondVersionHandsControllersOnAndWritesLimits() throws Exception {
    Path mount = files("v2", "cgroup.controllers", "cpuset memory pids", "cgroup.procs", "");
    files("v2", "cgroup.subtree_control", "memory");
    Path spool = files("spool");
    // The kernel makes the files of a group with it; here they are there before.
    String name = "slurm_n1-" + Integer.toHexString(spool.toString().hashCode());
    String[] group = {
      "cgroup.subtree_control", "", "memory.max", "max", "memory.high", "max", "memory.events",
      "low 0\noom 3\noom_kill 2", "cpuset.cpus", "", "cgroup.procs", "", "memory.swap.max", "max",
      "cgroup.kill", ""
    };
    files("v2/" + name, group);
    Path job = files("v2/" + name + "/job_7.0", group);
    Path step = files("v2/" + name + "/job_7.0/step_batch", group);
    ControlGroups groups =
        ControlGroups.of(
            settings(
                "autodetect",
                mount,
                "ConstrainRAMSpace",
                "yes",
                "ConstrainCores",
                "yes",
                "ConstrainSwapSpace",
                "yes"),
            spool,
            "n1",
            64000);
    assertThat(groups.missing()).isEmpty();
    assertThat(groups.enter("7.0", LIMITS, "batch", new Limits(1000, "1", List.of())))
        .isEqualTo(step.toString());
    assertThat(read(mount, "cgroup.subtree_control")).isEqualTo("+cpuset");
    assertThat(read(job, "cgroup.subtree_control")).isEqualTo("+cpuset");
    assertThat(read(job, "memory.max")).isEqualTo("2097152000");
    assertThat(read(job, "cpuset.cpus")).isEqualTo("0-1");
    assertThat(read(step, "memory.max")).isEqualTo("1048576000");
    assertThat(read(step, "memory.high")).isEqualTo("1048576000");
    assertThat(read(step, "memory.swap.max")).isEqualTo("0");
    assertThat(read(step, "cpuset.cpus")).isEqualTo("1");
    assertThat(groups.outOfMemory("7.0", "batch")).isEqualTo(2);
    Files.writeString(step.resolve("cgroup.procs"), "12\n0\n15\n");
    Files.writeString(job.resolve("cgroup.procs"), "3\n");
    assertThat(ControlGroups.processes(spool, "7.0", null)).containsExactly(3, 12, 15);
    assertThat(ControlGroups.processes(spool, "7.0", "batch")).containsExactly(12, 15);
    ControlGroups.kill(spool, "7.0", null);
    assertThat(read(job, "cgroup.kill")).isEqualTo("1");
  }

  @Test
  void aControllerThatIsNotThereIsToldOfAndNothingElseIsLost() throws Exception {
    Path mount = files("v2", "cgroup.controllers", "cpuset", "cgroup.subtree_control", "cpuset");
    Path spool = files("spool");
    String name = "slurm_n1-" + Integer.toHexString(spool.toString().hashCode());
    files("v2/" + name, "cgroup.subtree_control", "cpuset");
    ControlGroups groups =
        ControlGroups.of(
            settings("cgroup/v2", mount, "ConstrainRAMSpace", "yes", "ConstrainCores", "yes"),
            spool,
            "n1",
            64000);
    assertThat(groups.missing())
        .singleElement()
        .asString()
        .startsWith("memory is not limited: " + mount + " has no memory controller");
    assertThat(groups.inUse()).isTrue();
    ControlGroups none =
        ControlGroups.of(settings("cgroup/v2", directory.resolve("no")), spool, "n1", 64000);
    assertThat(none.missing())
        .singleElement()
        .asString()
        .contains("no control groups of version 2");
    assertThat(none.enter("1.0", LIMITS, "0", LIMITS)).isEqualTo(ControlGroups.NOWHERE);
  }

  @Test
  void theFirstVersionHasATreeForEachController() throws Exception {
    Path mount = directory.resolve("v1");
    Path spool = files("spool");
    String name = "slurm_n1-" + Integer.toHexString(spool.toString().hashCode());
    for (String controller : List.of("memory", "cpuset", "devices", "freezer")) {
      String[] group = {
        "cgroup.procs",
        "",
        "memory.limit_in_bytes",
        "",
        "memory.soft_limit_in_bytes",
        "",
        "memory.memsw.limit_in_bytes",
        "",
        "memory.oom_control",
        "under_oom 0\noom_kill 1",
        "memory.swappiness",
        "60",
        "cpuset.mems",
        "",
        "cpuset.cpus",
        "",
        "devices.deny",
        ""
      };
      files("v1/" + controller, "cgroup.procs", "", "cpuset.mems", "0", "cpuset.cpus", "0-3");
      files("v1/" + controller + "/" + name, group);
      files("v1/" + controller + "/" + name + "/job_7.0", group);
      files("v1/" + controller + "/" + name + "/job_7.0/step_0", group);
    }
    ControlGroups groups =
        ControlGroups.of(
            settings(
                "cgroup/v1",
                mount,
                "ConstrainRAMSpace",
                "yes",
                "ConstrainCores",
                "yes",
                "ConstrainSwapSpace",
                "yes",
                "ConstrainDevices",
                "yes",
                "MemorySwappiness",
                "10"),
            spool,
            "n1",
            64000);
    assertThat(groups.missing()).isEmpty();
    String folders = groups.enter("7.0", LIMITS, "0", LIMITS);
    assertThat(folders.split(" ")).hasSize(4).allMatch(f -> f.endsWith("/job_7.0/step_0"));
    Path step = Path.of(name, "job_7.0", "step_0");
    Path memory = mount.resolve("memory").resolve(step);
    assertThat(read(memory, "memory.limit_in_bytes")).isEqualTo("2097152000");
    assertThat(read(memory, "memory.memsw.limit_in_bytes")).isEqualTo("2097152000");
    assertThat(read(memory, "memory.swappiness")).isEqualTo("10");
    Path cpuset = mount.resolve("cpuset").resolve(step);
    assertThat(read(cpuset, "cpuset.mems")).isEqualTo("0");
    assertThat(read(cpuset, "cpuset.cpus")).isEqualTo("0-1");
    assertThat(read(mount.resolve("cpuset").resolve(name), "cpuset.cpus")).isEqualTo("0-3");
    assertThat(read(mount.resolve("devices").resolve(step), "devices.deny")).isEqualTo("c 1:5 rwm");
    assertThat(groups.outOfMemory("7.0", "0")).isEqualTo(1);
  }

  @Test
  void theKernelRefusesADeviceThatIsClosedAndItsGroupsKillWhatIsInThem() throws Exception {
    Path mount = Path.of("/sys/fs/cgroup/unified");
    if (!Files.exists(mount.resolve("cgroup.controllers"))) {
      mount = Path.of("/sys/fs/cgroup");
    }
    assumeThat(mount.resolve("cgroup.controllers")).exists();
    assumeThat(Files.isWritable(mount)).isTrue();
    Path spool = files("spool");
    ControlGroups groups =
        ControlGroups.of(
            settings("cgroup/v2", mount, "ConstrainDevices", "yes"), spool, "n1", 64000);
    assumeThat(groups.missing()).isEmpty();
    Limits closed = new Limits(0, "", List.of(Path.of("/dev/zero")));
    Limits open = new Limits(0, "", List.of());
    String group = groups.enter("7.0", closed, "0", open);
    try {
      String enter = "echo 0 >" + group + "/cgroup.procs; ";
      Path said = directory.resolve("said");
      assertThat(run(said, enter + "head -c1 /dev/zero").waitFor()).isEqualTo(1);
      assertThat(Files.readString(said)).contains("Operation not permitted");
      assertThat(run(said, enter + "head -c0 " + NULL).waitFor()).isZero();
      Process left = run(said, enter + "env -i setsid sleep 60");
      // No event tells of the group of a process.
      for (int i = 0; i < 500 && ControlGroups.processes(spool, "7.0", "0").isEmpty(); i++) {
        Thread.sleep(10);
      }
      assertThat(ControlGroups.processes(spool, "7.0", null)).contains((int) left.pid());
      ControlGroups.kill(spool, "7.0", null);
      assertThat(left.waitFor(10, TimeUnit.SECONDS)).isTrue();
    } finally {
      groups.remove("7.0", null);
      Path ours = Path.of(group, "..", "..").normalize();
      Files.deleteIfExists(ours);
      assertThat(ours).doesNotExist();
    }
  }

  private static Process run(Path said, String command) throws IOException {
    return new ProcessBuilder("sh", "-c", command)
        .redirectErrorStream(true)
        .redirectOutput(said.toFile())
        .start();
  }
}
