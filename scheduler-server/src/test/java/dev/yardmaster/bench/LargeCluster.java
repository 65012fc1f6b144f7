package dev.yardmaster.bench;

import dev.yardmaster.engine.DecisionEvents;
import dev.yardmaster.engine.Engine;
import dev.yardmaster.engine.Pass;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.engine.state.Event;
import dev.yardmaster.model.ClusterConfig;
import dev.yardmaster.model.GresDevices;
import dev.yardmaster.model.GresRequest;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobBatch;
import dev.yardmaster.model.JobOwner;
import dev.yardmaster.model.JobRequest;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.MemoryRequest;
import dev.yardmaster.model.NodeBaseState;
import dev.yardmaster.model.NodeSpec;
import dev.yardmaster.model.NodeStatus;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.PriorityPolicy;
import dev.yardmaster.model.Reason;
import dev.yardmaster.model.SchedulingPolicy;
import dev.yardmaster.model.Topology;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/**
 * A full cluster of 8-GPU nodes with a queue of mixed jobs: 1 to 64 nodes, 1 to 8 GPUs on each,
 * about a thousand different requests. The same seed gives the same cluster.
 */
final class LargeCluster {
  static final Instant NOW = Instant.parse("2026-11-29T12:00:00Z");

  private static final int[] LIMITS = {10, 30, 60, 120, 240, 480, 720, 1440, 2880};

  private final Random random;
  private final int nodes;

  LargeCluster(int nodes, long seed) {
    this.nodes = nodes;
    random = new Random(seed);
  }

  /** The cluster, full, with so many jobs waiting. */
  ClusterState state(int pending) {
    ClusterState state = empty(config());
    for (int i = 0; i < nodes; i++) {
      state = submit(state, NOW.minusSeconds(60L * random.nextInt(600)));
    }
    state =
        DecisionEvents.of(
                state,
                Engine.step(state, NOW, EnumSet.of(Pass.MAIN, Pass.BACKFILL)).decisions(),
                NOW)
            .after();
    for (Job job : List.copyOf(state.jobs().values())) {
      if (job.state() == JobState.PENDING) {
        state = state.apply(new Event.JobEnded(NOW, job.id(), JobState.CANCELLED, Reason.NONE));
        state = state.apply(new Event.JobPurged(NOW, job.id()));
      } else {
        Instant end = NOW.plusSeconds(60L * (1 + random.nextInt(2880)));
        state = state.apply(new Event.JobEdited(NOW, job.withEnded(end), "bench", "EndTime"));
      }
    }
    for (int i = 0; i < pending; i++) {
      state = submit(state, NOW.minusSeconds(i));
    }
    return DecisionEvents.of(
            state, Engine.step(state, NOW, EnumSet.of(Pass.MAIN, Pass.BACKFILL)).decisions(), NOW)
        .after();
  }

  /**
   * The cluster, empty, with so many jobs waiting, each of which runs for a part of its limit.
   *
   * @param granularity of the plan: device, or nothing
   */
  ClusterState backlog(int jobs, String granularity) {
    ClusterConfig config = config();
    TreeMap<String, String> parameters = new TreeMap<>();
    if (!granularity.isEmpty()) {
      parameters.put("bf_granularity", granularity);
    }
    ClusterState state =
        empty(config.withScheduling(config.scheduling().withParameters(parameters)));
    for (int i = 0; i < jobs; i++) {
      Job job = job(state.nextJobId(), NOW.minusSeconds(jobs - i));
      long seconds = 60 * job.timeLimitMinutes() * (20 + random.nextInt(81)) / 100;
      state =
          state.apply(
              new Event.JobSubmitted(NOW, job.withSimulatedRuntime(Duration.ofSeconds(seconds))));
    }
    return state;
  }

  private static ClusterState empty(ClusterConfig config) {
    ClusterState state = ClusterState.initial(config, NOW);
    NodeStatus up =
        new NodeStatus(NodeBaseState.IDLE, Set.of(), "", "", null, NOW, NOW, NOW, "bench");
    for (NodeSpec node : state.config().nodes()) {
      state = state.apply(new Event.NodeChanged(NOW, node.name(), up, "bench"));
    }
    return state;
  }

  private ClusterState submit(ClusterState state, Instant at) {
    return state.apply(new Event.JobSubmitted(NOW, job(state.nextJobId(), at)));
  }

  private ClusterConfig config() {
    List<NodeSpec> specs = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (int n = 0; n < nodes; n++) {
      String name = "g%05d".formatted(n);
      names.add(name);
      GresDevices gpus = new GresDevices("gpu", "h100", 8, 0, files(), List.of(), List.of());
      specs.add(
          new NodeSpec(
              name,
              name,
              name,
              6818,
              1,
              2,
              56,
              1,
              112,
              2_000_000,
              0,
              1,
              List.of(),
              List.of(gpus),
              "UNKNOWN",
              "",
              0,
              0));
    }
    Partition main =
        Partition.withDefaults("main", names).with(p -> p.isDefault(true).maxTimeMinutes(2880));
    SchedulingPolicy scheduling =
        SchedulingPolicy.defaults()
            .with(
                p ->
                    p.bfWindowMinutes(7 * 1440)
                        .bfResolutionSeconds(60)
                        .bfMaxJobTest(0)
                        .defaultQueueDepth(0));
    PriorityPolicy priority =
        PriorityPolicy.defaults().with(p -> p.weightAge(1000).weightJobSize(1000));
    return new ClusterConfig(
        "bench",
        List.of("localhost"),
        6817,
        scheduling,
        priority,
        specs,
        List.of(main),
        new Topology.Flat("default"),
        Immutable.sortedMap(),
        List.of("gpu"),
        1000,
        0,
        Immutable.sortedMap());
  }

  private static List<String> files() {
    List<String> files = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      files.add("/dev/nvidia" + i);
    }
    return files;
  }

  private Job job(int id, Instant submitted) {
    int size = 1 << random.nextInt(Math.min(7, 32 - Integer.numberOfLeadingZeros(nodes)));
    int gpus = 1 + random.nextInt(8);
    int cpus = 2 << random.nextInt(3);
    JobRequest request =
        JobRequest.oneTask()
            .with(
                r ->
                    r.minNodes(size)
                        .maxNodes(size)
                        .nodesGiven(true)
                        .tasks(size)
                        .cpusPerTask(cpus)
                        .memory(new MemoryRequest.PerCpu(1000))
                        .gres(List.of(new GresRequest("gpu", null, gpus, GresRequest.Scope.NODE))));
    int user = random.nextInt(200);
    return Job.waiting(
        id,
        "job",
        new JobOwner("u" + user, 1000 + user, "g", 1000, "a" + user % 20, "normal", ""),
        List.of("main"),
        request,
        new JobBatch(true, "", "", "/", "", "", "", "", ""),
        LIMITS[random.nextInt(LIMITS.length)],
        submitted);
  }
}
