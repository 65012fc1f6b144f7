package dev.yardmaster.cli;

import dev.yardmaster.client.ClientException;
import dev.yardmaster.client.ClusterView;
import dev.yardmaster.client.SchedulerClient;
import dev.yardmaster.client.Selection;
import dev.yardmaster.model.Allocation;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.JobStep;
import dev.yardmaster.model.NodeShare;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.StepTres;
import dev.yardmaster.model.Tres;
import dev.yardmaster.model.text.TimeLimits;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Running steps as scontrol shows them; the script of a batch job is one of them. */
final class StepText {
  /** Of what a job holds, what its steps have a part of; GPUs besides. */
  private static final Set<String> ITS_OWN = Set.of(Tres.CPU, Tres.MEM, Tres.NODE);

  private final boolean oneLine;
  private final Io io;

  StepText(boolean oneLine, Io io) {
    this.oneLine = oneLine;
    this.io = io;
  }

  /**
   * The records of {@code scontrol show step}.
   *
   * @param name JOB or JOB.STEP; null for all
   */
  List<String> show(SchedulerClient client, @Nullable String name)
      throws ClientException, CommandFailure {
    checkName(name);
    ClusterView view = client.read(Selection.of(Selection.Jobs.HOLDING));
    List<JobStep> steps = client.steps();
    Instant now = io.clock().instant();
    List<String> records = new ArrayList<>();
    List<Job> jobs = new ArrayList<>(view.jobs().values());
    Map<Integer, Integer> places = JobOrder.places(jobs, false);
    jobs.sort(
        Comparator.comparingInt((Job job) -> places.getOrDefault(job.id(), 0))
            .thenComparingInt(Job::id));
    for (Job job : jobs) {
      JobFacts facts = new JobFacts(job, now, io.zone());
      if (job.state() != JobState.RUNNING) {
        continue;
      }
      boolean leads = job.het() == null || job.het().offset() == 0;
      if (job.batch().batch() && leads && wanted(name, facts.id(), "batch")) {
        records.add(batch(facts));
      }
      for (JobStep step : steps) {
        String number = Integer.toString(step.stepId());
        if (step.jobId() == job.id() && wanted(name, facts.id(), number)) {
          records.add(step(facts, step));
        }
      }
    }
    if (records.isEmpty() && name != null) {
      throw missing(
          name,
          !client
              .read(
                  Selection.of(Selection.Jobs.ALL)
                      .onlyJobs(List.of(name.replaceFirst("\\..*", ""))))
              .jobs()
              .isEmpty());
    }
    return records;
  }

  private static void checkName(@Nullable String name) throws CommandFailure {
    if (name == null) {
      return;
    }
    int dot = name.indexOf('.');
    String job = dot < 0 ? name : name.substring(0, dot);
    String step = dot < 0 ? "" : name.substring(dot + 1);
    String problem =
        !job.matches("[1-9][0-9]*([_+][0-9]+)?")
            ? "JobID can not be zero"
            : dot >= 0 && !step.matches("[0-9]+|batch|extern|interactive")
                ? "StepID includes unexpected non-numeric characters"
                : null;
    if (problem != null) {
      throw failure(name, problem);
    }
  }

  private static CommandFailure failure(String name, String problem) {
    return new CommandFailure(
        1,
        "scontrol: error: scontrol_print_step: slurm_get_job_steps("
            + name
            + ") failed: "
            + problem);
  }

  /** What is said of a step that is not there. */
  private static CommandFailure missing(String name, boolean job) {
    return job
        ? new CommandFailure(
            1, "Job step " + name + (name.indexOf('.') >= 0 ? "" : ".TBD") + " not found")
        : failure(name, "Invalid job id specified");
  }

  static boolean wanted(@Nullable String name, String job, String step) {
    return name == null
        || name.equals(job)
        || name.equals(job.replaceFirst("[_+].*", ""))
        || name.equals(job + "." + step);
  }

  private String batch(JobFacts facts) {
    RecordText out = new RecordText(oneLine);
    out.word("StepId", facts.stepId())
        .word("UserId", facts.job().owner().uid())
        .word("StartTime", facts.instant(facts.job().started(), "Unknown"))
        .word("TimeLimit", "UNLIMITED");
    out.line()
        .word("State", "RUNNING")
        .word("Partition", facts.partition())
        .word("NodeList", facts.batchHost());
    out.line()
        .word("Nodes", 1)
        .word("CPUs", 0)
        .word("Tasks", 1)
        .word("Name", "batch")
        .word("Network", JobFacts.NULL);
    return rest(out, JobFacts.NULL);
  }

  private String step(JobFacts facts, JobStep step) {
    long limit = step.timeLimitMinutes();
    RecordText out = new RecordText(oneLine);
    out.word("StepId", facts.id() + "." + step.stepId())
        .word("UserId", step.uid())
        .word("StartTime", facts.instant(step.started(), "Unknown"))
        .word(
            "TimeLimit",
            limit == Partition.UNLIMITED ? "UNLIMITED" : TimeLimits.format(limit * 60));
    out.line()
        .word("State", "RUNNING")
        .word("Partition", step.partition())
        .word("NodeList", step.nodes());
    out.line()
        .word("Nodes", step.layout().size())
        .word("CPUs", step.cpus())
        .word("Tasks", step.tasks())
        .word("Name", step.name())
        .word("Network", JobFacts.NULL);
    return rest(out, tres(facts.job(), step));
  }

  private static String tres(Job job, JobStep step) {
    Allocation allocation = job.allocation();
    if (allocation == null) {
      return JobFacts.NULL;
    }
    TreeMap<String, Long> held = new TreeMap<>(allocation.tres().amounts());
    held.keySet().removeIf(n -> !ITS_OWN.contains(n) && !n.startsWith(Tres.GPU));
    long cpus = 0;
    long memory = 0;
    for (NodeShare share : allocation.shares()) {
      if (step.layout().stream().anyMatch(on -> on.node().equals(share.node()))) {
        cpus += share.cpus();
        memory += share.memoryMib();
      }
    }
    held.put(Tres.CPU, cpus);
    if (held.containsKey(Tres.MEM)) {
      held.put(Tres.MEM, memory);
    }
    return new Amounts(null, false).tres(StepTres.of(job, step, new Tres(held)).amounts());
  }

  private static String rest(RecordText out, String tres) {
    out.line().word("TRES", tres);
    out.line().word("ResvPorts", JobFacts.NULL);
    out.line().word("CPUFreqReq", "Default");
    out.line().word("SrunHost:Pid", JobFacts.NULL + ":0");
    return out.toString();
  }

  /** The lines of {@code scontrol listjobs} and {@code liststeps}: what runs on this machine. */
  List<String> list(SchedulerClient client, boolean withSteps) throws ClientException {
    List<String> lines = new ArrayList<>();
    lines.add(withSteps ? "JOBID    STEPID  " : "JOBID");
    for (Job job : client.read(Selection.of(Selection.Jobs.HOLDING)).jobs().values()) {
      if (job.state() != JobState.RUNNING) {
        continue;
      }
      if (!withSteps) {
        lines.add("%-8d".formatted(job.id()));
      } else if (job.batch().batch()) {
        lines.add("%-8d %-8s".formatted(job.id(), "batch"));
      }
    }
    if (withSteps) {
      for (JobStep step : client.steps()) {
        lines.add("%-8d %-8d".formatted(step.jobId(), step.stepId()));
      }
    }
    return lines;
  }
}
