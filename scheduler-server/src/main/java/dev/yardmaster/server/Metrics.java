package dev.yardmaster.server;

import dev.yardmaster.controller.Controller;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.model.Diagnostics;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Node;
import dev.yardmaster.model.NodeFlag;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/**
 * The controller's figures in the text form of Prometheus (docs/monitoring.md lists them), and
 * whether it is well.
 */
final class Metrics {
  private static final Duration LONGEST_SILENCE = Duration.ofMinutes(10);
  private static final long MOST_BEHIND = 200_000;

  private final Controller controller;
  private final RpcCounts counts;
  private final LongSupplier recorded;
  private final InstantSource clock;
  private final Instant started;

  /**
   * @param recorded the last event that accounting has recorded
   */
  Metrics(Controller controller, RpcCounts counts, LongSupplier recorded, InstantSource clock) {
    this.controller = controller;
    this.counts = counts;
    this.recorded = recorded;
    this.clock = clock;
    this.started = clock.instant();
  }

  /** What is wrong, a line each; empty when the controller is well. */
  List<String> problems() {
    Instant now = clock.instant();
    Instant last = controller.figures().lastPass();
    Duration silence = Duration.between(last == null ? started : last, now);
    boolean waits =
        controller.state().jobs().values().stream().anyMatch(j -> j.state() == JobState.PENDING);
    long behind = behind();
    return java.util.stream.Stream.of(
            controller.trouble().orElse(""),
            waits && silence.compareTo(LONGEST_SILENCE) > 0
                ? "no scheduling pass ended for " + silence.toSeconds() + " s, and jobs wait"
                : "",
            behind > MOST_BEHIND ? "accounting is " + behind + " events behind" : "")
        .filter(line -> !line.isEmpty())
        .toList();
  }

  private long behind() {
    return Math.max(0, controller.present().sequence() - recorded.getAsLong());
  }

  /** All figures. */
  String text() {
    Text text = new Text();
    ClusterState state = controller.state();
    SortedMap<String, Long> figures = controller.statistics().figures(state);
    jobs(text, state);
    nodes(text, state);
    for (String what : List.of("submitted", "started", "completed", "canceled", "failed")) {
      text.head("yardmaster_jobs_" + what + "_total", "counter", "jobs " + what)
          .sample("", figures.getOrDefault("jobs_" + what, 0L));
    }
    passes(text, figures);
    text.head("yardmaster_journal_events", "counter", "number of the last durable event")
        .sample("", controller.present().sequence());
    text.head("yardmaster_accounting_lag_events", "gauge", "durable events not in accounting yet")
        .sample("", behind());
    requests(text);
    var memory = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
    text.head("yardmaster_heap_used_bytes", "gauge", "heap in use").sample("", memory.getUsed());
    text.head("yardmaster_heap_max_bytes", "gauge", "heap limit").sample("", memory.getMax());
    text.head("yardmaster_threads", "gauge", "platform threads")
        .sample("", ManagementFactory.getThreadMXBean().getThreadCount());
    text.head("yardmaster_start_time_seconds", "gauge", "when it began to serve, Unix time")
        .sample("", started.getEpochSecond());
    return text.toString();
  }

  private static void jobs(Text text, ClusterState state) {
    Map<JobState, Long> jobs = new TreeMap<>();
    for (JobState one : JobState.values()) {
      jobs.put(one, 0L);
    }
    long cpus = 0;
    long gpus = 0;
    for (Job job : state.jobs().values()) {
      jobs.merge(job.state(), (long) job.taskCount(), Long::sum);
      if (job.holdsResources() && job.allocation() != null) {
        cpus += job.allocation().tres().get("cpu");
        gpus += job.allocation().tres().get("gres/gpu");
      }
    }
    text.head("yardmaster_jobs", "gauge", "jobs by state, tasks of arrays counted each");
    jobs.forEach((one, count) -> text.sample("state=\"" + lower(one.name()) + "\"", count));
    text.head("yardmaster_cpus_allocated", "gauge", "CPUs that jobs hold").sample("", cpus);
    text.head("yardmaster_gpus_allocated", "gauge", "GPUs that jobs hold").sample("", gpus);
  }

  private static void nodes(Text text, ClusterState state) {
    Map<String, Long> nodes = new TreeMap<>();
    long cpus = 0;
    long drained = 0;
    for (Node node : state.nodes().values()) {
      nodes.merge(lower(node.status().base().name()), 1L, Long::sum);
      cpus += node.spec().cpus();
      drained += node.status().flags().contains(NodeFlag.DRAIN) ? 1 : 0;
    }
    text.head("yardmaster_nodes", "gauge", "nodes by base state");
    nodes.forEach((one, count) -> text.sample("state=\"" + one + "\"", count));
    text.head("yardmaster_nodes_drained", "gauge", "nodes with the flag DRAIN").sample("", drained);
    text.head("yardmaster_cpus", "gauge", "CPUs of all nodes").sample("", cpus);
  }

  private void passes(Text text, SortedMap<String, Long> figures) {
    Map<String, String> kinds =
        new TreeMap<>(Map.of("main", "schedule_cycle", "backfill", "bf_cycle"));
    text.head("yardmaster_passes_total", "counter", "scheduling passes");
    kinds.forEach((kind, p) -> text.sample(of(kind), figures.getOrDefault(p + "_counter", 0L)));
    text.head("yardmaster_passes_seconds_total", "counter", "time that they took");
    kinds.forEach((kind, p) -> text.micros(of(kind), figures.getOrDefault(p + "_sum", 0L)));
    text.head("yardmaster_pass_last_seconds", "gauge", "time that the last one took");
    kinds.forEach((kind, p) -> text.micros(of(kind), figures.getOrDefault(p + "_last", 0L)));
    Instant last = controller.figures().lastPass();
    if (last != null) {
      text.head("yardmaster_pass_age_seconds", "gauge", "time since the last one ended")
          .sample("", Duration.between(last, clock.instant()).toSeconds());
    }
  }

  private static String of(String kind) {
    return "kind=\"" + kind + "\"";
  }

  private void requests(Text text) {
    List<Diagnostics.Calls> calls = counts.byType();
    text.head("yardmaster_requests_total", "counter", "requests by Slurm's name of the message");
    calls.forEach(call -> text.sample("type=\"" + call.name() + "\"", call.count()));
    text.head("yardmaster_requests_seconds_total", "counter", "time of their handlers");
    calls.forEach(call -> text.micros("type=\"" + call.name() + "\"", call.totalMicros()));
  }

  private static String lower(String name) {
    return name.toLowerCase(Locale.ROOT);
  }

  /** Lines of the text form. */
  private static final class Text {
    private final StringBuilder out = new StringBuilder();
    private String name = "";

    Text head(String newName, String type, String help) {
      name = newName;
      out.append("# HELP ").append(name).append(' ').append(help).append('\n');
      out.append("# TYPE ").append(name).append(' ').append(type).append('\n');
      return this;
    }

    void sample(String label, long value) {
      add(label, Long.toString(value));
    }

    void micros(String label, long value) {
      add(label, String.format(Locale.ROOT, "%.6f", value / 1e6));
    }

    private void add(String label, String value) {
      out.append(name);
      if (!label.isEmpty()) {
        out.append('{').append(label).append('}');
      }
      out.append(' ').append(value).append('\n');
    }

    @Override
    public String toString() {
      return out.toString();
    }
  }
}
