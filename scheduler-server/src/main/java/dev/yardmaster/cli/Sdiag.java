package dev.yardmaster.cli;

import dev.yardmaster.client.ClientException;
import dev.yardmaster.client.SchedulerClient;
import dev.yardmaster.model.Diagnostics;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** sdiag(1): what the controller has done, and how long it took. */
final class Sdiag implements Command {
  private static final String RULE = "*".repeat(55);
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("EEE MMM dd HH:mm:ss yyyy", Locale.ROOT);
  private static final List<String> TABLE =
      List.of(
          "a all",
          "M cluster:",
          "clusters:",
          "h help",
          "json::",
          "no-trunc",
          "r reset",
          "i sort-by-id",
          "t sort-by-time",
          "T sort-by-time2",
          "usage",
          "V version",
          "yaml::");

  @Override
  public int run(List<String> arguments, Io io) throws CommandFailure {
    GetOpt.Parsed parsed = new GetOpt("sdiag", 1, false, TABLE).parse(arguments);
    if (Usage.answers(
        parsed,
        """
        Usage: sdiag [OPTION...]
        Shows what the controller has done, and how long it took.
        """,
        "sdiag(1)",
        TABLE,
        "Usage: sdiag [-M cluster] [-aritT]",
        io)) {
      return 0;
    }
    for (String data : List.of("json", "yaml")) {
      String parser = parsed.last(data);
      if (parser != null && !parser.isEmpty()) {
        DataDocument.check("sdiag", parser, data.equals("json"), io);
      }
    }
    String cluster = parsed.has("cluster") ? parsed.last("cluster") : parsed.last("clusters");
    try (SchedulerClient client = Session.open("sdiag", cluster, io)) {
      if (resets(parsed)) {
        client.resetStatistics();
        io.out().println("Reset scheduling statistics");
      } else if (DataDocument.isAsked(parsed)) {
        List<String> command = new ArrayList<>(List.of("sdiag"));
        command.addAll(arguments);
        SdiagJson data = new SdiagJson(client.diagnose(), order(parsed), latency(io));
        String name = client.info().cluster();
        DataDocument.print(parsed.has("yaml"), command, name, io, data::write);
      } else {
        print(client.diagnose(), order(parsed), io);
      }
      return 0;
    } catch (ClientException e) {
      String call = resets(parsed) ? "slurm_reset_statistics" : "slurm_get_statistics";
      throw new CommandFailure(1, call + ": " + Session.words(e));
    }
  }

  /** The last of --all and --reset decides. */
  private static boolean resets(GetOpt.Parsed parsed) {
    boolean resets = false;
    for (GetOpt.Given given : parsed.options()) {
      resets = given.name().equals("reset") || resets && !given.name().equals("all");
    }
    return resets;
  }

  private static Comparator<Diagnostics.Calls> order(GetOpt.Parsed parsed) {
    Comparator<Diagnostics.Calls> order =
        Comparator.comparing(Diagnostics.Calls::count, Comparator.reverseOrder());
    for (GetOpt.Given given : parsed.options()) {
      order =
          switch (given.name()) {
            case "sort-by-id" -> Comparator.comparing(Diagnostics.Calls::number);
            case "sort-by-time" ->
                Comparator.comparing(Diagnostics.Calls::totalMicros, Comparator.reverseOrder());
            case "sort-by-time2" ->
                Comparator.comparing(Diagnostics.Calls::meanMicros, Comparator.reverseOrder());
            default -> order;
          };
    }
    return order;
  }

  private static void print(Diagnostics d, Comparator<Diagnostics.Calls> order, Io io) {
    Text out = new Text(io, d);
    out.line(RULE)
        .line("sdiag output at " + out.time(d.now()))
        .line("Data since      " + out.time(d.since()))
        .line(RULE);
    out.figure("Server thread count:  ", "server_thread_count")
        .figure("RPC queue enabled:    ", "rpc_queue_enabled")
        .figure("Agent queue size:     ", "agent_queue_size")
        .figure("Agent count:          ", "agent_count")
        .figure("Agent thread count:   ", "agent_thread_count")
        .figure("DBD Agent queue size: ", "dbd_agent_queue_size")
        .line("");
    out.figure("Jobs submitted: ", "jobs_submitted")
        .figure("Jobs started:   ", "jobs_started")
        .figure("Jobs completed: ", "jobs_completed")
        .figure("Jobs canceled:  ", "jobs_canceled")
        .figure("Jobs failed:    ", "jobs_failed")
        .line("");
    out.line("Job states ts:  " + out.time(d.now()))
        .figure("Jobs pending:   ", "jobs_pending")
        .figure("Jobs running:   ", "jobs_running");
    mainPass(out, d);
    backfill(out, d);
    out.line("\nLatency for 1000 calls to gettimeofday(): " + latency(io) + " microseconds");
    out.line("\nRemote Procedure Call statistics by message type");
    d.byType().stream().sorted(order).forEach(calls -> out.calls("%-40s(%5d)", calls));
    if (d.byType().isEmpty()) {
      out.line("\tNo RPCs recorded yet.");
    }
    out.line("\nRemote Procedure Call statistics by user");
    d.byUser().stream().sorted(order).forEach(calls -> out.calls("%-16s(%8d)", calls));
    out.line("\nPending RPC statistics").line("\tNo pending RPCs");
  }

  private static void mainPass(Text out, Diagnostics d) {
    long cycles = d.figure("schedule_cycle_counter");
    out.line("\nMain schedule statistics (microseconds):")
        .figure("\tLast cycle:   ", "schedule_cycle_last")
        .figure("\tMax cycle:    ", "schedule_cycle_max")
        .figure("\tTotal cycles: ", "schedule_cycle_counter");
    if (cycles > 0) {
      out.line("\tMean cycle:   " + d.figure("schedule_cycle_sum") / cycles)
          .line("\tMean depth cycle:  " + d.figure("schedule_cycle_depth") / cycles);
    }
    long minutes = (d.now().getEpochSecond() - d.since().getEpochSecond()) / 60;
    if (d.now().getEpochSecond() - d.since().getEpochSecond() > 60) {
      out.line("\tCycles per minute: " + cycles / minutes);
    }
    out.figure("\tLast queue length: ", "schedule_queue_len")
        .line("\nMain scheduler exit:")
        .exit("End of job queue", "schedule_exit_end_job_queue")
        .exit("Hit default_queue_depth", "schedule_exit_default_queue_depth")
        .exit("Hit sched_max_job_start", "schedule_exit_max_job_start")
        .exit("Blocked on licenses", "schedule_exit_licenses")
        .exit("Hit max_rpc_cnt", "schedule_exit_rpc_cnt")
        .exit("Timeout (max_sched_time)", "schedule_exit_max_sched_time");
  }

  private static void backfill(Text out, Diagnostics d) {
    long cycles = d.figure("bf_cycle_counter");
    long last = d.figure("bf_when_last_cycle");
    out.line("\nBackfilling stats")
        .figure("\tTotal backfilled jobs (since last slurm start): ", "bf_backfilled_jobs")
        .figure(
            "\tTotal backfilled jobs (since last stats cycle start): ", "bf_last_backfilled_jobs")
        .figure("\tTotal backfilled heterogeneous job components: ", "bf_backfilled_het_jobs")
        .figure("\tTotal cycles: ", "bf_cycle_counter")
        .line("\tLast cycle when: " + (last > 0 ? out.time(Instant.ofEpochSecond(last)) : "N/A"))
        .figure("\tLast cycle: ", "bf_cycle_last")
        .figure("\tMax cycle:  ", "bf_cycle_max");
    if (cycles > 0) {
      out.line("\tMean cycle: " + d.figure("bf_cycle_sum") / cycles);
    }
    out.figure("\tLast depth cycle: ", "bf_last_depth")
        .figure("\tLast depth cycle (try sched): ", "bf_last_depth_try");
    if (cycles > 0) {
      out.line("\tDepth Mean: " + d.figure("bf_depth_sum") / cycles)
          .line("\tDepth Mean (try depth): " + d.figure("bf_depth_try_sum") / cycles);
    }
    out.figure("\tLast queue length: ", "bf_queue_len");
    if (cycles > 0) {
      out.line("\tQueue length mean: " + d.figure("bf_queue_len_sum") / cycles);
    }
    out.figure("\tLast table size: ", "bf_table_size");
    if (cycles > 0) {
      out.line("\tMean table size: " + d.figure("bf_table_size_sum") / cycles);
    }
    out.line("\nBackfill exit")
        .exit("End of job queue", "bf_exit_end_job_queue")
        .exit("Hit bf_max_job_start", "bf_exit_bf_max_job_start")
        .exit("Hit bf_max_job_test", "bf_exit_bf_max_job_test")
        .exit("System state changed", "bf_exit_state_changed")
        .exit("Hit table size limit (bf_node_space_size)", "bf_exit_table_limit")
        .exit("Timeout (bf_max_time)", "bf_exit_timeout");
  }

  /** Measured here: how long the clock takes to answer. */
  private static long latency(Io io) {
    long begin = System.nanoTime();
    Instant last = Instant.EPOCH;
    for (int i = 0; i < 1000; i++) {
      last = io.clock().instant();
    }
    return last.isBefore(Instant.EPOCH) ? 0 : (System.nanoTime() - begin) / 1000;
  }

  /** The lines of the report. */
  private record Text(Io io, Diagnostics d) {
    Text line(String text) {
      io.out().println(text);
      return this;
    }

    Text figure(String label, String name) {
      return line(label + d.figure(name));
    }

    Text exit(String label, String name) {
      return line("\t%s:%2d".formatted(label, d.figure(name)));
    }

    void calls(String head, Diagnostics.Calls c) {
      line(
          ("\t" + head + " count:%-6d ave_time:%-6d total_time:%d")
              .formatted(c.name(), c.number(), c.count(), c.meanMicros(), c.totalMicros()));
    }

    String time(Instant at) {
      return TIME.format(at.atZone(io.zone())) + " (" + at.getEpochSecond() + ")";
    }
  }
}
