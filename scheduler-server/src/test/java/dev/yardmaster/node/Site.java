package dev.yardmaster.node;

import dev.yardmaster.client.ClientException;
import dev.yardmaster.client.Credential;
import dev.yardmaster.client.DefaultSchedulerClient;
import dev.yardmaster.client.Endpoint;
import dev.yardmaster.client.SchedulerClient;
import dev.yardmaster.client.Selection;
import dev.yardmaster.model.Node;
import dev.yardmaster.model.NodeBaseState;
import dev.yardmaster.server.Main;
import java.io.File;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** A controller and a node daemon, each in a process of its own, that can be killed and started. */
public final class Site implements AutoCloseable {
  private final Path directory;
  private final int port;
  private final List<Process> all = new ArrayList<>();

  /**
   * @param settings lines of slurm.conf
   */
  public Site(Path directory, String settings) throws IOException {
    this.directory = directory;
    try (ServerSocket socket = new ServerSocket(0)) {
      port = socket.getLocalPort();
    }
    Files.writeString(
        conf(),
        """
        ClusterName=lab
        SlurmctldHost=localhost(127.0.0.1)
        SlurmctldPort=%d
        SlurmdParameters=config_overrides
        ReturnToService=2
        SlurmdSpoolDir=%s/spool/%%n
        SchedulerParameters=batch_sched_delay=0
        NodeName=n1 NodeHostname=localhost CPUs=256 RealMemory=4000
        PartitionName=main Nodes=ALL Default=YES
        %s
        """
            .formatted(port, directory, settings));
  }

  /** Its slurm.conf. */
  public Path conf() throws IOException {
    return Files.createDirectories(directory.resolve("etc")).resolve("slurm.conf");
  }

  /** What a program of it has printed. */
  public Path log(String name) {
    return directory.resolve(name + ".log");
  }

  /** The spool of its node. */
  public Path spool() {
    return directory.resolve("spool/n1");
  }

  public Process server() throws IOException {
    return start(
        "server",
        "server",
        "--config",
        directory.resolve("etc").toString(),
        "--state",
        directory.resolve("state").toString());
  }

  public Process node() throws IOException {
    return start("node", "node", "n1");
  }

  /** Starts a program; it is that of this class path. */
  public Process start(String log, String... words) throws IOException {
    List<String> line = new ArrayList<>();
    line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // A node daemon has the memory that bin/runtime.sh gives it.
    line.addAll(
        words[0].equals("node")
            ? List.of("-Xmx48m", "-Xss512k", "-XX:MaxDirectMemorySize=64m", "-XX:-UsePerfData")
            : List.of("-Xmx256m"));
    line.addAll(
        List.of(
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-cp",
            classPath(),
            Main.class.getName()));
    line.addAll(List.of(words));
    ProcessBuilder builder =
        new ProcessBuilder(line)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log(log).toFile()));
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    builder.environment().put("SLURM_CONF", conf().toString());
    if (words[0].equals("node")) {
      builder.environment().put("MALLOC_ARENA_MAX", "1");
    }
    Process process = builder.start();
    all.add(process);
    return process;
  }

  /** Of these tests, also where a launcher has loaded them by a loader of its own. */
  private static String classPath() {
    if (Thread.currentThread().getContextClassLoader() instanceof URLClassLoader loader) {
      return Arrays.stream(loader.getURLs())
          .map(URL::getPath)
          .collect(Collectors.joining(File.pathSeparator));
    }
    return System.getProperty("java.class.path");
  }

  /** A connection with its controller. */
  public SchedulerClient client() {
    return DefaultSchedulerClient.of(
        List.of(new Endpoint("127.0.0.1", port)),
        new Credential("root", 0, "root", 0, null),
        Duration.ofSeconds(60),
        Duration.ofSeconds(60));
  }

  /** Waits until its node can take jobs; no event tells of programs that start. */
  public void awaitNode() throws IOException, InterruptedException {
    for (int i = 0; i < 1200; i++) {
      try (SchedulerClient client = client()) {
        if (client.read(Selection.ALL).nodes().values().stream().anyMatch(Site::isThere)) {
          return;
        }
      } catch (ClientException e) {
        // The controller does not answer yet.
        Thread.sleep(50);
      }
      Thread.sleep(50);
    }
    throw new IOException("the node is not there: " + Files.readString(log("server")));
  }

  private static boolean isThere(Node node) {
    return node.status().base() == NodeBaseState.IDLE && node.status().registered() != null;
  }

  @Override
  public void close() {
    for (Process process : all) {
      process.destroyForcibly();
      process.onExit().join();
    }
  }
}
