package dev.yardmaster.cli;

import dev.yardmaster.model.Allocation;
import dev.yardmaster.model.ArrayInfo;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobFlag;
import dev.yardmaster.model.JobRequest;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.JobStep;
import dev.yardmaster.model.MemoryRequest;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.Reason;
import dev.yardmaster.model.ReqTres;
import dev.yardmaster.model.text.ArraySpec;
import dev.yardmaster.model.text.Dependency;
import dev.yardmaster.model.text.FeatureExpression;
import dev.yardmaster.model.text.HostList;
import dev.yardmaster.model.text.Instants;
import dev.yardmaster.model.text.IntRanges;
import dev.yardmaster.model.text.JobStateText;
import dev.yardmaster.model.text.Memory;
import dev.yardmaster.model.text.TimeLimits;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A job as Slurm's commands show it at one moment.
 *
 * @param task when the row stands for one waiting task of an array alone ({@code squeue -r})
 * @param bitstrLength SLURM_BITSTR_LEN: how long a list of tasks may get; 0 for any length
 * @param step when the row stands for a step of the job
 */
record JobFacts(
    Job job,
    @Nullable Integer task,
    Instant now,
    ZoneId zone,
    int bitstrLength,
    @Nullable JobStep step) {
  /** What Slurm prints for nothing. */
  static final String NULL = "(null)";

  static final String NOT_APPLICABLE = "N/A";

  /** Why a job is not looked at though its time has come. */
  private static final Set<Reason> KEPT_OUT =
      EnumSet.of(Reason.RESERVATION, Reason.JOB_ARRAY_TASK_LIMIT);

  /** The same row of another job. */
  JobFacts of(Job other) {
    return new JobFacts(other, task, now, zone, bitstrLength, step);
  }

  JobFacts(Job job, Instant now, ZoneId zone) {
    this(job, null, now, zone, 64);
  }

  JobFacts(Job job, @Nullable Integer task, Instant now, ZoneId zone, int bitstrLength) {
    this(job, task, now, zone, bitstrLength, null);
  }

  /** The row of one waiting task of the array. */
  JobFacts ofTask(int waiting) {
    return new JobFacts(job, waiting, now, zone, bitstrLength, step);
  }

  /** The row of a step of the job. */
  JobFacts ofStep(JobStep ofJob) {
    return new JobFacts(job, task, now, zone, bitstrLength, ofJob);
  }

  /** The number of its step; that of a job's script is a word. */
  String stepId() {
    String of = job.het() == null ? id() : Integer.toString(job.het().hetJobId());
    return of + (step == null ? ".batch" : "." + step.stepId());
  }

  String stepTime() {
    return step == null
        ? timeUsed()
        : TimeLimits.formatSqueue(Duration.between(step.started(), now).toSeconds());
  }

  /** When its step began. */
  Instant stepStart() {
    Instant start = step == null ? job.started() : step.started();
    return start == null ? job.submitted() : start;
  }

  /** Seconds from its submission to its start, or until now while it has none. */
  long pendingSeconds() {
    Instant start = start();
    Instant until = start != null && start.isBefore(now) ? start : now;
    return Duration.between(job.submitted(), until).toSeconds();
  }

  /** When it was made to leave for another job; null when it was not. */
  @Nullable Instant preempted() {
    return job.preemption() == null ? null : job.preemption().at();
  }

  /** When it may start, or will be allowed to; null before it is known. */
  @Nullable Instant eligible() {
    Instant begin = isPending() && job.eligible() == null ? job.begin() : job.eligible();
    return isPending() && KEPT_OUT.contains(job.reason()) ? null : begin;
  }

  /** Since when it has been gaining priority; null while it does not. */
  @Nullable Instant accrues() {
    return isPending() && job.reason() == Reason.RESERVATION ? null : job.accrues();
  }

  /** When the schedulers last looked at it; a held one was looked at as it came. */
  @Nullable Instant evaluated() {
    return job.lastEvaluated() == null && isPending() ? job.submitted() : job.lastEvaluated();
  }

  /** The nodes that it has, or may have at most. */
  int mostNodes() {
    return isPending() || job.allocation() == null
        ? job.request().maxNodes()
        : job.allocation().shares().size();
  }

  String id() {
    ArrayInfo array = job.array();
    if (array == null) {
      return job.displayId();
    }
    if (task != null) {
      return array.arrayJobId() + "_" + task;
    }
    return array.taskId() != null
        ? job.displayId()
        : array.arrayJobId() + "_" + spec(array).bracketed(bitstrLength);
  }

  /** The waiting tasks of an array's record. */
  static ArraySpec spec(ArrayInfo array) {
    return new ArraySpec(IntRanges.of(array.waiting().toBitSet()), array.throttle());
  }

  /** The task, the list of waiting tasks, or N/A. */
  String arrayTasks() {
    ArrayInfo array = job.array();
    if (array == null) {
      return NOT_APPLICABLE;
    }
    if (task != null) {
      return task.toString();
    }
    if (array.taskId() != null) {
      return array.taskId().toString();
    }
    String bracketed = spec(array).bracketed(bitstrLength);
    return bracketed.substring(1, bracketed.length() - 1);
  }

  int arrayJobId() {
    return job.array() == null ? job.id() : job.array().arrayJobId();
  }

  /** Its state; a job that waits again after a requeue simply waits. */
  JobStateText state() {
    boolean waits = isPending();
    JobFlag[] flags =
        job.flags().stream()
            .filter(flag -> flag != JobFlag.REQUEUED || !waits)
            .toArray(JobFlag[]::new);
    return JobStateText.of(job.state(), flags);
  }

  /** Whether it waits; one that was requeued still has its old nodes while it is completing. */
  boolean isPending() {
    return job.state() == JobState.PENDING && !job.has(JobFlag.COMPLETING);
  }

  /** Partitions it asks for while it waits; the one it runs in after. */
  String partition() {
    return isPending() ? String.join(",", job.partitions()) : job.partition();
  }

  long runSeconds() {
    return job.worked(now).toSeconds();
  }

  String timeUsed() {
    return TimeLimits.formatSqueue(runSeconds());
  }

  boolean isUnlimited() {
    return job.timeLimitMinutes() == Partition.UNLIMITED;
  }

  String timeLimit() {
    return isUnlimited() ? "UNLIMITED" : TimeLimits.formatSqueue(60 * job.timeLimitMinutes());
  }

  String timeLeft() {
    return isUnlimited()
        ? "UNLIMITED"
        : TimeLimits.formatSqueue(Math.max(0, 60 * job.timeLimitMinutes() - runSeconds()));
  }

  /** When it started, or when it is expected to; null when nobody knows. */
  @Nullable Instant start() {
    if (!isPending()) {
      // A job that ended before it ever ran has one moment for both.
      return job.started() == null ? job.ended() : job.started();
    }
    if (job.planned() != null) {
      return job.planned().start();
    }
    Instant begin = job.begin();
    return begin != null && begin.isAfter(now) ? begin : null;
  }

  /** When it ended or must end; null when nobody knows. */
  @Nullable Instant end() {
    if (!isPending() && job.ended() != null) {
      return job.ended();
    }
    Instant start = start();
    return start == null || isUnlimited() ? null : start.plusSeconds(60 * job.timeLimitMinutes());
  }

  String instant(@Nullable Instant instant, String unknown) {
    return instant == null ? unknown : Instants.format(instant, zone);
  }

  /** The reason as squeue prints it: the sentence where there is one. */
  String reason() {
    if (job.reason() == Reason.RAISED_SIGNAL) {
      return SignalWords.raised(job.exitCode().signal());
    }
    if (!job.reasonText().isEmpty()) {
      return job.reasonText();
    }
    // The one reason that is a sentence; only scontrol joins its words.
    return job.reason() == Reason.NODES_REQUIRED_UNAVAILABLE
        ? job.reason().text().replace('_', ' ')
        : job.reason().text();
  }

  HostList nodes() {
    Allocation allocation = job.allocation();
    return allocation == null || isPending() ? HostList.EMPTY : allocation.nodes();
  }

  /** The nodes it has or had, or in brackets why it has none. */
  String nodesOrReason() {
    boolean stopped =
        switch (job.state()) {
          case PENDING, TIMEOUT, OUT_OF_MEMORY, DEADLINE, FAILED -> !job.has(JobFlag.COMPLETING);
          case RUNNING, SUSPENDED, COMPLETED, CANCELLED, NODE_FAIL, PREEMPTED, BOOT_FAIL -> false;
        };
    return stopped ? "(" + reason() + ")" : nodes().toString();
  }

  int nodeCount() {
    Allocation allocation = job.allocation();
    return allocation == null || isPending()
        ? Math.max(job.expectedNodes(), Math.max(1, job.request().minNodes()))
        : allocation.shares().size();
  }

  int cpus() {
    Allocation allocation = job.allocation();
    return allocation == null || isPending() ? ReqTres.needed(job.request()) : allocation.cpus();
  }

  /** The host of the batch script, or n/a. */
  String batchHost() {
    Allocation allocation = job.allocation();
    return allocation == null || isPending() || allocation.shares().isEmpty()
        ? "n/a"
        : allocation.shares().getFirst().node();
  }

  /** Memory per CPU or node as asked. */
  String minMemory() {
    return Memory.format(job.request().memory().mib());
  }

  /** CPUs that each of its nodes must have. */
  int minCpus() {
    JobRequest request = job.request();
    JobRequest.Asked asked = request.asked();
    int cpusPerTask = asked == null ? request.cpusPerTask() : asked.cpusPerTask();
    int ofTasks = Math.max(1, request.tasksPerNode()) * cpusPerTask;
    return Math.max(1, Math.max(request.minCpusPerNode(), ofTasks));
  }

  /** Disk space that each of its nodes must have: nothing, or an amount with its unit. */
  String tmpDisk() {
    long mib = job.request().tmpDiskMib();
    return mib == 0 ? "0" : Memory.format(mib);
  }

  boolean memoryPerCpu() {
    return job.request().memory() instanceof MemoryRequest.PerCpu;
  }

  /** The licences it asks for, as written. */
  String licenses() {
    JobRequest request = job.request();
    return orNull(
        request.licensesText().isEmpty()
            ? licenses(request.licenses(), ",")
            : request.licensesText());
  }

  /** The licences it has. */
  String heldLicenses() {
    return job.holdsResources() ? orNull(licenses(job.heldLicenses(), ";")) : NULL;
  }

  private String licenses(Map<String, Integer> counts, String divider) {
    return job.request().licenseNames().stream()
        .filter(counts::containsKey)
        .map(name -> name + ":" + counts.get(name))
        .collect(Collectors.joining(divider));
  }

  /** The features it asks for; of one that runs on nodes it prefers, these. */
  String features() {
    FeatureExpression features = isPreferred() ? job.request().prefer() : job.request().features();
    return features == null ? NULL : features.toString();
  }

  /** Whether it was started, which it is taken to have been on nodes that it prefers. */
  private boolean isPreferred() {
    return !isPending() && job.request().prefer() != null;
  }

  /** The features it would rather have, which a job that has them no longer waits for. */
  String prefer() {
    FeatureExpression prefer = job.request().prefer();
    return prefer == null || isPreferred() ? NULL : prefer.toString();
  }

  String dependency() {
    Dependency dependency = job.dependency();
    if (dependency == null || dependency.isEmpty()) {
      return NULL;
    }
    List<Dependency.Term> terms =
        dependency.terms().stream()
            .map(
                term ->
                    term.status() != null
                        ? term
                        : new Dependency.Term(
                            term.type(),
                            term.target(),
                            term.delayMinutes(),
                            Dependency.Status.UNFULFILLED))
            .toList();
    return new Dependency(dependency.any(), terms).shown().toString();
  }

  String planned() {
    return job.planned() == null || job.planned().nodes().isEmpty() || !isPending()
        ? NULL
        : job.planned().nodes().toString();
  }

  String overSubscribe() {
    return switch (job.request().exclusivity()) {
      case OVERSUBSCRIBE -> "YES";
      case DEFAULT, NODE, USER, MCS, TOPO -> "NO";
    };
  }

  static String orNull(String text) {
    return text.isEmpty() ? NULL : text;
  }

  /** A count, or what Slurm prints when it was not given. */
  static String orElse(int count, String otherwise) {
    return count == 0 ? otherwise : Integer.toString(count);
  }

  /** The file that the batch script reads, as it was written. */
  String stdinPattern() {
    String pattern = job.batch().stdinPattern();
    return pattern.isEmpty() ? "/dev/null" : path(pattern);
  }

  /** The file that the batch script writes to, as it was written or left out. */
  String stdoutPattern() {
    String pattern = job.batch().stdoutPattern();
    String usual = job.array() == null ? "slurm-%j.out" : "slurm-%A_%a.out";
    return path(pattern.isEmpty() ? usual : pattern);
  }

  /** The file that the batch script writes its errors to; empty when it is that of its output. */
  String stderrPattern() {
    String pattern = job.batch().stderrPattern();
    return pattern.isEmpty() ? "" : path(pattern);
  }

  private String path(String pattern) {
    return pattern.startsWith("/") ? pattern : job.batch().workDir() + "/" + pattern;
  }

  String stdin() {
    return file(stdinPattern());
  }

  String stdout() {
    return file(stdoutPattern());
  }

  String stderr() {
    return file(stderrPattern());
  }

  /** A pattern of an output file with its codes filled in (sbatch(1), "FILENAME PATTERN"). */
  private String file(String path) {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < path.length(); i++) {
      char c = path.charAt(i);
      if (c != '%' || i + 1 == path.length()) {
        out.append(c);
        continue;
      }
      int to = i + 1;
      while (to < path.length() - 1 && Character.isDigit(path.charAt(to))) {
        to++;
      }
      String value = code(path.charAt(to));
      if (value == null) {
        out.append(path, i, to + 1);
      } else {
        int width = to == i + 1 ? 0 : Math.min(10, Integer.parseInt(path.substring(i + 1, to)));
        boolean number = !value.isEmpty() && value.chars().allMatch(Character::isDigit);
        out.repeat('0', number ? Math.max(0, width - value.length()) : 0).append(value);
      }
      i = to;
    }
    return out.toString();
  }

  private @Nullable String code(char letter) {
    return switch (letter) {
      case '%' -> "%";
      case 'j', 'J' -> Integer.toString(job.id());
      case 'A' -> Integer.toString(arrayJobId());
      case 'a' -> job.array() == null ? "4294967294" : arrayTasks();
      case 'u' -> job.owner().user();
      case 'x' -> job.name();
      case 'N' -> batchHost();
      case 'n', 't' -> "0";
      case 's' -> "batch";
      default -> null;
    };
  }
}
