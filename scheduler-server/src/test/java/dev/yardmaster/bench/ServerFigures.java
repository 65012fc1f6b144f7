package dev.yardmaster.bench;

import dev.yardmaster.client.ClientException;
import dev.yardmaster.client.SchedulerClient;
import dev.yardmaster.client.Selection;
import dev.yardmaster.client.SubmissionStream;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.JobSubmission;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * What the whole server takes: acknowledged submissions a second with everything made durable,
 * commands that list many jobs, a restart with them, and the way from a submission to the first
 * line of its script. Real processes of the built distribution over the network's port.
 */
final class ServerFigures {
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final int IN_FLIGHT = 256;
  private static final int STARTS = 11;

  private static final String COMMON =
      """
      ClusterName=bench
      SlurmctldHost=localhost
      AuthType=auth/none
      ReturnToService=2
      MaxJobCount=10000000
      MinJobAge=300
      PriorityType=priority/multifactor
      PriorityWeightAge=1000
      SelectType=select/cons_tres
      SelectTypeParameters=CR_Core_Memory
      DefMemPerCPU=100
      """;

  private final Path home;
  private final StringBuilder table =
      new StringBuilder("| what | aim | measured |\n|---|---:|---:|\n");

  /**
   * @param home of the distribution
   */
  ServerFigures(Path home) {
    this.home = home;
  }

  /**
   * The table, in Markdown.
   *
   * @param quick on a tenth of the jobs and nodes
   */
  String table(boolean quick) throws Exception {
    int scale = quick ? 10 : 1;
    firstLine();
    small(scale);
    large(scale);
    return table.toString();
  }

  private void row(String what, String aim, String measured) {
    table.append("| %s | %s | %s |%n".formatted(what, aim, measured));
    System.err.println(what + ": " + measured);
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%,.0f", value);
  }

  private void small(int scale) throws Exception {
    try (ServerProcess server = new ServerProcess(home, simulated(6), true)) {
      server.start();
      submitAtOnce(server, 1, 2_000 / scale);
      int tenth = 10_000 / scale;
      row("submissions/s, one after another", "", rate(server, 1, 1, 2_000 / scale));
      String warm = "submissions/s soon after the start, one connection";
      row(warm, "", rate(server, 1, IN_FLIGHT, tenth));
      submitAtOnce(server, 1, 2 * tenth);
      row("submissions/s, one connection", "5,000", rate(server, 1, IN_FLIGHT, 2 * tenth));
      row("submissions/s, eight connections", "10,000", rate(server, 8, IN_FLIGHT, 2 * tenth));
      listings(server, tenth, "300 ms", "1.5 s");
      listings(server, 50_000 / scale, "4 s", "");
      row("heap with %s jobs".formatted(number(jobs(server))), "500 MB", server.heap() + " MB");
      String kept = number(jobs(server));
      server.stop();
      row("restart with " + kept + " jobs", "2 s", number(server.start()) + " ms");
    }
  }

  private void large(int scale) throws Exception {
    int nodes = 10_000 / scale;
    try (ServerProcess server = new ServerProcess(home, simulated(nodes), true)) {
      server.start();
      try (SchedulerClient client = server.client(PATIENCE)) {
        client.submit(job(Map.of("nodes", Integer.toString(nodes), "exclusive", "")));
      }
      submitAtOnce(server, 8, 100_000 / scale);
      String where =
          "%s nodes, %s jobs pending: ".formatted(number(nodes), number(100_000 / scale));
      int some = 20_000 / scale;
      row(where + "submissions/s, one connection", "5,000", rate(server, 1, IN_FLIGHT, some));
      row(where + "eight connections", "10,000", rate(server, 8, IN_FLIGHT, some));
    }
  }

  private static String simulated(int nodes) {
    return COMMON
        + """
        NodeName=n[1-%d] CPUs=16 RealMemory=64000 State=UNKNOWN
        PartitionName=main Nodes=ALL Default=YES MaxTime=7-0 DefaultTime=60 State=UP
        """
            .formatted(nodes);
  }

  /** Acknowledged submissions a second, and what one of them costs the server. */
  private static String rate(ServerProcess server, int connections, int inFlight, int count)
      throws Exception {
    Duration before = server.processorTime();
    double perSecond = submit(server, connections, inFlight, count);
    double micros = server.processorTime().minus(before).toNanos() / 1e3 / count;
    return "%s (%s µs of processor time each)".formatted(number(perSecond), number(micros));
  }

  private static int jobs(ServerProcess server) throws ClientException {
    try (SchedulerClient client = server.client(PATIENCE)) {
      return client.read(Selection.of(Selection.Jobs.ALL)).jobs().size();
    }
  }

  private void listings(ServerProcess server, int jobs, String text, String json) throws Exception {
    submitAtOnce(server, 8, Math.max(0, jobs - jobs(server)));
    String of = " of %s jobs".formatted(number(jobs(server)));
    row("squeue" + of, text, number(server.command(3, "squeue")) + " ms");
    row("squeue --json" + of, json, number(server.command(3, "squeue", "--json")) + " ms");
  }

  private static void submitAtOnce(ServerProcess server, int connections, int count)
      throws Exception {
    if (count > 0) {
      submit(server, connections, IN_FLIGHT, count);
    }
  }

  private static JobSubmission job(Map<String, String> options) {
    TreeMap<String, String> all = new TreeMap<>(Map.of("time", "60", "output", "/dev/null"));
    all.putAll(options);
    return new JobSubmission(
        Immutable.sortedMap(all),
        "#!/bin/sh\nsleep 300\n",
        List.of(),
        Immutable.sortedMap(Map.of("PATH", "/usr/bin:/bin")),
        "/tmp/job.sh",
        "sbatch job.sh",
        "/tmp",
        "localhost");
  }

  /** Submits jobs; returns how many were acknowledged a second. */
  private static double submit(ServerProcess server, int connections, int inFlight, int count)
      throws IOException, ClientException, InterruptedException, ExecutionException {
    List<SchedulerClient> clients = new ArrayList<>();
    try (ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < connections; i++) {
        SchedulerClient client = server.client(PATIENCE);
        client.info();
        clients.add(client);
      }
      AtomicInteger left = new AtomicInteger(count);
      JobSubmission job = job(Map.of("ntasks", "1"));
      long begin = System.nanoTime();
      List<Future<?>> all = new ArrayList<>();
      for (SchedulerClient client : clients) {
        all.add(
            pool.submit(
                () -> {
                  pipeline(client, job, inFlight, left);
                  return null;
                }));
      }
      for (Future<?> one : all) {
        one.get();
      }
      return count / ((System.nanoTime() - begin) / 1e9);
    } finally {
      clients.forEach(SchedulerClient::close);
    }
  }

  /** Submits over one call, with so many on their way that have no answer yet. */
  private static void pipeline(
      SchedulerClient client, JobSubmission job, int inFlight, AtomicInteger left)
      throws InterruptedException, ExecutionException {
    Semaphore room = new Semaphore(inFlight);
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    try (SubmissionStream stream = client.submissions()) {
      while (left.getAndDecrement() > 0 && failure.get() == null) {
        room.acquire();
        stream
            .submit(job)
            .whenComplete(
                (submitted, refused) -> {
                  if (refused != null) {
                    failure.compareAndSet(null, refused);
                  }
                  room.release();
                });
      }
      room.acquire(inFlight);
    }
    Throwable first = failure.get();
    if (first != null) {
      throw new ExecutionException(first);
    }
  }

  private void firstLine() throws Exception {
    for (int delay : List.of(0, 3)) {
      String config =
          COMMON
              + """
              SchedulerParameters=batch_sched_delay=%d
              NodeName=n1 NodeHostname=localhost CPUs=2 RealMemory=1000 State=UNKNOWN
              PartitionName=main Nodes=ALL Default=YES MaxTime=1-0 DefaultTime=60 State=UP
              """
                  .formatted(delay);
      try (ServerProcess server = new ServerProcess(home, config, false)) {
        server.start();
        server.spawn("yardmaster", List.of("node", "n1"));
        double[] millis = new double[STARTS];
        for (int i = 0; i < STARTS; i++) {
          millis[i] = start(server, i);
        }
        Arrays.sort(millis);
        row(
            "submission to first line of the script, batch_sched_delay=" + delay,
            delay == 0 ? "300 ms" : "",
            number(millis[STARTS / 2]) + " ms");
      }
    }
  }

  /** From the call to the time that the script writes down. */
  private static double start(ServerProcess server, int number)
      throws IOException, ClientException, InterruptedException {
    Path told = server.directory().resolve("told." + number);
    JobSubmission job =
        job(Map.of("ntasks", "1"))
            .with(
                j ->
                    j.script(
                            "#!/bin/sh\ndate +%s%N > " + told + ".new; mv " + told + ".new " + told)
                        .workDir(server.directory().toString()));
    Instant now = Instant.now();
    try (SchedulerClient client = server.client(PATIENCE)) {
      client.info();
      now = Instant.now();
      client.submit(job);
    }
    while (!Files.exists(told)) {
      Thread.sleep(5);
    }
    long nanos = Long.parseLong(Files.readString(told).strip());
    Thread.sleep(300);
    return (nanos - now.getEpochSecond() * 1_000_000_000L - now.getNano()) / 1e6;
  }
}
