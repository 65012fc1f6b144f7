package dev.yardmaster.cli;

import dev.yardmaster.model.ArrayInfo;
import dev.yardmaster.model.ExitCode;
import dev.yardmaster.model.HetInfo;
import dev.yardmaster.model.Hold;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobRecord;
import dev.yardmaster.model.MemoryRequest;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.ReqTres;
import dev.yardmaster.model.StepRecord;
import dev.yardmaster.model.Tres;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Records of accounting in the structure in which Slurm's data_parser writes them. */
final class SacctJson {
  private static final List<String> FIXED =
      List.of("cpu", "mem", "energy", "node", "billing", "fs/disk", "vmem", "pages");

  /** The number of the first TRES that a site names (AccountingStorageTRES). */
  private static final int FIRST_OF_SITE = 1001;

  private final DataDocument to;
  private final List<String> tracked;
  private final Instant now;
  private final SacctColumns columns;
  private final SacctColumns expanded;

  /**
   * @param tracked AccountingStorageTRES
   */
  SacctJson(DataDocument to, List<String> tracked, Instant now, ZoneId zone) {
    this.to = to;
    this.tracked = tracked;
    this.now = now;
    this.columns = new SacctColumns(zone, new Amounts(null, false), false);
    this.expanded = new SacctColumns(zone, new Amounts(null, false), true);
  }

  void jobs(List<JobRecord> records) throws IOException {
    to.objects("jobs", records, (o, record) -> job(new SacctRow(record, null, null, now, null)));
  }

  private static String text(SacctColumns of, String column, SacctRow row) {
    return of.all().stream()
        .filter(f -> f.option().equals(column))
        .findFirst()
        .map(f -> f.text().apply(row))
        .orElse("");
  }

  private String text(String column, SacctRow row) {
    return text(columns, column, row);
  }

  private void job(SacctRow row) throws IOException {
    JobRecord record = row.record();
    Job job = row.job();
    to.text("account", job.owner().account());
    to.object(
        "comment",
        o -> {
          o.text("administrator", job.adminComment());
          o.text("job", text("Comment", row));
          o.text("system", "");
        });
    to.number("allocation_nodes", row.allocated().get(Tres.NODE));
    array(job.array());
    to.object(
        "association",
        o -> {
          o.text("account", "");
          o.text("cluster", record.cluster());
          o.text("partition", "");
          o.text("user", "");
          o.number("id", record.association());
        });
    to.text("block", "");
    to.text("cluster", record.cluster());
    to.text("constraints", text("Constraints", row));
    to.text("container", text("Container", row));
    to.text("sluid", text("SLUID", row));
    exit("derived_exit_code", job.derivedExitCode());
    times(row);
    to.text("exclusive", text("Exclusive", row));
    exit("exit_code", row.exit());
    to.text("extra", text("Extra", row));
    to.text("failed_node", record.failedNode());
    to.list("flags", flags(record));
    to.text("group", job.owner().group());
    HetInfo het = record.component() ? job.het() : null;
    to.object(
        "het",
        o -> {
          o.number("job_id", het == null ? 0 : het.hetJobId());
          o.set("job_offset", het == null ? null : (long) het.offset());
        });
    to.number("job_id", job.id());
    to.text("name", row.name());
    to.text("licenses", text("Licenses", row));
    to.object("mcs", o -> o.text("label", text("McsLabel", row)));
    to.text("nodes", row.nodes());
    to.text("oversubscribe", text("OverSubscribe", row));
    to.text("partition", text("Partition", row));
    to.out().writeBooleanField("hold", record.priority() == 0 && job.hold() != Hold.NONE);
    to.set("priority", record.priority());
    to.text("qos", job.owner().qos());
    to.text("qosreq", "");
    required(job);
    to.text("kill_request_user", killer(record));
    to.number("restart_cnt", job.restarts());
    to.object(
        "reservation",
        o -> {
          o.number("id", 0);
          o.text("name", job.reservation());
          o.text("requested", "");
        });
    to.text("script", "");
    to.number("segment_size", job.request().segment());
    to.text("original_sluid", text("SLUID", row));
    files(row);
    to.object(
        "state",
        o -> {
          o.list("current", List.of(SacctRow.state(record)));
          o.text("reason", record.reason().text());
        });
    List<StepRecord> steps = new ArrayList<>(record.steps());
    steps.sort(Comparator.comparingInt(StepRecord::id));
    to.objects(
        "steps", steps, (o, step) -> step(new SacctRow(record, step, null, now, null), step));
    to.text("submit_line", job.batch().submitLine());
    to.object(
        "tres",
        o -> {
          amounts("allocated", allocated(record));
          amounts("requested", record.requested().amounts());
        });
    to.text("used_gres", "");
    to.text("user", job.owner().user());
    to.object(
        "wckey",
        o -> {
          o.text("wckey", job.owner().wckey());
          o.list("flags", List.of());
        });
    to.text("working_directory", job.batch().workDir());
  }

  private void array(@Nullable ArrayInfo array) throws IOException {
    to.object(
        "array",
        o -> {
          o.number("job_id", array == null ? 0 : array.arrayJobId());
          o.object(
              "limits",
              l ->
                  l.object(
                      "max",
                      m ->
                          m.object(
                              "running",
                              r -> r.number("tasks", array == null ? 0 : array.throttle()))));
          o.set(
              "task_id",
              array == null || array.taskId() == null ? null : array.taskId().longValue());
          o.text(
              "task",
              array == null || array.taskId() != null ? "" : JobFacts.spec(array).toString());
        });
  }

  /** The user who cancelled it, by number where nothing else is known. */
  private static String killer(JobRecord record) {
    Integer uid = record.killedBy();
    if (uid == null) {
      return "";
    }
    return uid == record.job().owner().uid()
        ? record.job().owner().user()
        : uid == 0 ? "root" : Integer.toString(uid);
  }

  private static List<String> flags(JobRecord record) {
    return record.flags().stream()
        .map(
            flag ->
                switch (flag) {
                  case "SchedBackfill" -> "STARTED_ON_BACKFILL";
                  case "SchedMain" -> "STARTED_ON_SCHEDULE";
                  default -> "START_RECEIVED";
                })
        .toList();
  }

  private void times(SacctRow row) throws IOException {
    JobRecord record = row.record();
    to.object(
        "time",
        o -> {
          o.number("elapsed", row.elapsed());
          o.number("eligible", seconds(record.eligible()));
          o.number("end", seconds(row.end()));
          o.set("planned", row.planned());
          o.number("start", seconds(row.start()));
          o.number("submission", seconds(record.submitted()));
          o.number("suspended", row.suspended());
          spent("system");
          o.limit("limit", row.job().timeLimitMinutes());
          spent("total");
          spent("user");
        });
  }

  private static long seconds(@Nullable Instant instant) {
    return instant == null ? 0 : instant.getEpochSecond();
  }

  private void spent(String name) throws IOException {
    to.object(
        name,
        o -> {
          o.number("seconds", 0);
          o.number("microseconds", 0);
        });
  }

  private void exit(String name, ExitCode exit) throws IOException {
    to.object(
        name,
        o -> {
          boolean signalled = exit.signal() != 0;
          o.list("status", List.of(exit.isOk() ? "SUCCESS" : signalled ? "SIGNALED" : "ERROR"));
          o.set("return_code", (long) exit.code());
          o.object(
              "signal",
              s -> {
                s.set("id", signalled ? (long) exit.signal() : null);
                s.text("name", signalled ? SignalWords.name(exit.signal()) : "");
              });
        });
  }

  private void required(Job job) throws IOException {
    MemoryRequest memory = job.request().memory();
    to.object(
        "required",
        o -> {
          o.number("CPUs", ReqTres.cpus(job.request()));
          o.set("memory_per_cpu", memory instanceof MemoryRequest.PerCpu m ? m.mib() : null);
          o.set("memory_per_node", memory instanceof MemoryRequest.PerNode m ? m.mib() : null);
        });
  }

  private void files(SacctRow row) throws IOException {
    to.text("stdin_expanded", text(expanded, "StdIn", row));
    to.text("stdout_expanded", text(expanded, "StdOut", row));
    to.text("stderr_expanded", text(expanded, "StdErr", row));
    to.text("stdout", text("StdOut", row));
    to.text("stderr", text("StdErr", row));
    to.text("stdin", text("StdIn", row));
  }

  private void step(SacctRow row, StepRecord step) throws IOException {
    to.object(
        "time",
        o -> {
          o.number("elapsed", row.elapsed());
          o.time("end", row.end());
          o.time("start", row.start());
          o.number("suspended", row.suspended());
          spent("system");
          o.limit(
              "limit",
              step.timeLimitMinutes() == Partition.UNLIMITED ? -1 : step.timeLimitMinutes());
          spent("total");
          spent("user");
        });
    exit("exit_code", row.exit());
    to.object(
        "nodes",
        o -> {
          o.number("count", row.nodeCount());
          o.text("range", step.nodes().toString());
          o.list("list", step.nodes().stream().toList());
        });
    to.object("tasks", o -> o.number("count", step.tasks()));
    to.object(
        "CPU",
        o -> {
          o.object(
              "requested_frequency",
              f -> {
                f.set("min", 0L);
                f.set("max", 0L);
              });
          o.text("governor", "0");
        });
    to.text("kill_request_user", "");
    to.list("state", List.of(row.state()));
    to.object(
        "statistics",
        o -> {
          o.object("CPU", c -> c.number("actual_frequency", 0));
          o.object("energy", e -> e.set("consumed", 0L));
        });
    to.object(
        "step",
        o -> {
          o.text("id", row.id());
          o.text("name", step.name());
          for (String file : List.of("stderr", "stdin", "stdout")) {
            o.text(file, "");
          }
          for (String file : List.of("stderr", "stdin", "stdout")) {
            o.text(file + "_expanded", "");
          }
        });
    to.text("submit_line", "");
    to.object("task", o -> o.text("distribution", text("Layout", row)));
    to.object(
        "tres",
        o -> {
          for (String kind : List.of("requested", "consumed")) {
            o.object(
                kind,
                k -> {
                  for (String what : List.of("max", "min", "average", "total")) {
                    k.list(what, List.of());
                  }
                });
          }
          amounts("allocated", step.tres().amounts());
        });
  }

  /** What a job holds is counted with energy, of which Slurm says -2 where nothing measures it. */
  private static Map<String, Long> allocated(JobRecord record) {
    TreeMap<String, Long> amounts = new TreeMap<>(record.allocated().amounts());
    if (!amounts.isEmpty()) {
      amounts.put("energy", -2L);
    }
    return amounts;
  }

  private void amounts(String name, Map<String, Long> amounts) throws IOException {
    List<Map.Entry<String, Long>> ordered = new ArrayList<>(amounts.entrySet());
    ordered.sort(Comparator.comparingInt(e -> id(e.getKey())));
    to.objects(
        name,
        ordered,
        (o, e) -> {
          int slash = FIXED.contains(e.getKey()) ? -1 : e.getKey().indexOf('/');
          o.text("type", slash < 0 ? e.getKey() : e.getKey().substring(0, slash));
          o.text("name", slash < 0 ? "" : e.getKey().substring(slash + 1));
          o.number("id", id(e.getKey()));
          o.number("count", e.getValue());
        });
  }

  private int id(String tres) {
    int fixed = FIXED.indexOf(tres);
    return fixed >= 0 ? fixed + 1 : FIRST_OF_SITE + Math.max(0, tracked.indexOf(tres));
  }
}
