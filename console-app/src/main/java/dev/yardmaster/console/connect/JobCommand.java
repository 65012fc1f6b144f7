package dev.yardmaster.console.connect;

import dev.yardmaster.client.ClientException;
import dev.yardmaster.client.SchedulerClient;
import dev.yardmaster.model.ArrayInfo;
import dev.yardmaster.model.Hold;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import java.util.List;
import java.util.Map;

/**
 * A command about jobs, as the user gives it.
 *
 * @param jobs job ids as commands take them
 */
public record JobCommand(Verb verb, List<String> jobs) {
  /** What is done to the jobs. */
  public enum Verb {
    HOLD("scontrol hold ") {
      @Override
      public boolean actsOn(Job job) {
        return job.state() == JobState.PENDING && job.hold() == Hold.NONE;
      }
    },
    RELEASE("scontrol release ") {
      @Override
      public boolean actsOn(Job job) {
        return job.hold() != Hold.NONE;
      }
    },
    REQUEUE("scontrol requeue ") {
      @Override
      public boolean actsOn(Job job) {
        return job.state() != JobState.PENDING;
      }
    },
    CANCEL("scancel ") {
      @Override
      public boolean actsOn(Job job) {
        return !job.state().isFinished();
      }
    };

    private final String command;

    Verb(String command) {
      this.command = command;
    }

    /** Whether it would change anything about a job as it is now. */
    public abstract boolean actsOn(Job job);
  }

  public JobCommand {
    jobs = List.copyOf(jobs);
  }

  /** The command for some jobs. */
  public static JobCommand of(Verb verb, List<Job> jobs) {
    return new JobCommand(verb, jobs.stream().map(JobCommand::id).toList());
  }

  /**
   * The id that means this record and no other: for an array that waits, its waiting tasks only, so
   * that running tasks of the same array are left alone.
   */
  public static String id(Job job) {
    ArrayInfo array = job.array();
    return array != null && array.taskId() == null && !array.waiting().isEmpty()
        ? array.arrayJobId() + "_[" + array.waiting() + "]"
        : job.displayId();
  }

  /** The command line that does the same. */
  public String commandLine() {
    String separator = verb == Verb.CANCEL ? " " : ",";
    return verb.command + String.join(separator, jobs.stream().map(JobCommand::shellWord).toList());
  }

  /**
   * Sends it and waits for the answer.
   *
   * @return lines of the controller for the user
   */
  public List<String> send(SchedulerClient client) throws ClientException {
    String ids = String.join(",", jobs);
    return switch (verb) {
      case HOLD -> client.holdJobs(ids, false);
      case RELEASE -> client.releaseJobs(ids);
      case REQUEUE -> client.requeueJobs(ids, false);
      case CANCEL -> client.cancelJobs(jobs, Map.of(), "");
    };
  }

  /** Ids of arrays have brackets, which a shell would read as a pattern. */
  private static String shellWord(String id) {
    return id.indexOf('[') < 0 ? id : "'" + id + "'";
  }
}
