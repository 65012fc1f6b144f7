package dev.yardmaster.bench;

import dev.yardmaster.client.ClientException;
import dev.yardmaster.client.Credential;
import dev.yardmaster.client.DefaultSchedulerClient;
import dev.yardmaster.client.Endpoint;
import dev.yardmaster.client.SchedulerClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A server of the built distribution in a process of its own, with a directory of its own. */
final class ServerProcess implements AutoCloseable {
  private static final Pattern USED = Pattern.compile("used (\\d+)K");
  private static final Duration DEADLINE = Duration.ofMinutes(2);

  private final Path home;
  private final Path scratch;
  private final int port;
  private final boolean simulated;
  private final List<Process> processes = new ArrayList<>();

  /**
   * @param config slurm.conf; SlurmctldPort is added
   * @param simulated whether the server plays its nodes itself
   */
  ServerProcess(Path home, String config, boolean simulated) throws IOException {
    this.home = home;
    this.simulated = simulated;
    scratch = Files.createTempDirectory("yardmaster-bench");
    try (ServerSocket socket = new ServerSocket(0)) {
      port = socket.getLocalPort();
    }
    Path etc = Files.createDirectories(scratch.resolve("etc"));
    Files.writeString(etc.resolve("slurm.conf"), config + "\nSlurmctldPort=" + port + "\n");
  }

  /** Starts it; returns how many milliseconds it took until it answered. */
  double start() throws IOException, InterruptedException {
    List<String> words =
        new ArrayList<>(
            List.of(
                "server",
                "--config",
                scratch.resolve("etc").toString(),
                "--state",
                scratch.resolve("state").toString()));
    if (simulated) {
      words.add("--simulate-nodes");
    }
    long begin = System.nanoTime();
    spawn("yardmaster", words);
    try (SchedulerClient client = client(Duration.ofMinutes(1))) {
      client.info();
    } catch (ClientException e) {
      throw new IOException(Files.readString(scratch.resolve("log")), e);
    }
    return (System.nanoTime() - begin) / 1e6;
  }

  /** Starts a program of the distribution beside it. */
  void spawn(String program, List<String> words) throws IOException {
    List<String> line = new ArrayList<>(List.of(home.resolve(program).toString()));
    line.addAll(words);
    ProcessBuilder builder =
        new ProcessBuilder(line)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(scratch.resolve("log").toFile()));
    builder.environment().putAll(environment());
    processes.add(builder.start());
  }

  Map<String, String> environment() {
    return Map.of("SLURM_CONF", scratch.resolve("etc/slurm.conf").toString());
  }

  Path directory() {
    return scratch;
  }

  /** A connection of its own. */
  SchedulerClient client(Duration patience) {
    return DefaultSchedulerClient.of(
        List.of(new Endpoint("127.0.0.1", port)),
        new Credential("root", 0, "root", 0, null),
        DEADLINE,
        patience);
  }

  /** The milliseconds of a command: the best of some runs. */
  double command(int runs, String... words) throws IOException, InterruptedException {
    double[] millis = new double[runs];
    for (int i = 0; i < runs; i++) {
      List<String> line = new ArrayList<>(Arrays.asList(words));
      line.set(0, home.resolve("bin").resolve(words[0]).toString());
      ProcessBuilder builder =
          new ProcessBuilder(line)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD);
      builder.environment().putAll(environment());
      long begin = System.nanoTime();
      if (builder.start().waitFor() != 0) {
        throw new IOException("failed: " + String.join(" ", line));
      }
      millis[i] = (System.nanoTime() - begin) / 1e6;
    }
    Arrays.sort(millis);
    return millis[runs / 2];
  }

  /** The server's own process, below the shells that started it. */
  private ProcessHandle java() {
    return Stream.concat(
            Stream.of(processes.getFirst().toHandle()), processes.getFirst().descendants())
        .filter(p -> p.info().command().orElse("").endsWith("java"))
        .findFirst()
        .orElseThrow();
  }

  /** Processor time that the server has used. */
  Duration processorTime() {
    return java().info().totalCpuDuration().orElse(Duration.ZERO);
  }

  /** MiB of heap that are in use after a collection. */
  long heap() throws IOException, InterruptedException {
    long pid = java().pid();
    jcmd(pid, "GC.run");
    Matcher used = USED.matcher(jcmd(pid, "GC.heap_info"));
    long kib = 0;
    while (used.find()) {
      kib = Math.max(kib, Long.parseLong(used.group(1)));
    }
    return kib >> 10;
  }

  private static String jcmd(long pid, String command) throws IOException, InterruptedException {
    String program = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
    Process jcmd =
        new ProcessBuilder(program, Long.toString(pid), command).redirectErrorStream(true).start();
    String text = new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    jcmd.waitFor();
    return text;
  }

  /** Ends it; what it has kept stays. */
  void stop() throws InterruptedException {
    for (Process process : processes) {
      process.descendants().forEach(ProcessHandle::destroy);
      process.destroy();
      if (!process.waitFor(20, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    }
    processes.clear();
  }

  @Override
  public void close() throws IOException {
    try {
      stop();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    try (Stream<Path> files = Files.walk(scratch)) {
      files.sorted((a, b) -> b.compareTo(a)).forEach(ServerProcess::delete);
    }
  }

  private static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
