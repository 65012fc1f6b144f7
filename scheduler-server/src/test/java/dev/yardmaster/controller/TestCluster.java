package dev.yardmaster.controller;

import dev.yardmaster.model.ClusterConfig;
import dev.yardmaster.model.GresDevices;
import dev.yardmaster.model.Identity;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.JobSubmission;
import dev.yardmaster.model.NodeSpec;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.PriorityPolicy;
import dev.yardmaster.model.SchedulingPolicy;
import dev.yardmaster.model.Topology;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The six nodes of the golden cases: 16 cores, 64,000 MB and 8 GPUs each. */
public final class TestCluster {
  public static final Instant NOW = Instant.parse("2026-12-01T10:00:00Z");
  public static final Identity ALICE = new Identity("alice", 1001, "alice", 1001);
  public static final Identity BOB = new Identity("bob", 1002, "bob", 1002);
  public static final Identity ROOT = new Identity("root", 0, "root", 0);

  /** A job that is submitted is looked at at once, and not some seconds later. */
  private static final SchedulingPolicy AT_ONCE =
      SchedulingPolicy.defaults()
          .with(p -> p.parameters(Immutable.sortedMap(Map.of("batch_sched_delay", "0"))));

  private TestCluster() {}

  public static ClusterConfig config() {
    return config(6, Map.of());
  }

  public static ClusterConfig config(int nodes, Map<String, String> settings) {
    List<NodeSpec> specs = new ArrayList<>();
    for (int i = 1; i <= nodes; i++) {
      specs.add(node("n" + i, i == 1 ? List.of("fast") : List.of()));
    }
    List<String> names = specs.stream().map(NodeSpec::name).toList();
    TreeMap<String, String> all = new TreeMap<>(Map.of("KillWait", "2", "MinJobAge", "3600"));
    all.putAll(settings);
    Partition main =
        Partition.withDefaults("main", names)
            .with(p -> p.isDefault(true).maxTimeMinutes(1440).defaultTimeMinutes(10L));
    Partition other = Partition.withDefaults("other", names);
    return new ClusterConfig(
        "lab",
        List.of("head"),
        6817,
        AT_ONCE,
        PriorityPolicy.defaults(),
        specs,
        List.of(main, other),
        new Topology.Flat("default"),
        Immutable.sortedMap(Map.of("sim", 4)),
        List.of("gpu"),
        1000,
        0,
        Immutable.sortedMap(all));
  }

  private static NodeSpec node(String name, List<String> features) {
    return new NodeSpec(
        name,
        name,
        name,
        6818,
        1,
        2,
        8,
        1,
        16,
        64_000,
        0,
        1,
        features,
        List.of(GresDevices.counted("gpu", "h100", 8)),
        "UNKNOWN",
        "",
        0,
        0);
  }

  /** A submission of {@code #!/bin/sh\ntrue}, with options given as "name=value" or "name". */
  public static JobSubmission submission(String... options) {
    SortedMap<String, String> map = new TreeMap<>();
    for (String option : options) {
      String[] parts = option.split("=", 2);
      map.put(parts[0], parts.length == 1 ? "" : parts[1]);
    }
    return new JobSubmission(
        Immutable.sortedMap(map),
        "#!/bin/sh\ntrue\n",
        List.of(),
        Immutable.sortedMap(Map.of("PATH", "/bin")),
        "/home/alice/job.sh",
        "sbatch job.sh",
        "/home/alice",
        "head");
  }
}
