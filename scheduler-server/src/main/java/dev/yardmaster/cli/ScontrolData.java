package dev.yardmaster.cli;

import dev.yardmaster.client.ClientException;
import dev.yardmaster.client.ClusterView;
import dev.yardmaster.client.SchedulerClient;
import dev.yardmaster.client.Selection;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.JobStep;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What {@code scontrol show} tells of steps and licences as data. */
final class ScontrolData {
  /** Slurm's number for no task. */
  private static final long NO_TASK = 0xFFFF_FFFEL;

  private final boolean yaml;
  private final List<String> command;
  private final Io io;

  ScontrolData(boolean yaml, List<String> command, Io io) {
    this.yaml = yaml;
    this.command = command;
    this.io = io;
  }

  private void print(String cluster, DataDocument.Body body) {
    Instant now = io.clock().instant();
    DataDocument.print(
        yaml,
        command,
        cluster,
        io,
        document -> {
          body.write(document);
          document.time("last_update", now);
        });
  }

  /** Licences, or one of them. */
  void licenses(SchedulerClient client, @Nullable String only)
      throws ClientException, CommandFailure {
    Instant now = io.clock().instant();
    List<Licenses.Held> all = Licenses.of(client, now);
    List<Licenses.Held> shown =
        all.stream().filter(held -> only == null || only.equals(held.name())).toList();
    if (shown.isEmpty() && only != null && !all.isEmpty()) {
      throw Licenses.missing(only);
    }
    print(
        client.info().cluster(),
        document -> {
          if (shown.isEmpty()) {
            document.warn("Zero licenses to dump");
          }
          document.objects(
              "licenses",
              shown,
              (to, held) -> {
                to.text("LicenseName", held.name());
                to.number("Total", held.total());
                to.number("Used", held.used());
                to.number("Free", held.total() - held.used());
                to.out().writeBooleanField("Remote", false);
                to.number("Reserved", held.reserved());
                to.number("LastConsumed", 0);
                to.number("LastDeficit", 0);
                to.number("LastUpdate", 0);
                to.text("Nodes", "");
              });
        });
  }

  private record Row(JobFacts job, @Nullable JobStep step) {}

  /** Steps that run: all, those of a job, or one. */
  void steps(SchedulerClient client, @Nullable String name) throws ClientException {
    ClusterView view = client.read(Selection.of(Selection.Jobs.HOLDING));
    List<JobStep> steps = client.steps();
    Instant now = io.clock().instant();
    List<Row> rows = new ArrayList<>();
    for (Job job : view.jobs().values()) {
      if (job.state() != JobState.RUNNING) {
        continue;
      }
      JobFacts facts = new JobFacts(job, now, io.zone());
      if (job.batch().batch() && StepText.wanted(name, facts.id(), "batch")) {
        rows.add(new Row(facts, null));
      }
      for (JobStep step : steps) {
        boolean wanted = StepText.wanted(name, facts.id(), Integer.toString(step.stepId()));
        if (step.jobId() == job.id() && wanted) {
          rows.add(new Row(facts, step));
        }
      }
    }
    String cluster = client.info().cluster();
    print(
        cluster,
        document -> {
          document.objects("steps", rows, (to, row) -> step(to, row, cluster, now));
          if (rows.isEmpty()) {
            document.warn("Zero steps to dump");
          }
        });
  }

  private static void step(DataDocument to, Row row, String cluster, Instant now)
      throws IOException {
    Job job = row.job().job();
    JobStep step = row.step();
    Instant started = step == null ? job.started() : step.started();
    to.object(
        "array",
        array -> {
          Integer task = job.array() == null ? null : job.array().taskId();
          array.number("job_id", job.array() == null ? 0 : job.array().arrayJobId());
          array.number("task_id", task == null ? NO_TASK : task);
        });
    to.text("cluster", cluster);
    to.text("container", "");
    to.text("container_id", "");
    to.object(
        "cpu",
        cpu ->
            cpu.object(
                "frequency",
                frequency -> {
                  Long batch = step == null ? Long.valueOf(0) : null;
                  frequency.set("min", batch);
                  frequency.set("max", batch);
                  frequency.set("governor", batch);
                }));
    to.object(
        "tres",
        tres -> {
          tres.object(
              "per",
              per -> {
                for (String of : List.of("cpu", "memory", "step", "node", "socket", "task")) {
                  per.text(of, "");
                }
              });
          tres.text(
              "allocation",
              step == null ? "" : "cpu=" + step.cpus() + ",node=" + step.layout().size());
          tres.text("binding", "");
          tres.text("frequency", "");
        });
    to.text("name", step == null ? "batch" : step.name());
    to.text("network", "");
    to.text("nodes", step == null ? row.job().batchHost() : step.nodes().toString());
    to.number("number_cpus", step == null ? 0 : step.cpus());
    to.number("number_tasks", step == null ? 1 : step.tasks());
    to.text("partition", step == null ? row.job().partition() : step.partition());
    to.text("reserved_ports", "");
    to.object(
        "time",
        time -> {
          time.set(
              "running",
              started == null ? 0L : Math.max(0, Duration.between(started, now).toSeconds()));
          time.time("start", started);
          time.limit("limit", step == null ? -1 : step.timeLimitMinutes());
        });
    to.text("runtime", "");
    to.object(
        "srun",
        srun -> {
          srun.text("host", "");
          srun.number("pid", 0);
        });
    to.list("state", List.of("RUNNING"));
    to.text("sluid", Sluid.of(cluster, job.submitted(), job.id()));
    to.text("id", row.job().id() + "." + (step == null ? "batch" : step.stepId()));
    for (String stream : List.of("stderr", "stdin", "stdout")) {
      to.text(stream, "");
    }
    for (String stream : List.of("stdin", "stdout", "stderr")) {
      to.text(stream + "_expanded", "");
    }
    to.text("submit_line", step == null ? "" : job.batch().submitLine());
    to.object("task", task -> task.text("distribution", step == null ? "Unknown" : "Block"));
    to.text("user", step == null ? job.owner().user() : step.user());
  }
}
