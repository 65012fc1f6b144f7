package dev.yardmaster.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.client.ControllerChannel;
import dev.yardmaster.client.Credential;
import dev.yardmaster.client.Endpoint;
import dev.yardmaster.config.ConfigReader;
import dev.yardmaster.controller.Command;
import dev.yardmaster.controller.Controller;
import dev.yardmaster.controller.Reply;
import dev.yardmaster.controller.TestCluster;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.engine.state.Event;
import dev.yardmaster.model.ClusterConfig;
import dev.yardmaster.model.Identity;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.node.NodeDaemon;
import dev.yardmaster.node.NodeUsers;
import dev.yardmaster.security.LaunchTrust;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** scontrol reconfigure reaches node daemons that run. */
class NodeReconfigureTest {
  private static final Identity ROOT = new Identity("root", 0, "root", 0);
  private static final String CLUSTER =
      """
      ClusterName=lab
      SlurmctldHost=localhost(127.0.0.1)
      SlurmdParameters=config_overrides
      SlurmdSpoolDir=%s/spool-%%n
      PartitionName=main Nodes=ALL Default=YES
      """;
  private static final String NODES = "NodeName=n1 CPUs=4 RealMemory=4000\n";

  @TempDir private Path directory;
  private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
  private RunningServer server;
  private ControllerChannel channel;

  @BeforeEach
  void serve() throws Exception {
    Files.createDirectories(etc());
    write("");
    server =
        RunningServer.start(
            new ServerSetup(etc(), directory.resolve("state"), false, null, null, 0, false),
            InstantSource.system());
    channel =
        ControllerChannel.open(
            new Endpoint("127.0.0.1", server.port()), new Credential("root", 0, "root", 0, null));
  }

  @AfterEach
  void stop() {
    channel.close();
    server.close();
    thread.shutdownNow();
  }

  private Path etc() {
    return directory.resolve("etc");
  }

  private void write(String more) throws IOException {
    Files.writeString(etc().resolve("slurm.conf"), CLUSTER.formatted(directory) + NODES + more);
  }

  private String program(String name, String text) throws IOException {
    Path file = Files.writeString(directory.resolve(name), "#!/bin/sh\n" + text + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    return file.toString();
  }

  private NodeConfiguration configuration() {
    ClusterConfig config = Objects.requireNonNull(ConfigReader.read(etc()).config());
    return new NodeConfiguration(etc(), config);
  }

  private NodeConnection connect(NodeConfiguration configuration, NodeDaemon daemon)
      throws IOException {
    NodeConnection connection =
        new NodeConnection(
            "n1",
            daemon,
            new OrderCheck(
                "n1",
                LaunchTrust.of(etc().resolve("slurm.conf"), directory.resolve("trust"), 0),
                InstantSource.system()),
            configuration::told,
            List.of(channel),
            thread,
            Duration.ofMillis(100));
    connection.start();
    return connection;
  }

  private NodeDaemon daemon(NodeConfiguration configuration) throws IOException {
    return configuration.start(configuration.config().nodes().getFirst());
  }

  private Reply handle(Command command) throws Exception {
    return server.controller().handle(command).toCompletableFuture().get(20, TimeUnit.SECONDS);
  }

  private void await(Predicate<ClusterState> wanted) throws Exception {
    CompletableFuture<Boolean> reached = new CompletableFuture<>();
    Runnable unfollow =
        server
            .controller()
            .follow(
                new Controller.Follower() {
                  @Override
                  public void start(ClusterState state, long sequence) {
                    look(state);
                  }

                  @Override
                  public void next(List<Event> events, ClusterState after, long sequence) {
                    look(after);
                  }

                  private void look(ClusterState state) {
                    if (wanted.test(state)) {
                      reached.complete(true);
                    }
                  }
                });
    try {
      reached.get(30, TimeUnit.SECONDS);
    } finally {
      unfollow.run();
    }
  }

  private void awaitNode() throws Exception {
    await(s -> Objects.requireNonNull(s.node("n1")).status().registered() != null);
  }

  /** Runs a job that writes a variable, and returns what it wrote. */
  private String run() throws Exception {
    Identity me = NodeUsers.own();
    Reply reply =
        handle(
            new Command.Submit(
                me,
                TestCluster.submission()
                    .with(
                        s ->
                            s.script("#!/bin/sh\necho \"[$MORE]\"\n")
                                .workDir(directory.toString())
                                .environment(
                                    Immutable.sortedMap(Map.of("PATH", "/usr/bin:/bin"))))));
    int id = ((Reply.Submitted) reply).jobId();
    await(
        s -> {
          var job = s.job(id);
          return job != null && job.state().isFinished() && !job.holdsResources();
        });
    return Files.readString(directory.resolve("slurm-" + id + ".out"));
  }

  private String programs() throws IOException {
    return "TaskProlog="
        + program("task", "echo export MORE=told")
        + "\nProlog="
        + program("before", "touch '" + directory + "'/before.$SLURM_JOB_ID")
        + "\nEpilog="
        + program("after", "touch '" + directory + "'/after.$SLURM_JOB_ID")
        + "\n";
  }

  @Test
  void whatTheControllerReadsAnewNodesThatRunReadAnew() throws Exception {
    NodeConfiguration configuration = configuration();
    try (NodeDaemon daemon = daemon(configuration);
        NodeConnection _ = connect(configuration, daemon)) {
      awaitNode();
      assertThat(run()).isEqualTo("[]\n");
      write(programs());
      assertThat(handle(new Command.Reconfigure(ROOT))).isInstanceOf(Reply.Done.class);
      assertThat(run()).isEqualTo("[told]\n");
      assertThat(directory.resolve("before.2")).exists();
      assertThat(directory.resolve("after.2")).exists();
    }
  }

  @Test
  void aNodeThatWasAwayLearnsOfItWhenItIsBack() throws Exception {
    NodeConfiguration configuration = configuration();
    try (NodeDaemon daemon = daemon(configuration)) {
      write(programs());
      handle(new Command.Reconfigure(ROOT));
      try (NodeConnection _ = connect(configuration, daemon)) {
        awaitNode();
        assertThat(run()).isEqualTo("[told]\n");
      }
    }
  }

  @Test
  void aFileThatIsNotRightOrLacksTheNodeChangesNothing() throws Exception {
    NodeConfiguration configuration = configuration();
    try (NodeDaemon _ = daemon(configuration)) {
      ClusterConfig before = configuration.config();
      write("SlurmctldPort=x\nNodeName=n1\n");
      configuration.reread();
      assertThat(configuration.config()).isSameAs(before);
      Files.writeString(
          etc().resolve("slurm.conf"),
          CLUSTER.formatted(directory) + "NodeName=n2 CPUs=4 RealMemory=4000\n");
      configuration.reread();
      assertThat(configuration.config()).isSameAs(before);
      write("HealthCheckInterval=7\n");
      configuration.reread();
      assertThat(configuration.config().setting("HealthCheckInterval")).contains("7");
    }
  }

  @Test
  void aNodeThatHasMoreThanItHadRegistersAnew() throws Exception {
    NodeConfiguration configuration = configuration();
    BlockingQueue<Integer> cpus = new LinkedBlockingQueue<>();
    try (NodeDaemon daemon = daemon(configuration)) {
      daemon.connected(
          command -> {
            if (command instanceof Command.NodeRegistered registered) {
              cpus.add(registered.cpus());
            }
            return CompletableFuture.completedFuture(new Reply.Done(List.of()));
          });
      assertThat(cpus.poll(20, TimeUnit.SECONDS)).isEqualTo(4);
      write("HealthCheckInterval=7\n");
      configuration.reread();
      Files.writeString(
          etc().resolve("slurm.conf"),
          CLUSTER.formatted(directory) + "NodeName=n1 CPUs=8 RealMemory=4000\n");
      configuration.reread();
      assertThat(cpus.poll(20, TimeUnit.SECONDS)).isEqualTo(8);
      assertThat(cpus).isEmpty();
    }
  }
}
