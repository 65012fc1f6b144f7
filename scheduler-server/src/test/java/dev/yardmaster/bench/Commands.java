package dev.yardmaster.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * How long a Slurm command takes from its start to its end on the sample cluster: real processes of
 * the built distribution against a real server, the shell of bin/ included.
 */
final class Commands {
  private static final int RUNS = 21;
  private static final int WARM_UP = 3;
  private static final int TICKS_PER_SECOND = 100;
  private static final int CHILD_USER = 13;
  private static final int CHILD_SYSTEM = 14;

  private static final List<List<String>> LINES =
      List.of(
          List.of("squeue", "--version"),
          List.of("squeue"),
          List.of("sinfo"),
          List.of("sbatch", "--begin=now+1hour", "--wrap=true"),
          List.of("scontrol", "show", "job", "1"),
          List.of("scontrol", "show", "node"),
          List.of("sprio", "-l"),
          List.of("scancel", "999"),
          List.of("squeue", "--json"));

  private final Path home;

  /**
   * @param home of the distribution
   */
  Commands(Path home) {
    this.home = home;
  }

  /** The table, in Markdown. */
  String table() throws IOException, InterruptedException {
    if (!Files.isReadable(home.resolve("aot/cli.aot"))) {
      throw new IOException(
          home.resolve("aot/cli.aot") + " is missing; ./yardmaster build makes it in a minute");
    }
    Path scratch = Files.createTempDirectory("yardmaster-bench");
    Process server = null;
    try {
      int port = freePort();
      Path etc = Files.createDirectories(scratch.resolve("etc"));
      copySample(etc, port);
      server = start(etc, scratch, port);
      return measured(etc);
    } finally {
      if (server != null) {
        server.destroy();
        server.waitFor(10, TimeUnit.SECONDS);
      }
      delete(scratch);
    }
  }

  private String measured(Path etc) throws IOException, InterruptedException {
    StringBuilder table = new StringBuilder();
    table.append("| command | wall, median | wall, best | CPU |\n|---|---:|---:|---:|\n");
    for (List<String> line : LINES) {
      double[] millis = new double[RUNS];
      for (int i = 0; i < WARM_UP; i++) {
        run(line, etc);
      }
      long ticks = childTicks();
      for (int i = 0; i < RUNS; i++) {
        millis[i] = run(line, etc) / 1e6;
      }
      double cpu = (childTicks() - ticks) * 1000.0 / TICKS_PER_SECOND / RUNS;
      Arrays.sort(millis);
      table.append(
          String.format(
              Locale.ROOT,
              "| %s | %.0f ms | %.0f ms | %.0f ms |%n",
              String.join(" ", line),
              millis[RUNS / 2],
              millis[0],
              cpu));
    }
    return table.toString();
  }

  private long run(List<String> line, Path etc) throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(line);
    words.set(0, home.resolve("bin").resolve(line.getFirst()).toString());
    ProcessBuilder builder =
        new ProcessBuilder(words)
            .directory(etc.toFile())
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD);
    builder.environment().put("SLURM_CONF", etc.resolve("slurm.conf").toString());
    long begin = System.nanoTime();
    builder.start().waitFor();
    return System.nanoTime() - begin;
  }

  /** CPU time of the processes that this one has waited for (proc_pid_stat(5)). */
  private static long childTicks() throws IOException {
    String stat = Files.readString(Path.of("/proc/self/stat"));
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    return Long.parseLong(fields[CHILD_USER]) + Long.parseLong(fields[CHILD_SYSTEM]);
  }

  private Process start(Path etc, Path scratch, int port) throws IOException {
    Process server =
        new ProcessBuilder(
                home.resolve("yardmaster").toString(),
                "server",
                "--config",
                etc.toString(),
                "--state",
                scratch.resolve("state").toString(),
                "--simulate-nodes",
                "--accounting",
                etc.resolve("accounting").toString(),
                "--workload",
                etc.resolve("workload").toString(),
                "--port",
                Integer.toString(port))
            .redirectErrorStream(true)
            .start();
    // Left open: a server whose output nobody takes would end at its next line.
    BufferedReader output = server.inputReader();
    String last = "";
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      if (line.contains("127.0.0.1:" + port)) {
        return server;
      }
      last = line;
    }
    throw new IOException("the server did not start: " + last);
  }

  private void copySample(Path etc, int port) throws IOException {
    try (Stream<Path> files = Files.list(home.resolve("sample"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.copy(file, etc.resolve(file.getFileName()));
      }
    }
    Path config = etc.resolve("slurm.conf");
    Files.writeString(
        config,
        Files.readString(config).replaceAll("(?m)^SlurmctldPort=.*$", "SlurmctldPort=" + port));
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      files
          .sorted((a, b) -> b.compareTo(a))
          .forEach(
              file -> {
                try {
                  Files.deleteIfExists(file);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
    }
  }
}
