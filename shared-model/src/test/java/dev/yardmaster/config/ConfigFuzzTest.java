package dev.yardmaster.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/** Whatever is done to good files, reading them ends, and a broken cluster is not handed out. */
class ConfigFuzzTest {
  private static final String SLURM_CONF =
      """
      ClusterName=lab
      SlurmctldHost=ctl(10.0.0.1)
      SlurmctldPort=6817-6818
      SchedulerParameters=bf_interval=5,bf_continue,bf_window=2880
      SelectTypeParameters=CR_Core_Memory,CR_LLN
      TopologyPlugin=topology/tree
      GresTypes=gpu,shard
      Licenses=a:4,b
      PriorityDecayHalfLife=7-0
      PriorityWeightTRES=CPU=1000,GRES/gpu=3000
      Include more.conf
      NodeName=DEFAULT Sockets=2 CoresPerSocket=8 ThreadsPerCore=2 RealMemory=64000
      NodeName=n[01-08] Gres=gpu:h100:8,shard:h100:16 Features=fast,ib \\
          Port=[7001-7008] # first rack
      NodeName=m1,m2 Gres=gpu:4 Reason="new \\# one" State=DRAIN Weight=5
      DownNodes=n03 State=DOWN Reason="bad \\"disk"
      NodeSet=fast Feature=fast
      PartitionName=DEFAULT MaxTime=1-0
      PartitionName=p Nodes=fast,m1 Default=YES TRESBillingWeights="CPU=1.0,GRES/gpu=8"
      PartitionName=q Nodes=ALL OverSubscribe=FORCE:2 DefaultTime=30 AllowAccounts=a,b
      """;
  private static final String GRES_CONF =
      """
      AutoDetect=off
      NodeName=n[01-08] Name=gpu Type=h100 File=/dev/nvidia[0-3] Cores=0-7
      NodeName=n[01-08] Name=gpu Type=h100 File=/dev/nvidia[4-7] Cores=8-15
      Name=shard Type=h100 Count=16
      NodeName=m1 Name=gpu File=/dev/nvidia0 Links=-1,4 Flags=nvidia_gpu_env
      NodeName=m1 Name=gpu MultipleFiles=/dev/nvidia1,/dev/nvidia-caps/c[1-2]
      """;
  private static final String TOPOLOGY_CONF =
      """
      SwitchName=s1 Nodes=n[01-08]
      SwitchName=s2 Nodes=m[1-2] LinkSpeed=100
      SwitchName=top Switches=s[1-2]
      """;
  private static final String TOPOLOGY_YAML =
      """
      - topology: fabric
        cluster_default: true
        tree:
          switches:
            - switch: top
              children: s[1-2]
            - switch: s1
              nodes: n[01-08]
            - switch: s2
              nodes: m[1-2]
      - topology: nvl
        block:
          block_sizes: [4, 8]
          blocks:
            - block: b1
              nodes: n[01-08]
      """;
  private static final String MORE_CONF = "KillWait=30\nSlurmctldDebug=info\n";
  private static final String CGROUP_CONF = "ConstrainCores=yes\nAllowedRAMSpace=99.5\n";
  private static final String PIECES =
      "\"#\\\\\n\r\t =,;:()[]{}<>-+*/|&%.0123456789kKMGxyzINFINITEé\u2028\u0000";
  private static final String[] WORDS = {
    "NodeName=",
    "PartitionName=",
    "Include ",
    "Include slurm.conf",
    "DEFAULT",
    "ALL",
    "=",
    "\\\n",
    "[1-99999999]",
    "[0-",
    "4294967296",
    "9223372036854775807",
    "-1",
    "INFINITE",
    "\"",
    "<<<<<<< HEAD\n",
    "%c",
    "Sockets=65535 CoresPerSocket=65535 ThreadsPerCore=65535",
    "(S:0-1)",
    "CPUs=0",
    "Nodes=",
    "Gres=gpu:9999999999999",
    "Count=9999P",
    "Links=",
    "Cores=0-999999",
    "&a *a",
    "!!java.lang.Object",
    "{",
    "- ",
  };

  private static Path dir = Path.of("");

  @BeforeContainer
  static void makeFolder() throws IOException {
    dir = Files.createTempDirectory("config-fuzz");
  }

  @AfterContainer
  static void removeFolder() throws IOException {
    for (Path file : SharedFolder.entries(dir)) {
      Files.delete(file);
    }
    Files.delete(dir);
  }

  @Property(tries = 1500)
  void mutatedFilesNeverCrashTheReaders(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 12) int changes) throws IOException {
    var random = new Random(seed);
    List<String> names =
        List.of(
            "slurm.conf",
            "gres.conf",
            "topology.conf",
            "more.conf",
            "cgroup.conf",
            "topology.yaml");
    List<String> texts =
        new ArrayList<>(
            List.of(SLURM_CONF, GRES_CONF, TOPOLOGY_CONF, MORE_CONF, CGROUP_CONF, TOPOLOGY_YAML));
    for (int i = 0; i < changes; i++) {
      int file = random.nextInt(3) > 0 ? 0 : random.nextInt(texts.size());
      texts.set(file, mutated(texts.get(file), random));
    }
    boolean yaml = random.nextInt(3) == 0;
    for (int i = 0; i < names.size(); i++) {
      Path file = dir.resolve(names.get(i));
      if (i == names.size() - 1 && !yaml) {
        Files.deleteIfExists(file);
      } else {
        Files.write(file, texts.get(i).getBytes(StandardCharsets.UTF_8));
      }
    }
    ConfigResult result = ConfigReader.read(dir);
    assertThat(result.config() == null).isEqualTo(!result.fatal().isEmpty());
    if (result.config() != null) {
      assertThat(result.draft()).isEqualTo(result.config());
      assertThat(result.config().clusterName()).isNotEmpty();
      List<String> nodes = result.config().nodes().stream().map(n -> n.name()).toList();
      assertThat(nodes).doesNotHaveDuplicates();
      assertThat(result.config().partitions()).allMatch(p -> nodes.containsAll(p.nodes()));
    }
    assertThat(result.findings())
        .allSatisfy(
            f -> {
              assertThat(f.toString()).doesNotContain("\n", "\r").hasSizeLessThan(2000);
              assertThat(f.message()).isNotEmpty();
            });
  }

  private static String mutated(String text, Random random) {
    int at = random.nextInt(text.length() + 1);
    int end = Math.min(text.length(), at + random.nextInt(12));
    String rest = text.substring(end);
    return switch (random.nextInt(7)) {
      case 0 -> text.substring(0, at) + rest;
      case 1 -> text.substring(0, at) + PIECES.charAt(random.nextInt(PIECES.length())) + rest;
      case 2 -> text.substring(0, at) + WORDS[random.nextInt(WORDS.length)] + text.substring(at);
      case 3 -> text.substring(0, at);
      case 4 -> swapLines(text, random);
      case 5 -> text.substring(0, at) + (char) random.nextInt(0x3000) + rest;
      default -> text.substring(0, at) + text.substring(at, end).repeat(3) + rest;
    };
  }

  private static String swapLines(String text, Random random) {
    List<String> lines = new ArrayList<>(List.of(text.split("\n", -1)));
    Collections.swap(lines, random.nextInt(lines.size()), random.nextInt(lines.size()));
    return String.join("\n", lines);
  }
}
