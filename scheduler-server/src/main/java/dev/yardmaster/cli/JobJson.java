package dev.yardmaster.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.yardmaster.client.ClusterView;
import dev.yardmaster.model.ArrayInfo;
import dev.yardmaster.model.ExitCode;
import dev.yardmaster.model.GresRequest;
import dev.yardmaster.model.Hold;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobFlag;
import dev.yardmaster.model.MemoryRequest;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Jobs in the structure of Slurm's data_parser/v0.0.43. */
final class JobJson {
  private final JsonGenerator out;
  private final TresText tres;

  private JobJson(JsonGenerator out, TresText tres) {
    this.out = out;
    this.tres = tres;
  }

  /** Writes the jobs and what belongs to them into a document. */
  static void write(DataDocument document, ClusterView view, List<JobFacts> rows)
      throws IOException {
    JobJson json = new JobJson(document.out(), new TresText(view));
    document.objects("jobs", rows, (to, row) -> json.job(row));
    document.time("last_backfill", view.figures().lastPass());
    document.time("last_update", view.time());
  }

  private void job(JobFacts row) throws IOException {
    who(row);
    states(row);
    request(row);
    times(row);
  }

  private void who(JobFacts row) throws IOException {
    Job job = row.job();
    ArrayInfo array = job.array();
    number("job_id", job.id());
    out.writeStringField("name", job.name());
    out.writeStringField("user_name", job.owner().user());
    number("user_id", job.owner().uid());
    out.writeStringField("group_name", job.owner().group());
    number("group_id", job.owner().gid());
    out.writeStringField("account", job.owner().account());
    out.writeStringField("qos", job.owner().qos());
    out.writeStringField("wckey", job.owner().wckey());
    out.writeStringField("partition", row.partition());
    set("array_job_id", array == null ? 0L : (long) array.arrayJobId());
    set("array_task_id", array == null || array.taskId() == null ? null : (long) array.taskId());
    set("array_max_tasks", array == null ? 0L : (long) array.throttle());
    out.writeStringField(
        "array_task_string",
        array == null || array.taskId() != null ? "" : JobFacts.spec(array).toString());
    set("het_job_id", job.het() == null ? 0L : (long) job.het().hetJobId());
    set("het_job_offset", job.het() == null ? 0L : (long) job.het().offset());
    out.writeStringField("comment", job.comment());
    out.writeStringField("admin_comment", job.adminComment());
    out.writeStringField("resv_name", job.reservation() == null ? "" : job.reservation());
    out.writeStringField("command", job.batch().command());
    out.writeStringField("submit_line", job.batch().submitLine());
    out.writeStringField("current_working_directory", job.batch().workDir());
    out.writeStringField("standard_input", row.stdin());
    out.writeStringField("standard_output", row.stdout());
    out.writeStringField("standard_error", row.stderr());
    out.writeBooleanField("batch_flag", job.batch().batch());
  }

  private void states(JobFacts row) throws IOException {
    Job job = row.job();
    out.writeArrayFieldStart("job_state");
    out.writeString(job.state().name());
    for (JobFlag flag : job.flags()) {
      out.writeString(flag.name());
    }
    out.writeEndArray();
    out.writeStringField("state_reason", job.reason().text());
    out.writeStringField("state_description", job.reasonText());
    set("priority", job.priority());
    number("nice", job.nice());
    out.writeBooleanField("hold", job.hold() != Hold.NONE);
    out.writeBooleanField("requeue", job.requeue());
    number("restart_cnt", job.restarts());
    exit("exit_code", job.exitCode());
    exit("derived_exit_code", job.derivedExitCode());
    out.writeStringField("nodes", row.nodes().toString());
    out.writeStringField(
        "scheduled_nodes", row.planned().equals(JobFacts.NULL) ? "" : row.planned());
    out.writeStringField("batch_host", row.batchHost().equals("n/a") ? "" : row.batchHost());
  }

  private void request(JobFacts row) throws IOException {
    Job job = row.job();
    set("cpus", (long) row.cpus());
    set("node_count", (long) row.nodeCount());
    set("max_nodes", (long) job.request().maxNodes());
    set("tasks", (long) Math.max(1, job.request().tasks()));
    set("cpus_per_task", (long) job.request().cpusPerTask());
    set("tasks_per_node", (long) job.request().tasksPerNode());
    set("minimum_cpus_per_node", (long) Math.max(1, job.request().minCpusPerNode()));
    set("minimum_tmp_disk_per_node", job.request().tmpDiskMib());
    switch (job.request().memory()) {
      case MemoryRequest.PerCpu m -> {
        set("memory_per_cpu", m.mib());
        set("memory_per_node", null);
      }
      case MemoryRequest.PerNode m -> {
        set("memory_per_cpu", null);
        set("memory_per_node", m.mib());
      }
      case MemoryRequest.PerGpu m -> {
        set("memory_per_cpu", null);
        set("memory_per_node", null);
        out.writeStringField("memory_per_tres", "gres/gpu:" + m.mib());
      }
    }
    out.writeStringField("features", empty(row.features()));
    out.writeStringField("dependency", empty(row.dependency()));
    out.writeStringField("licenses", empty(row.licenses()));
    out.writeStringField("required_nodes", job.request().requiredNodes().toString());
    out.writeStringField("excluded_nodes", job.request().excludedNodes().toString());
    out.writeBooleanField("contiguous", job.request().contiguous());
    number("required_switches", job.request().switches());
    out.writeStringField("tres_per_node", tres(row, GresRequest.Scope.NODE));
    out.writeStringField("tres_per_job", tres(row, GresRequest.Scope.JOB));
    out.writeStringField("tres_per_socket", tres(row, GresRequest.Scope.SOCKET));
    out.writeStringField("tres_per_task", tres(row, GresRequest.Scope.TASK));
    out.writeStringField("tres_req_str", tres.requested(job));
    out.writeStringField(
        "tres_alloc_str", job.allocation() == null || row.isPending() ? "" : tres.allocated(job));
  }

  private void times(JobFacts row) throws IOException {
    Job job = row.job();
    time("submit_time", job.submitted());
    time("eligible_time", job.eligible());
    time("accrue_time", job.accrues());
    time("start_time", row.start());
    time("end_time", row.end());
    time("deadline", job.deadline());
    time("last_sched_evaluation", job.lastEvaluated());
    out.writeObjectFieldStart("time_limit");
    out.writeBooleanField("set", !row.isUnlimited());
    out.writeBooleanField("infinite", row.isUnlimited());
    out.writeNumberField("number", row.isUnlimited() ? 0 : job.timeLimitMinutes());
    out.writeEndObject();
    set("time_minimum", job.timeMinMinutes());
  }

  private static String tres(JobFacts row, GresRequest.Scope scope) {
    String list = TresOptions.per(row.job(), scope);
    return list.equals(JobFacts.NOT_APPLICABLE) ? "" : list;
  }

  private static String empty(String text) {
    return text.equals(JobFacts.NULL) ? "" : text;
  }

  private void exit(String name, ExitCode exit) throws IOException {
    out.writeObjectFieldStart(name);
    out.writeArrayFieldStart("status");
    out.writeString(exit.isOk() ? "SUCCESS" : exit.signal() != 0 ? "SIGNALED" : "ERROR");
    out.writeEndArray();
    set("return_code", (long) exit.code());
    out.writeObjectFieldStart("signal");
    set("id", exit.signal() == 0 ? null : (long) exit.signal());
    out.writeStringField("name", "");
    out.writeEndObject();
    out.writeEndObject();
  }

  private void number(String name, long value) throws IOException {
    out.writeNumberField(name, value);
  }

  /** Instants are whole seconds, 0 when there is none. */
  private void time(String name, @Nullable Instant instant) throws IOException {
    set(name, instant == null ? 0L : instant.getEpochSecond());
  }

  /** A number of which Slurm says whether it was set. */
  private void set(String name, @Nullable Long value) throws IOException {
    out.writeObjectFieldStart(name);
    out.writeBooleanField("set", value != null);
    out.writeBooleanField("infinite", false);
    out.writeNumberField("number", value == null ? 0 : value);
    out.writeEndObject();
  }
}
