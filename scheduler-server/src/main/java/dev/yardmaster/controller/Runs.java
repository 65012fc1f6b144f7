package dev.yardmaster.controller;

import dev.yardmaster.engine.DecisionEvents;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.engine.state.Event;
import dev.yardmaster.model.Allocation;
import dev.yardmaster.model.CronEntry;
import dev.yardmaster.model.ExitCode;
import dev.yardmaster.model.HetInfo;
import dev.yardmaster.model.Hold;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobFlag;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Node;
import dev.yardmaster.model.NodeBaseState;
import dev.yardmaster.model.NodeShare;
import dev.yardmaster.model.Preemption;
import dev.yardmaster.model.Reason;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The life of a run: from the allocation to the moment when no node has anything left of it. A
 * completing run gives its nodes back one by one, each as soon as it is done.
 */
final class Runs {
  private static final int SIGTERM = 15;

  /** What Slurm says for a signal when the kernel killed for lack of memory. */
  private static final int SIG_OOM = 125;

  private static final int SIGCONT = 18;
  private static final String NODE_FAILURE = "DUE TO NODE FAILURE";
  private static final String PREEMPTION = "DUE TO PREEMPTION";

  private final Set<Integer> killed = new HashSet<>();
  private final UserSignals userSignals;
  private final ControllerPrograms programs;
  private final ZoneId zone;

  /**
   * @param zone in which crontabs are read
   */
  Runs(UserSignals userSignals, ControllerPrograms programs, ZoneId zone) {
    this.programs = programs;
    this.userSignals = userSignals;
    this.zone = zone;
  }

  /** The number of the run whose processes a job's nodes still have. */
  static int presentRun(Job job) {
    return job.state() == JobState.PENDING && job.has(JobFlag.COMPLETING)
        ? job.restarts() - 1
        : job.restarts();
  }

  /** The node that runs the batch script. */
  static @Nullable String batchHost(Job job) {
    Allocation allocation = job.allocation();
    return allocation == null || allocation.shares().isEmpty()
        ? null
        : allocation.shares().getFirst().node();
  }

  /** What a started job needs done: its script runs once, on its first node. */
  static void launch(Turn turn, Job job) {
    String host = batchHost(job);
    HetInfo het = job.het();
    if (job.has(JobFlag.CONFIGURING)) {
      return;
    }
    if (turn.settings().prologAtAllocation()) {
      siteScripts(turn, job, job.restarts(), false);
    }
    if (het == null && job.batch().batch() && host != null) {
      turn.effect(new Effect.Launch(host, job));
    } else if (het != null) {
      launchTogether(turn, components(turn.state(), job));
    }
  }

  /** Prolog or Epilog on every node that a job has. */
  private static void siteScripts(Turn turn, Job job, int restarts, boolean epilog) {
    Allocation allocation = job.allocation();
    if (allocation != null && !job.request().external()) {
      for (NodeShare share : allocation.shares()) {
        turn.effect(new Effect.SiteScript(share.node(), job, restarts, epilog));
      }
    }
  }

  /** When the last component of a heterogeneous job has its nodes, the script starts. */
  private static void launchTogether(Turn turn, List<Job> components) {
    Job leader = components.getFirst();
    String host = batchHost(leader);
    HetInfo het = leader.het();
    boolean complete =
        het != null
            && het.isLeader()
            && leader.batch().batch()
            && het.size() == components.size()
            && components.stream()
                .allMatch(c -> c.state() == JobState.RUNNING && !c.has(JobFlag.CONFIGURING));
    if (complete && host != null) {
      turn.effect(new Effect.Launch(host, leader, HetEnvironment.of(components)));
    }
  }

  /** All components of a heterogeneous job that are known, in their order; else the job alone. */
  static List<Job> components(ClusterState state, Job job) {
    HetInfo het = job.het();
    if (het == null) {
      return List.of(job);
    }
    return IntStream.range(0, het.size())
        .mapToObj(i -> Stream.ofNullable(state.job(het.hetJobId() + i)))
        .flatMap(s -> s)
        .toList();
  }

  /** The other components when a job is the leader of a heterogeneous one. */
  private static List<Job> followers(ClusterState state, Job job) {
    HetInfo het = job.het();
    return het == null || !het.isLeader()
        ? List.of()
        : components(state, job).stream().filter(c -> c.id() != job.id()).toList();
  }

  /**
   * Ends a running job; its nodes are told to end what they have of it.
   *
   * @param message as in {@link Effect.Terminate}
   */
  void complete(
      Turn turn,
      Job job,
      JobState finalState,
      ExitCode exit,
      Reason reason,
      @Nullable String message) {
    complete(
        turn,
        new Event.JobCompleting(turn.now(), job.id(), job.restarts(), finalState, exit, reason),
        message);
  }

  /** Ends a running job because a user wants it. */
  void cancel(Turn turn, Job job, int uid) {
    complete(
        turn,
        new Event.JobCompleting(
            turn.now(),
            job.id(),
            job.restarts(),
            JobState.CANCELLED,
            ExitCode.OK,
            Reason.NONE,
            uid),
        "");
  }

  private void complete(Turn turn, Event.JobCompleting event, @Nullable String message) {
    Job job = turn.job(event.jobId());
    CronEntry entry = CronEntry.recurring(job);
    if (entry != null && event.finalState() != JobState.CANCELLED) {
      // However a run ends, the job waits for its next time (scrontab(1)).
      requeue(
          turn, job, Reason.BEGIN_TIME, false, message, entry.spec().next(turn.now(), null, zone));
      return;
    }
    turn.emit(event);
    programs.finish(turn, turn.job(job.id()));
    terminate(turn, turn.job(job.id()), message);
    settle(turn, turn.job(job.id()));
    // The script of a heterogeneous job runs in its first component and stands for all.
    for (Job other : followers(turn.state(), job)) {
      if (other.holdsResources() && !other.has(JobFlag.COMPLETING)) {
        Event.JobCompleting too =
            new Event.JobCompleting(
                turn.now(),
                other.id(),
                other.restarts(),
                event.finalState(),
                event.exitCode(),
                event.reason(),
                event.killedBy());
        complete(turn, too, message);
      }
    }
  }

  /**
   * Tells a running job to leave for another one; when it has no time left to save its work, it
   * goes back to the queue or ends.
   */
  void preempt(Turn turn, Job job, Preemption preemption) {
    for (Job component : components(turn.state(), job)) {
      if (component.state() == JobState.RUNNING) {
        preemptOne(turn, turn.job(component.id()), preemption);
      }
    }
  }

  private void preemptOne(Turn turn, Job job, Preemption preemption) {
    if (job.state() != JobState.RUNNING) {
      return;
    }
    if (!preemption.equals(job.preemption())) {
      turn.emit(new Event.JobPreempted(turn.now(), job.id(), job.restarts(), preemption));
    }
    Job told = turn.job(job.id());
    if (preemption.until().isAfter(turn.now())) {
      if (job.preemption() == null) {
        warn(turn, told);
      }
      return;
    }
    if (sendsUserSignal(turn)) {
      userSignals.send(turn, told);
    }
    leave(turn, told, preemption, PREEMPTION);
  }

  /** A job that has to leave goes back to the queue, or ends where it may not. */
  private void leave(Turn turn, Job job, Preemption preemption, @Nullable String message) {
    if (DecisionEvents.requeues(job, preemption)) {
      requeue(turn, job, Reason.BEGIN_TIME, false, message);
    } else {
      complete(turn, job, JobState.PREEMPTED, ExitCode.OK, Reason.NONE, message);
    }
    turn.requestPass();
  }

  /**
   * Tells a job that it has to save its work: by the signal that it asked for where
   * PreemptParameters=send_user_signal lets it, else by SIGTERM.
   */
  private void warn(Turn turn, Job job) {
    if (!sendsUserSignal(turn) || !userSignals.send(turn, job)) {
      userSignals.toSteps(turn, job, SIGCONT);
      userSignals.toSteps(turn, job, SIGTERM);
    }
  }

  /** PreemptParameters=send_user_signal, or by its name among SlurmctldParameters. */
  private static boolean sendsUserSignal(Turn turn) {
    return has(turn, "PreemptParameters", "send_user_signal")
        || has(turn, "SlurmctldParameters", "preempt_send_user_signal");
  }

  private static boolean has(Turn turn, String setting, String word) {
    String value = turn.state().config().setting(setting).orElse("");
    return value.toLowerCase(Locale.ROOT).contains(word);
  }

  /** Signals the steps of a running job; its batch script is not told. */
  void signalSteps(Turn turn, Job job, int signal) {
    userSignals.toSteps(turn, job, signal);
  }

  /** Puts a job back to the queue; what its nodes still have of the present run is ended first. */
  void requeue(Turn turn, Job job, Reason reason, boolean hold, @Nullable String message) {
    CronEntry entry = CronEntry.recurring(job);
    Instant again = DecisionEvents.startsAgain(turn.state().config(), job, turn.now());
    boolean waits = job.state() == JobState.PENDING;
    Instant next = entry == null ? again : entry.spec().next(turn.now(), again, zone);
    requeue(turn, job, reason, hold, message, waits ? turn.now() : next);
  }

  private void requeue(
      Turn turn, Job job, Reason reason, boolean hold, @Nullable String message, Instant eligible) {
    boolean holds = job.holdsResources();
    boolean suspended = job.state() == JobState.SUSPENDED;
    // A suspended job that is requeued is held (scontrol(1), suspend).
    turn.emit(
        new Event.JobRequeued(
            turn.now(),
            job.id(),
            eligible,
            suspended ? Reason.JOB_HELD_ADMIN : holds && !hold ? Reason.NONE : reason,
            hold || suspended));
    if (holds) {
      Job requeued = turn.job(job.id());
      programs.finish(turn, requeued);
      terminate(turn, requeued, message);
      settle(turn, requeued);
    }
    turn.requestPass();
  }

  /**
   * Tells every node of a run that is not done with it to end it; of an external job no node has
   * anything.
   */
  void terminate(Turn turn, Job job, @Nullable String message) {
    Allocation allocation = job.allocation();
    if (allocation == null || job.request().external()) {
      return;
    }
    if (message != null) {
      killed.add(job.id());
    }
    if (turn.settings().hasEpilog()) {
      siteScripts(turn, job, presentRun(job), true);
    }
    for (NodeShare share : allocation.shares()) {
      turn.effect(
          new Effect.Terminate(
              share.node(),
              job.id(),
              presentRun(job),
              turn.settings().killWait().toSeconds(),
              message));
    }
  }

  /** A node has nothing left of a run. */
  void gone(Turn turn, String node, int jobId, int restarts) {
    Job job = turn.state().job(jobId);
    if (job == null || presentRun(job) != restarts || !job.has(JobFlag.COMPLETING)) {
      return;
    }
    boolean reports = killed.contains(jobId) || turn.settings().hasEpilog();
    release(turn, job, Set.of(node));
    if (reports && !turn.job(jobId).has(JobFlag.COMPLETING)) {
      // A node that had to end processes, or to run Epilog, says so by itself when it is done, and
      // Slurm looks at the queue at once; else it is done when it is told, and that waits.
      turn.requestPassAtOnce(true);
    }
  }

  /** Frees what a completing job still has on nodes that are down. */
  void settle(Turn turn, Job job) {
    if (job.has(JobFlag.COMPLETING)) {
      release(turn, job, Set.of());
    }
  }

  /** Nodes are done with a completing job; with the last of them it is over. */
  private void release(Turn turn, Job job, Set<String> done) {
    Allocation allocation = job.allocation();
    List<String> gone = new ArrayList<>();
    int held = 0;
    if (allocation != null && !job.request().external()) {
      held = allocation.shares().size();
      for (NodeShare share : allocation.shares()) {
        if (done.contains(share.node())
            || isOut(turn.state(), share.node())
            || PowerSaving.isAsleep(turn.state(), share.node())) {
          gone.add(share.node());
        }
      }
    }
    if (gone.size() == held && !programs.isFinishing(job)) {
      killed.remove(job.id());
      turn.emit(new Event.JobReleased(turn.now(), job.id(), presentRun(job)));
      turn.requestPass();
    } else {
      gone.forEach(
          node -> turn.emit(new Event.NodeReleased(turn.now(), job.id(), presentRun(job), node)));
    }
  }

  /** Down or removed: nothing is heard of what runs there before it registers again. */
  static boolean isOut(ClusterState state, String name) {
    Node node = state.node(name);
    return node == null
        || node.status().base() == NodeBaseState.DOWN
        || node.status().base() == NodeBaseState.FUTURE;
  }

  /**
   * A node is lost with a running job on it (slurm.conf(5), JobRequeue): the job goes on without it
   * when it asked for that, is requeued when it may be, and ends otherwise.
   */
  void nodeFailed(Turn turn, Job job, String node) {
    if (job.has(JobFlag.COMPLETING)) {
      settle(turn, job);
      return;
    }
    Job rest = Survivors.of(turn.state(), job);
    if (rest != null) {
      turn.emit(new Event.JobEdited(turn.now(), rest, "slurm", "node failure"));
      return;
    }
    for (Job component : components(turn.state(), job)) {
      if (component.holdsResources() && !component.has(JobFlag.COMPLETING)) {
        failOne(turn, turn.job(component.id()), node);
      }
    }
  }

  private void failOne(Turn turn, Job job, String node) {
    if (job.has(JobFlag.COMPLETING)) {
      return;
    }
    Allocation held = job.allocation();
    boolean again = job.requeue() || PowerSaving.requeuesUnwoken(turn.state(), job, node);
    if (again && job.batch().batch()) {
      requeue(turn, job, Reason.BEGIN_TIME, false, NODE_FAILURE);
      Job requeued = turn.job(job.id());
      if (held != null && !requeued.has(JobFlag.COMPLETING)) {
        // Where other nodes have yet to end it, what it held goes with them.
        turn.emit(
            new Event.JobEdited(
                turn.now(), requeued.withLost(held.tres()), "slurm", "node failure"));
      }
    } else {
      turn.emit(new Event.JobEdited(turn.now(), job.withFailedNode(node), "slurm", "node failure"));
      complete(turn, job, JobState.NODE_FAIL, new ExitCode(0, 1), Reason.NODE_DOWN, NODE_FAILURE);
    }
  }

  /**
   * The outcome of a run whose batch script ended by itself. One that was to save its work has done
   * so, whatever its exit code, and leaves as it would have had to.
   */
  void scriptEnded(Turn turn, Job job, ExitCode exit) {
    Preemption preemption = job.preemption();
    if (preemption != null) {
      for (Job component : components(turn.state(), job)) {
        if (component.holdsResources() && !component.has(JobFlag.COMPLETING)) {
          leave(turn, turn.job(component.id()), preemption, null);
        }
      }
      return;
    }
    RequeueOnExit next = RequeueOnExit.of(turn.state().config(), job, exit);
    if (next != RequeueOnExit.NO) {
      requeueAfter(turn, job, exit, next == RequeueOnExit.HOLD);
      return;
    }
    if (exit.signal() == SIG_OOM) {
      complete(turn, job, JobState.OUT_OF_MEMORY, exit, Reason.OUT_OF_MEMORY, null);
      turn.requestPass();
      return;
    }
    JobState finalState = exit.isOk() ? JobState.COMPLETED : JobState.FAILED;
    Reason reason =
        exit.isOk()
            ? Reason.NONE
            : exit.signal() != 0 ? Reason.RAISED_SIGNAL : Reason.NON_ZERO_EXIT_CODE;
    complete(turn, job, finalState, exit, reason, null);
    turn.requestPass();
  }

  /** Nothing is known any more of which runs were killed. */
  void forget() {
    killed.clear();
  }

  /** A run that ended with an exit code of RequeueExit, or of RequeueExitHold. */
  private void requeueAfter(Turn turn, Job job, ExitCode exit, boolean hold) {
    turn.emit(new Event.JobEdited(turn.now(), job.withExitCode(exit), "slurm", "exit code"));
    requeue(turn, turn.job(job.id()), Reason.BEGIN_TIME, false, null);
    Job requeued = turn.job(job.id());
    if (hold) {
      EnumSet<JobFlag> flags = EnumSet.of(JobFlag.SPECIAL_EXIT);
      flags.addAll(requeued.flags());
      Job held =
          requeued.with(
              j ->
                  j.flags(flags)
                      .hold(Hold.USER)
                      .priority(0)
                      .reason(Reason.JOB_HELD_USER)
                      .reasonText(""));
      turn.emit(new Event.JobEdited(turn.now(), held, "slurm", "requeuehold"));
    }
  }

  /** The jobs that hold resources of a node. */
  static List<Job> on(Turn turn, String node) {
    return turn.index().onNode(node).stream()
        .flatMap(id -> Stream.ofNullable(turn.state().job(id)))
        .filter(Job::holdsResources)
        .filter(
            job ->
                job.allocation() != null
                    && job.allocation().shares().stream().anyMatch(s -> s.node().equals(node)))
        .toList();
  }
}
