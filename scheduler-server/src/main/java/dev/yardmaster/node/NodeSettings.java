package dev.yardmaster.node;

import dev.yardmaster.config.ConfigReader;
import dev.yardmaster.model.ClusterConfig;
import dev.yardmaster.node.cgroup.CgroupSettings;
import dev.yardmaster.node.gpu.GpuNames;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SortedMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The settings of slurm.conf(5) that a node daemon obeys, with Slurm's defaults.
 *
 * @param directory that of slurm.conf, which relative paths start from
 * @param prolog patterns of programs, in the order written
 * @param prologTimeout null to wait for as long as it takes; likewise for Epilog
 * @param serial PrologFlags=Serial: one after another on a node
 * @param healthProgram empty for none
 * @param healthInterval zero to run it at the start alone
 * @param packsNodes SelectTypeParameters=CR_Pack_Nodes
 * @param cgroups what cgroup.conf asks for
 * @param tmpFs TmpFS, whose size the node registers
 * @param gpus what jobs are to call the GPUs of the node
 * @param gather how often the usage of steps is measured; zero for never while they run
 */
public record NodeSettings(
    Path directory,
    List<String> prolog,
    List<String> epilog,
    @Nullable Duration prologTimeout,
    @Nullable Duration epilogTimeout,
    boolean serial,
    String taskProlog,
    String taskEpilog,
    String healthProgram,
    Duration healthInterval,
    Duration healthTimeout,
    Set<String> healthStates,
    boolean packsNodes,
    Duration gather,
    Set<String> taskPlugins,
    CgroupSettings cgroups,
    MemoryRule memory,
    Path tmpFs,
    GpuNames gpus) {

  private static final Path TMP = Path.of("/tmp");

  public NodeSettings {
    prolog = List.copyOf(prolog);
    epilog = List.copyOf(epilog);
    healthStates = Set.copyOf(healthStates);
    taskPlugins = Set.copyOf(taskPlugins);
  }

  /** Slurm's defaults. */
  static final NodeSettings NONE =
      new NodeSettings(
          Path.of("/"),
          List.of(),
          List.of(),
          null,
          null,
          false,
          "",
          "",
          "",
          Duration.ZERO,
          Duration.ofSeconds(60),
          Set.of(),
          false,
          Duration.ofSeconds(30),
          Set.of(),
          CgroupSettings.NONE,
          MemoryRule.NONE,
          TMP,
          GpuNames.PLAIN);

  /**
   * @param directory that of slurm.conf
   */
  public static NodeSettings of(ClusterConfig config, Path directory) {
    Duration both = timeout(config, "PrologEpilogTimeout", null);
    return new NodeSettings(
        directory,
        list(config, "Prolog"),
        list(config, "Epilog"),
        timeout(config, "PrologTimeout", both),
        timeout(config, "EpilogTimeout", both),
        words(config, "PrologFlags").contains("serial"),
        path(config, "TaskProlog", directory),
        path(config, "TaskEpilog", directory),
        path(config, "HealthCheckProgram", directory),
        Duration.ofSeconds(number(config, "HealthCheckInterval", 0)),
        Duration.ofSeconds(positive(number(config, "HealthCheckTimeout", 60), 60)),
        words(config, "HealthCheckNodeState"),
        config.scheduling().packsNodes(),
        Duration.ofSeconds(gather(config)),
        words(config, "TaskPlugin").stream()
            .map(w -> w.replaceFirst("^task/", ""))
            .collect(Collectors.toSet()),
        CgroupSettings.of(cgroupConf(directory), config),
        MemoryRule.of(config),
        directory.resolve(config.setting("TmpFS").orElse(TMP.toString())),
        GpuNames.PLAIN);
  }

  /** The same for a node whose GPUs are known. */
  public NodeSettings withGpus(GpuNames names) {
    return new NodeSettings(
        directory,
        prolog,
        epilog,
        prologTimeout,
        epilogTimeout,
        serial,
        taskProlog,
        taskEpilog,
        healthProgram,
        healthInterval,
        healthTimeout,
        healthStates,
        packsNodes,
        gather,
        taskPlugins,
        cgroups,
        memory,
        tmpFs,
        names);
  }

  /** What an operator is to know where memory is given out and nobody keeps jobs to it. */
  public @Nullable String unenforcedMemory(ClusterConfig config) {
    return MemoryRule.unenforced(config, this);
  }

  private static SortedMap<String, String> cgroupConf(Path directory) {
    Path file = directory.resolve("cgroup.conf");
    return Files.exists(file)
        ? ConfigReader.readCgroupConf(file).settings()
        : Collections.emptySortedMap();
  }

  private static List<String> list(ClusterConfig config, String key) {
    return Arrays.stream(config.setting(key).orElse("").split(","))
        .map(String::strip)
        .filter(s -> !s.isEmpty())
        .toList();
  }

  private static Set<String> words(ClusterConfig config, String key) {
    return list(config, key).stream()
        .map(w -> w.toLowerCase(Locale.ROOT))
        .collect(Collectors.toSet());
  }

  private static String path(ClusterConfig config, String key, Path directory) {
    String text = config.setting(key).orElse("").strip();
    return text.isEmpty() || text.equalsIgnoreCase("(null)")
        ? ""
        : directory.resolve(text).toString();
  }

  private static @Nullable Duration timeout(
      ClusterConfig config, String key, @Nullable Duration otherwise) {
    long seconds = number(config, key, -1);
    return seconds < 0 || seconds == 65_534 ? otherwise : Duration.ofSeconds(seconds);
  }

  private static long positive(long number, long otherwise) {
    return number > 0 ? number : otherwise;
  }

  /** JobAcctGatherFrequency: seconds, or {@code task=SECONDS} among others. */
  private static long gather(ClusterConfig config) {
    if (config.setting("JobAcctGatherType").orElse("").endsWith("/none")) {
      return 0;
    }
    long seconds = 30;
    for (String word : list(config, "JobAcctGatherFrequency")) {
      String value = word.toLowerCase(Locale.ROOT).replaceFirst("^task=", "");
      if (value.matches("[0-9]{1,9}")) {
        seconds = Long.parseLong(value);
      }
    }
    return seconds;
  }

  private static long number(ClusterConfig config, String key, long otherwise) {
    String text = config.setting(key).orElse("").strip();
    return text.matches("[0-9]{1,9}") ? Long.parseLong(text) : otherwise;
  }
}
