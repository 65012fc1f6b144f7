package dev.yardmaster.engine.gate;

import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.explain.Evidence;
import dev.yardmaster.model.ArrayInfo;
import dev.yardmaster.model.HetInfo;
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

  private final ClusterState state;
  private final Instant now;
  private @Nullable TreeMap<Integer, List<Job>> arrays;
  private @Nullable TreeMap<String, List<Job>> names;

  Dependencies(ClusterState state, Instant now) {
    this.state = state;
    this.now = now;
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
   * The waiting tasks of an array that may start as far as {@code aftercorr} is concerned; null
   * when all may.
   */
  public @Nullable IndexSet startableTasks(Job job) {
    Dependency dependency = job.dependency();
    ArrayInfo array = job.array();
    if (dependency == null || array == null || array.taskId() != null) {
      return null;
    }
    BitSet startable = array.waiting().toBitSet();
    boolean narrowed = false;
    for (Dependency.Term term : dependency.terms()) {
      JobId target = term.target();
      if (term.type() == Dependency.Type.AFTERCORR && target != null) {
        narrowed = true;
        for (int t = startable.nextSetBit(0); t >= 0; t = startable.nextSetBit(t + 1)) {
          if (corresponding(job, target, t) != Standing.MET) {
            startable.clear(t);
          }
        }
      }
    }
    return narrowed ? IndexSet.of(startable) : null;
  }

  /**
   * Whether {@code aftercorr} is decided for some waiting task of an array, one way or the other:
   * from then on its tasks go their own ways.
   */
  public boolean tasksPart(Job job) {
    Dependency dependency = job.dependency();
    ArrayInfo array = job.array();
    if (dependency == null || array == null || array.taskId() != null) {
      return false;
    }
    BitSet waiting = array.waiting().toBitSet();
    for (Dependency.Term term : dependency.terms()) {
      JobId target = term.target();
      if (term.type() != Dependency.Type.AFTERCORR || target == null) {
        continue;
      }
      for (int t = waiting.nextSetBit(0); t >= 0; t = waiting.nextSetBit(t + 1)) {
        if (corresponding(job, target, t) != Standing.WAITING) {
          return true;
        }
      }
    }
    return false;
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
    return new Evidence.DependsOn(term.toString(), ids, states, never);
  }

  private Standing standing(Job job, Dependency.Term term) {
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

  private Standing corresponding(Job job, JobId target, List<Job> jobs) {
    ArrayInfo array = job.array();
    if (array == null) {
      return ok(job, jobs);
    }
    if (array.taskId() != null) {
      return corresponding(job, target, array.taskId());
    }
    boolean waits = false;
    BitSet waiting = array.waiting().toBitSet();
    for (int t = waiting.nextSetBit(0); t >= 0; t = waiting.nextSetBit(t + 1)) {
      Standing one = corresponding(job, target, t);
      if (one == Standing.MET) {
        return Standing.MET;
      }
      waits |= one == Standing.WAITING;
    }
    return waits ? Standing.WAITING : Standing.NEVER;
  }

  /** One task and its counterpart; where a single task is named, all wait for that one. */
  private Standing corresponding(Job job, JobId target, int task) {
    if (target.task() >= 0) {
      return ok(job, targets(target));
    }
    List<Job> counterpart = tasks(target, task);
    boolean missing = counterpart.isEmpty() && !all((int) target.job()).isEmpty();
    return missing ? Standing.NEVER : ok(job, counterpart);
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

  private Standing ok(Job job, List<Job> jobs) {
    if (jobs.isEmpty()) {
      return asFoundBefore(job);
    }
    boolean waits = false;
    for (Job other : jobs) {
      if (other.state().isFinished() && other.state() != JobState.COMPLETED) {
        return Standing.NEVER;
      }
      waits |= !over(other);
    }
    return waits ? Standing.WAITING : Standing.MET;
  }

  /** Met as soon as one has failed; never when all have succeeded. */
  private Standing notOk(Job job, List<Job> jobs) {
    if (jobs.isEmpty()) {
      return asFoundBefore(job);
    }
    boolean waits = false;
    for (Job other : jobs) {
      if (over(other) && other.state() != JobState.COMPLETED) {
        return Standing.MET;
      }
      waits |= !over(other);
    }
    return waits ? Standing.WAITING : Standing.NEVER;
  }

  private static Standing asFoundBefore(Job job) {
    return job.reason() == Reason.DEPENDENCY_NEVER_SATISFIED ? Standing.NEVER : Standing.MET;
  }

  private static boolean over(Job job) {
    return job.state().isFinished() && !job.has(JobFlag.COMPLETING);
  }

  /** Jobs of the same name and user that singleton waits for: running, or singletons before it. */
  private List<Job> namesakes(Job job) {
    if (names == null) {
      names = new TreeMap<>();
      for (Job other : state.jobs().values()) {
        if (!over(other)) {
          names.computeIfAbsent(nameKey(other), k -> new ArrayList<>()).add(other);
        }
      }
    }
    List<Job> found = new ArrayList<>();
    for (Job other : names.getOrDefault(nameKey(job), List.of())) {
      boolean before = other.id() < job.id() && isSingleton(other);
      if (other.id() != job.id() && (other.state() != JobState.PENDING || before)) {
        found.add(other);
      }
    }
    return found;
  }

  private static String nameKey(Job job) {
    return job.owner().user() + '\n' + job.name();
  }

  private static boolean isSingleton(Job job) {
    Dependency dependency = job.dependency();
    return dependency != null
        && dependency.terms().stream().anyMatch(t -> t.type() == Dependency.Type.SINGLETON);
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
