package dev.yardmaster.client;

import dev.yardmaster.explain.Explanation;
import dev.yardmaster.explain.JobHistory;
import dev.yardmaster.model.AccountingReport;
import dev.yardmaster.model.ClusterInfo;
import dev.yardmaster.model.Crontab;
import dev.yardmaster.model.CrontabUpdate;
import dev.yardmaster.model.Diagnostics;
import dev.yardmaster.model.ExitCode;
import dev.yardmaster.model.JobRecord;
import dev.yardmaster.model.JobScript;
import dev.yardmaster.model.JobStep;
import dev.yardmaster.model.JobSubmission;
import dev.yardmaster.model.RecordQuery;
import dev.yardmaster.model.RunningSteps;
import dev.yardmaster.model.StepProgram;
import dev.yardmaster.model.Topology;
import dev.yardmaster.model.UsageReport;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * Asks and commands one controller. Every method waits for the answer, at most as long as its
 * deadline, and may be interrupted; call from a worker thread. Methods that change something return
 * notices for the user, and throw {@link ClientException.Refused} when nothing was changed. Safe
 * for use by several threads.
 */
public interface SchedulerClient extends AutoCloseable {
  ClusterInfo info() throws ClientException;

  /** The settings in force, by canonical key. */
  SortedMap<String, String> config() throws ClientException;

  /** How the nodes are wired; the cluster's topology first. */
  List<Topology> topologies() throws ClientException;

  /** Counts and times since the start or the last reset. */
  Diagnostics diagnose() throws ClientException;

  /** Begins to count anew; for administrators. */
  List<String> resetStatistics() throws ClientException;

  /** The present state of what is selected. */
  ClusterView read(Selection selection) throws ClientException;

  /**
   * Why a job does not run, or ran, at a moment of the past or present.
   *
   * @param job its id as users write it
   * @param at the time asked about, when all had happened that happened up to then; null for the
   *     present
   * @param moment with {@code at}: the number of the event after which it is asked about, as {@link
   *     Explanation#moment} tells it; 0 for the last one up to {@code at}
   * @throws ClientException.Refused with a detail that says why the moment cannot be told
   */
  Explanation explain(String job, @Nullable Instant at, long moment) throws ClientException;

  /** Why a job does not run, or ran, at a time; null for the present. */
  default Explanation explain(String job, @Nullable Instant at) throws ClientException {
    return explain(job, at, 0);
  }

  /** Why a job does not run now. */
  default Explanation explain(String job) throws ClientException {
    return explain(job, null, 0);
  }

  /**
   * What held a job when, from its submission on; also of jobs that the controller has forgotten.
   */
  JobHistory history(String job) throws ClientException;

  JobScript script(String job) throws ClientException;

  /** Accounts, users, QOS, associations and their usage. */
  AccountingReport accounting() throws ClientException;

  /** What accounting keeps of jobs, in the order in which sacct(1) lists them. */
  List<JobRecord> records(RecordQuery query) throws ClientException;

  /**
   * Changes the accounting.
   *
   * @param words a command of sacctmgr: verb, entity and what follows
   * @param tryOut to be told what would be changed, without changing it
   * @return what sacctmgr prints
   */
  List<String> changeAccounting(List<String> words, boolean tryOut) throws ClientException;

  /** What was used from {@code start} up to {@code end}. */
  UsageReport usage(Instant start, Instant end) throws ClientException;

  /**
   * A JSON web token that says who somebody is.
   *
   * @param user empty for the caller
   * @param lifespanSeconds 0 for the default
   */
  String token(String user, int lifespanSeconds) throws ClientException;

  Submitted submit(JobSubmission submission) throws ClientException;

  /**
   * A call for many submissions to the controller that was asked last, for programs that submit.
   */
  SubmissionStream submissions();

  /** Submits a heterogeneous job; the id is that of its first component. */
  Submitted submit(List<JobSubmission> components) throws ClientException;

  /**
   * The crontab of a user.
   *
   * @throws ClientException.Refused as JOB_SCRIPT_MISSING when there is none
   */
  Crontab crontab(String user) throws ClientException;

  /** Sets or removes a crontab, with the jobs of its lines: all or none. */
  List<String> saveCrontab(CrontabUpdate update) throws ClientException;

  WouldStart testOnly(JobSubmission submission) throws ClientException;

  /**
   * @param jobs ids as written, a comma list
   * @param fields scontrol's field names in lower case, values as written
   */
  List<String> updateJobs(String jobs, Map<String, String> fields) throws ClientException;

  /**
   * @param byOwner as scontrol uhold: the owner may release it
   */
  List<String> holdJobs(String jobs, boolean byOwner) throws ClientException;

  List<String> releaseJobs(String jobs) throws ClientException;

  /** Says something to whoever waits for a running job, or in its output (scontrol notify). */
  List<String> notifyJob(String job, String text) throws ClientException;

  /**
   * What was said to an interactive job.
   *
   * @param after how many the caller has read already
   */
  List<String> notices(int jobId, int after) throws ClientException;

  /** Suspends running jobs, or lets suspended ones go on. */
  List<String> suspendJobs(String jobs, boolean resume) throws ClientException;

  List<String> requeueJobs(String jobs, boolean hold) throws ClientException;

  /**
   * @param hold whether they are held then
   * @param special whether they are held as SPECIAL_EXIT
   * @param incomplete whether jobs that have ended are left alone
   */
  List<String> requeueJobs(String jobs, boolean hold, boolean special, boolean incomplete)
      throws ClientException;

  /** Puts pending jobs before the others of the same user, partition, account and QOS. */
  List<String> topJobs(String jobs) throws ClientException;

  /**
   * @param jobs ids as written; empty when only the filters select
   * @param filters by scancel's long option name
   * @param signal name or number; empty to cancel
   */
  List<String> cancelJobs(List<String> jobs, Map<String, String> filters, String signal)
      throws ClientException;

  /** Gives the allocation of an interactive job back. */
  List<String> completeJob(String job, ExitCode exit) throws ClientException;

  /**
   * Starts a step of a running job.
   *
   * @param options by srun's long option name
   */
  JobStep createStep(String job, Map<String, String> options, StepProgram program)
      throws ClientException;

  /** The steps that run, and what was measured of them. */
  RunningSteps runningSteps() throws ClientException;

  /**
   * Has the output of a running step brought also to somebody else.
   *
   * @param step JOB.STEP
   */
  JobStep attachStep(String step, StepProgram to) throws ClientException;

  /** The steps that run. */
  default List<JobStep> steps() throws ClientException {
    return runningSteps().steps();
  }

  /**
   * @param step JOB.STEP
   * @param signal name or number; empty to end the step
   */
  List<String> signalStep(String step, String signal) throws ClientException;

  /**
   * @param nodes a node list
   */
  List<String> updateNodes(String nodes, Map<String, String> fields) throws ClientException;

  List<String> updatePartition(String partition, Map<String, String> fields) throws ClientException;

  List<String> createPartition(String partition, Map<String, String> fields) throws ClientException;

  List<String> deletePartition(String partition) throws ClientException;

  List<String> saveReservation(boolean create, Map<String, String> fields) throws ClientException;

  List<String> deleteReservation(String name) throws ClientException;

  /**
   * Sets, lists or clears what is to be done when something happens (strigger).
   *
   * @param verb {@code set}, {@code get} or {@code clear}
   * @param fields what {@link dev.yardmaster.model.Trigger#fields} gives, or of clear the id, the
   *     job or the user
   * @return of {@code get} a line for {@link dev.yardmaster.model.Trigger#parse} for each
   */
  List<String> triggers(String verb, Map<String, String> fields) throws ClientException;

  /** Reads the configuration again. */
  default List<String> reconfigure() throws ClientException {
    return change(Map.of());
  }

  /**
   * Changes settings until the configuration is read again (scontrol setdebug and its like).
   *
   * @param settings by their names in lower case; a value that begins with + or - is added or taken
   *     away. None means that the configuration is read now.
   */
  List<String> change(Map<String, String> settings) throws ClientException;

  /** Ends the controller. */
  List<String> shutdown() throws ClientException;

  /** Asks a controller that stands by to take control (scontrol takeover); does not wait for it. */
  List<String> takeOver() throws ClientException;

  @Override
  void close();

  /** A job that was accepted. */
  record Submitted(int jobId, List<String> notices) {
    public Submitted {
      notices = List.copyOf(notices);
    }
  }

  /** Where and when a job would start, and the id it would get. */
  record WouldStart(int jobId, Instant start, int cpus, String nodes, String partition) {}
}
