package dev.yardmaster.controller;

import dev.yardmaster.model.AccountUser;
import dev.yardmaster.model.Hold;
import dev.yardmaster.model.Identity;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.SlurmError;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * {@code scontrol top}: the jobs named come before the others of the same user, partition, account
 * and QOS. Only nice values change: the first gets the highest priority among them, each next one
 * less, and no other keeps as much as the last.
 */
final class TopCommand {
  private TopCommand() {}

  static Reply top(Turn turn, Command.TopJobs command) {
    Identity by = command.by();
    requireAllowed(turn, by);
    List<Job> top = new ArrayList<>();
    for (JobSelector.Target target : JobSelector.select(turn, command.jobs())) {
      Job job = target.job();
      JobCommands.requireOwner(turn, job, by, SlurmError.ACCESS_DENIED);
      if (job.state() != JobState.PENDING) {
        throw new Refusal(
            job.state().isFinished() ? SlurmError.JOB_FINISHED : SlurmError.JOB_NOT_PENDING,
            "\njob " + job.displayId());
      }
      if (job.hold() != Hold.NONE || job.directPriority() != null || job.partitions().size() > 1) {
        throw new Refusal(
            SlurmError.NOT_SUPPORTED,
            "\njob "
                + job.displayId()
                + ": only a job that is not held, has one partition, and whose priority was not set"
                + " can be moved");
      }
      top.add(job);
    }
    if (top.isEmpty()) {
      throw new Refusal(SlurmError.INVALID_JOB_ID);
    }
    move(turn, top, by);
    turn.requestPass();
    return new Reply.Done(List.of());
  }

  /** SchedulerParameters=enable_user_top lets users do it; operators always may. */
  private static void requireAllowed(Turn turn, Identity by) {
    AccountUser user = turn.state().accounting().users().get(by.user());
    boolean operator =
        turn.settings().isAdministrator(by)
            || (user != null && user.adminLevel() != AccountUser.AdminLevel.NONE);
    boolean open = turn.state().config().scheduling().parameters().containsKey("enable_user_top");
    if (!operator && !open) {
      throw new Refusal(
          SlurmError.ACCESS_DENIED,
          "\nusers may do this with SchedulerParameters=enable_user_top only");
    }
  }

  /**
   * The jobs get the highest priority of all, one after the other; what they gain the others lose
   * in equal parts, and each at least as much as brings it behind them.
   */
  private static void move(Turn turn, List<Job> top, Identity by) {
    List<Job> rivals =
        turn.state().jobs().values().stream().filter(job -> isRival(job, top.getFirst())).toList();
    long place = rivals.stream().mapToLong(Job::priority).max().orElse(0);
    Set<Integer> moved = new HashSet<>();
    long gained = 0;
    for (Job job : top) {
      gained += place - job.priority();
      set(turn, job, place, by);
      moved.add(job.id());
      place--;
    }
    List<Job> others = rivals.stream().filter(job -> !moved.contains(job.id())).toList();
    long left = others.size();
    for (Job job : others) {
      long loss = Math.max(0, Math.max(gained / left, job.priority() - place));
      set(turn, job, job.priority() - loss, by);
      gained -= loss;
      left--;
    }
  }

  private static boolean isRival(Job job, Job top) {
    return job.state() == JobState.PENDING
        && job.hold() == Hold.NONE
        && job.directPriority() == null
        && job.owner().uid() == top.owner().uid()
        && job.owner().account().equals(top.owner().account())
        && job.owner().qos().equals(top.owner().qos())
        && job.partitions().equals(top.partitions());
  }

  private static void set(Turn turn, Job job, long priority, Identity by) {
    int nice = (int) (job.nice() + job.priority() - priority);
    if (nice != job.nice()) {
      JobCommands.edit(
          turn,
          job.with(j -> j.nice(nice).priority(priority).factors(job.factors().withNice(nice))),
          by,
          "nice=" + nice);
    }
  }
}
