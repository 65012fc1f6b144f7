package dev.yardmaster.controller;

import dev.yardmaster.client.StepSetup;
import dev.yardmaster.engine.state.Event;
import dev.yardmaster.model.Allocation;
import dev.yardmaster.model.ExitCode;
import dev.yardmaster.model.Identity;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.JobStep;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.SlurmError;
import dev.yardmaster.model.StepUsage;
import dev.yardmaster.model.UsedStep;
import dev.yardmaster.model.text.NotationException;
import dev.yardmaster.model.text.TimeLimits;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Starting, signalling and ending the steps of running jobs. */
final class StepCommands {
  private static final int SIGKILL = 9;
  private static final int SIGTERM = 15;
  private static final int LONGEST_NAME = 1024;
  private static final int LONGEST_TEXT = 4096;

  /** Options that the nodes of a step obey. */
  private static final List<String> FOR_NODES =
      List.of(
          "cpus-per-task", "gpus-per-task", "gpus", "gres", "pty", "unbuffered", StepSetup.OPTION);

  private final StepBook book;

  StepCommands(StepBook book) {
    this.book = book;
  }

  Reply create(Turn turn, Command.CreateStep command) {
    Job job = running(turn, command.job(), command.by());
    if (job.request().external()) {
      throw new Refusal(
          SlurmError.NOT_SUPPORTED, "\njob " + job.displayId() + " was submitted with --external");
    }
    Options options = new Options(command.options());
    if (command.program().arguments().isEmpty()) {
      throw new Refusal(SlurmError.COMMAND_FATAL, "No command given to execute.");
    }
    List<JobStep.OnNode> layout =
        new StepLayout(job, options, turn.state().config(), book.of(job.id())).lay();
    String file = command.program().arguments().getFirst();
    String name = options.text("job-name", file.substring(file.lastIndexOf('/') + 1));
    JobStep step =
        new JobStep(
            job.id(),
            job.restarts(),
            book.nextId(job.id(), job.restarts()),
            name.substring(0, Math.min(LONGEST_NAME, name.length())),
            job.owner().user(),
            job.owner().uid(),
            job.partition(),
            layout,
            layout.stream().mapToInt(JobStep.OnNode::cpus).sum(),
            turn.now(),
            options.minutes("time", Partition.UNLIMITED));
    turn.emit(new Event.StepStarted(turn.now(), step));
    SortedMap<String, String> forNodes = new TreeMap<>();
    for (String option : FOR_NODES) {
      String value = options.get(option);
      if (value != null) {
        forNodes.put(option, value);
      }
    }
    for (JobStep.OnNode node : layout) {
      turn.effect(
          new Effect.LaunchStep(
              node.node(), job, step, command.program(), Immutable.sortedMap(forNodes)));
    }
    return new Reply.StepStarted(step);
  }

  /** scontrol(1), notify: in the output of a batch job, else to the one who waits for it. */
  Reply say(Turn turn, Command.NotifyJob command) {
    Job job = JobSelector.selectOne(turn, command.job()).getFirst().job();
    JobCommands.requireOwner(turn, job, command.by(), SlurmError.ACCESS_DENIED);
    if (command.text().length() > LONGEST_TEXT) {
      throw new Refusal(
          SlurmError.DISABLED, "\nthe message is longer than " + LONGEST_TEXT + " characters");
    }
    Allocation allocation = job.allocation();
    if (job.state() != JobState.RUNNING || allocation == null) {
      throw new Refusal(SlurmError.DISABLED, "\njob " + job.displayId() + " does not run");
    }
    if (job.batch().batch()) {
      String node = allocation.shares().getFirst().node();
      turn.effect(new Effect.Notify(node, job.id(), job.restarts(), command.text()));
    } else {
      book.tell(job.id(), command.text());
    }
    return new Reply.Done(List.of());
  }

  private static Job running(Turn turn, String id, Identity by) {
    Job job = JobSelector.selectOne(turn, id).getFirst().job();
    JobCommands.requireOwner(turn, job, by, SlurmError.ACCESS_DENIED);
    if (job.state() == JobState.PENDING) {
      throw new Refusal(SlurmError.JOB_PENDING);
    }
    if (job.state() != JobState.RUNNING) {
      throw new Refusal(SlurmError.JOB_FINISHED);
    }
    return job;
  }

  Reply signal(Turn turn, Command.SignalStep command) {
    JobStep step = step(turn, command.step(), command.by());
    boolean ends = command.signal().isEmpty();
    int signal = ends ? SIGTERM : Signals.number(command.signal());
    if (signal < 0) {
      throw new Refusal(SlurmError.COMMAND_VALUE, "Unknown job signal: " + command.signal());
    }
    terminate(turn, step, signal, ends);
    return new Reply.Done(List.of());
  }

  /**
   * Changes the time limit of a step ({@code scontrol update StepId=}).
   *
   * @param id JOB.STEP, or a job for all of its steps
   */
  Reply limit(Turn turn, String id, Map<String, String> fields, Identity by) {
    int dot = id.indexOf('.');
    List<JobStep> steps;
    try {
      steps = dot < 0 ? book.of(running(turn, id, by).id()) : List.of(step(turn, id, by));
    } catch (Refusal e) {
      throw e.reply().error() == SlurmError.ACCESS_DENIED
          ? e
          : new Refusal(SlurmError.INVALID_JOB_ID, "\nno step " + id + " runs");
    }
    String value = fields.getOrDefault("timelimit", "");
    long minutes;
    try {
      minutes = TimeLimits.requestMinutes(value);
    } catch (NotationException e) {
      throw new Refusal(SlurmError.COMMAND_VALUE, "Invalid TimeLimit value: " + value);
    }
    for (JobStep step : steps) {
      book.limit(step, minutes);
    }
    return new Reply.Done(List.of());
  }

  /** Ends steps whose time is over, once each. */
  void endOverdue(Turn turn) {
    for (JobStep step : book.takeOverdue(turn.now())) {
      terminate(turn, step, SIGTERM, true);
    }
  }

  private static void terminate(Turn turn, JobStep step, int signal, boolean ends) {
    for (JobStep.OnNode node : step.layout()) {
      turn.effect(
          new Effect.SignalStep(
              node.node(),
              step.jobId(),
              step.restarts(),
              step.stepId(),
              signal,
              ends ? Math.max(1, turn.settings().killWait().toSeconds()) : 0));
    }
  }

  /** What the steps on a node have used so far. */
  Reply used(Command.StepsUsed report) {
    report.steps().forEach(used -> book.used(report.node(), used));
    return new Reply.Done(List.of());
  }

  /** Keeps what a step that ends has used. */
  static void used(Turn turn, int jobId, int restarts, int stepId, @Nullable StepUsage usage) {
    Job job = turn.state().job(jobId);
    if (usage != null && job != null && Runs.presentRun(job) == restarts) {
      turn.emit(new Event.StepUsed(turn.now(), jobId, restarts, stepId, usage));
    }
  }

  /** sattach(1): output of a step also to somebody else, who must own it. */
  Reply attach(Turn turn, Command.AttachStep command) {
    JobStep step = step(turn, command.step(), command.by());
    for (JobStep.OnNode node : step.layout()) {
      turn.effect(
          new Effect.AttachStep(
              node.node(), step.jobId(), step.restarts(), step.stepId(), command.to()));
    }
    return new Reply.StepStarted(step);
  }

  private JobStep step(Turn turn, String id, Identity by) {
    int dot = id.indexOf('.');
    String number = dot < 0 ? "" : id.substring(dot + 1);
    if (!number.matches("[0-9]{1,9}")) {
      throw new Refusal(SlurmError.INVALID_JOB_ID, "\n" + id + " is not JOB.STEP");
    }
    Job job = running(turn, id.substring(0, dot), by);
    JobStep step = book.find(job.id(), Integer.parseInt(number));
    if (step == null) {
      throw new Refusal(SlurmError.JOB_FINISHED);
    }
    return step;
  }

  Reply ended(Turn turn, Command.StepEnded report) {
    if (report.usage() instanceof StepUsage usage) {
      book.used(
          report.node(), new UsedStep(report.jobId(), report.restarts(), report.stepId(), usage));
    }
    StepUsage all = book.used(report.jobId(), report.restarts(), report.stepId());
    Event event = book.done(report, turn.now());
    if (event instanceof Event.StepEnded) {
      used(turn, report.jobId(), report.restarts(), report.stepId(), all);
    }
    if (event != null) {
      turn.emit(event);
    }
    return new Reply.Done(List.of());
  }

  /**
   * A node that connects has not what it should have of steps: the order to start them has not
   * reached it, or it has lost them. They are over there, as if killed.
   */
  void compare(Turn turn, Command.NodeRegistered report) {
    for (JobStep step : book.on(report.node())) {
      Command.RunningStep there =
          new Command.RunningStep(step.jobId(), step.restarts(), step.stepId());
      if (!report.steps().contains(there)) {
        ended(
            turn,
            new Command.StepEnded(
                report.node(),
                step.jobId(),
                step.restarts(),
                step.stepId(),
                new ExitCode(0, SIGKILL),
                turn.now()));
      }
    }
  }
}
