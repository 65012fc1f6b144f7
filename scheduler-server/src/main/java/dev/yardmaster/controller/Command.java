package dev.yardmaster.controller;

import dev.yardmaster.model.ExitCode;
import dev.yardmaster.model.Identity;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.JobSubmission;
import dev.yardmaster.model.NodeMeasure;
import dev.yardmaster.model.StepProgram;
import dev.yardmaster.model.StepUsage;
import dev.yardmaster.model.UsedStep;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * A request to the controller, from a user or from a node daemon. Values are as the sender wrote
 * them; the controller checks all of a command before any of it takes effect.
 */
public sealed interface Command {
  /**
   * Submit a job (sbatch).
   *
   * @param simulatedRuntime how long the job will really run where nodes are simulated; null for a
   *     real job
   */
  record Submit(Identity by, JobSubmission submission, @Nullable Duration simulatedRuntime)
      implements Command {
    public Submit(Identity by, JobSubmission submission) {
      this(by, submission, null);
    }
  }

  /**
   * Submit a heterogeneous job: all components or none.
   *
   * @param components the first is the leader, which runs the script
   */
  record SubmitHet(Identity by, List<JobSubmission> components) implements Command {
    public SubmitHet {
      components = List.copyOf(components);
    }
  }

  /** Would it be accepted, and when would it start ({@code sbatch --test-only}). */
  record TestOnly(Identity by, JobSubmission submission) implements Command {}

  /**
   * Change jobs ({@code scontrol update job}).
   *
   * @param jobs job ids as written, a comma list
   * @param fields scontrol's field names in lower case, values as written
   */
  record UpdateJob(Identity by, String jobs, SortedMap<String, String> fields) implements Command {}

  /** Hold jobs; {@code byOwner} for {@code scontrol uhold}. */
  record HoldJobs(Identity by, String jobs, boolean byOwner) implements Command {}

  record ReleaseJobs(Identity by, String jobs) implements Command {}

  /**
   * Put jobs back to the queue.
   *
   * @param special whether they are held as SPECIAL_EXIT; with {@code hold} alone
   * @param incomplete whether jobs that wait or have ended are left alone
   */
  record RequeueJobs(Identity by, String jobs, boolean hold, boolean special, boolean incomplete)
      implements Command {
    public RequeueJobs(Identity by, String jobs, boolean hold) {
      this(by, jobs, hold, false, false);
    }
  }

  /** Put pending jobs before the others of the same user, partition, account and QOS. */
  record TopJobs(Identity by, String jobs) implements Command {}

  /**
   * Suspend running jobs, or let suspended ones go on.
   *
   * @param resume whether to let them go on
   */
  record NotifyJob(Identity by, String job, String text) implements Command {}

  record SuspendJobs(Identity by, String jobs, boolean resume) implements Command {}

  /**
   * Cancel or signal jobs (scancel).
   *
   * @param jobs job ids as written; empty when only the filters select
   * @param filters scancel's filters by long option name ({@code user}, {@code partition}, {@code
   *     state}, {@code name} …)
   * @param signal name or number; empty to cancel
   */
  record CancelJobs(
      Identity by, List<String> jobs, SortedMap<String, String> filters, String signal)
      implements Command {}

  /**
   * Set or remove the crontab of a user (scrontab), with the jobs of its lines: all or none.
   *
   * @param owner whose it is, and whose jobs they will be
   * @param text null to remove it
   * @param jobs each with {@link dev.yardmaster.model.CronEntry#OPTION}
   */
  record SaveCrontab(Identity by, Identity owner, @Nullable String text, List<JobSubmission> jobs)
      implements Command {
    public SaveCrontab {
      jobs = List.copyOf(jobs);
    }
  }

  /**
   * Give the allocation of an interactive job back: its command has ended.
   *
   * @param exit how the command ended
   */
  record CompleteJob(Identity by, String job, ExitCode exit) implements Command {}

  /**
   * Start a step of a running job (srun).
   *
   * @param options by srun's long option name, values as typed
   */
  record CreateStep(Identity by, String job, SortedMap<String, String> options, StepProgram program)
      implements Command {}

  /**
   * Signal or end a step.
   *
   * @param step JOB.STEP
   * @param signal name or number; empty to end it
   */
  record SignalStep(Identity by, String step, String signal) implements Command {}

  /**
   * Bring the output of a running step also to somebody else (sattach).
   *
   * @param step JOB.STEP
   * @param to where they listen
   */
  record AttachStep(Identity by, String step, StepProgram to) implements Command {}

  record UpdateNodes(Identity by, String nodes, SortedMap<String, String> fields)
      implements Command {}

  record UpdatePartition(Identity by, String partition, SortedMap<String, String> fields)
      implements Command {}

  /** Create a partition ({@code scontrol create partition}); {@code fields} as scontrol's. */
  record CreatePartition(Identity by, String partition, SortedMap<String, String> fields)
      implements Command {}

  record DeletePartition(Identity by, String partition) implements Command {}

  /** Create or change a reservation; {@code fields} as scontrol's. */
  record SaveReservation(Identity by, boolean create, SortedMap<String, String> fields)
      implements Command {}

  record DeleteReservation(Identity by, String name) implements Command {}

  /**
   * Change accounts, users, QOS or associations (sacctmgr).
   *
   * @param words verb, entity and what follows, as written
   * @param tryOut say what would be changed, and change nothing
   */
  record ChangeAccounting(Identity by, List<String> words, boolean tryOut) implements Command {
    public ChangeAccounting {
      words = List.copyOf(words);
    }
  }

  /**
   * Read the configuration again.
   *
   * @param settings what is to hold until then, by its name in lower case, when it is not read
   */
  record Reconfigure(Identity by, SortedMap<String, String> settings) implements Command {
    public Reconfigure(Identity by) {
      this(by, Immutable.sortedMap());
    }
  }

  /** A node daemon says what its node has and which jobs it still runs. */
  record NodeRegistered(
      String node,
      int cpus,
      int sockets,
      int coresPerSocket,
      int threadsPerCore,
      long realMemoryMib,
      long tmpDiskMib,
      SortedMap<String, Long> gres,
      Instant bootTime,
      String version,
      List<RunningJob> jobs,
      List<RunningStep> steps,
      NodeMeasure measure)
      implements Command {
    public NodeRegistered {
      jobs = List.copyOf(jobs);
      steps = List.copyOf(steps);
    }

    /** That of a node without steps of which nothing is measured. */
    public NodeRegistered(
        String node,
        int cpus,
        int sockets,
        int coresPerSocket,
        int threadsPerCore,
        long realMemoryMib,
        long tmpDiskMib,
        SortedMap<String, Long> gres,
        Instant bootTime,
        String version,
        List<RunningJob> jobs) {
      this(
          node,
          cpus,
          sockets,
          coresPerSocket,
          threadsPerCore,
          realMemoryMib,
          tmpDiskMib,
          gres,
          bootTime,
          version,
          jobs,
          List.of(),
          NodeMeasure.NONE);
    }
  }

  /** A step that a node daemon has, or has not said the end of. */
  record RunningStep(int jobId, int restarts, int stepId) {}

  /** A run that a node daemon knows. */
  record RunningJob(int jobId, int restarts) {}

  /** A node daemon is alive, and this is everything it has of jobs. */
  record NodeHeartbeat(String node, List<RunningJob> jobs, NodeMeasure measure) implements Command {
    public NodeHeartbeat {
      jobs = List.copyOf(jobs);
    }

    /** That of a node of which nothing is measured. */
    public NodeHeartbeat(String node, List<RunningJob> jobs) {
      this(node, jobs, NodeMeasure.NONE);
    }
  }

  /** The connection to a node daemon is gone. */
  record NodeLost(String node) implements Command {}

  /**
   * The batch script of a run ended on its node.
   *
   * @param message why, where the job's own output could not say it; else empty
   * @param usage what it used; null when nobody measured it
   */
  record ScriptEnded(
      String node,
      int jobId,
      int restarts,
      ExitCode exitCode,
      Instant at,
      String message,
      @Nullable StepUsage usage)
      implements Command {
    public ScriptEnded(String node, int jobId, int restarts, ExitCode exitCode, Instant at) {
      this(node, jobId, restarts, exitCode, at, "");
    }

    public ScriptEnded(
        String node, int jobId, int restarts, ExitCode exitCode, Instant at, String message) {
      this(node, jobId, restarts, exitCode, at, message, null);
    }
  }

  /**
   * A run could not be launched on a node.
   *
   * @param prolog whether the node's Prolog failed, so that it is the node's fault
   */
  record LaunchFailed(String node, int jobId, int restarts, String message, boolean prolog)
      implements Command {
    public LaunchFailed(String node, int jobId, int restarts, String message) {
      this(node, jobId, restarts, message, false);
    }
  }

  /** PrologSlurmctld or EpilogSlurmctld of a run is over. */
  record ControllerScriptEnded(int jobId, int restarts, boolean epilog, boolean well)
      implements Command {}

  /** All tasks of a step on a node have ended; the exit code is the worst of them. */
  record StepEnded(
      String node,
      int jobId,
      int restarts,
      int stepId,
      ExitCode exitCode,
      Instant at,
      @Nullable StepUsage usage)
      implements Command {
    public StepEnded(
        String node, int jobId, int restarts, int stepId, ExitCode exitCode, Instant at) {
      this(node, jobId, restarts, stepId, exitCode, at, null);
    }
  }

  /** What the steps on a node have used so far; each says all of its own. */
  record StepsUsed(String node, List<UsedStep> steps) implements Command {
    public StepsUsed {
      steps = List.copyOf(steps);
    }
  }

  /** A node has nothing left of a run: processes gone, epilog done. */
  record RunGone(String node, int jobId, int restarts, Instant at, boolean epilogFailed)
      implements Command {
    public RunGone(String node, int jobId, int restarts, Instant at) {
      this(node, jobId, restarts, at, false);
    }
  }
}
