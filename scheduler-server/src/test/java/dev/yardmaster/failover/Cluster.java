package dev.yardmaster.failover;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.server.Main;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/** Controllers, a node daemon and somebody who submits, each a process on its machine. */
final class Cluster implements AutoCloseable {
  private static final Duration LONGEST = Duration.ofSeconds(90);

  private final Path directory;
  private final Machines machines;
  private final int count;
  private final Map<Integer, Process> controllers = new TreeMap<>();
  private final List<Process> all = new ArrayList<>();
  private final Process submitter;

  /**
   * @param count of the controllers; the next machine is for the others. Two share a state
   *     directory
   */
  Cluster(Path directory, Machines machines, int count) throws IOException {
    this.directory = directory;
    this.machines = machines;
    this.count = count;
    StringBuilder conf = new StringBuilder("ClusterName=lab\n");
    for (int i = 1; i <= count; i++) {
      conf.append("SlurmctldHost=c" + i + "(" + Machines.address(i) + ")\n");
    }
    conf.append(
        """
        SlurmctldPort=16817
        SlurmctldTimeout=3
        SlurmdTimeout=60
        ReturnToService=2
        SlurmdParameters=config_overrides
        SlurmdSpoolDir=%s/spool/%%n
        SchedulerParameters=batch_sched_delay=0
        NodeName=n1 NodeHostname=localhost CPUs=64 RealMemory=4000
        PartitionName=main Nodes=ALL Default=YES
        """
            .formatted(directory));
    Files.writeString(conf(), conf);
    for (int i = 1; i <= count; i++) {
      start(i);
    }
    launch("node", count + 1, Main.class, "node", "n1");
    submitter = launch("load", count + 1, Submitter.class, conf().toString(), directory + "/ran");
  }

  private Path conf() throws IOException {
    return Files.createDirectories(directory.resolve("etc")).resolve("slurm.conf");
  }

  private Process launch(String log, int machine, Class<?> main, String... words)
      throws IOException {
    List<String> line = new ArrayList<>();
    line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    line.addAll(
        List.of(
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Xmx256m",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-cp",
            classPath(),
            main.getName()));
    line.addAll(List.of(words));
    ProcessBuilder builder =
        new ProcessBuilder(machines.on(machine, line))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log(log).toFile()));
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    builder.environment().put("SLURM_CONF", conf().toString());
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

  private Path log(String name) {
    return directory.resolve(name + ".log");
  }

  List<String> lines(String log) {
    try {
      return Files.exists(log(log)) ? Files.readAllLines(log(log)) : List.of();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Starts the controller of a machine, again. */
  void restart(int machine) throws IOException, InterruptedException {
    long before = lines("c" + machine).stream().filter(Cluster::isStandingBy).count();
    start(machine);
    await(
        "c" + machine + " has started",
        () -> lines("c" + machine).stream().filter(Cluster::isStandingBy).count() > before);
  }

  private static boolean isStandingBy(String line) {
    return line.startsWith("server: standing by");
  }

  private void start(int machine) throws IOException {
    controllers.put(
        machine,
        launch(
            "c" + machine,
            machine,
            Main.class,
            "server",
            "--config",
            Objects.requireNonNull(conf().getParent()).toString(),
            "--state",
            state(machine).toString(),
            "--host",
            "c" + machine,
            "--trusted-network"));
  }

  Path state(int machine) {
    return directory.resolve(count == 2 ? "state" : "state" + machine);
  }

  private Process controller(int machine) {
    return Objects.requireNonNull(controllers.get(machine));
  }

  void signal(int machine, String signal) throws IOException, InterruptedException {
    long pid = controller(machine).pid();
    new ProcessBuilder("kill", "-" + signal, Long.toString(pid)).start().waitFor();
  }

  /** Whether a controller has control, as far as it knows. */
  boolean serves(int machine) {
    List<String> said = lines("c" + machine);
    for (int i = said.size() - 1; i >= 0; i--) {
      if (said.get(i).startsWith("server: cluster ")) {
        return controller(machine).isAlive();
      }
      if (isStandingBy(said.get(i))) {
        return false;
      }
    }
    return false;
  }

  /** Waits until a controller stands by. */
  void awaitStandby(int machine) throws InterruptedException {
    Process process = controller(machine);
    await("c" + machine + " stands by", () -> !serves(machine) && process.isAlive());
  }

  /** The controller that has control; waits for one. */
  int leader() throws InterruptedException {
    int[] found = {0};
    await(
        "a controller has control",
        () -> {
          for (int i = 1; i <= count; i++) {
            if (serves(i)) {
              found[0] = i;
              return true;
            }
          }
          return false;
        });
    return found[0];
  }

  /** Whether a submission was acknowledged after a moment, within some seconds from now. */
  boolean isAcknowledgedAfter(long millis, int seconds) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    while (acknowledgedAfter(millis) < 0) {
      if (System.nanoTime() > end) {
        return false;
      }
      Thread.sleep(20);
    }
    return true;
  }

  private long acknowledgedAfter(long millis) {
    for (String line : lines("load")) {
      String[] words = line.split(" ");
      if (words[0].equals("ack") && Long.parseLong(words[3]) > millis) {
        return Long.parseLong(words[3]);
      }
    }
    return -1;
  }

  /** Waits for the first submission that was acknowledged after a moment; returns when that was. */
  long firstAcknowledgedAfter(long millis) throws InterruptedException {
    await("a submission is acknowledged", () -> acknowledgedAfter(millis) >= 0);
    return acknowledgedAfter(millis);
  }

  void await(String what, BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + LONGEST.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as(what + "\n" + tails()).isLessThan(end);
      Thread.sleep(20);
    }
  }

  private String tails() {
    StringBuilder out = new StringBuilder();
    for (String log : List.of("c1", "c2", "c3", "node", "load")) {
      List<String> lines = lines(log);
      out.append("== ").append(log).append('\n');
      lines
          .subList(Math.max(0, lines.size() - 20), lines.size())
          .forEach(line -> out.append(line).append('\n'));
    }
    return out.toString();
  }

  /** Lets what was begun end, and no more be submitted. */
  void endSubmitting() throws IOException, InterruptedException {
    submitter.getOutputStream().close();
    assertThat(submitter.waitFor(70, TimeUnit.SECONDS)).as("the submitter ends").isTrue();
  }

  void endControllers() throws IOException, InterruptedException {
    for (int i = 1; i <= count; i++) {
      signal(i, "TERM");
    }
    for (Process process : controllers.values()) {
      assertThat(process.waitFor(30, TimeUnit.SECONDS)).as("a controller ends").isTrue();
    }
  }

  @Override
  public void close() {
    for (Process process : all) {
      process.destroyForcibly();
      process.onExit().orTimeout(10, TimeUnit.SECONDS).join();
    }
  }
}
