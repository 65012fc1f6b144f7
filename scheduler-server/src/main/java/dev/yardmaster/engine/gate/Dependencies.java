package dev.yardmaster.engine.gate;

import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.explain.Evidence;
import dev.yardmaster.model.ArrayInfo;
import dev.yardmaster.model.HetInfo;
import dev.yardmaster.model.Hold;
import dev.yardmaster.model.IndexSet;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobFlag;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Reason;
import dev.yardmaster.model.text.Dependency;
import dev.yardmaster.model.text.JobId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Whether what a job depends on has happened (sbatch(1), {@code --dependency}).
 *
 * <p>Jobs that the controller has forgotten count as the last pass found them: a clause on them is
 * met unless the job already was DependencyNeverSatisfied.
 */
public final class Dependencies {
  /** How a dependency stands. */
  public enum Standing {
    MET,
    WAITING,
    /** It can no longer be met. */
    NEVER
  }

  /** What Slurm shows of a priority that was never computed. */
  public static final long NOT_SET = 4_294_967_294L;

  private final ClusterState state;
  private final Instant now;
  private @Nullable TreeMap<Integer, List<Job>> arrays;
  private @Nullable TreeMap<String, List<Job>> names;

  Dependencies(ClusterState state, Instant now) {
    this.state = state;
    this.now = now;
  }

  /**
   * A job as it is accepted: one that is cancelled because its dependency can already not be met
   * never gets a priority; a task of an array has that of the whole.
   */
  public static Job submitted(ClusterState state, Job job, Instant now) {
    boolean weighed =
        job.array() != null
            || !killsInvalid(state, job)
            || job.hold() != Hold.NONE
            || job.directPriority() != null;
    return weighed || new Dependencies(state, now).standing(job) != Standing.NEVER
        ? job
        : job.withPriority(NOT_SET);
  }

  /**
   * Whether a job is cancelled once its dependency can no longer be met (--kill-on-invalid-dep,
   * else DependencyParameters=kill_invalid_depend).
   */
  public static boolean killsInvalid(ClusterState state, Job job) {
    return switch (job.batch().killOnInvalidDep()) {
      case "yes" -> true;
      case "no" -> false;
      default ->
          state.config().setting("DependencyParameters").orElse("").contains("kill_invalid_depend");
    };
  }

  /** How the whole dependency of a job stands. */
  public Standing standing(Job job) {
    Dependency dependency = job.dependency();
    if (dependency == null || dependency.isEmpty()) {
      return Standing.MET;
    }
    boolean waits = false;
    boolean never = false;
    for (Dependency.Term term : dependency.terms()) {
      Standing one = standing(job, term);
      if (one == Standing.MET && dependency.any()) {
        return Standing.MET;
      }
      waits |= one == Standing.WAITING;
      never |= one == Standing.NEVER;
    }
    if (dependency.any()) {
      return waits ? Standing.WAITING : Standing.NEVER;
    }
    return never ? Standing.NEVER : waits ? Standing.WAITING : Standing.MET;
  }

  /**
   * What a job waits for, with what is known of each term by now; null when nothing is left. Nobody
   * looks at that of a held job.
   */
  public @Nullable Dependency settled(Job job) {
    Dependency dependency = job.dependency();
    if (dependency == null || dependency.isEmpty() || job.hold() != Hold.NONE) {
      return dependency;
    }
    if (standing(job) == Standing.MET) {
      return null;
    }
    List<Dependency.Term> terms = new ArrayList<>();
    for (Dependency.Term term : dependency.terms()) {
      terms.add(
          term.with(
              switch (standing(job, term)) {
                case MET -> Dependency.Status.FULFILLED;
                case WAITING -> Dependency.Status.UNFULFILLED;
                case NEVER -> Dependency.Status.FAILED;
              }));
    }
    return new Dependency(dependency.any(), terms);
  }

  /** When jobs are expected to start and end, in seconds since the epoch. */
  public interface Expected {
    /** {@code Long.MAX_VALUE} when it is not known. */
    long start(Job job);

    /** {@code Long.MAX_VALUE} when it is not known. */
    long end(Job job);
  }

  /**
   * When the whole dependency of a job is met if all goes well: every job that it waits for ends
   * with success.
   *
   * @return {@code Long.MAX_VALUE} when it never is, or nobody knows
   */
  public long met(Job job, Expected expected) {
    Dependency dependency = job.dependency();
    if (dependency == null || dependency.isEmpty()) {
      return Long.MIN_VALUE;
    }
    long first = Long.MAX_VALUE;
    long last = Long.MIN_VALUE;
    for (Dependency.Term term : dependency.terms()) {
      long one = met(job, term, expected);
      first = Math.min(first, one);
      last = Math.max(last, one);
    }
    return dependency.any() ? first : last;
  }

  private long met(Job job, Dependency.Term term, Expected expected) {
    Standing present = standing(job, term);
    if (present != Standing.WAITING) {
      return present == Standing.MET ? Long.MIN_VALUE : Long.MAX_VALUE;
    }
    if (term.type() == Dependency.Type.AFTERNOTOK) {
      return Long.MAX_VALUE;
    }
    JobId target = term.target();
    long last = Long.MIN_VALUE;
    for (Job other : target == null ? namesakes(job) : targets(target)) {
      if (over(other)) {
        continue;
      }
      long then =
          term.type() == Dependency.Type.AFTER ? expected.start(other) : expected.end(other);
      boolean known = then < Long.MAX_VALUE;
      last = Math.max(last, known ? then + 60L * term.delayMinutes() : then);
    }
    return last;
  }

  /**
   * The waiting tasks of an array that become records of their own, ascending, because an {@code
   * aftercorr} is not met for the array as a whole: each waits for its counterpart. No more than
   * correspond_after_task_cnt such records wait at a time (slurm.conf(5), SchedulerParameters).
   */
  public IndexSet tasksThatPart(Job job) {
    Dependency dependency = job.dependency();
    ArrayInfo array = job.array();
    if (dependency == null || array == null || array.taskId() != null || !parts(job, dependency)) {
      return IndexSet.EMPTY;
    }
    int room = mostApart();
    for (Job other : all(array.arrayJobId())) {
      boolean apart = other.array() != null && other.array().taskId() != null;
      room -= apart && other.state() == JobState.PENDING ? 1 : 0;
    }
    BitSet chosen = new BitSet();
    array.waiting().stream().limit(Math.max(0, room)).forEach(chosen::set);
    return IndexSet.of(chosen);
  }

  private boolean parts(Job job, Dependency dependency) {
    return dependency.terms().stream().anyMatch(t -> t.type() == Dependency.Type.AFTERCORR)
        && standing(job) != Standing.MET;
  }

  private int mostApart() {
    String most =
        state.config().scheduling().parameters().getOrDefault("correspond_after_task_cnt", "10");
    try {
      return Math.max(10, Integer.parseInt(most));
    } catch (NumberFormatException e) {
      return 10;
    }
  }

  /** The clauses that are not met, as evidence: the first that can never be, else the first. */
  public Evidence evidence(Job job) {
    Dependency dependency = job.dependency();
    Evidence.@Nullable DependsOn first = null;
    if (dependency != null) {
      for (Dependency.Term term : dependency.terms()) {
        Standing standing = standing(job, term);
        if (standing == Standing.MET) {
          continue;
        }
        Evidence.DependsOn found = dependsOn(job, term, standing == Standing.NEVER);
        if (first == null || (found.neverSatisfiable() && !first.neverSatisfiable())) {
          first = found;
        }
      }
    }
    return first == null ? new Evidence.None() : first;
  }

  private Evidence.DependsOn dependsOn(Job job, Dependency.Term term, boolean never) {
    List<Integer> ids = new ArrayList<>();
    List<String> states = new ArrayList<>();
    JobId target = term.target();
    List<Job> jobs = target == null ? namesakes(job) : targets(target);
    for (Job other : jobs) {
      ids.add(other.id());
      states.add(other.state().name());
    }
    if (jobs.isEmpty() && target != null) {
      ids.add((int) target.job());
      states.add("UNKNOWN");
    }
    return new Evidence.DependsOn(term.asked().toString(), ids, states, never);
  }

  /** What was decided stays so, whatever becomes of the other job. */
  private Standing standing(Job job, Dependency.Term term) {
    if (term.status() == Dependency.Status.FULFILLED) {
      return Standing.MET;
    }
    if (term.status() == Dependency.Status.FAILED) {
      return Standing.NEVER;
    }
    JobId target = term.target();
    if (target == null) {
      return namesakes(job).isEmpty() ? Standing.MET : Standing.WAITING;
    }
    List<Job> jobs = targets(target);
    return switch (term.type()) {
      case AFTER -> started(jobs, term.delayMinutes());
      case AFTERANY, AFTERBURSTBUFFER ->
          jobs.stream().allMatch(Dependencies::over) ? Standing.MET : Standing.WAITING;
      case AFTEROK -> ok(job, jobs);
      case AFTERCORR -> corresponding(job, target, jobs);
      case AFTERNOTOK -> notOk(job, jobs);
      case EXPAND -> Standing.NEVER;
      case SINGLETON -> Standing.MET;
    };
  }

  /**
   * A task waits for the task of its number in the other array, whichever task was named; where
   * there is none, and in a record for several tasks, for all that was named.
   */
  private Standing corresponding(Job job, JobId target, List<Job> jobs) {
    ArrayInfo array = job.array();
    if (array == null) {
      return ok(job, jobs);
    }
    if (array.taskId() == null) {
      Standing all = ok(job, jobs);
      return all == Standing.NEVER ? Standing.WAITING : all;
    }
    List<Job> counterpart =
        jobs.stream().anyMatch(j -> j.array() != null) ? tasks(target, array.taskId()) : List.of();
    return counterpart.isEmpty() ? ok(job, jobs) : ok(job, counterpart);
  }

  private Standing started(List<Job> jobs, int delayMinutes) {
    for (Job job : jobs) {
      if (job.state() == JobState.PENDING) {
        return Standing.WAITING;
      }
      Instant since = job.started() != null ? job.started() : job.ended();
      if (since != null && now.isBefore(since.plusSeconds(60L * delayMinutes))) {
        return Standing.WAITING;
      }
    }
    return Standing.MET;
  }

  /** Decided once all are over: met when all have succeeded. */
  private Standing ok(Job job, List<Job> jobs) {
    if (jobs.isEmpty()) {
      return asFoundBefore(job);
    }
    if (!jobs.stream().allMatch(Dependencies::over)) {
      return Standing.WAITING;
    }
    return jobs.stream().allMatch(Dependencies::succeeded) ? Standing.MET : Standing.NEVER;
  }

  /** Decided once all are over: met when one has failed. */
  private Standing notOk(Job job, List<Job> jobs) {
    return switch (ok(job, jobs)) {
      case MET -> jobs.isEmpty() ? Standing.MET : Standing.NEVER;
      case NEVER -> jobs.isEmpty() ? Standing.NEVER : Standing.MET;
      case WAITING -> Standing.WAITING;
    };
  }

  private static Standing asFoundBefore(Job job) {
    return job.reason() == Reason.DEPENDENCY_NEVER_SATISFIED ? Standing.NEVER : Standing.MET;
  }

  /** An array of which a task was cancelled while it waited has not succeeded. */
  private static boolean succeeded(Job job) {
    return job.state() == JobState.COMPLETED
        && (job.array() == null || job.array().cancelled().isEmpty());
  }

  private static boolean over(Job job) {
    return job.state().isFinished() && !job.has(JobFlag.COMPLETING);
  }

  /**
   * Jobs of the same name and user that singleton waits for: those that run and those that were
   * submitted before it. Components of a heterogeneous job do not wait for each other.
   */
  private List<Job> namesakes(Job job) {
    if (names == null) {
      names = new TreeMap<>();
      for (Job other : state.jobs().values()) {
        if (!other.state().isFinished()) {
          names.computeIfAbsent(nameKey(other), k -> new ArrayList<>()).add(other);
        }
      }
    }
    List<Job> found = new ArrayList<>();
    for (Job other : names.getOrDefault(nameKey(job), List.of())) {
      boolean first = other.id() < job.id() || other.state() != JobState.PENDING;
      if (other.id() != job.id() && first && !areComponents(job, other)) {
        found.add(other);
      }
    }
    return found;
  }

  private static String nameKey(Job job) {
    return job.owner().user() + '\n' + job.name();
  }

  private static boolean areComponents(Job job, Job other) {
    return job.het() != null
        && other.het() != null
        && job.het().hetJobId() == other.het().hetJobId();
  }

  /** The records of a target: a job, all of an array, or one task. */
  private List<Job> targets(JobId target) {
    return target.task() >= 0 ? tasks(target, target.task()) : all((int) target.job());
  }

  private List<Job> tasks(JobId target, int task) {
    List<Job> found = new ArrayList<>();
    for (Job job : all((int) target.job())) {
      ArrayInfo array = job.array();
      if (array == null
          || (array.taskId() == null ? array.waiting().contains(task) : array.taskId() == task)) {
        found.add(job);
      }
    }
    return found;
  }

  private List<Job> all(int id) {
    if (arrays == null) {
      arrays = new TreeMap<>();
      for (Job job : state.jobs().values()) {
        if (job.array() != null) {
          arrays.computeIfAbsent(job.array().arrayJobId(), k -> new ArrayList<>()).add(job);
        }
      }
    }
    List<Job> tasks = arrays.get(id);
    if (tasks != null) {
      return tasks;
    }
    Job job = state.job(id);
    return job == null ? List.of() : components(job);
  }

  /** The leader of a heterogeneous job stands for all of its components. */
  private List<Job> components(Job job) {
    HetInfo het = job.het();
    if (het == null || !het.isLeader()) {
      return List.of(job);
    }
    List<Job> found = new ArrayList<>();
    for (int i = 0; i < het.size(); i++) {
      Job component = state.job(het.hetJobId() + i);
      if (component != null) {
        found.add(component);
      }
    }
    return found;
  }
}
