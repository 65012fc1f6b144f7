package dev.yardmaster.cli;

import dev.yardmaster.client.SchedulerClient;
import dev.yardmaster.client.StepSetup;
import dev.yardmaster.model.Allocation;
import dev.yardmaster.model.ExitCode;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobStep;
import dev.yardmaster.model.NodeShare;
import dev.yardmaster.model.text.HostList;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * The steps of one srun: one, or one for each component of a heterogeneous job, whose tasks are
 * numbered through and see all of them as one step (Slurm's guide, "Heterogeneous Job Support").
 */
final class HetSteps {
  private final List<SrunParts.Part> parts;
  private final List<StepSession> sessions = new ArrayList<>();
  private final boolean several;

  HetSteps(SchedulerClient client, List<SrunParts.Part> parts, Io io) {
    this.parts = parts;
    this.several = parts.size() > 1;
    for (SrunParts.Part part : parts) {
      if (!sessions.isEmpty()) {
        part.options().putIfAbsent("input", "none");
      }
      StepSession session = new StepSession(client, part.options(), part.command(), io);
      Terminal terminal = sessions.isEmpty() ? terminal(part.options(), io) : null;
      if (terminal == null) {
        part.options().remove("pty");
      } else {
        session.show(terminal);
      }
      sessions.add(session);
    }
  }

  /** The terminal that --pty means; null when it was not given or there is none. */
  private static @Nullable Terminal terminal(Map<String, String> options, Io io) {
    String pty = options.get("pty");
    if (pty == null) {
      return null;
    }
    Terminal terminal = io.machine().terminal(pty.isEmpty() ? 0 : Integer.parseInt(pty));
    if (terminal == null) {
      io.err().println("srun: error: ioctl(TIOCGWINSZ): Inappropriate ioctl for device");
      io.err()
          .println(
              "srun: error: Not using a pseudo-terminal, disregarding --pty"
                  + (pty.isEmpty() ? "" : "=" + pty)
                  + " option");
    }
    return terminal;
  }

  /** The component of a job that each part of a command line is for. */
  static List<Job> jobs(List<Job> components, List<SrunParts.Part> parts) throws CommandFailure {
    List<Job> jobs = new ArrayList<>();
    int highest = parts.getLast().group();
    if (components.size() > 1 && highest >= components.size()) {
      throw new CommandFailure(
          1,
          "srun: error: Requested het-group offset exceeds highest hetjob index ("
              + highest
              + " > "
              + (components.size() - 1)
              + ")");
    }
    for (SrunParts.Part part : parts) {
      jobs.add(components.get(components.size() > 1 ? part.group() : 0));
    }
    return jobs;
  }

  /** A signal has come. */
  void signalled(String name) {
    sessions.forEach(session -> session.signalled(name));
  }

  /** Whether a signal ended the steps. */
  boolean wasForced() {
    return sessions.stream().anyMatch(StepSession::wasForced);
  }

  /**
   * Runs all steps.
   *
   * @param jobs the job of each
   * @return how their tasks ended
   */
  ExitCode run(List<Job> jobs) throws CommandFailure {
    try {
      if (!several && jobs.getFirst().het() == null) {
        return sessions.getFirst().run(jobs.getFirst());
      }
      List<JobStep> steps = start(jobs);
      SortedMap<String, String> variables = variables(jobs, steps);
      int tasks = steps.stream().mapToInt(JobStep::tasks).sum();
      List<CompletableFuture<ExitCode>> ends = new ArrayList<>();
      try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
        int firstTask = 0;
        int firstNode = 0;
        for (int i = 0; i < steps.size(); i++) {
          StepSession session = sessions.get(i);
          JobStep step = steps.get(i);
          int first = firstTask;
          session.setUp(new StepSetup(firstTask, firstNode, variables));
          ends.add(
              CompletableFuture.supplyAsync(() -> finish(session, step, first, tasks), threads));
          firstTask += step.tasks();
          firstNode += step.layout().size();
        }
        return ends.stream().map(CompletableFuture::join).reduce(ExitCode.OK, ExitCode::strongest);
      } catch (CompletionException e) {
        if (e.getCause() instanceof Failed failed) {
          throw failed.failure;
        }
        throw e;
      }
    } finally {
      sessions.forEach(StepSession::close);
    }
  }

  private List<JobStep> start(List<Job> jobs) throws CommandFailure {
    List<JobStep> steps = new ArrayList<>();
    HostList taken = HostList.EMPTY;
    for (int i = 0; i < jobs.size(); i++) {
      Map<String, String> options = parts.get(i).options();
      options.put(StepSetup.OPTION, "");
      Job job = jobs.get(i);
      if (i > 0 && job.id() == jobs.get(i - 1).id()) {
        leaveOut(taken, job, options);
      }
      JobStep step = sessions.get(i).start(job);
      steps.add(step);
      taken = HostList.of(joined(taken, step.nodes()));
    }
    return steps;
  }

  /** Components that run in one job have nodes of their own. */
  private static void leaveOut(HostList taken, Job job, Map<String, String> options)
      throws CommandFailure {
    Allocation allocation = job.allocation();
    int all = allocation == null ? 0 : allocation.shares().size();
    int used = taken.expand().size();
    if (used >= all) {
      throw new CommandFailure(
          1,
          "srun: error: Allocation failure of 1 nodes: job size of "
              + all
              + ", already allocated "
              + used
              + " nodes to previous components.");
    }
    options.merge("exclude", taken.toString(), (own, more) -> own + "," + more);
  }

  private static List<String> joined(HostList some, HostList more) {
    List<String> names = new ArrayList<>(some.expand());
    names.addAll(more.expand());
    return names.stream().distinct().sorted(Comparator.naturalOrder()).toList();
  }

  /** What makes the tasks of all components see one step, and one job. */
  private static SortedMap<String, String> variables(List<Job> jobs, List<JobStep> steps) {
    SortedMap<String, String> out = new TreeMap<>();
    Map<String, Integer> tasksOf = new TreeMap<>();
    Map<String, Integer> cpusOf = new TreeMap<>();
    HostList nodes = HostList.EMPTY;
    for (int i = 0; i < steps.size(); i++) {
      nodes = HostList.of(joined(nodes, steps.get(i).nodes()));
      for (JobStep.OnNode on : steps.get(i).layout()) {
        tasksOf.merge(on.node(), on.tasks().size(), Integer::sum);
      }
      Allocation allocation = jobs.get(i).allocation();
      for (NodeShare share : allocation == null ? List.<NodeShare>of() : allocation.shares()) {
        if (tasksOf.containsKey(share.node())) {
          cpusOf.merge(share.node(), share.cpus(), Math::max);
        }
      }
    }
    List<String> order = nodes.expand();
    String tasks = Integer.toString(steps.stream().mapToInt(JobStep::tasks).sum());
    String perNode =
        JobVariables.repeated(order.stream().map(n -> tasksOf.getOrDefault(n, 0)).toList());
    Job first = jobs.getFirst();
    String id = Integer.toString(first.het() == null ? first.id() : first.het().hetJobId());
    for (String name : List.of("SLURM_JOB_ID", "SLURM_JOBID")) {
      out.put(name, id);
    }
    for (String name : List.of("SLURM_JOB_NODELIST", "SLURM_NODELIST", "SLURM_STEP_NODELIST")) {
      out.put(name, nodes.toString());
    }
    for (String name : List.of("SLURM_JOB_NUM_NODES", "SLURM_NNODES", "SLURM_STEP_NUM_NODES")) {
      out.put(name, Integer.toString(order.size()));
    }
    for (String name : List.of("SLURM_NTASKS", "SLURM_NPROCS", "SLURM_STEP_NUM_TASKS")) {
      out.put(name, tasks);
    }
    for (String name : List.of("SLURM_TASKS_PER_NODE", "SLURM_STEP_TASKS_PER_NODE")) {
      out.put(name, perNode);
    }
    out.put(
        "SLURM_JOB_CPUS_PER_NODE",
        JobVariables.repeated(order.stream().map(n -> cpusOf.getOrDefault(n, 0)).toList()));
    if (first.het() != null) {
      out.put("SLURM_HET_SIZE", Integer.toString(first.het().size()));
    }
    return out;
  }

  /** Carries the failure of one step out of its thread. */
  private static final class Failed extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final transient CommandFailure failure;

    Failed(CommandFailure failure) {
      super(failure);
      this.failure = failure;
    }
  }

  private static ExitCode finish(StepSession session, JobStep step, int first, int tasks) {
    try {
      return session.finish(step, first, tasks);
    } catch (CommandFailure e) {
      throw new Failed(e);
    }
  }
}
