package dev.yardmaster.controller;

import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobStep;
import dev.yardmaster.model.StepProgram;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * Something to be done on a node because of events. An effect may be performed more than once, and
 * is lost when its node is not connected: whoever performs it must bear a repetition, and what is
 * still wanted is said again when the node registers.
 */
public sealed interface Effect {
  /** The node it is for. */
  String node();

  /** The job that it is about; 0 for none. */
  int jobId();

  /** The run of the job that it is about; an effect never touches another run. */
  int restarts();

  /**
   * Start the batch script of a run; its script is kept in the journal under the job's id.
   *
   * @param environment what it finds in its environment besides
   */
  record Launch(String node, Job job, SortedMap<String, String> environment) implements Effect {
    public Launch(String node, Job job) {
      this(node, job, Immutable.sortedMap());
    }

    @Override
    public int jobId() {
      return job.id();
    }

    @Override
    public int restarts() {
      return job.restarts();
    }
  }

  /**
   * Start the tasks of a step that are this node's.
   *
   * @param options of those of the step, what the node itself obeys
   */
  record LaunchStep(
      String node, Job job, JobStep step, StepProgram program, SortedMap<String, String> options)
      implements Effect {
    @Override
    public int jobId() {
      return job.id();
    }

    @Override
    public int restarts() {
      return job.restarts();
    }
  }

  /**
   * Send a signal to the tasks of a step.
   *
   * @param killWaitSeconds when positive, SIGKILL follows after so many seconds
   */
  record SignalStep(
      String node, int jobId, int restarts, int stepId, int signal, long killWaitSeconds)
      implements Effect {}

  /**
   * Send a signal to a run.
   *
   * @param batchOnly to the batch script alone rather than to every process of the job
   */
  record Signal(String node, int jobId, int restarts, int signal, boolean batchOnly)
      implements Effect {}

  /**
   * Stop every process of a run: SIGTSTP, and SIGSTOP when the grace is over. SIGCONT, sent as a
   * signal, lets it go on.
   *
   * @param graceSeconds PreemptParameters=suspend_grace_time
   */
  record Pause(String node, int jobId, int restarts, long graceSeconds) implements Effect {}

  /**
   * Run Prolog before anything of a run starts on a node, or Epilog when nothing of it is left
   * (slurm.conf(5)); that of a node which has none is no work.
   *
   * @param restarts the run, which a job that was requeued has not any more
   * @param epilog comes before the {@link Terminate} of the run
   */
  record SiteScript(String node, Job job, int restarts, boolean epilog) implements Effect {
    @Override
    public int jobId() {
      return job.id();
    }
  }

  /**
   * Run PrologSlurmctld or EpilogSlurmctld (slurm.conf(5)) here, and say how it went.
   *
   * @param most how long each program may take; null for as long as it likes
   */
  record ControllerScript(
      Job job,
      int restarts,
      boolean epilog,
      String cluster,
      List<String> programs,
      @Nullable Duration most)
      implements Effect {
    public ControllerScript {
      programs = List.copyOf(programs);
    }

    /** It is no matter of a node. */
    @Override
    public String node() {
      return "";
    }

    @Override
    public int jobId() {
      return job.id();
    }
  }

  /**
   * Run HealthCheckProgram (slurm.conf(5)).
   *
   * @param healthy what the controller thinks of the node
   */
  record HealthCheck(String node, boolean healthy) implements Effect {
    @Override
    public int jobId() {
      return 0;
    }

    @Override
    public int restarts() {
      return 0;
    }
  }

  /**
   * Read slurm.conf anew, as Slurm's slurmd does after {@code scontrol reconfigure}.
   *
   * @param config {@link ConfigFingerprint} of what the controller works with
   * @param number which reconfiguration it is; 0 when the node has only registered, and is to read
   *     it where it works with something else
   */
  record Reconfigure(String node, String config, long number) implements Effect {
    @Override
    public int jobId() {
      return 0;
    }

    @Override
    public int restarts() {
      return 0;
    }
  }

  /** Bring the output of a step also to where the program says, and take input from there. */
  record AttachStep(String node, int jobId, int restarts, int stepId, StepProgram program)
      implements Effect {}

  /** A line for the output of a batch job (scontrol notify). */
  record Notify(String node, int jobId, int restarts, String text) implements Effect {}

  /**
   * Boot the node anew (slurm.conf(5), RebootProgram). A node on which that does nothing goes on as
   * it is, and the controller gives up after ResumeTimeout.
   *
   * @param program with its arguments; empty when none is configured
   */
  record Reboot(String node, String program) implements Effect {
    @Override
    public int jobId() {
      return 0;
    }

    @Override
    public int restarts() {
      return 0;
    }
  }

  /**
   * Switch nodes off or on (slurm.conf(5), SuspendProgram and ResumeProgram). The program does it,
   * on the machine of the controller; a node that is only simulated does as it is told.
   *
   * @param all the nodes that are switched together
   * @param program with its arguments, to which {@code all} is the last; empty when another effect
   *     has it
   */
  record Power(String node, boolean up, String all, String program) implements Effect {
    @Override
    public int jobId() {
      return 0;
    }

    @Override
    public int restarts() {
      return 0;
    }
  }

  /**
   * End whatever a node has of a run and report {@link Command.RunGone}, also when it has nothing:
   * SIGCONT and SIGTERM, after {@code killWaitSeconds} SIGKILL to whatever is left.
   *
   * @param killWaitSeconds KillWait; 0 to kill at once
   * @param message what cut the run short, for the line that Slurm writes to the job's output
   *     ({@code DUE TO TIME LIMIT}; empty for a plain cancel); null when it ended by itself
   */
  record Terminate(
      String node, int jobId, int restarts, long killWaitSeconds, @Nullable String message)
      implements Effect {}
}
