package dev.yardmaster.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.yardmaster.client.ClusterView;
import dev.yardmaster.model.ArrayInfo;
import dev.yardmaster.model.CronEntry;
import dev.yardmaster.model.Exclusivity;
import dev.yardmaster.model.ExitCode;
import dev.yardmaster.model.GresRequest;
import dev.yardmaster.model.Hold;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobFlag;
import dev.yardmaster.model.JobRequest;
import dev.yardmaster.model.MemoryRequest;
import dev.yardmaster.model.Tres;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** Jobs as data, with all fields of Slurm's in their order. */
final class JobJson {
  private final JsonGenerator out;
  private final DataDocument document;
  private final TresText tres;
  private final ToIntFunction<Job> associations;
  private final JobResourcesJson resources;

  private JobJson(DataDocument document, ClusterView view, ToIntFunction<Job> associations) {
    this.document = document;
    this.out = document.out();
    this.tres = new TresText(view);
    this.associations = associations;
    this.resources = new JobResourcesJson(view);
  }

  /**
   * Writes the jobs and what belongs to them into a document.
   *
   * @param associations the id of the association of a job
   */
  static void write(
      DataDocument document, ClusterView view, List<JobFacts> rows, ToIntFunction<Job> associations)
      throws IOException {
    JobJson json = new JobJson(document, view, associations);
    document.objects("jobs", rows, (to, row) -> json.job(row));
    document.time("last_backfill", view.figures().lastPass());
    document.time("last_update", view.time());
  }

  private void job(JobFacts row) throws IOException {
    identity(row);
    flags(row);
    shape(row);
    ends(row);
    more(row);
    tasks(row);
    sizes(row);
    priority(row);
    scheduling(row);
    files(row);
    limits(row);
    last(row);
  }

  private void identity(JobFacts row) throws IOException {
    Job job = row.job();
    ArrayInfo array = job.array();
    text("account", job.owner().account());
    time("accrue_time", row.accrues());
    text("admin_comment", job.adminComment());
    String host = job.batch().submitHost();
    text("allocating_node", host.isEmpty() ? "localhost" : host);
    set("array_job_id", array == null ? 0L : (long) array.arrayJobId());
    set("array_task_id", array == null || array.taskId() == null ? null : (long) array.taskId());
    set("array_max_tasks", array == null ? 0L : (long) array.throttle());
    text(
        "array_task_string",
        array == null || array.taskId() != null ? "" : JobFacts.spec(array).toString());
    number("association_id", associations.applyAsInt(job));
    text("batch_features", "");
    flag("batch_flag", job.batch().batch());
    text("batch_host", row.batchHost().equals("n/a") ? "" : row.batchHost());
  }

  /** Of Slurm's flags those that say something here. */
  private void flags(JobFacts row) throws IOException {
    Job job = row.job();
    List<String> flags = new ArrayList<>();
    if (job.request().tasksGiven()) {
      flags.add("EXACT_TASK_COUNT_REQUESTED");
    }
    if (!row.isPending() && job.started() != null) {
      flags.add("JOB_WAS_RUNNING");
    }
    if (CronEntry.recurring(job) != null) {
      flags.add("CRON_JOB");
    }
    if (row.isPending() && job.eligible() == null) {
      flags.add("DEPENDENT");
    }
    flags.add("PARTITION_ASSIGNED");
    document.list("flags", flags);
  }

  private void shape(JobFacts row) throws IOException {
    Job job = row.job();
    JobRequest request = job.request();
    text("burst_buffer", "");
    text("burst_buffer_state", "");
    text("cluster", tres.cluster());
    text("cluster_features", "");
    text("command", job.batch().command());
    text("comment", job.comment());
    text("container", "");
    text("container_id", "");
    flag("contiguous", request.contiguous());
    number("core_spec", request.coreSpec());
    number("thread_spec", 32766);
    set("cores_per_socket", given(request.coresPerSocket()));
    out.writeObjectFieldStart("billable_tres");
    Tres held = job.allocation() == null || row.isPending() ? null : job.allocation().tres();
    out.writeBooleanField("set", held != null);
    out.writeBooleanField("infinite", false);
    out.writeNumberField("number", held == null ? 0.0 : (double) held.get(Tres.BILLING));
    out.writeEndObject();
    set("cpus_per_task", (long) request.cpusPerTask());
    set("cpu_frequency_minimum", null);
    set("cpu_frequency_maximum", null);
    set("cpu_frequency_governor", null);
    text("cpus_per_tres", empty(TresOptions.cpusPerTres(job)));
    CronEntry cron = CronEntry.of(job);
    text("cron", cron == null ? "" : cron.spec().toString());
    time("deadline", job.deadline());
    set("delay_boot", TresOptions.delayBoot(job));
    text("dependency", empty(row.dependency()));
  }

  private void ends(JobFacts row) throws IOException {
    Job job = row.job();
    exit("derived_exit_code", job.derivedExitCode());
    time("eligible_time", row.eligible());
    time("end_time", row.end());
    text("excluded_nodes", job.request().excludedNodes().toString());
    exit("exit_code", job.exitCode());
    text("extra", TresOptions.option(job, "extra"));
    text("failed_node", job.failedNode() == null ? "" : job.failedNode());
    text("features", empty(row.features()));
    text("federation_origin", "");
    text("federation_siblings_active", "");
    text("federation_siblings_viable", "");
    document.list("gres_detail", resources.gres(row));
    number("group_id", job.owner().gid());
    text("group_name", job.owner().group());
    set("het_job_id", job.het() == null ? 0L : (long) job.het().hetJobId());
    text("het_job_id_set", job.het() == null ? "" : job.het().idSet());
    set("het_job_offset", job.het() == null ? 0L : (long) job.het().offset());
    number("job_id", job.id());
    resources.write(document, row);
  }

  private void more(JobFacts row) throws IOException {
    Job job = row.job();
    document.list("job_size_str", List.of());
    List<String> states = new ArrayList<>(List.of(job.state().name()));
    job.flags().stream().map(JobFlag::name).forEach(states::add);
    document.list("job_state", states);
    time("last_sched_evaluation", row.evaluated());
    text("licenses", empty(row.licenses()));
    text("licenses_allocated", empty(row.heldLicenses()));
    document.list("mail_type", TresOptions.mail(job));
    String to = TresOptions.option(job, "mail-user");
    text("mail_user", to.isEmpty() ? job.owner().user() : to);
    set("max_cpus", 0L);
    set("max_nodes", row.isPending() ? (long) Math.max(0, job.request().maxNodes()) : 0L);
    text("mcs_label", "");
    text("memory_per_tres", empty(TresOptions.memoryPerTres(job)));
    number("memory_update_delay", 0);
    number("memory_update_margin", 0);
    text("name", job.name());
    text("network", TresOptions.option(job, "network"));
    text("nodes", row.nodes().toString());
    number("nice", job.nice());
  }

  private void tasks(JobFacts row) throws IOException {
    JobRequest request = row.job().request();
    document.limit("tasks_per_core", request.tasksPerCore() == 0 ? -1 : request.tasksPerCore());
    set("tasks_per_tres", (long) request.tasksPerGpu());
    set("tasks_per_node", (long) request.tasksPerNode());
    document.limit(
        "tasks_per_socket", request.tasksPerSocket() == 0 ? -1 : request.tasksPerSocket());
    set("tasks_per_board", 0L);
    set("cpus", (long) row.cpus());
    set("node_count", (long) row.nodeCount());
    set("tasks", (long) Math.max(1, request.tasks()));
  }

  private void sizes(JobFacts row) throws IOException {
    Job job = row.job();
    text("partition", row.partition());
    text("prefer", empty(row.prefer()));
    MemoryRequest memory = job.request().memory();
    boolean perCpu = memory instanceof MemoryRequest.PerCpu;
    set("memory_per_cpu", perCpu ? memory.mib() : null);
    set("memory_per_node", perCpu ? null : memory.mib());
    set("minimum_cpus_per_node", (long) row.minCpus());
    set("minimum_tmp_disk_per_node", job.request().tmpDiskMib());
    time("preempt_time", row.preempted());
    set("preemptable_time", 0L);
    set("pre_sus_time", job.suspension() == null ? 0L : job.suspension().worked().toSeconds());
  }

  private void priority(JobFacts row) throws IOException {
    Job job = row.job();
    flag("hold", job.hold() != Hold.NONE);
    set("priority", job.priority());
    out.writeArrayFieldStart("priority_by_partition");
    out.writeEndArray();
    String profile = TresOptions.profile(job).toUpperCase(Locale.ROOT);
    document.list(
        "profile", profile.equals("NOTSET") ? List.of("NOT_SET") : List.of(profile.split(",")));
    text("qos", job.owner().qos());
    flag("reboot", !TresOptions.reboot(job).equals("0"));
    text("required_nodes", job.request().requiredNodes().toString());
    number("required_switches", job.request().switches());
    flag("requeue", job.requeue());
    set("resize_time", 0L);
    number("restart_cnt", job.restarts());
    text("resv_name", job.reservation() == null ? "" : job.reservation());
    text("runtime", "");
    text("scheduled_nodes", empty(row.planned()));
    number("segment_size", job.request().segment());
    text("selinux_context", "");
    document.list("shared", shared(job.request().exclusivity()));
  }

  private static List<String> shared(Exclusivity exclusivity) {
    return switch (exclusivity) {
      case DEFAULT -> List.of();
      case NODE -> List.of("none");
      case OVERSUBSCRIBE -> List.of("oversubscribe");
      case USER, MCS, TOPO -> List.of(exclusivity.name().toLowerCase(Locale.ROOT));
    };
  }

  private void scheduling(JobFacts row) throws IOException {
    Job job = row.job();
    out.writeObjectFieldStart("step_id");
    text("sluid", Sluid.of(tres.cluster(), job.submitted(), job.id()));
    set("job_id", (long) job.id());
    set("step_het_component", null);
    text("step_id", "entire");
    out.writeEndObject();
    number("sockets_per_board", 0);
    set("sockets_per_node", given(job.request().socketsPerNode()));
    time("start_time", row.start());
    text("state_description", job.reasonText());
    text("state_reason", job.reason().text());
  }

  private void files(JobFacts row) throws IOException {
    Job job = row.job();
    boolean batch = job.batch().batch();
    text("standard_input", batch ? row.stdinPattern() : "");
    text("standard_output", batch ? row.stdoutPattern() : "");
    text("standard_error", batch ? row.stderrPattern() : "");
    text("stdin_expanded", batch ? row.stdin() : "");
    text("stdout_expanded", batch ? row.stdout() : "");
    text("stderr_expanded", batch ? row.stderr() : "");
    time("submit_time", job.submitted());
    text("submit_line", job.batch().submitLine());
    time("suspend_time", job.suspension() == null ? null : job.suspension().at());
    text("system_comment", "");
  }

  private void limits(JobFacts row) throws IOException {
    Job job = row.job();
    document.limit("time_limit", row.isUnlimited() ? -1 : job.timeLimitMinutes());
    set("time_minimum", job.timeMinMinutes());
    set("threads_per_core", given(job.request().threadsPerCore()));
    text("tres_bind", empty(TresOptions.bind(job)));
    text("tres_freq", empty(TresOptions.frequency(job)));
    text("tres_per_job", empty(TresOptions.per(job, GresRequest.Scope.JOB)));
    text("tres_per_node", empty(TresOptions.per(job, GresRequest.Scope.NODE)));
    text("tres_per_socket", empty(TresOptions.per(job, GresRequest.Scope.SOCKET)));
    text("tres_per_task", empty(TresOptions.perTask(job)));
    text("tres_req_str", tres.requested(job));
    text("tres_alloc_str", row.isPending() ? "" : tres.allocated(job));
  }

  private void last(JobFacts row) throws IOException {
    Job job = row.job();
    number("user_id", job.owner().uid());
    text("user_name", job.owner().user());
    number("maximum_switch_wait_time", job.request().switchesWaitSeconds());
    text("wckey", job.owner().wckey());
    text("current_working_directory", job.batch().workDir());
  }

  private static @Nullable Long given(int count) {
    return count == 0 ? null : Long.valueOf(count);
  }

  private static String empty(String text) {
    return text.equals(JobFacts.NULL) || text.equals(JobFacts.NOT_APPLICABLE) ? "" : text;
  }

  private void exit(String name, ExitCode exit) throws IOException {
    out.writeObjectFieldStart(name);
    String status = exit.isOk() ? "SUCCESS" : exit.signal() != 0 ? "SIGNALED" : "ERROR";
    document.list("status", List.of(status));
    set("return_code", (long) exit.code());
    out.writeObjectFieldStart("signal");
    set("id", exit.signal() == 0 ? null : (long) exit.signal());
    text("name", exit.signal() == 0 ? "" : SignalWords.name(exit.signal()));
    out.writeEndObject();
    out.writeEndObject();
  }

  private void text(String name, String value) throws IOException {
    document.text(name, value);
  }

  private void flag(String name, boolean value) throws IOException {
    out.writeBooleanField(name, value);
  }

  private void number(String name, long value) throws IOException {
    out.writeNumberField(name, value);
  }

  private void time(String name, @Nullable Instant instant) throws IOException {
    document.time(name, instant);
  }

  private void set(String name, @Nullable Long value) throws IOException {
    document.set(name, value);
  }
}
