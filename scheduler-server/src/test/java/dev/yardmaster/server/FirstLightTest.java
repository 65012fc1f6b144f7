package dev.yardmaster.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.yardmaster.cli.Io;
import dev.yardmaster.client.ClusterView;
import dev.yardmaster.client.Credential;
import dev.yardmaster.client.DefaultSchedulerClient;
import dev.yardmaster.client.Endpoint;
import dev.yardmaster.client.SchedulerClient;
import dev.yardmaster.client.Selection;
import dev.yardmaster.controller.Controller;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.engine.state.Event;
import dev.yardmaster.explain.Explanation;
import dev.yardmaster.explain.Gate;
import dev.yardmaster.explain.Remedy.Lever;
import dev.yardmaster.explain.Verdict;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Node;
import dev.yardmaster.model.PriorityFactors;
import dev.yardmaster.model.Reason;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The whole path on the shipped sample: files, workload, server, wire, client, explanation, squeue.
 */
class FirstLightTest {
  /** What really holds each waiting job of the sample workload. */
  private static final Map<String, Gate> CAUSES =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry("qwen-finetune", Gate.NODES_FREE_GRES),
              Map.entry("vit-large", Gate.NODES_FREE_GRES),
              Map.entry("eval-sweep", Gate.ARRAY_THROTTLE),
              Map.entry("refine", Gate.DEPENDENCY),
              Map.entry("assembly", Gate.NODES_FREE_MEMORY),
              Map.entry("nightly-report", Gate.BEGIN_TIME),
              Map.entry("long-notebook", Gate.PARTITION_TIME),
              Map.entry("draft-run", Gate.HOLD),
              Map.entry("crawler", Gate.HOLD),
              Map.entry("sam-pretrain", Gate.NODES_UNRESERVED),
              Map.entry("class-gpu101", Gate.NODES_UP),
              Map.entry("vit-huge", Gate.QOS_LIMIT)));

  @TempDir private Path directory;

  @Test
  void everyWaitingJobOfTheSampleIsExplainedByItsTrueCauseAndSqueueAgrees() throws Exception {
    try (RunningServer server =
            RunningServer.start(SampleFiles.setup(directory), InstantSource.system());
        SchedulerClient client = client(server)) {
      assertThat(server.notices()).isEmpty();
      ClusterView view = client.read(Selection.ALL);
      Map<String, Gate> found = new TreeMap<>();
      for (Job job : pending(view)) {
        Explanation explanation = client.explain(job.displayId());
        Gate binding = explanation.binding();
        assertThat(binding).as("%s has a cause", job.name()).isNotNull();
        if (binding != null) {
          found.put(job.name(), binding);
        }
        assertThat(explanation.slurmReason()).as(job.name()).isEqualTo(job.reason());
        assertThat(explanation.verdict()).as(job.name()).isNotIn(Verdict.NOW, Verdict.RUNNING);
      }
      assertThat(found).isEqualTo(CAUSES);
      assertThat(squeue()).containsExactlyInAnyOrderElementsOf(lines(view));
    }
  }

  @Test
  void theJobThatALimitOfItsQosHoldsIsToldHowFarToRaiseIt() throws Exception {
    try (RunningServer server =
            RunningServer.start(SampleFiles.setup(directory), InstantSource.system());
        SchedulerClient client = client(server)) {
      Job held =
          pending(client.read(Selection.ALL)).stream()
              .filter(job -> job.reason() == Reason.QOS_MAX_GRES_PER_USER)
              .findFirst()
              .orElseThrow();
      assertThat(client.explain(held.displayId()).remedies())
          .filteredOn(remedy -> remedy.lever() == Lever.RAISE_LIMIT)
          .singleElement()
          .satisfies(
              remedy -> {
                assertThat(remedy.from()).isEqualTo("QOS normal MaxTRESPerUser");
                // 8 of another job of the user that starts before, and 16 of its own
                assertThat(remedy.to()).isEqualTo("gres/gpu=24");
                assertThat(remedy.byOwner()).isFalse();
              });
    }
  }

  @Test
  void theSampleAccountsForEveryUserOfItsWorkloadAndForWhoStartsIt() throws Exception {
    try (RunningServer server =
            RunningServer.start(SampleFiles.setup(directory), InstantSource.system());
        SchedulerClient client = client(server)) {
      Set<String> users = new TreeSet<>(Set.of(System.getProperty("user.name")));
      client.read(Selection.ALL).jobs().values().forEach(job -> users.add(job.owner().user()));
      assertThat(server.controller().state().accounting().users().keySet()).containsAll(users);
      assertThat(command("sshare", "-a", "-n", "-P"))
          .anySatisfy(line -> assertThat(line).contains("nlp|alice|60|0.600000|"));
      assertThat(command("sprio", "-h", "-o", "%u %F %Q"))
          .anySatisfy(line -> assertThat(line).matches("bob +[1-9]\\d* +[1-9]\\d*"));
    }
  }

  @Test
  void aRefusedLineOfTheAccountingStopsTheStartAndLeavesNothing() throws Exception {
    ServerSetup setup = SampleFiles.setup(directory);
    Path accounting = directory.resolve("accounting");
    String good = Files.readString(accounting);
    Files.writeString(accounting, good + "add user zoe account=nowhere\n");
    long line = good.lines().count() + 1;
    assertThatThrownBy(() -> RunningServer.start(setup, InstantSource.system()))
        .isInstanceOf(StartFailure.class)
        .hasMessageStartingWith(accounting + ":" + line + ": ")
        .hasMessageContaining("nowhere");
    Files.writeString(accounting, "add account physics\n");
    try (RunningServer server = RunningServer.start(setup, InstantSource.system())) {
      assertThat(server.controller().state().accounting().accounts().keySet())
          .containsExactlyInAnyOrder("root", "physics");
    }
  }

  @Test
  void aRestartKeepsEverything() throws Exception {
    ServerSetup setup = SampleFiles.setup(directory);
    Map<Integer, Job> before;
    try (RunningServer server = RunningServer.start(setup, InstantSource.system())) {
      before = still(server.controller().state().jobs());
    }
    try (RunningServer server = RunningServer.start(setup, InstantSource.system())) {
      assertThat(still(server.controller().state().jobs())).isEqualTo(before);
    }
  }

  @Test
  void whatRanOnSimulatedNodesGoesOnAfterARestart() throws Exception {
    ServerSetup setup = SampleFiles.setup(directory);
    ClusterState before;
    try (RunningServer server = RunningServer.start(setup, InstantSource.system())) {
      before = server.controller().state();
    }
    try (RunningServer server = RunningServer.start(setup, InstantSource.system())) {
      CountDownLatch registered = new CountDownLatch(1);
      server
          .controller()
          .follow(
              new Controller.Follower() {
                @Override
                public void start(ClusterState state, long sequence) {
                  if (state.nodes().values().stream().allMatch(node -> isNewer(node, before))) {
                    registered.countDown();
                  }
                }

                @Override
                public void next(List<Event> events, ClusterState after, long sequence) {
                  start(after, sequence);
                }
              });
      assertThat(registered.await(30, TimeUnit.SECONDS)).isTrue();
      assertThat(running(server.controller().state())).isNotEmpty().isEqualTo(running(before));
    }
  }

  private static boolean isNewer(Node node, ClusterState before) {
    Node earlier = before.node(node.name());
    return earlier != null
        && !Objects.equals(node.status().registered(), earlier.status().registered());
  }

  private static Map<Integer, Instant> running(ClusterState state) {
    Map<Integer, Instant> running = new TreeMap<>();
    for (Job job : state.jobs().values()) {
      if (job.state() == JobState.RUNNING && job.started() != null) {
        running.put(job.id(), job.started());
      }
    }
    return running;
  }

  /** Jobs that no pass changes from one second to the next. */
  private static Map<Integer, Job> still(Map<Integer, Job> jobs) {
    Map<Integer, Job> kept = new TreeMap<>(jobs);
    kept.replaceAll(
        (id, job) ->
            job.with(j -> j.lastEvaluated(null).planned(null).priority(0))
                .withFactors(PriorityFactors.ZERO));
    return kept;
  }

  private static List<Job> pending(ClusterView view) {
    return view.jobs().values().stream().filter(j -> j.state() == JobState.PENDING).toList();
  }

  private static List<String> lines(ClusterView view) {
    return view.jobs().values().stream()
        .filter(job -> !job.state().isFinished())
        .map(job -> job.displayId() + "|" + job.name() + "|" + reason(job))
        .toList();
  }

  private List<String> squeue() {
    return command("squeue", "-h", "-o", "%i|%j|%r");
  }

  private List<String> command(String... words) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Io io =
        new Io(
            new ByteArrayInputStream(new byte[0]),
            new PrintStream(out, true, StandardCharsets.UTF_8),
            System.err,
            Map.of("SLURM_CONF", directory.resolve("slurm.conf").toString()),
            directory,
            ZoneId.of("UTC"),
            InstantSource.system(),
            () -> false);
    assertThat(Main.run(List.of(words), io)).as(words[0]).isZero();
    return out.toString(StandardCharsets.UTF_8).lines().toList();
  }

  private static String reason(Job job) {
    return job.reasonText().isEmpty() ? job.reason().text() : job.reasonText();
  }

  private SchedulerClient client(RunningServer server) throws Exception {
    return DefaultSchedulerClient.of(
        new Endpoint("127.0.0.1", server.port()),
        Credential.ofProcess(directory.resolve(Credential.TOKEN_FILE)));
  }
}
