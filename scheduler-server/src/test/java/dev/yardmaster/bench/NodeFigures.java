package dev.yardmaster.bench;

import dev.yardmaster.client.SchedulerClient;
import dev.yardmaster.client.Selection;
import dev.yardmaster.client.StepListener;
import dev.yardmaster.controller.TestCluster;
import dev.yardmaster.model.ExitCode;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.StepProgram;
import dev.yardmaster.node.Site;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What steps cost a node: how many are started and ended a second, memory of the daemon and of each
 * step, and the way from an allocation to the first line of a script.
 */
final class NodeFigures {
  private final PrintStream out;
  private final Path directory;

  private NodeFigures(PrintStream out, Path directory) {
    this.out = out;
    this.directory = directory;
  }

  /**
   * Measures, in a folder of its own, and prints a table.
   *
   * @param steps how many are started one after another, and again several at a time
   */
  static void measure(int steps, PrintStream out) throws Exception {
    Path directory = Files.createTempDirectory("yardmaster-node");
    try (Site site = new Site(directory, "")) {
      site.server();
      Process node = site.node();
      site.awaitNode();
      try (SchedulerClient client = site.client()) {
        new NodeFigures(out, directory).measure(site, client, node.pid(), steps);
      }
    } finally {
      new ProcessBuilder("rm", "-rf", directory.toString()).start().waitFor();
    }
  }

  private void measure(Site site, SchedulerClient client, long daemon, int steps) throws Exception {
    int job = allocate(client);
    while (client.read(Selection.ALL).jobs().values().stream()
        .noneMatch(j -> j.state() == JobState.RUNNING)) {
      Thread.sleep(20);
    }
    row("memory of the daemon before any step", memory(daemon, "VmRSS:"), " MB");
    run(client, job, 200, 16, "true");
    row("memory of the daemon after 200 steps", memory(daemon, "VmRSS:"), " MB");
    for (int atOnce : new int[] {1, 8, 32}) {
      long cpu = cpu(daemon);
      long begin = System.nanoTime();
      run(client, job, steps, atOnce, "true");
      double seconds = (System.nanoTime() - begin) / 1e9;
      row("steps a second, " + atOnce + " at a time", steps / seconds, "");
      row("  processor time of the daemon for each", (cpu(daemon) - cpu) * 10.0 / steps, " ms");
    }
    held(client, job, daemon, 100);
    firstLine(site);
  }

  private void row(String what, double value, String unit) {
    out.printf("| %s | %.1f%s |%n", what, value, unit);
  }

  private static int allocate(SchedulerClient client) throws Exception {
    return client
        .submit(TestCluster.submission("ntasks=240", "nodes=1").with(s -> s.script("").command("")))
        .jobId();
  }

  private void run(SchedulerClient client, int job, int count, int atOnce, String... command)
      throws Exception {
    AtomicInteger left = new AtomicInteger(count);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < atOnce; i++) {
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    while (left.getAndDecrement() > 0) {
                      step(client, job, () -> {}, command);
                    }
                  }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private void step(SchedulerClient client, int job, Runnable connected, String... command) {
    CountDownLatch ended = new CountDownLatch(1);
    try (StepListener listener =
        new StepListener(
            new StepListener.Output() {
              @Override
              public void connected(String node) {
                connected.run();
              }

              @Override
              public void written(int task, boolean error, byte[] bytes) {}

              @Override
              public void exited(String node, int task, ExitCode exit) {
                ended.countDown();
              }

              @Override
              public boolean lost(String node) {
                return false;
              }
            })) {
      listener.endInput();
      client.createStep(
          Integer.toString(job),
          new TreeMap<>(Map.of("ntasks", "1", "overlap", "")),
          new StepProgram(
              List.of(command),
              new TreeMap<>(Map.of("PATH", "/usr/bin:/bin")),
              directory.toString(),
              listener.host(),
              listener.port(),
              listener.key()));
      ended.await();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** What so many steps take that run at the same time, without their commands. */
  private void held(SchedulerClient client, int job, long daemon, int count) throws Exception {
    double before = memory(daemon, "VmRSS:");
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      threads.add(Thread.ofPlatform().start(() -> step(client, job, () -> {}, "sleep", "8")));
    }
    Thread.sleep(6000);
    long shells = 0;
    long kib = 0;
    for (ProcessHandle process : ProcessHandle.allProcesses().toList()) {
      String line = process.info().commandLine().orElse("");
      if (line.contains("/keeper " + directory)) {
        shells++;
        kib += line(Path.of("/proc/" + process.pid() + "/smaps_rollup"), "Private_Clean:");
        kib += line(Path.of("/proc/" + process.pid() + "/smaps_rollup"), "Private_Dirty:");
      }
    }
    row("shells for each of " + count + " steps that run", (double) shells / count, "");
    row("  their memory of their own, for each step", kib / 1024.0 / count, " MB");
    row("  memory of the daemon for each step", (memory(daemon, "VmRSS:") - before) / count, " MB");
    for (Thread thread : threads) {
      thread.join();
    }
    row("memory of the daemon at last", memory(daemon, "VmRSS:"), " MB");
    row("memory of the daemon at most", memory(daemon, "VmHWM:"), " MB");
  }

  /** From the call to the time that the first line of a script writes down. */
  private void firstLine(Site site) throws Exception {
    List<Double> millis = new ArrayList<>();
    AtomicLong number = new AtomicLong();
    try (SchedulerClient client = site.client()) {
      for (int i = 0; i < 21; i++) {
        Path line = directory.resolve("line" + number.incrementAndGet());
        long clock = System.currentTimeMillis();
        String write = "date +%s%N > F.new; mv F.new F\n".replace("F", line.toString());
        client.submit(
            TestCluster.submission("output=/dev/null")
                .with(
                    s ->
                        s.script("#!/bin/sh\n" + write)
                            .workDir(directory.toString())
                            .environment(new TreeMap<>(Map.of("PATH", "/usr/bin:/bin")))));
        while (!Files.exists(line)) {
          Thread.sleep(5);
        }
        millis.add(Long.parseLong(Files.readString(line).strip()) / 1e6 - clock);
      }
    }
    millis.sort(null);
    row("allocation to first line of the script, median of 21", millis.get(10), " ms");
  }

  private static double memory(long pid, String key) throws IOException {
    return line(Path.of("/proc/" + pid + "/status"), key) / 1024.0;
  }

  private static long cpu(long pid) throws IOException {
    String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    return Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
  }

  private static long line(Path file, String key) throws IOException {
    try (var lines = Files.lines(file)) {
      return lines
          .filter(l -> l.startsWith(key))
          .mapToLong(l -> Long.parseLong(l.replaceAll("[^0-9]", "")))
          .findFirst()
          .orElse(0);
    } catch (IOException e) {
      return 0;
    }
  }
}
