package dev.yardmaster.cli;

import dev.yardmaster.model.Diagnostics;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;

/** The report of sdiag(1) as data, in the structure of Slurm's data_parser. */
final class SdiagJson {
  private static final List<String> COUNTS =
      List.of(
          "server_thread_count",
          "agent_queue_size",
          "agent_count",
          "agent_thread_count",
          "dbd_agent_queue_size");

  private static final List<String> JOBS =
      List.of(
          "jobs_submitted",
          "jobs_started",
          "jobs_completed",
          "jobs_canceled",
          "jobs_failed",
          "jobs_pending",
          "jobs_running");

  private final Diagnostics d;
  private final Comparator<Diagnostics.Calls> order;
  private final long latencyMicros;

  SdiagJson(Diagnostics d, Comparator<Diagnostics.Calls> order, long latencyMicros) {
    this.d = d;
    this.order = order;
    this.latencyMicros = latencyMicros;
  }

  void write(DataDocument to) throws IOException {
    to.object("statistics", this::statistics);
  }

  private void statistics(DataDocument to) throws IOException {
    to.time("req_time", d.now());
    to.time("req_time_start", d.since());
    figures(to, COUNTS);
    to.number("gettimeofday_latency", latencyMicros);
    mainPass(to);
    figures(to, JOBS);
    to.time("job_states_ts", d.now());
    backfill(to);
    List<Diagnostics.Calls> types = d.byType().stream().sorted(order).toList();
    to.objects(
        "rpcs_by_message_type",
        types,
        (out, calls) -> {
          out.number("type_id", calls.number());
          out.text("message_type", calls.name());
          out.number("count", calls.count());
          figures(out, List.of("queued", "dropped", "cycle_last", "cycle_max"), 0);
          times(out, calls);
        });
    List<Diagnostics.Calls> users = d.byUser().stream().sorted(order).toList();
    to.objects(
        "rpcs_by_user",
        users,
        (out, calls) -> {
          out.number("user_id", calls.number());
          out.text("user", calls.name());
          out.number("count", calls.count());
          times(out, calls);
        });
    to.list("pending_rpcs", List.of());
    to.list("pending_rpcs_by_hostlist", List.of());
  }

  private static void times(DataDocument to, Diagnostics.Calls calls) throws IOException {
    to.number("total_time", calls.totalMicros());
    to.set("average_time", calls.meanMicros());
  }

  private void mainPass(DataDocument to) throws IOException {
    long cycles = d.figure("schedule_cycle_counter");
    long minutes = Math.max(0, Duration.between(d.since(), d.now()).toMinutes());
    figures(to, List.of("schedule_cycle_max", "schedule_cycle_last", "schedule_cycle_sum"));
    to.number("schedule_cycle_total", cycles);
    to.number("schedule_cycle_mean", mean("schedule_cycle_sum", cycles));
    to.number("schedule_cycle_mean_depth", mean("schedule_cycle_depth", cycles));
    to.number("schedule_cycle_per_minute", minutes == 0 ? 0 : cycles / minutes);
    figures(to, List.of("schedule_cycle_depth"));
    to.object(
        "schedule_exit",
        out -> {
          out.number("end_job_queue", d.figure("schedule_exit_end_job_queue"));
          out.number("default_queue_depth", d.figure("schedule_exit_default_queue_depth"));
          out.number("max_job_start", d.figure("schedule_exit_max_job_start"));
          out.number("max_rpc_cnt", d.figure("schedule_exit_rpc_cnt"));
          out.number("max_sched_time", d.figure("schedule_exit_max_sched_time"));
          out.number("licenses", d.figure("schedule_exit_licenses"));
        });
    to.number("schedule_queue_length", d.figure("schedule_queue_len"));
  }

  private void backfill(DataDocument to) throws IOException {
    long cycles = d.figure("bf_cycle_counter");
    long last = d.figure("bf_when_last_cycle");
    figures(
        to,
        List.of(
            "bf_backfilled_jobs",
            "bf_last_backfilled_jobs",
            "bf_backfilled_het_jobs",
            "bf_cycle_counter"));
    to.number("bf_cycle_mean", mean("bf_cycle_sum", cycles));
    to.number("bf_depth_mean", mean("bf_depth_sum", cycles));
    to.number("bf_depth_mean_try", mean("bf_depth_try_sum", cycles));
    figures(to, List.of("bf_cycle_sum", "bf_cycle_last", "bf_cycle_max"));
    to.object(
        "bf_exit",
        out -> {
          out.number("end_job_queue", d.figure("bf_exit_end_job_queue"));
          out.number("bf_max_job_start", d.figure("bf_exit_bf_max_job_start"));
          out.number("bf_max_job_test", d.figure("bf_exit_bf_max_job_test"));
          out.number("bf_max_time", d.figure("bf_exit_timeout"));
          out.number("bf_node_space_size", d.figure("bf_exit_table_limit"));
          out.number("state_changed", d.figure("bf_exit_state_changed"));
        });
    figures(
        to,
        List.of(
            "bf_last_depth",
            "bf_last_depth_try",
            "bf_depth_sum",
            "bf_depth_try_sum",
            "bf_queue_len"));
    to.number("bf_queue_len_mean", mean("bf_queue_len_sum", cycles));
    figures(to, List.of("bf_queue_len_sum", "bf_table_size", "bf_table_size_sum"));
    to.number("bf_table_size_mean", mean("bf_table_size_sum", cycles));
    to.time("bf_when_last_cycle", last > 0 ? Instant.ofEpochSecond(last) : null);
    to.out().writeBooleanField("bf_active", false);
  }

  private long mean(String sum, long cycles) {
    return cycles == 0 ? 0 : d.figure(sum) / cycles;
  }

  private void figures(DataDocument to, List<String> names) throws IOException {
    for (String name : names) {
      to.number(name, d.figure(name));
    }
  }

  private static void figures(DataDocument to, List<String> names, long value) throws IOException {
    for (String name : names) {
      to.number(name, value);
    }
  }
}
