package dev.yardmaster.engine.plan;

import dev.yardmaster.engine.Decision;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.model.Allocation;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobFlag;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.NodeShare;
import dev.yardmaster.model.Suspension;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The gang scheduler (slurm.conf(5), PreemptMode=GANG): of jobs that hold the same cores one works
 * and the others are stopped. A job of a partition of a higher PriorityTier always works before
 * those of lower ones. Jobs of one partition take turns of SchedulerTimeSlice; a job that another
 * preempts across partitions waits until that one has ended. One that preempts by QOS within its
 * partition waits for its turn, as in Slurm.
 */
public final class Gang {
  private static final long DEFAULT_SLICE = 30;

  private final PreemptRules rules;
  private final Instant now;
  private final long slice;
  private final List<Job> jobs = new ArrayList<>();
  private final TreeMap<Integer, List<Job>> rivals = new TreeMap<>();

  /** What the gang scheduler wants. */
  record Turns(List<Decision.Suspend> suspend, List<Decision.Resume> resume) {
    static final Turns NONE = new Turns(List.of(), List.of());
  }

  private Gang(ClusterState state, List<Job> holders, Instant now) {
    this.rules = new PreemptRules(state);
    this.now = now;
    slice = slice(state);
    for (Job job : holders) {
      boolean works = job.state() == JobState.RUNNING || isStopped(job);
      if (works && !job.has(JobFlag.COMPLETING) && job.het() == null) {
        jobs.add(job);
      }
    }
    findRivals();
  }

  /** Whether jobs may take turns here at all. */
  static boolean isOn(ClusterState state) {
    return state
        .config()
        .setting("PreemptMode")
        .orElse("OFF")
        .toUpperCase(Locale.ROOT)
        .contains("GANG");
  }

  private static long slice(ClusterState state) {
    String text = state.config().setting("SchedulerTimeSlice").orElse("");
    return text.matches("[0-9]{1,9}") ? Math.max(1, Long.parseLong(text)) : DEFAULT_SLICE;
  }

  /** Whether the gang scheduler has stopped a job. */
  static boolean isStopped(Job job) {
    return job.state() == JobState.SUSPENDED && !job.lendsCpus();
  }

  /**
   * When the turn of a job is over that has just begun or ended one; null where nobody takes turns.
   */
  public static @Nullable Instant turnOver(ClusterState state, Job job) {
    Suspension suspension = job.suspension();
    if (suspension == null || suspension.cause() != Suspension.Cause.GANG) {
      return null;
    }
    int slices = job.state() == JobState.SUSPENDED ? 2 : 1;
    return isOn(state) && !job.state().isFinished()
        ? suspension.at().plusSeconds(slices * slice(state))
        : null;
  }

  /** Who is to stop and who to go on. */
  static Turns decide(ClusterState state, List<Job> holders, Instant now) {
    return isOn(state) ? new Gang(state, holders, now).decide() : Turns.NONE;
  }

  private void findRivals() {
    TreeMap<String, List<Job>> byNode = new TreeMap<>();
    for (Job job : jobs) {
      for (NodeShare share : shares(job)) {
        byNode.computeIfAbsent(share.node(), n -> new ArrayList<>()).add(job);
      }
    }
    for (var entry : byNode.entrySet()) {
      List<Job> here = entry.getValue();
      for (int i = 0; i < here.size(); i++) {
        for (int j = i + 1; j < here.size(); j++) {
          if (overlap(here.get(i), here.get(j), entry.getKey())) {
            rivals.computeIfAbsent(here.get(i).id(), k -> new ArrayList<>()).add(here.get(j));
            rivals.computeIfAbsent(here.get(j).id(), k -> new ArrayList<>()).add(here.get(i));
          }
        }
      }
    }
  }

  private static List<NodeShare> shares(Job job) {
    Allocation allocation = job.allocation();
    return allocation == null ? List.of() : allocation.shares();
  }

  private static boolean overlap(Job a, Job b, String node) {
    for (NodeShare one : shares(a)) {
      for (NodeShare other : shares(b)) {
        if (one.node().equals(node) && other.node().equals(node)) {
          return one.cores().intersects(other.cores());
        }
      }
    }
    return false;
  }

  private List<Job> rivals(Job job) {
    return rivals.getOrDefault(job.id(), List.of());
  }

  private Turns decide() {
    List<Job> order = new ArrayList<>(jobs);
    order.sort(
        Comparator.<Job>comparingInt(job -> -rules.tier(job))
            .thenComparingInt(this::rank)
            .thenComparing(job -> isStopped(job) ? stoppedAt(job) : begunAt(job))
            .thenComparingInt(Job::id));
    TreeSet<Integer> working = new TreeSet<>();
    List<Decision.Suspend> suspend = new ArrayList<>();
    List<Decision.Resume> resume = new ArrayList<>();
    for (Job job : order) {
      if (rivals(job).stream().noneMatch(rival -> working.contains(rival.id()))) {
        working.add(job.id());
        if (isStopped(job)) {
          resume.add(new Decision.Resume(job.id(), job.restarts()));
        }
      }
    }
    for (Job job : order) {
      if (job.state() == JobState.RUNNING && !working.contains(job.id())) {
        suspend.add(new Decision.Suspend(job.id(), job.restarts(), preemptor(job, working)));
      }
    }
    return new Turns(suspend, resume);
  }

  /** Who comes first: who preempts, then whose turn has come, who works, and who waits. */
  private int rank(Job job) {
    if (isStopped(job)) {
      return isItsTurn(job) ? 1 : 3;
    }
    boolean preempts =
        isNew(job)
            && rivals(job).stream()
                .anyMatch(
                    rival -> !rival.partition().equals(job.partition()) && rules.stops(job, rival));
    return preempts ? 0 : 2;
  }

  private boolean isNew(Job job) {
    return job.suspension() == null && now.equals(job.started());
  }

  /** Everybody in its way has had a turn, and nobody is there who keeps it stopped to the end. */
  private boolean isItsTurn(Job stopped) {
    return rivals(stopped).stream()
        .filter(rival -> rival.state() == JobState.RUNNING)
        .filter(rival -> rules.tier(rival) == rules.tier(stopped))
        .allMatch(
            rival ->
                !turnEnds(rival, stopped).isAfter(now)
                    && (stopped.partition().equals(rival.partition())
                        || !rules.stops(rival, stopped)));
  }

  /** One that has worked alone so far has a second slice from when another waits for it. */
  private Instant turnEnds(Job rival, Job stopped) {
    return rival.suspension() == null
        ? stoppedAt(stopped).plusSeconds(2 * slice)
        : begunAt(rival).plusSeconds(slice);
  }

  private int preemptor(Job stopped, TreeSet<Integer> working) {
    return rivals(stopped).stream()
        .filter(rival -> working.contains(rival.id()) && rules.stops(rival, stopped))
        .mapToInt(Job::id)
        .min()
        .orElse(0);
  }

  private Instant begunAt(Job job) {
    Instant started = job.started();
    return job.suspension() != null ? job.suspension().at() : started == null ? now : started;
  }

  private Instant stoppedAt(Job job) {
    return job.suspension() == null ? now : job.suspension().at();
  }
}
